// SPDX-License-Identifier: MIT
//
// Protects the table of threats in server/THREATS.md from naming tests that do not exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "source_files.h"

namespace {

namespace fs = std::filesystem;
using sweepd::test::read;
using sweepd::test::source_folder;

const std::string kAndMore = "…";

/// Suite.Name of each test, and the name of each fuzzer.
std::set<std::string> all_tests() {
  static const std::regex kTest(R"(\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder() / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string stem = entry.path().stem().string();
    if (stem.ends_with("_fuzzer")) names.insert(stem);
    const std::string text = read(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), kTest), end; it != end; ++it)
      names.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  return names;
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

/// The cells of its rows, without the head.
std::vector<std::vector<std::string>> threat_table() {
  const std::string page = read(source_folder() / "server/THREATS.md");
  const std::string heading = "\n## Threats\n";
  const std::size_t begin = page.find(heading);
  if (begin == std::string::npos) return {};
  std::istringstream lines(page.substr(begin + heading.size()));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line) && !line.starts_with("## ");) {
    if (line.starts_with("| ") && line.ends_with(" |"))
      rows.push_back(split(std::string_view(line).substr(1, line.size() - 2), '|'));
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

/// `name` ends in … or *: any test that begins so.
bool is_known(const std::set<std::string>& tests, std::string name) {
  if (name.ends_with('*')) {
    name.pop_back();
  } else if (name.ends_with(kAndMore)) {
    name.resize(name.size() - kAndMore.size());
  } else {
    return tests.contains(name);
  }
  const auto first = tests.lower_bound(name);
  return !name.empty() && first != tests.end() && first->starts_with(name);
}

TEST(ThreatTable, NamesOnlyTestsThatExist) {
  const std::set<std::string> tests = all_tests();
  const auto rows = threat_table();
  ASSERT_GT(rows.size(), 50u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 3u) << row.front() << ": threat, what stops it, tests";
    std::string suite;
    for (std::string name : split(row[2], ',')) {
      if (name.starts_with('.')) name = suite + name;
      suite = name.substr(0, name.find('.'));
      EXPECT_TRUE(is_known(tests, name)) << row[0] << ": there is no " << name;
    }
  }
}

}  // namespace
