// SPDX-License-Identifier: MIT
//
// Protects those who read the pages of server/: what they name in backticks is there, under that name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "source_files.h"
#include "source_tree.h"

namespace {

namespace fs = std::filesystem;
using sweepd::test::entries_below;
using sweepd::test::read;
using sweepd::test::source_folder;

const std::vector<std::string> kFolders = {"server", "client_sdk", "proto", "tests", "deploy"};

/// Of libraries.
const std::set<std::string> kForeign = {"StreamFlowControl", "UpdateAction"};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Every file and folder, also without its extension.
std::set<std::string> all_paths() {
  std::set<std::string> paths;
  for (const std::string& folder : kFolders) {
    for (const auto& entry : entries_below(source_folder() / folder)) {
      const fs::path path = fs::relative(entry.path(), source_folder());
      paths.insert(path.string());
      paths.insert((path.parent_path() / path.stem()).string());
    }
    paths.insert(folder);
  }
  return paths;
}

void add_words(const std::string& line, std::set<std::string>& words) {
  const auto comment = line.begin() + static_cast<std::ptrdiff_t>(std::min(line.find("//"), line.size()));
  for (auto begin = std::find_if(line.begin(), comment, is_of_word); begin != comment;) {
    const auto end = std::find_if_not(begin, comment, is_of_word);
    words.emplace(begin, end);
    begin = std::find_if(end, comment, is_of_word);
  }
}

/// Every word of sources and of what builds them, outside of comments.
std::set<std::string> all_words() {
  static const std::set<std::string> kKinds = {".h", ".cpp", ".proto", ".txt", ".sh"};
  std::set<std::string> words;
  for (const std::string& folder : kFolders) {
    for (const auto& entry : entries_below(source_folder() / folder)) {
      if (!kKinds.contains(entry.path().extension().string())) continue;
      std::istringstream lines(read(entry.path()));
      for (std::string line; std::getline(lines, line);) add_words(line, words);
    }
  }
  return words;
}

const std::vector<std::string> kPages = {"server/README.md", "server/RULES.md", "server/THREATS.md"};

/// What the page has in backticks outside of blocks of code.
std::set<std::string> names_in(const fs::path& page) {
  static const std::regex kName("`([^`\n]+)`");
  std::string text = read(page);
  for (std::size_t at = text.find("```"); at != std::string::npos; at = text.find("```", at)) {
    const std::size_t end = text.find("```", at + 3);
    text.erase(at, end == std::string::npos ? end : end + 3 - at);
  }
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), kName), last; it != last; ++it)
    names.insert((*it)[1].str());
  return names;
}

/// Of all pages of server/.
std::set<std::string> all_names() {
  std::set<std::string> names;
  for (const std::string& page : kPages) names.merge(names_in(source_folder() / page));
  return names;
}

/// The end of a path; with a * at the end, of any that begins so.
bool has_path(const std::set<std::string>& paths, std::string name) {
  const bool is_beginning = name.ends_with('*');
  while (name.ends_with('*') || name.ends_with('/')) name.pop_back();
  const std::string tail = "/" + name;
  return std::ranges::any_of(paths, [&](const std::string& path) {
    const std::string rooted = "/" + path;
    return is_beginning ? rooted.find(tail) != std::string::npos : rooted.ends_with(tail);
  });
}

TEST(Readme, OfTheServerNamesFilesThatExist) {
  static const std::regex kPath(R"([\w.-]+(/[\w.-]*)+\*?|\w+\.(h|cpp|proto|txt|sh|py))");
  const std::set<std::string> paths = all_paths();
  int count = 0;
  for (const std::string& name : all_names()) {
    if (!std::regex_match(name, kPath)) continue;
    EXPECT_TRUE(has_path(paths, name)) << name;
    ++count;
  }
  EXPECT_GT(count, 60);
}

TEST(Readme, OfTheServerNamesWhatTheCodeNamesSo) {
  static const std::regex kIdentifiers(R"([A-Za-z_]\w*(::[A-Za-z_]\w*)*)");
  const std::set<std::string> words = all_words();
  int count = 0;
  for (const std::string& name : all_names()) {
    if (!std::regex_match(name, kIdentifiers)) continue;
    for (auto begin = name.begin(); begin != name.end();) {
      const auto end = std::find_if_not(begin, name.end(), is_of_word);
      const std::string word(begin, end);
      EXPECT_TRUE(words.contains(word) || kForeign.contains(word)) << name;
      begin = std::find_if(end, name.end(), is_of_word);
    }
    ++count;
  }
  EXPECT_GT(count, 150);
}

}  // namespace
