// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pages.h"

namespace sweepd::test {

/// What keeps a block of a page right.
enum class PageProof {
  kTest,   ///< A test takes it from the page and runs it, or holds it against what it describes.
  kQuote,  ///< It stands in a file that a test compiles.
  kNames,  ///< It cannot run in a test: the programs, options and files that it names are looked up.
};

/// Of all blocks of a language in a section of a page; an empty section: of any.
struct PageRule {
  std::string page;
  std::string section;
  std::string language;
  PageProof proof;
  std::string by;  ///< The test or the file.

  bool covers(const PageBlock& block) const {
    return block.page == page && block.language == language && (section.empty() || block.section == section);
  }
};

/// Each block of code of all pages has exactly one.
std::span<const PageRule> page_rules();

/// The blocks of the language that a rule has the running test run.
std::string blocks_of_this_test(const std::string& language);

}  // namespace sweepd::test
