// SPDX-License-Identifier: MIT
//
// Protects a leaderboard that has thousands of files verified: each has a report, in order, whatever is in
// it; what is expected of it is held against it; none keeps the others waiting for ever; and what comes twice
// is named.
#include "tools/sweepctl/verification_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "base/sanitizers.h"
#include "identity/strict_json.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/rules_digest.h"
#include "replay/sha256.h"
#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/rules_files.h"
#include "unit/tools/sweepctl/costly_log.h"
#include "unit/tools/sweepctl/tool_files.h"
#include "wire/replay_codec.h"

namespace sweepd::tools::verification_batch_test {
namespace {

namespace fs = std::filesystem;
using replay::ReplayVerdict;
using ::testing::HasSubstr;

class VerificationBatch : public ToolFiles {
 protected:
  void SetUp() override {
    ToolFiles::SetUp();
    options_.limits.program = program_;
  }

  std::vector<VerificationReport> verify(const std::vector<VerificationRequest>& requests,
                                         std::size_t threads = 2) {
    std::vector<VerificationReport> reports;
    std::size_t next = 0;
    verify_batch(
        options_, threads,
        [&]() -> std::optional<VerificationRequest> {
          return next == requests.size() ? std::nullopt : std::optional(requests[next++]);
        },
        [&](const VerificationReport& report) {
          // For programs: whatever it is, it is an object on one line.
          const std::string json = report_json(report);
          EXPECT_TRUE(identity::parse_json_object(json).ok()) << json;
          EXPECT_EQ(json.find('\n'), std::string::npos);
          reports.push_back(report);
        });
    EXPECT_EQ(reports.size(), requests.size());
    return reports;
  }

  VerificationReport verify(const VerificationRequest& request) {
    return verify(std::vector{request}).front();
  }

