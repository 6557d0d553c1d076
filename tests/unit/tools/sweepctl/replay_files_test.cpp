// SPDX-License-Identifier: MIT
//
// Protects who verifies replays at the terminal: each verdict in words and as JSON, and exit codes that
// scripts can go by.
#include "tools/sweepctl/replay_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/replay_text.h"

namespace sweepd::tools::replay_files_test {
namespace {

namespace fs = std::filesystem;
using replay::ReplayVerdict;
using ::testing::HasSubstr;

std::string golden(const std::string& name) {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  return (fs::path(source != nullptr ? source : ".") / "tests/golden/replays" / name).string();
}

TEST(ReplayFiles, ComeBackAsTheyWereWritten) {
  const std::string path =
      (fs::temp_directory_path() / ("sweepctl_replay_" + std::to_string(::getpid()))).string();
  const std::string bytes("\0\r\n\x1a", 4);
  EXPECT_TRUE(write_replay(path, bytes).ok());
  EXPECT_EQ(*read_replay(path), bytes);
  fs::remove(path);
  EXPECT_FALSE(write_replay("/nowhere/at/all", bytes).ok());
  EXPECT_FALSE(read_replay(fs::temp_directory_path().string()).ok());
}

TEST(ReplayText, SaysWhatCameOfAVerification) {
  replay::Verification verification;
  verification.ticks_played = 12;
  verification.digest = 0xab;
  verification.scores = {{0, "ann", 21, false}, {1, "b\"b", -7, true}};
  EXPECT_EQ(verification_text(verification),
            R"(VERIFIED, 12 ticks, digest 00000000000000ab, scores "ann" 21, "b\"b" -7, signature none)");
  verification.verdict = ReplayVerdict::kDiverged;
  verification.what = "tick 13: the digest is another";
  verification.diverging_tick = 13;
  verification.scores.clear();
  EXPECT_EQ(verification_text(verification),
            "DIVERGED: tick 13: the digest is another; 12 ticks, digest 00000000000000ab, signature none");
}

TEST(ReplayText, LetsNoNameWriteToTheTerminalAsItPleases) {
  replay::Verification verification;
  verification.scores = {{0, "\x1b[2Jann\n", 1, false}};
  EXPECT_THAT(verification_text(verification), HasSubstr(R"(scores "\u001b[2Jann\u000a" 1)"));
}

std::string json_of(const replay::Verification& verification) {
  JsonObject object;
  add_verification(object, verification);
  return object.text();
}

TEST(ReplayText, IsJsonOnRequest) {
  replay::Verification verification;
  verification.verdict = ReplayVerdict::kMalformed;
  verification.what = "cut";
  verification.fault = replay::FileFault{.offset = 99, .record = "footer"};
  verification.scores = {{1, "b\"b", -7, true}};
  verification.rules_digest = std::string("\0\xff", 2);
  EXPECT_EQ(
      json_of(verification),
      R"({"verdict":"MALFORMED","what":"cut","byte":99,"record":"footer","ticks":0,)"
      R"("digest":"0000000000000000","scores":[{"participant":1,"name":"b\"b","score":-7,"has_left":true}],)"
      R"("scores_not_listed":0,"recorded_scores":[],"signature":"none","receipt_version":0,"rules_digest":"00ff"})");
  verification = {.verdict = ReplayVerdict::kDiverged, .diverging_tick = 5, .compared_tick = 8};
  verification.diverging_object = 77;
  EXPECT_THAT(json_of(verification),
              HasSubstr(R"("diverging_tick":5,"diverging_object":77,"compared_tick":8,)"));
}

TEST(ReplayText, TellsWhatAReplaySaysOfItself) {
  const auto bytes = read_replay(golden("claims_strike.swpr"));
  ASSERT_TRUE(bytes.ok());
  const auto reader = replay::Reader::open(*bytes);
  ASSERT_TRUE(reader.ok());
  const std::string text = replay_info_text(*reader);
  for (const char* part :
       {"match        golden \"random 7\"\n", "rules        \"random\" \"1\", config ", "201 in 4 chunks",
        "end          match ended, digest af68cabd42db8d52\n",
        "receipt      of version 1 (weaker: it does not cover the inputs), of the key c9b32b15b1c85cdb",
        "nonce 0102ff206e6f6e6365\n"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(replay_info_json("f", *reader),
              HasSubstr(R"("ticks":201,"chunks":4,"key_frames":0,"end":"match ended")"));
  EXPECT_THAT(replay_info_json("f", *reader),
              HasSubstr(R"("has_receipt":true,"receipt_version":1,"public_key":"c9b32b15b1c85c)"));
}

TEST(Hex, ComesBackAsItWas) {
  const std::string bytes("\0\x7f\x80\xff", 4);
  EXPECT_EQ(to_hex(bytes), "007f80ff");
  EXPECT_EQ(from_hex("007F80fF"), bytes);
  EXPECT_EQ(from_hex(""), "");
  for (const char* text : {"0", "0g", "g0", " 00", "0x00"}) EXPECT_FALSE(from_hex(text).has_value()) << text;
}

TEST(ReplayText, HasAnExitCodeForEachVerdict) {
  EXPECT_EQ(exit_code_of(ReplayVerdict::kVerified), 0);
  EXPECT_EQ(exit_code_of(ReplayVerdict::kUnsupportedVersion), 10);
  EXPECT_EQ(exit_code_of(ReplayVerdict::kMalformed), 11);
  EXPECT_EQ(exit_code_of(ReplayVerdict::kDiverged), kExitDiffers);
  EXPECT_EQ(exit_code_of(ReplayVerdict::kScoreMismatch), 13);
  EXPECT_EQ(exit_code_of(ReplayVerdict::kBadSignature), 14);
  EXPECT_EQ(exit_code_of(ReplayVerdict::kRulesMismatch), 15);
}

}  // namespace
}  // namespace sweepd::tools::replay_files_test
