// SPDX-License-Identifier: MIT
//
// Protects who fetches replays and has them verified, from a real server with a data directory to a file on
// the player's disk and back: what is fetched is verified, what was changed is found, and the receipt is the
// server's.
#include <filesystem>
#include <fstream>
#include <string>

#include "integration/support/server_fixture.h"
#include "sweepd/input_log.h"

namespace sweepd::test::replay_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string golden(const std::string& name) {
  return (fs::path(required_environment("SWEEPD_SOURCE_DIR")) / "tests/golden/replays" / name).string();
}

class VerifyReplay : public ServerTest {};

TEST_F(VerifyReplay, SaysOfEveryGoldenReplayThatItIsWhatItSays) {
  Client client = this->client();
  const auto key = PublicKey::from_pem(read_file(golden("public_key.pem")));
  ASSERT_TRUE(key.ok());
  for (const char* name :
       {"claims_strike.swpr", "still_running.swpr", "trace_edges.swpr", "trace_boss.swpr"}) {
    const auto result = client.verify_replay_file(golden(name), {.public_key = *key});
    ASSERT_TRUE(result.ok()) << name << ": " << result.status().message();
    EXPECT_EQ(result->verdict, ReplayVerdict::kVerified) << name << ": " << result->what;
    EXPECT_TRUE(result->is_signed);
    ASSERT_TRUE(result->receipt.has_value());
    EXPECT_TRUE(check_receipt(*result->receipt, *key).ok());
    EXPECT_EQ(result->receipt->final_digest, result->final_digest);
  }
}

TEST_F(VerifyReplay, FindsWhatWasChanged) {
  Client client = this->client();
  std::string bytes = read_file(golden("claims_strike.swpr"));
  const auto honest = client.verify_replay(bytes);
  ASSERT_TRUE(honest.ok());
  ASSERT_FALSE(honest->scores.empty());
  Score boast = honest->scores.front();
  ++boast.score;
  const auto boasted = client.verify_replay(bytes, {.claimed_scores = {boast}});
  EXPECT_EQ(boasted->verdict, ReplayVerdict::kScoreMismatch);
  EXPECT_EQ(boasted->scores.front().score, honest->scores.front().score);
  EXPECT_EQ(client.verify_replay(bytes, {.public_key = PublicKey{}})->verdict, ReplayVerdict::kBadSignature);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  const auto broken = client.verify_replay(bytes);
  EXPECT_EQ(broken->verdict, ReplayVerdict::kMalformed);
  EXPECT_GT(broken->fault_offset, 0u);
  EXPECT_EQ(client.verify_replay("")->verdict, ReplayVerdict::kMalformed);
}

TEST_F(VerifyReplay, PlaysWhatAClientWroteDownOfItsOwnRun) {
  auto log = InputLog::create(shooter_config(ClockKind::kManual));
  auto ann = log->join("ann");
  ASSERT_TRUE(ann->spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(ann->end_frame().ok());
  for (int tick = 0; tick < 100; ++tick) ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(log->finish({}).ok());
  const auto result = client().verify_replay(*log->bytes());
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->verdict, ReplayVerdict::kVerified) << result->what;
  EXPECT_EQ(result->ticks_played, 100u);
  EXPECT_FALSE(result->receipt.has_value());
  const fs::path path = server().folder() / "run.swpi";
  ASSERT_TRUE(log->write(path.string()).ok());
  const auto offline = run_sweepctl({"verify", path.string()});
  EXPECT_EQ(offline->wait(), 0) << offline->standard_error();
  EXPECT_THAT(offline->standard_output(), HasSubstr("VERIFIED, 100 ticks"));
}

TEST_F(VerifyReplay, IsGivenUpByWhoAskedForIt) {
  int asked = 0;
  const auto result = client().verify_replay_file(golden("trace_boss.swpr"),
                                                  {.keep_going = [&asked] { return ++asked < 2; }});
  EXPECT_EQ(result.status().code(), ErrorCode::kUnavailable);
}

TEST_F(VerifyReplay, NamesAnOptionThatIsWrong) {
  const auto result = client().verify_replay("", {.nonce = std::string(65, 'n')});
  EXPECT_EQ(result.status().reason(), "INVALID_VERIFICATION");
  EXPECT_EQ(result.status().field(), "options.nonce");
  EXPECT_FALSE(client().verify_replay_file("/nowhere/at/all").ok());
}

TEST_F(VerifyReplay, NeedsNoDataDirectoryButReplaysDo) {
  const fs::path path = server().folder() / "none.swpr";
  EXPECT_EQ(client().get_replay("x", path.string()).status().reason(), "NO_JOURNAL");
  EXPECT_EQ(client().get_receipt("x").status().reason(), "NO_JOURNAL");
  EXPECT_EQ(client().get_public_key().status().reason(), "NO_JOURNAL");
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
}

/// A server that keeps what is played.
class Replays : public ServerTest {
 protected:
  void SetUp() override { start({"--data-dir", data_.path().string()}); }

  /// A match of a player among enemies: so many ticks; its id.
  MatchInfo play(std::uint32_t ticks) {
    Client client = this->client();
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.scoring.push_back({.name = "touch", .layer_a = "player", .layer_b = "enemy", .points = 7});
    const auto match = client.create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    session_.emplace(joined(client, match->match_id, "ann", Role::kPlayer));
    const auto ship = session_->spawn(object_at({0, 0}, 0));
    EXPECT_TRUE(session_->spawn(object_at({50, 0}, 2)).ok());
    for (std::uint32_t tick = 1; tick <= ticks; ++tick) {
      EXPECT_TRUE(session_->move(*ship, {1.0 * tick, 0}).ok());
      EXPECT_TRUE(session_->end_frame(tick).ok());
      EXPECT_TRUE(client.step_match(match->match_id, 1, true).ok());
    }
    return *match;
  }