  FileVerificationOptions options_;
};

TEST_F(VerificationBatch, TellsOfEveryFileInOrder) {
  const std::string good = write("good.swpr", recordings::random_replay(7, 100));
  const std::string text = write("text", "this is no replay");
  std::vector<VerificationRequest> requests;
  for (int i = 0; i < 4; ++i) {
    for (const std::string& file : {good, (folder_ / "missing").string(), text, folder_.string()}) {
      requests.push_back({.file = file});
    }
    requests.push_back(read_manifest_line("{\"score\":1}", 5, {}));
  }
  const auto reports = verify(requests, 4);
  const std::vector<std::string_view> expected{"VERIFIED", "UNREADABLE", "MALFORMED", "UNREADABLE",
                                               "BAD_REQUEST"};
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_EQ(reports[i].request.file, requests[i].file);
    EXPECT_EQ(name_of_result(reports[i]), expected[i % 5]) << i;
  }
  EXPECT_EQ(exit_code_of(reports[0]), 0);
  EXPECT_EQ(exit_code_of(reports[1]), kExitUnreadable);
  EXPECT_EQ(exit_code_of(reports[2]), 11);
  EXPECT_EQ(exit_code_of(reports[4]), kExitBadRequest);
  EXPECT_THAT(reports[4].what, HasSubstr("line 5 of the manifest"));
}

TEST_F(VerificationBatch, KeepsTheOrderOfMoreFilesThanMayWait) {
  std::vector<VerificationRequest> requests;
  for (std::size_t i = 0; i < 3 * kReportsAheadMax; ++i) {
    requests.push_back({.file = (folder_ / std::to_string(i)).string()});
  }
  const auto reports = verify(requests, 8);
  for (std::size_t i = 0; i < reports.size(); ++i) ASSERT_EQ(reports[i].request.file, requests[i].file);
}

TEST_F(VerificationBatch, NamesFilesAndRunsThatComeTwice) {
  const std::string first = write("first", recordings::random_replay(7, 100));
  const std::string copy = write("copy", recordings::random_replay(7, 100));
  const std::string same_run = write("same_run", recordings::random_replay(7, 100, {.match_id = "another"}));
  const std::string other = write("other", recordings::random_replay(8, 100));
  const auto reports = verify({{.file = first}, {.file = copy}, {.file = same_run}, {.file = other}});
  EXPECT_EQ(reports[0].duplicate_of + reports[0].same_run_as, "");
  EXPECT_EQ(reports[1].duplicate_of, first);
  EXPECT_EQ(reports[2].duplicate_of, "");
  EXPECT_EQ(reports[2].same_run_as, first);
  EXPECT_EQ(reports[3].duplicate_of + reports[3].same_run_as, "");
  EXPECT_EQ(reports[2].receipt.match_id(), "another");
  EXPECT_EQ(reports[0].sha256, reports[1].sha256);
  EXPECT_NE(reports[0].sha256, reports[2].sha256);
}

// Guest 7 has the number that guest 1 had before.
TEST_F(VerificationBatch, AddsUpNoScoresOfDifferentPlayersOfANumber) {
  const std::string file =
      fs::path(std::getenv("SWEEPD_SOURCE_DIR")) / "tests/golden/replays/stage_handed_over.swpr";
  const auto verdict_of = [&](const std::string& player, std::int64_t score) {
    return verify({.file = file, .player = player, .participant = 0, .claimed_score = score})
        .verification.verdict;
  };
  EXPECT_EQ(verdict_of("guest 7", 82), ReplayVerdict::kVerified);
  EXPECT_EQ(verdict_of("guest 1", 10), ReplayVerdict::kVerified);
  EXPECT_EQ(verdict_of("", 92), ReplayVerdict::kScoreMismatch);
  EXPECT_EQ(verdict_of("", 82), ReplayVerdict::kScoreMismatch) << "which of the two is not said";
}

// Else a stranger who sends a damaged copy first takes the run from its player.
TEST_F(VerificationBatch, MakesNothingADuplicateOfWhatIsNotVerified) {
  const std::string bytes = recordings::random_replay(7, 100);
  const std::string run = write("run", bytes);
  const std::string cut = write("cut", bytes.substr(0, bytes.size() - 1));
  const auto reports = verify({{.file = cut},
                               {.file = run, .nonce = "of another match"},
                               {.file = run},
                               {.file = run},
                               {.file = cut}});
  EXPECT_EQ(name_of_result(reports[0]), "MALFORMED");
  EXPECT_EQ(name_of_result(reports[1]), "DIVERGED");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(reports[i].duplicate_of + reports[i].same_run_as, "") << i;
  EXPECT_EQ(name_of_result(reports[2]), "VERIFIED");
  EXPECT_EQ(reports[3].duplicate_of, run);
  EXPECT_EQ(reports[4].same_run_as, run);
}

TEST_F(VerificationBatch, HoldsTheClaimedScoreAgainstThatOfThePlayer) {
  const std::string file = write("run", recordings::random_replay(7, 100));
  const auto honest = verify({.file = file});
  ASSERT_FALSE(honest.verification.scores.empty());
  const match::Score& score = honest.verification.scores.front();
  const auto verdict_of = [&](VerificationRequest request) {
    request.file = file;
    return verify(request).verification.verdict;
  };
  EXPECT_EQ(verdict_of({.player = score.name, .claimed_score = score.score}), ReplayVerdict::kVerified);
  EXPECT_EQ(verdict_of({.participant = score.participant, .claimed_score = score.score}),
            ReplayVerdict::kVerified);
  EXPECT_EQ(verdict_of({.player = score.name, .claimed_score = score.score + 1}),
            ReplayVerdict::kScoreMismatch);
  EXPECT_EQ(verdict_of({.player = "a stranger", .claimed_score = score.score}),
            ReplayVerdict::kScoreMismatch);
  EXPECT_EQ(verdict_of({.nonce = "0123456789abcdef"}), ReplayVerdict::kVerified);
  EXPECT_EQ(verdict_of({.nonce = "of another run"}), ReplayVerdict::kDiverged);
}

TEST_F(VerificationBatch, KnowsKeysByTheirIdsAndTimes) {
  const auto key = replay::SigningKey::generate();
  const auto former = replay::SigningKey::generate();
  const auto next = replay::SigningKey::generate();
  write("key.pem", key.public_key().to_pem());
  write("former.pem", former.public_key().to_pem());
  write("next.pem", next.public_key().to_pem());
  const std::string keys = write("keys.json", R"({"keys":[
    {"id":"now","file":"key.pem","not_before":"2020-01-01T00:00:00Z"},
    {"id":"former","file":"former.pem","not_after":"2020-01-01T00:00:00Z"},
    {"id":"next","file":"next.pem","not_before":"2999-01-01T00:00:00Z"}]})");
  options_.keys = *TrustedKeys::read(keys);
  const std::string good = write("good", recordings::random_replay(7, 50, {.key = &key}));
  const std::string late = write("late", recordings::random_replay(7, 50, {.key = &former}));
  const std::string early = write("early", recordings::random_replay(7, 50, {.key = &next}));
  const auto stranger_key = replay::SigningKey::generate();
  const std::string stranger = write("stranger", recordings::random_replay(7, 50, {.key = &stranger_key}));
  const std::string unsigned_one = write("unsigned", recordings::random_replay(7, 50));
  const auto reports = verify({{.file = good},
                               {.file = good, .key = "now"},
                               {.file = good, .key = "former"},
                               {.file = late},
                               {.file = early},
                               {.file = stranger},
                               {.file = unsigned_one},
                               {.file = good, .key = "unknown"}});
  EXPECT_EQ(name_of_result(reports[0]), "VERIFIED");
  EXPECT_EQ(reports[0].key_id, "now");
  EXPECT_EQ(reports[0].verification.signature, replay::SignatureState::kGood);
  EXPECT_EQ(name_of_result(reports[1]), "VERIFIED");
  const char* whats[] = {"not of the key former", "good until 2020", "good from 2999", "not trusted",
                         "no receipt"};
  for (std::size_t i = 2; i < 7; ++i) {
    EXPECT_EQ(name_of_result(reports[i]), "BAD_SIGNATURE") << i;
    EXPECT_THAT(reports[i].verification.what, HasSubstr(whats[i - 2]));
    EXPECT_EQ(reports[i].key_id, "");
  }
  EXPECT_EQ(name_of_result(reports[7]), "BAD_REQUEST");
}

