// SPDX-License-Identifier: MIT
//
// Protects those who read the documentation: README.md stays on one page, code in it is code that compiles,
// links lead to files and headings that exist, and every alert says what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "source_files.h"

namespace {

namespace fs = std::filesystem;
using sweepd::test::read;
using sweepd::test::source_folder;
using ::testing::HasSubstr;

/// Every page, but of what is built or hidden; .github has pages, too.
std::vector<fs::path> all_pages() {
  std::vector<fs::path> pages = {source_folder() / "README.md"};
  for (const char* folder : {".github", "client_sdk", "deploy", "proto", "server", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
  }
  return pages;
}

/// Its lines outside of blocks of code.
std::vector<std::string> prose_of(const fs::path& page) {
  std::vector<std::string> prose;
  std::istringstream lines(read(page));
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_code = !is_code;
    } else if (!is_code) {
      prose.push_back(line);
    }
  }
  return prose;
}

/// As the page's address has it: lower case, without punctuation, with - in the place of spaces.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& page) {
  static const std::regex kHeading("#+ (.*)");
  std::set<std::string> anchors;
  for (const std::string& line : prose_of(page)) {
    std::smatch match;
    if (std::regex_match(line, match, kHeading)) anchors.insert(anchor_of(match[1]));
  }
  return anchors;
}

/// What its links inside of the project name: a file, empty for the page itself, and an anchor or nothing.
std::vector<std::pair<std::string, std::string>> links_of(const fs::path& page) {
  static const std::regex kLink(R"(\]\(([^)#: ]*)(?:#([^)]*))?\))");
  std::vector<std::pair<std::string, std::string>> links;
  for (const std::string& line : prose_of(page)) {
    for (std::sregex_iterator it(line.begin(), line.end(), kLink), end; it != end; ++it)
      links.emplace_back((*it)[1].str(), (*it)[2].str());
  }
  return links;
}

TEST(Pages, LinkOnlyToFilesAndHeadingsThatExist) {
  std::size_t count = 0;
  for (const fs::path& page : all_pages()) {
    for (const auto& [file, anchor] : links_of(page)) {
      const fs::path target = file.empty() ? page : page.parent_path() / file;
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << file;
      if (!anchor.empty()) {
        EXPECT_TRUE(anchors_of(target).contains(anchor)) << page << " links to " << file << "#" << anchor;
      }
      ++count;
    }
  }
  EXPECT_GT(count, 80u);
}

TEST(Pages, AreInEveryFolderAndTheFirstIsShort) {
  for (const char* folder : {"client_sdk", "deploy", "proto", "server", "tests"})
    EXPECT_TRUE(fs::exists(source_folder() / folder / "README.md")) << folder;
  const std::string first = read(source_folder() / "README.md");
  EXPECT_LE(std::count(first.begin(), first.end(), '\n'), 150);
}

TEST(Pages, QuoteTheCompiledExamplesToTheLetter) {
  const std::pair<const char*, const char*> kQuotes[] = {{"first_match.cpp", "README.md"},
                                                         {"shape_match.cpp", "client_sdk/README.md"},
                                                         {"scored_match.cpp", "client_sdk/README.md"},
                                                         {"coop_shmup.cpp", "client_sdk/README.md"},
                                                         {"stage_waves.cpp", "client_sdk/README.md"}};
  for (const auto& [name, page] : kQuotes) {
    const std::string example = read(source_folder() / "client_sdk/examples" / name);
    const std::string begin = "// [readme]\n";
    const auto from = example.find(begin);
    const auto to = example.find("// [/readme]");
    ASSERT_NE(from, std::string::npos) << name;
    ASSERT_NE(to, std::string::npos) << name;
    const std::string snippet = example.substr(from + begin.size(), to - from - begin.size());
    EXPECT_LE(std::count(snippet.begin(), snippet.end(), '\n'), 36) << name;
    EXPECT_THAT(read(source_folder() / page), HasSubstr("```cpp\n" + snippet + "```"));
  }
}

/// Name and severity, by a regular expression with a group for each.
std::set<std::pair<std::string, std::string>> alerts_in(const fs::path& file, const std::string& pattern) {
  const std::regex alert(pattern);
  const std::string text = read(file);
  std::set<std::pair<std::string, std::string>> alerts;
  for (std::sregex_iterator it(text.begin(), text.end(), alert), end; it != end; ++it)
    alerts.emplace((*it)[1].str(), (*it)[2].str());
  return alerts;
}

TEST(Pages, OfOperatingSayWhatToDoAboutEveryAlert) {
  const auto alerts = alerts_in(source_folder() / "deploy/prometheus/alerts.yml",
                                R"(alert: (\w+)\n[\s\S]*?labels: \{severity: (\w+)\})");
  EXPECT_GT(alerts.size(), 20u);
  EXPECT_EQ(alerts_in(source_folder() / "deploy/README.md", R"(\n\| (Sweepd\w+) \| (\w+) \|)"), alerts);
}

}  // namespace
