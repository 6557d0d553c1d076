// SPDX-License-Identifier: MIT
#include "tools/sweepctl/match_file_option.h"

#include <algorithm>
#include <iostream>

namespace sweepd::tools {

void add_match_file_option(CLI::App& command, std::string& path, const std::string& description) {
  command.add_option("--config", path, description)->type_name("FILE");
}

std::optional<MatchFile> open_match_file(const std::string& path) {
  MatchFile file = read_match_file(path);
  if (file.errors.empty()) return file;
  // What goes wrong a hundred times is one mistake.
  constexpr std::size_t kShownMax = 20;
  const std::size_t shown = std::min(file.errors.size(), kShownMax);
  for (std::size_t i = 0; i < shown; ++i) print_error(file.errors[i]);
  if (shown < file.errors.size()) {
    print_error(path + " has " + std::to_string(file.errors.size() - shown) + " more errors");
  }
  return std::nullopt;
}

void apply_options(const CLI::App& command, const std::vector<FieldOption>& options, const MatchConfig& given,
                   MatchFile& file) {
  for (const FieldOption& option : options) {
    if (command.count(option.option) == 0) continue;
    option.copy(given, file.config);
    if (const auto place = file.places.find(option.field); place && file.places.contains(option.field)) {
      print_note(file.at(place->position) + place->key + " is overridden by " + option.option);
    }
    file.places.forget(option.field);
  }
}

void print_note(const std::string& note) { std::cerr << "sweepctl: note: " << note << std::endl; }

int fail(const Status& status, const MatchFile& file) {
  print_error(file.located(status));
  return kExitFailed;
}

}  // namespace sweepd::tools