class OfficialRules : public VerificationBatch {
 protected:
  void SetUp() override {
    VerificationBatch::SetUp();
    file_ = write("run", recordings::random_replay(7, 100));
  }
  static replay::ApprovedRules official() { return {"official", recordings::random_match_config(7)}; }
  static replay::ApprovedRules easy() {
    replay::ApprovedRules rules{"easy", official().config};
    rules.config.scoring.at(0).points += 1'000;
    return rules;
  }

  std::string file_;
};

TEST_F(OfficialRules, AreThoseOfAMatchInWhateverFileItIs) {
  options_.approved_rules = {easy(), official()};
  EXPECT_EQ(name_of_result(verify({.file = file_})), "VERIFIED");
  options_.approved_rules = {easy()};
  const auto report = verify({.file = file_});
  EXPECT_EQ(name_of_result(report), "RULES_MISMATCH");
  EXPECT_EQ(exit_code_of(report), 15);
  EXPECT_THAT(report.verification.what, HasSubstr("scoring[0].points is "));
  EXPECT_THAT(report.verification.what, HasSubstr("the approved rules easy have "));
  EXPECT_EQ(report.verification.rules_digest, replay::rules_digest(official().config));
  const std::string log = write("run.swpi", crowd(1, 1, 0, 1));
  EXPECT_EQ(name_of_result(verify({.file = log})), "RULES_MISMATCH");
  options_.approved_rules.push_back({"crowd", *checked_config(two_layers())});
  EXPECT_EQ(name_of_result(verify({.file = log})), "VERIFIED");
}

