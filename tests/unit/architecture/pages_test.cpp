// SPDX-License-Identifier: MIT
//
// Protects those who read the documentation: README.md stays on one page, links lead to files and headings
// that exist, and every alert says what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pages.h"
#include "source_files.h"

namespace {

namespace fs = std::filesystem;
using sweepd::test::all_pages;
using sweepd::test::page_content;
using sweepd::test::read;
using sweepd::test::source_folder;

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
  for (const std::string& line : page_content(source_folder(), page).prose) {
    std::smatch match;
    if (std::regex_match(line, match, kHeading)) anchors.insert(anchor_of(match[1]));
  }
  return anchors;
}

/// What its links inside of the project name: a file, empty for the page itself, and an anchor or nothing.
std::vector<std::pair<std::string, std::string>> links_of(const fs::path& page) {
  static const std::regex kLink(R"(\]\(([^)#: ]*)(?:#([^)]*))?\))");
  std::vector<std::pair<std::string, std::string>> links;
  for (const std::string& line : page_content(source_folder(), page).prose) {
    for (std::sregex_iterator it(line.begin(), line.end(), kLink), end; it != end; ++it)
      links.emplace_back((*it)[1].str(), (*it)[2].str());
  }
  return links;
}

TEST(Pages, LinkOnlyToFilesAndHeadingsThatExist) {
  std::size_t count = 0;
  for (const fs::path& page : all_pages(source_folder())) {
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
