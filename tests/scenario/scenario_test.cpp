// SPDX-License-Identifier: MIT
//
// Protects: the exact log of small matches that a person can follow, told in tests/scenario/*.txt; with every
// broadphase the same log and the same digests. SWEEPD_REWRITE=1 writes what comes out as what is expected:
// read the difference before you commit it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenario/scenario_file.h"
#include "scenario/scenario_player.h"

namespace sweepd::scenario::scenario_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenario_files() {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  std::vector<fs::path> files;
  if (source == nullptr) return files;
  for (const auto& entry : fs::directory_iterator(fs::path(source) / "tests/scenario")) {
    const bool is_scenario =
        entry.path().extension() == ".txt" && entry.path().filename() != "CMakeLists.txt";
    if (is_scenario) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

/// The scenario with what came out in place of what is expected, and the digests.
struct Outcome {
  std::vector<Block> blocks;
  std::vector<std::uint64_t> digests;
};

Outcome play(std::vector<Block> blocks, collision::BroadphaseKind broadphase) {
  ScenarioPlayer player(broadphase);
  for (Block& block : blocks) {
    if (!block.commands.empty()) block.expected = player.play(block.commands);
  }
  return {std::move(blocks), player.digests()};
}

class Scenario : public ::testing::TestWithParam<fs::path> {};

TEST_P(Scenario, YieldsTheLogItTells) {
  const std::string content = read(GetParam());
  ASSERT_TRUE(content.starts_with("# Protects: ")) << "a scenario begins by saying what it protects";
  const std::vector<Block> blocks = parse_scenario(content);
  const Outcome outcome = play(blocks, collision::BroadphaseKind::kSweepAndPrune);
  if (std::getenv("SWEEPD_REWRITE") != nullptr) {
    std::ofstream(GetParam()) << render_scenario(outcome.blocks);
    return;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_THAT(outcome.blocks[i].expected, ::testing::ElementsAreArray(blocks[i].expected))
        << GetParam() << " line " << blocks[i].line;
  }
}

TEST_P(Scenario, YieldsTheSameLogAndDigestsWithEveryBroadphase) {
  const std::vector<Block> blocks = parse_scenario(read(GetParam()));
  const Outcome sweep = play(blocks, collision::BroadphaseKind::kSweepAndPrune);
  for (const auto kind : collision::kBroadphaseKinds) {
    const Outcome other = play(blocks, kind);
    EXPECT_EQ(render_scenario(sweep.blocks), render_scenario(other.blocks)) << static_cast<int>(kind);
    EXPECT_EQ(sweep.digests, other.digests) << static_cast<int>(kind);
  }
  EXPECT_FALSE(sweep.digests.empty()) << "a scenario runs at least one tick";
}

INSTANTIATE_TEST_SUITE_P(Files, Scenario, ::testing::ValuesIn(scenario_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(Scenarios, AreFoundWhereTheSourceIs) {
  EXPECT_FALSE(scenario_files().empty()) << "SWEEPD_SOURCE_DIR must name the source folder";
}

TEST(Scenarios, AreRenderedAsTheyWereWritten) {
  for (const fs::path& file : scenario_files()) {
    const std::string content = read(file);
    EXPECT_EQ(render_scenario(parse_scenario(content)), content) << file;
  }
}

}  // namespace
}  // namespace sweepd::scenario::scenario_test
