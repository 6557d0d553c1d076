// SPDX-License-Identifier: MIT
// Protects snapshots that were made by other builds: a golden file, which is only ever read, is restored and
// goes on to a pinned digest; and this build writes what its version says, to the byte. A new version gets a
// file of its own, the old ones stay and stay readable.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "property/snapshot/golden_match.h"

namespace sweepd::property::golden_snapshot {
namespace {

using match::Match;

// Digests of the first version: the file is older than the second.
constexpr std::uint64_t kDigestAtSnapshot = 6042196947551522505u;
constexpr std::uint64_t kLastDigest = 16294670384261792728u;
constexpr std::int64_t kLastScores[] = {164, 70};

std::string golden_file() {
  const char* folder = std::getenv("SWEEPD_SOURCE_DIR");
  const std::string path = std::string(folder != nullptr ? folder : ".") + "/tests/golden/snapshots/v1.bin";
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_pinned_end(Match& match) {
  std::set<match::Verdict> verdicts;
  std::set<collision::ExitReason> exits;
  while (match.tick() < kGoldenLastTick) {
    const match::TickOutput& output = play_golden_tick(match);
    for (const auto& verdict : output.claim_verdicts) verdicts.insert(verdict.verdict);
    for (const auto& event : output.events) exits.insert(event.reason);
  }
  EXPECT_EQ(match.digest(), kLastDigest);
  const auto scores = match.scoreboard().present();
  ASSERT_EQ(scores.size(), std::size(kLastScores));
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_EQ(scores[i].score, kLastScores[i]) << scores[i].name;
  EXPECT_GE(verdicts.size(), 3u);  // Something happened.
  EXPECT_GE(exits.size(), 4u);
}

TEST(GoldenSnapshot, GoesOnToAPinnedEnd) {
  const auto restored = Match::restore(golden_config(), golden_file(), match::kFirstDigestVersion);
  ASSERT_TRUE(restored.ok()) << restored.error().place << ": " << restored.error().description;
  Match& match = **restored;
  EXPECT_EQ(match.tick(), kGoldenSnapshotTick);
  EXPECT_EQ(match.digest(), kDigestAtSnapshot);
  expect_pinned_end(match);
}

TEST(GoldenSnapshot, IsWhatThisBuildWritesOfTheSameMatch) {
  const auto made = Match::create(golden_config(), match::kFirstDigestVersion);
  ASSERT_TRUE(made.ok()) << made.error().field << ": " << made.error().description;
  Match& match = **made;
  play_to_golden_snapshot(match);
  if (match.save() != golden_file()) {
    const std::string path = testing::TempDir() + "snapshot.bin";
    std::ofstream(path, std::ios::binary) << match.save();
    ADD_FAILURE() << "the bytes differ from the golden file; " << path << " has these";
  }
  expect_pinned_end(match);
}

}  // namespace
}  // namespace sweepd::property::golden_snapshot
