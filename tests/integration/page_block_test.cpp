// SPDX-License-Identifier: MIT
//
// Protects those who copy from the documentation: each block of code of each page is run by a test, is quoted
// from what a test compiles, or names only what exists, and so does each command in a line of text.
#include <map>
#include <regex>

#include "integration/support/page_names.h"
#include "integration/support/page_rules.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::page_block_test {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }

/// Of a page: its path below the project's folder.
std::vector<std::string> page_names() {
  std::vector<std::string> names;
  for (const fs::path& page : all_pages(source())) names.push_back(fs::relative(page, source()));
  return names;
}

std::vector<PageBlock> all_blocks() {
  std::vector<PageBlock> blocks;
  for (const std::string& page : page_names())
    std::ranges::copy(page_content(source(), page).blocks, std::back_inserter(blocks));
  return blocks;
}

std::string place_of(const PageBlock& block) {
  return block.page + ", " + block.section + ", ```" + block.language + "\n" + block.text;
}

std::vector<PageBlock> blocks_with(PageProof proof) {
  std::vector<PageBlock> blocks = all_blocks();
  std::erase_if(blocks, [&](const PageBlock& block) {
    return std::ranges::none_of(
        page_rules(), [&](const PageRule& rule) { return rule.proof == proof && rule.covers(block); });
  });
  EXPECT_FALSE(blocks.empty());
  return blocks;
}

std::string without_indentation(const std::string& text) {
  return std::regex_replace(text, std::regex("(^|\n) +"), "$1");
}

bool has_test(const std::string& name) {
  const ::testing::UnitTest& tests = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *tests.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j)
      if (suite.name() + std::string(".") + suite.GetTestInfo(j)->name() == name) return true;
  }
  return false;
}

TEST(PageBlocks, HaveARuleEach) {
  for (const PageBlock& block : all_blocks())
    EXPECT_EQ(std::ranges::count_if(page_rules(), [&](const PageRule& rule) { return rule.covers(block); }),
              1)
        << "rules in page_rules.cpp of " << place_of(block);
}

TEST(PageBlocks, HaveNoRulesBesideThem) {
  const std::vector<PageBlock> blocks = all_blocks();
  for (const PageRule& rule : page_rules()) {
    EXPECT_TRUE(std::ranges::any_of(blocks, [&](const PageBlock& block) { return rule.covers(block); }))
        << rule.page << ", " << rule.section << ", " << rule.language;
    if (rule.proof == PageProof::kTest) {
      EXPECT_TRUE(has_test(rule.by)) << rule.by;
    }
  }
}

TEST(PageBlocks, StandInWhatIsCompiledToTheLetter) {
  for (const PageBlock& block : blocks_with(PageProof::kQuote)) {
    EXPECT_LE(std::ranges::count(block.text, '\n'), 36) << place_of(block);
    for (const PageRule& rule : page_rules()) {
      if (!rule.covers(block)) continue;
      const std::string file = without_indentation(read_file(source() / rule.by));
      EXPECT_NE(file.find(without_indentation(block.text)), std::string::npos)
          << rule.by << ": " << place_of(block);
    }
  }
}

TEST(PageBlocks, ThatCannotRunNameOnlyWhatExists) {
  for (const PageBlock& block : blocks_with(PageProof::kNames))
    EXPECT_THAT(block.language == "sh" ? unknown_names(block.text) : unknown_files(block.text), IsEmpty())
        << place_of(block);
}

TEST(PageBlocks, OfTheArchitectureHasEachModule) {
  const std::string drawing = blocks_of_this_test("");
  static const std::regex kModule(R"((\w+)/ )");
  int count = 0;
  for (std::sregex_iterator it(drawing.begin(), drawing.end(), kModule), end; it != end; ++it, ++count)
    EXPECT_TRUE(fs::is_directory(source() / "server" / (*it)[1].str())) << (*it)[1];
  EXPECT_GE(count, 7);
}

/// The commands that a page has between backticks. The changelog tells of former ones.
TEST(PageCommandsInText, NameOnlyWhatExists) {
  static const std::regex kCommand("`(([^ `]+)( [^`]*)?)`");
  int count = 0;
  for (const std::string& page : page_names()) {
    if (page == "deploy/CHANGELOG.md") continue;
    for (const std::string& line : page_content(source(), page).prose) {
      for (std::sregex_iterator it(line.begin(), line.end(), kCommand), end; it != end; ++it) {
        if (!is_known_program((*it)[2])) continue;
        EXPECT_THAT(unknown_names((*it)[1]), IsEmpty()) << page << ": " << line;
        ++count;
      }
    }
  }
  EXPECT_GT(count, 80);
}

TEST(PageNames, AreMissedWhereTheyDoNotExist) {
  const std::map<std::string, std::string> kWrong = {
      {"sweepd --listne 127.0.0.1:0", "sweepd --listne"},
      {"SWEEPD_SERVER=a sweepctl lss", "sweepctl lss"},
      {"x=$(sweepctl replay gets m)", "replay gets"},
      {"sweepctl load --scale 2", "load --scale"},
      {"tests/run.sh msan", "tests/run.sh msan"},
      {"tests/run.sh # all; --fast: some", "tests/run.sh --fast"},
      {"deploy/install-packages.sh profiler", "deploy/install-packages.sh profiler"},
      {"deploy/install-packages.sh profilers", "deploy/install-packages.sh profilers"},
      {"deploy/profile-heap.sh -- sweepd --lops 1", "sweepd --lops"},
      {"ctest --preset release -R unit_matches", "test unit_matches"},
      {"cmake --workflow --preset fast", "preset fast"},
      {"build/release/bin/unit_matches", "build/release/bin/unit_matches"},
      {"build/release/bin/sweepd --lops 2", "sweepd --lops"},
      {"ninja -C build/fast", "build/fast"},
      {"doxygen client_sdk/Doxygen", "client_sdk/Doxygen"},
      {"unheard of", "unheard"}};
  for (const auto& [command, name] : kWrong) {
    const std::vector<std::string> unknown = unknown_names(command);
    EXPECT_TRUE(std::ranges::any_of(unknown, [&](const std::string& one) { return one.ends_with(name); }))
        << command << ::testing::PrintToString(unknown);
  }
}

}  // namespace
}  // namespace sweepd::test::page_block_test