  TemporaryFolder data_;
  std::optional<Session> session_;
};

TEST_F(Replays, OfAMatchThatIsOverIsSignedAndVerified) {
  const MatchInfo match = play(100);
  EXPECT_EQ(match.nonce.size(), 16u);
  const auto over = client().end_match(match.match_id);
  ASSERT_TRUE(over.ok());
  const fs::path path = server().folder() / "match.swpr";
  const auto info = client().get_replay(match.match_id, path.string());
  ASSERT_TRUE(info.ok()) << info.status().message();
  EXPECT_EQ(info->bytes, fs::file_size(path));
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
  EXPECT_EQ(info->receipt.end, ReplayEnd::kMatchEnded);
  EXPECT_EQ(info->receipt.tick_count, over->tick);
  EXPECT_EQ(info->receipt.final_digest, over->digest);
  EXPECT_EQ(info->receipt.nonce, match.nonce);
  ASSERT_EQ(info->receipt.scores.size(), 1u);
  EXPECT_EQ(info->receipt.scores[0].score, 7);
  const auto key = client().get_public_key();
  ASSERT_TRUE(key.ok());
  EXPECT_TRUE(check_receipt(info->receipt, *key).ok());
  const auto receipt = client().get_receipt(match.match_id);
  ASSERT_TRUE(receipt.ok());
  EXPECT_EQ(receipt->to_json(), info->receipt.to_json());
  const auto verified =
      client().verify_replay_file(path.string(), {.public_key = *key, .nonce = match.nonce});
  EXPECT_EQ(verified->verdict, ReplayVerdict::kVerified) << verified->what;
  const auto of_another = client().verify_replay_file(path.string(), {.nonce = "given to another"});
  EXPECT_EQ(of_another->verdict, ReplayVerdict::kDiverged);
}

TEST_F(Replays, OfAMatchThatRunsGoUpToNow) {
  const MatchInfo match = play(50);
  std::string bytes;
  const auto info = client().get_replay(match.match_id, [&bytes](std::string_view piece) {
    bytes += piece;
    return true;
  });
  ASSERT_TRUE(info.ok()) << info.status().message();
  EXPECT_EQ(info->bytes, bytes.size());
  EXPECT_EQ(info->receipt.end, ReplayEnd::kStillRunning);
  EXPECT_EQ(info->receipt.tick_count, 50u);
  EXPECT_FALSE(info->receipt.public_key.has_value());
  const auto verified = client().verify_replay(bytes);
  EXPECT_EQ(verified->verdict, ReplayVerdict::kVerified) << verified->what;
  EXPECT_EQ(verified->ticks_played, 50u);
}

TEST_F(Replays, AreGivenUpByTheirSink) {
  const MatchInfo match = play(20);
  const auto info = client().get_replay(match.match_id, [](std::string_view) { return false; });
  EXPECT_EQ(info.status().code(), ErrorCode::kUnavailable);
  EXPECT_TRUE(client().get_receipt(match.match_id).ok());
}

TEST_F(Replays, OfNobodysMatchAreNotFound) {
  const fs::path path = server().folder() / "none.swpr";
  const auto info = client().get_replay("nobodysmatch", path.string());
  EXPECT_EQ(info.status().code(), ErrorCode::kNotFound);
  EXPECT_EQ(info.status().reason(), "REPLAY_NOT_FOUND");
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
}

TEST_F(Replays, AreDurableAsTheyAreSaidToBe) {
  const MatchInfo match = play(30);
  EXPECT_TRUE(eventually([&] { return client().get_match(match.match_id)->durable_tick == 30; }));
  EXPECT_TRUE(eventually([&] { return session_->durable_tick() > 0; }));
}

TEST_F(Replays, ComeByTheTool) {
  const MatchInfo match = play(40);
  ASSERT_TRUE(client().end_match(match.match_id).ok());
  const std::string replay = (server().folder() / "match.swpr").string();
  const std::string key = (server().folder() / "key.pem").string();
  const std::string receipt = (server().folder() / "receipt.json").string();
  const auto got = run_sweepctl({"replay", "get", match.match_id, "--output", replay});
  EXPECT_EQ(got->wait(), 0) << got->standard_error();
  EXPECT_THAT(got->standard_error(), HasSubstr("with a receipt"));
  const auto key_text = run_sweepctl({"replay", "key"});
  std::ofstream(key) << key_text->standard_output();
  const auto receipt_text = run_sweepctl({"replay", "receipt", match.match_id});
  std::ofstream(receipt) << receipt_text->standard_output();
  EXPECT_EQ(run_sweepctl({"replay", "check-receipt", receipt, "--key", key})->wait(), 0);
  EXPECT_EQ(run_sweepctl({"replay", "check-receipt", receipt, "--key", golden("public_key.pem")})->wait(),
            14);
  const auto verified = run_sweepctl({"verify", replay, "--key", key});
  EXPECT_EQ(verified->wait(), 0) << verified->standard_output() << verified->standard_error();
  EXPECT_EQ(run_sweepctl({"verify", replay, "--nonce", "00ff"})->wait(), 12);
  const auto info = run_sweepctl({"replay", "info", replay});
  EXPECT_THAT(info->standard_output(), HasSubstr("receipt      of version 2, of the key "));
  EXPECT_EQ(run_sweepctl({"replay", "get", "nobodysmatch", "--output", replay + "2"})->wait(), 1);
  EXPECT_FALSE(fs::exists(replay + "2"));
}

}  // namespace
}  // namespace sweepd::test::replay_test
