// SPDX-License-Identifier: MIT
#include "tools/sweepctl/match_file.h"

#include <algorithm>
#include <utility>

#include "tools/sweepctl/match_file_fields.h"
#include "tools/sweepctl/small_file.h"

namespace sweepd::tools {
namespace {

// A match of 64 layers, 64 rules and 256 masks has room in a tenth of it.
constexpr std::size_t kFileBytesMax = 1u << 20;

/// Yields the keys that the file may have.
std::vector<std::string> read_document(const TomlValue& document, const std::filesystem::path& folder,
                                       FileNotes& notes, MatchConfig& config) {
  TomlTable file(TomlField(document, "", "", notes));
  read_config(file, folder, config);
  file.finish();
  return file.known();
}

std::vector<std::string> file_keys() {
  const TomlValue empty;
  FileNotes notes;
  MatchConfig config;
  return read_document(empty, {}, notes, config);
}

}  // namespace

std::string MatchFile::at(FilePosition position) const {
  return path + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": ";
}

std::string MatchFile::located(const Status& status) const {
  constexpr std::string_view kConfig = "config.";
  std::string_view field = status.field();
  if (!field.starts_with(kConfig)) return status.message();
  field.remove_prefix(kConfig.size());
  const auto place = places.find(field);
  if (!place) return path + ": " + status.message();
  std::string_view description = status.message();
  if (!description.starts_with(status.field())) {
    return at(place->position) + place->key + ": " + status.message();
  }
  description.remove_prefix(status.field().size());
  if (description.starts_with(':')) description.remove_prefix(1);
  return at(place->position) + place->key + std::string(description);
}

MatchFile parse_match_file(std::string_view text, const std::string& path) {
  MatchFile file{.path = path};
  std::variant<TomlValue, FileError> document = parse_toml(text);
  FileNotes notes{.outermost_keys = file_keys()};
  if (const auto* error = std::get_if<FileError>(&document)) {
    notes.errors.push_back(*error);
  } else {
    read_document(std::get<TomlValue>(document), std::filesystem::path(path).parent_path(), notes,
                  file.config);
  }
  std::stable_sort(notes.errors.begin(), notes.errors.end(),
                   [](const FileError& a, const FileError& b) { return a.position < b.position; });
  for (const FileError& error : notes.errors) file.errors.push_back(file.at(error.position) + error.message);
  file.places = std::move(notes.places);
  return file;
}

MatchFile read_match_file(const std::string& path) {
  const Result<std::string> text = read_small_file(path, kFileBytesMax);
  if (text.ok()) return parse_match_file(*text, path);
  MatchFile file{.path = path};
  file.errors.push_back(path + " " + text.status().message());
  return file;
}

}  // namespace sweepd::tools