TEST_F(OfficialRules, AreThoseThatALineOfAManifestNames) {
  options_.approved_rules = {easy(), official()};
  EXPECT_EQ(name_of_result(verify({.file = file_, .rules = "official"})), "VERIFIED");
  EXPECT_EQ(name_of_result(verify({.file = file_, .rules = "easy"})), "RULES_MISMATCH");
  const auto unknown = verify({.file = file_, .rules = "hard"});
  EXPECT_EQ(name_of_result(unknown), "BAD_REQUEST");
  EXPECT_EQ(unknown.what, "the rules hard are none of those given");
  options_.approved_rules.clear();
  EXPECT_EQ(verify({.file = file_, .rules = "hard"}).what,
            "the rules hard are asked for, and no rules are given");
}

TEST_F(OfficialRules, AreLookedAtAfterScoreAndSignature) {
  options_.approved_rules = {easy()};
  const VerificationRequest boast{.file = file_, .player = "a stranger", .claimed_score = 1};
  EXPECT_EQ(name_of_result(verify(boast)), "SCORE_MISMATCH");
  write("key.pem", replay::SigningKey::generate().public_key().to_pem());
  options_.keys = *TrustedKeys::read_pem((folder_ / "key.pem").string());
  EXPECT_EQ(name_of_result(verify({.file = file_})), "BAD_SIGNATURE");
  EXPECT_EQ(name_of_result(verify(boast)), "SCORE_MISMATCH");
}

// The writer of a file can name any creator.
TEST_F(OfficialRules, AreOfACreatorWhereAKeyVouchesForIt) {
  options_.creator.name = "studio";
  const auto report = verify({.file = file_});
  EXPECT_EQ(name_of_result(report), "BAD_REQUEST");
  EXPECT_THAT(report.what, HasSubstr("without which it proves nothing"));
  write("key.pem", replay::SigningKey::generate().public_key().to_pem());
  options_.keys = *TrustedKeys::read_pem((folder_ / "key.pem").string());
  EXPECT_EQ(name_of_result(verify({.file = file_})), "BAD_SIGNATURE");
}

TEST_F(OfficialRules, AreReadFromAMatchFileOrAFolderOfThem) {
  const fs::path rules = folder_ / "rules";
  fs::create_directory(rules);
  EXPECT_THAT(read_rules(rules.string()).status().message(), HasSubstr("has no match file"));
  const std::string hard = write("rules/hard.toml", "layers = [\"player\"]\n");
  write("rules/easy.toml", "layers = [\"player\", \"enemy\"]\n");
  write("rules/notes.txt", "no rules");
  const auto both = read_rules(rules.string());
  ASSERT_TRUE(both.ok()) << both.status().message();
  ASSERT_EQ(both->size(), 2u);
  EXPECT_EQ(both->at(0).name, "easy");
  EXPECT_EQ(both->at(1).name, "hard");
  EXPECT_EQ(both->at(0).config.layers.size(), 2u);
  EXPECT_EQ(read_rules(hard)->size(), 1u);
}

TEST_F(OfficialRules, ThatAreWrongAreToldByFile) {
  const std::string none = (folder_ / "none.toml").string();
  EXPECT_THAT(read_rules(none).status().message(), HasSubstr(none));
  const std::string wrong = write("wrong.toml", "layers = [\"player\", \"player\"]\n");
  EXPECT_THAT(read_rules(wrong).status().message(), HasSubstr(wrong));
  const fs::path rules = folder_ / "rules";
  fs::create_directory(rules);
  for (int i = 0; i <= wire::kApprovedRulesMax; ++i) {
    write("rules/" + std::to_string(i) + ".toml", "layers = [\"player\"]\n");
  }
  EXPECT_THAT(read_rules(rules.string()).status().message(), HasSubstr("has 65 match files; at most 64"));
}

