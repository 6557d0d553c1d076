// SPDX-License-Identifier: MIT
//
// Protects the documented sample: it has every key there is and breaks no rule. And since it has every key,
// it is what every key is tried with at a wrong type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sweepd/v1/types.pb.h"
#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/match_file.h"
#include "tools/sweepctl/toml_tree.h"

namespace sweepd::tools::match_file_sample_test {
namespace {

using ::testing::IsEmpty;
using Path = std::vector<std::size_t>;  // From the outermost table to a value: places in `items`.

std::string sample_path() {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  return std::string(source != nullptr ? source : ".") + "/deploy/samples/coop_shmup.toml";
}

std::string sample_text() {
  std::ifstream file(sample_path());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TomlValue tree_of(const std::string& text) {
  auto tree = parse_toml(text);
  if (const auto* error = std::get_if<FileError>(&tree)) ADD_FAILURE() << error->message << "\n" << text;
  return std::holds_alternative<TomlValue>(tree) ? std::get<TomlValue>(tree) : TomlValue();
}

std::string inline_text(const TomlValue& value) {
  if (value.kind == TomlKind::kTime) return "1979-05-27";
  if (value.kind == TomlKind::kText) return "'" + value.text + "'";
  if (value.kind == TomlKind::kFlag) return value.flag ? "true" : "false";
  if (value.kind == TomlKind::kInteger) return std::to_string(value.integer);
  if (value.kind == TomlKind::kReal) return std::to_string(value.real);
  std::string text;
  for (const TomlValue& item : value.items) {
    text += (text.empty() ? "" : ", ") + (item.key.empty() ? "" : item.key + " = ") + inline_text(item);
  }
  return value.kind == TomlKind::kList ? "[" + text + "]" : "{" + text + "}";
}

std::string file_text(const TomlValue& document) {
  std::string text;
  for (const TomlValue& item : document.items) text += item.key + " = " + inline_text(item) + "\n";
  return text;
}

void collect(const TomlValue& value, Path path, std::vector<Path>& paths) {
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    path.push_back(i);
    paths.push_back(path);
    collect(value.items[i], path, paths);
    path.pop_back();
  }
}

TomlValue& value_at(TomlValue& document, const Path& path) {
  TomlValue* value = &document;
  for (const std::size_t index : path) value = &value->items.at(index);
  return *value;
}

TEST(MatchFileSample, IsAMatchThatEveryServerTakes) {
  const MatchFile file = read_match_file(sample_path());
  EXPECT_THAT(file.errors, IsEmpty());
  EXPECT_EQ(check_config(file.config).message(), "");
}

TEST(MatchFileSample, AnswersADateInPlaceOfEveryValueByItsPosition) {
  const TomlValue document = tree_of(sample_text());
  std::vector<Path> paths;
  collect(document, {}, paths);
  EXPECT_GT(paths.size(), 100u);
  for (const Path& path : paths) {
    TomlValue changed = document;
    TomlValue& value = value_at(changed, path);
    value.kind = TomlKind::kTime;
    const std::string text = file_text(changed);
    TomlValue read = tree_of(text);
    const FilePosition position = value_at(read, path).position;
    const std::string place =
        sample_path() + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": ";
    const MatchFile file = parse_match_file(text, sample_path());
    const bool is_answered =
        std::any_of(file.errors.begin(), file.errors.end(), [&](const std::string& error) {
          return error.starts_with(place) &&
                 error.find(" is a date or a time; must be ") != std::string::npos;
        });
    EXPECT_TRUE(is_answered) << value.key << " at " << place << ::testing::PrintToString(file.errors);
  }
}

// Whether the file gives the field: "scoring.points" in any rule.
bool is_given(const FieldPlaces& places, const std::string& outer, const std::string& name) {
  if (places.contains(outer + "." + name)) return true;
  for (int i = 0; i < 9; ++i) {
    if (places.contains(outer + "[" + std::to_string(i) + "]." + name)) return true;
  }
  return false;
}

TEST(MatchFileSample, HasEveryFieldOfAConfig) {
  const MatchFile file = read_match_file(sample_path());
  const google::protobuf::Descriptor* config = v1::MatchConfig::descriptor();
  for (int i = 0; i < config->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = config->field(i);
    EXPECT_TRUE(file.places.contains(field->name())) << field->name();
    const google::protobuf::Descriptor* message = field->message_type();
    if (message == nullptr || message == v1::RoleSet::descriptor()) continue;
    for (int j = 0; j < message->field_count(); ++j) {
      const std::string& name = message->field(j)->name();
      const bool is_in_picture =
          message == v1::BitMask::descriptor() && (name == "width" || name == "height");
      EXPECT_TRUE(is_in_picture || is_given(file.places, field->name(), name))
          << field->name() << "." << name;
    }
  }
}

}  // namespace
}  // namespace sweepd::tools::match_file_sample_test
