// SPDX-License-Identifier: MIT
//
// Protects: replays that were written once stay readable, and play to the same digests and scores for good.
// The files in tests/golden/replays are never written again: a build that cannot verify one has broken
// somebody's record.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "replay/player.h"
#include "replay/verification.h"

namespace sweepd::replay {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  return fs::path(source != nullptr ? source : ".") / "tests/golden/replays";
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

struct Golden {
  std::uint64_t ticks = 0;
  std::string digest;
  std::vector<std::int64_t> scores;
};

/// Each line: file, ticks, final digest, scores.
std::map<std::string, Golden> expectations() {
  std::map<std::string, Golden> all;
  std::istringstream lines(read(folder() / "expected.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    Golden golden;
    fields >> name >> golden.ticks >> golden.digest;
    for (std::int64_t score; fields >> score;) golden.scores.push_back(score);
    if (!name.empty() && name[0] != '#') all[name] = golden;
  }
  return all;
}

/// Of a replay that a server wrote and signed with its own key, beside it; of the others, the one they share.
fs::path key_file_of(const std::string& name) {
  fs::path own = folder() / name;
  own.replace_extension(".pem");
  return fs::exists(own) ? own : folder() / "public_key.pem";
}

TEST(GoldenReplays, AreVerifiedByEveryBuild) {
  const auto all = expectations();
  ASSERT_GE(all.size(), 7u);
  for (const auto& [name, golden] : all) {
    SCOPED_TRACE(name);
    const auto public_key = PublicKey::from_pem(read(key_file_of(name)));
    ASSERT_TRUE(public_key);
    const Verification result = verify(read(folder() / name), {.public_key = public_key});
    EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
    EXPECT_EQ(result.ticks_played, golden.ticks);
    EXPECT_EQ(digest_text(result.digest), golden.digest);
    std::vector<std::int64_t> scores;
    for (const match::Score& score : result.scores) scores.push_back(score.score);
    EXPECT_EQ(scores, golden.scores);
  }
}

TEST(GoldenReplays, AreAllExpected) {
  const auto all = expectations();
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() != ".swpr") continue;
    EXPECT_TRUE(all.contains(entry.path().filename())) << entry.path();
  }
}

}  // namespace
}  // namespace sweepd::replay