// What is packed or signed are the bytes that were verified, also where the file was replaced since.
TEST_F(VerificationBatch, VerifiesBytesAndNotTheFileThatHasTakenTheirPlace) {
  const std::string good = recordings::random_replay(7, 100);
  const std::string file = write("run.swpr", "this is no replay");
  const auto report = verify_bytes(options_, {.file = file}, good);
  EXPECT_EQ(name_of_result(report), "VERIFIED");
  EXPECT_EQ(report.sha256, replay::sha256({good}));
  write("run.swpr", good);
  EXPECT_EQ(name_of_result(verify_bytes(options_, {.file = file}, "this is no replay")), "MALFORMED");
}

// A pipe without a writer would keep its reader for ever.
TEST_F(VerificationBatch, ReadsNoPipes) {
  const std::string pipe = (folder_ / "pipe.toml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto report = verify({.file = pipe});
  EXPECT_EQ(name_of_result(report), "UNREADABLE");
  EXPECT_THAT(report.what, HasSubstr("a pipe or a device"));
  EXPECT_THAT(read_rules(pipe).status().message(), HasSubstr("a pipe or a device"));
  EXPECT_THAT(read_rules(folder_.string()).status().message(), HasSubstr("a pipe or a device"));
  EXPECT_THAT(TrustedKeys::read(pipe).status().message(), HasSubstr("a pipe or a device"));
}

TEST_F(VerificationBatch, EndsWhatWouldTakeForEver) {
  options_.limits.processor_time = std::chrono::seconds(3);
  const std::string busy = write("busy.swpi", crowd(3'000, 60, 2, 1'000'000));
  EXPECT_LT(fs::file_size(busy), 256u << 10);
  const std::string good = write("good.swpr", recordings::random_replay(7, 100));
  const auto reports = verify({{.file = busy}, {.file = good}});
  EXPECT_EQ(name_of_result(reports[0]), "TOO_LONG");
  EXPECT_THAT(reports[0].what, HasSubstr(" s, the limit"));
  EXPECT_EQ(exit_code_of(reports[0]), kExitTooLong);
  EXPECT_EQ(name_of_result(reports[1]), "VERIFIED");
}

TEST_F(VerificationBatch, EndsWhatTakesMoreMemoryThanItMay) {
  if (base::kHasSanitizer) GTEST_SKIP() << "sanitizers take more address space than any limit";
  options_.limits.memory_bytes = std::size_t{256} << 20;
  const std::string huge = write("huge.swpi", crowd(20'000, 1, 0, 1));
  EXPECT_LT(fs::file_size(huge), std::size_t{1} << 20);
  const auto report = verify({.file = huge});
  EXPECT_EQ(name_of_result(report), "TOO_LARGE");
  EXPECT_THAT(report.what, HasSubstr("256 MiB"));
}

TEST_F(VerificationBatch, SaysWhereNoVerifierCanBeRun) {
  options_.limits.program = "/nowhere/at/all";
  const auto report = verify({.file = write("good", recordings::random_replay(7, 20))});
  EXPECT_EQ(name_of_result(report), "FAILED");
  EXPECT_EQ(exit_code_of(report), kExitVerifierFailed);
}

TEST(ManifestLine, SaysWhatIsExpected) {
  const auto request = read_manifest_line(
      R"({"file":"a.swpr","player":"ann","participant":2,"score":-7,"nonce":"00ff","key":"k","rules":"r"})",
      3, {});
  EXPECT_EQ(request.fault, "");
  EXPECT_EQ(request.file, "a.swpr");
  EXPECT_EQ(request.line, 3u);
  EXPECT_EQ(request.player, "ann");
  EXPECT_EQ(request.participant, 2u);
  EXPECT_EQ(request.claimed_score, -7);
  EXPECT_EQ(request.nonce, std::string("\0\xff", 2));
  EXPECT_EQ(request.key, "k");
  EXPECT_EQ(request.rules, "r");
}

TEST(ManifestLine, ThatIsWrongNamesTheMember) {
  const std::pair<std::string, std::string> wrong[] = {
      {"", "JSON"},
      {"[]", ""},
      {"{}", "has no \"file\""},
      {R"({"file":""})", "\"file\""},
      {R"({"file":7})", "\"file\" is no text"},
      {R"({"file":"a","score":"7"})", "\"score\""},
      {R"({"file":"a","player":"p","score":1.5})", "\"score\""},
      {R"({"file":"a","player":"p","score":18446744073709551615})", "\"score\""},
      {R"({"file":"a","score":7})", "no \"player\""},
      {R"({"file":"a","participant":-1})", "\"participant\""},
      {R"({"file":"a","participant":4294967296})", "\"participant\""},
      {R"({"file":"a","nonce":"0g"})", "\"nonce\""},
      {R"({"file":"a","rules":7})", "\"rules\" is no text"},
      {R"({"file":"a","scores":7})", "\"scores\" is not known"},
      {R"({"file":"a","file":"b"})", "twice"},
      {std::string(kManifestLineBytesMax + 1, ' '), "more than 65536 bytes"}};
  for (const auto& [line, what] : wrong) {
    const auto request = read_manifest_line(line, 9, {});
    EXPECT_THAT(request.fault, HasSubstr("line 9 of the manifest ")) << line;
    EXPECT_THAT(request.fault, HasSubstr(what));
  }
}

class KeysFile : public VerificationBatch {
 protected:
  std::string fault_of(const std::string& json) {
    const auto keys = TrustedKeys::read(write("keys.json", json));
    return keys.ok() ? "" : keys.status().message();
  }
};

TEST_F(KeysFile, ThatIsWrongNamesTheEntry) {
  write("key.pem", replay::SigningKey::generate().public_key().to_pem());
  write("none.pem", "no key");
  EXPECT_EQ(fault_of(R"({"keys":[{"id":"a","file":"key.pem"}]})"), "");
  EXPECT_THAT(fault_of("{"), HasSubstr("JSON"));
  EXPECT_THAT(fault_of(R"({"keys":7})"), HasSubstr("\"keys\", a list"));
  EXPECT_THAT(fault_of(R"({"keys":[{"id":"a"}]})"), HasSubstr("keys[0]: \"id\" and \"file\""));
  EXPECT_THAT(fault_of(R"({"keys":[{"id":"a","file":"none.pem"}]})"),
              HasSubstr("keys[0]: none.pem is no public"));
  const auto pem = [] { return replay::SigningKey::generate().public_key().to_pem(); };
  write("two.pem", pem() + pem());
  EXPECT_THAT(fault_of(R"({"keys":[{"id":"a","file":"two.pem"}]})"), HasSubstr("two.pem is no public"))
      << "or two";
  EXPECT_THAT(fault_of(R"({"keys":[{"id":"a","file":"missing.pem"}]})"), HasSubstr("cannot be read"));
  EXPECT_THAT(fault_of(R"({"keys":[{"id":"a","file":"key.pem"},{"id":"a","file":"key.pem"}]})"),
              HasSubstr("keys[1]: the id"));
  for (const char* time : {"7", "\"2026-02-30T00:00:00Z\"", "\"2026-01-01\"", "\"2026-01-01T00:00:00\""}) {
    EXPECT_THAT(fault_of(R"({"keys":[{"id":"a","file":"key.pem","not_after":)" + std::string(time) + "}]}"),
                HasSubstr("\"not_after\" is no time"))
        << time;
  }
}

}  // namespace
}  // namespace sweepd::tools::verification_batch_test
