// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "source_tree.h"

namespace sweepd::test {

/// Every page below the folder, but of what is built, installed or hidden; .github has pages, too.
inline std::vector<std::filesystem::path> all_pages(const std::filesystem::path& source) {
  namespace fs = std::filesystem;
  std::vector<fs::path> pages;
  for (const auto& top : fs::directory_iterator(source)) {
    const std::string name = top.path().filename();
    if (top.path().extension() == ".md") pages.push_back(top.path());
    if (!top.is_directory() || name == "build" || (name.starts_with(".") && name != ".github")) continue;
    for (const auto& entry : entries_below(top))
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  return pages;
}

/// A block of code of a page; `language` and `section` as the page has them behind ``` and #.
struct PageBlock {
  std::string page;
  std::string section;
  std::string language;
  std::string text;
};

/// What a page has in blocks of code, and what it has beside them.
struct PageContent {
  std::vector<PageBlock> blocks;
  std::vector<std::string> prose;
};

/// `page`: below `source`. A block that is indented, as in a list, or has another fence, is one as well.
inline PageContent page_content(const std::filesystem::path& source, const std::string& page) {
  PageContent content;
  std::ifstream lines(source / page);
  std::string section;
  std::string fence;  // Of the block that the line is in.
  bool is_after_blank = true;
  for (std::string line; std::getline(lines, line);) {
    const std::string text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool is_fence = text.starts_with("```") || text.starts_with("~~~");
    if (!fence.empty() && text == fence) {
      fence.clear();
    } else if (!fence.empty()) {
      content.blocks.back().text += line + "\n";
    } else if (is_fence) {
      fence = text.substr(0, 3);
      content.blocks.push_back({page, section, text.substr(3), ""});
    } else if (is_after_blank && (line.starts_with("    ") || line.starts_with("\t"))) {
      content.blocks.push_back({page, section, "indented", line + "\n"});
    } else {
      if (line.starts_with("#")) section = line;
      content.prose.push_back(line);
    }
    is_after_blank = text.empty();
  }
  return content;
}

}  // namespace sweepd::test
