// SPDX-License-Identifier: MIT
//
// Protects leaderboards whose matches are of official rules: a match that is created by their name, or from
// the same config, carries the name into its receipt with whose tickets its creator and its players had; any
// other is UNRANKED, or refused.
#include <filesystem>
#include <fstream>

#include "integration/support/quota_fixture.h"

namespace sweepd::test::official_rules_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OfficialRules : public QuotaServerTest {
 protected:
  static MatchConfig arena() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.name = "arena";
    config.scoring.push_back({.name = "touch", .layer_a = "player", .layer_b = "enemy", .points = 7});
    return config;
  }
  static MatchConfig easier() {
    MatchConfig config = arena();
    config.scoring[0].points = 1'000;
    return config;
  }

  void start_with_rules(const MatchConfig& config, std::vector<std::string> options = {}) {
    fs::create_directories(path("rules"));
    std::ofstream(path("rules/arena.rules"), std::ios::binary) << *config_message(config);
    options.insert(options.end(), {"--rules-dir", path("rules"), "--data-dir", path("data")});
    start_with_quotas(options);
  }
};

TEST_F(OfficialRules, AreInTheReceiptsOfTheirMatches) {
  start_with_rules(arena());
  Client client = client_with(studio_);
  MatchConfig labels;
  labels.name = "final";
  labels.seed = 5;
  const auto match = client.create_match_by_rules("arena", labels);
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_EQ(match->config.name, "final");
  EXPECT_EQ(match->config.seed, 5u);
  EXPECT_EQ(match->rules_name, "arena");
  ASSERT_EQ(match->rules_digest.size(), 32u);
  play(player("ann", match->match_id))->joined(match->match_id, "ann");
  ASSERT_TRUE(client.step_match(match->match_id, 3).ok());
  ASSERT_TRUE(client.end_match(match->match_id).ok());
  const auto receipt = client.get_receipt(match->match_id);
  ASSERT_TRUE(receipt.ok()) << receipt.status().message();
  const auto key = client.get_public_key();
  ASSERT_TRUE(key.ok());
  ReceiptExpectations expected{.rules_digests = {match->rules_digest}, .creator = {"studio", "game", ""}};
  EXPECT_TRUE(check_receipt(*receipt, *key, expected).ok());
  expected.creator.name = "eve";
  EXPECT_THAT(check_receipt(*receipt, *key, expected).message(), HasSubstr("\"studio\" by \"game\""));
  EXPECT_EQ(receipt->version, 2u);
  EXPECT_EQ(receipt->rules_name, "arena");
  EXPECT_GE(receipt->start_time_unix_ms, receipt->create_time_unix_ms);
  EXPECT_GE(receipt->end_time_unix_ms, receipt->start_time_unix_ms);
  ASSERT_EQ(receipt->seat_holders.size(), 1u);
  EXPECT_EQ(receipt->seat_holders[0].name, "ann");
  EXPECT_EQ(receipt->seat_holders[0].subject, (TicketSubject{"ann", "game", ""}));
}

TEST_F(OfficialRules, AreKnownWhateverAMatchIsCalled) {
  start_with_rules(arena());
  Client client = client_with(studio_);
  const auto official = client.create_match_by_rules("arena");
  ASSERT_TRUE(official.ok()) << official.status().message();
  MatchConfig renamed = arena();
  renamed.name = "finals";
  const auto same = client.create_match(renamed);
  ASSERT_TRUE(same.ok()) << same.status().message();
  EXPECT_EQ(same->rules_name, "arena");
  EXPECT_EQ(same->rules_digest, official->rules_digest);
  const auto other = client.create_match(easier());
  ASSERT_TRUE(other.ok()) << other.status().message();
  EXPECT_EQ(other->rules_name, "");
  EXPECT_NE(other->rules_digest, official->rules_digest);
  EXPECT_EQ(client.create_match_by_rules("none").status().code(), ErrorCode::kNotFound);
}

TEST_F(OfficialRules, AreAllThatAServerCreatesWhereItSaysSo) {
  start_with_rules(arena(), {"--unranked", "refuse"});
  Client client = client_with(studio_);
  EXPECT_TRUE(client.create_match(arena()).ok());
  const auto other = client.create_match(easier());
  EXPECT_EQ(other.status().code(), ErrorCode::kFailedPrecondition);
  EXPECT_THAT(other.status().message(),
              HasSubstr("config.scoring[0].points is 1000; the approved rules arena have 7"));
}

TEST_F(OfficialRules, AreNotMixedWithWhatARequestSays) {
  start_with_rules(arena());
  grpc::ClientContext context;
  show(studio_, context);
  v1::CreateMatchRequest request;
  request.set_rules_name("arena");
  request.mutable_config()->set_tick_rate_hz(10);
  v1::CreateMatchResponse response;
  EXPECT_EQ(describe(stub_->CreateMatch(&context, request, &response)), "INVALID_CONFIG config");
}

// The name is short, what the journal has to keep is not.
TEST_F(OfficialRules, ArePaidForLikeAConfigThatWasSent) {
  MatchConfig large = arena();
  large.scoring.clear();
  for (int i = 0; i < 16; ++i)
    large.scoring.push_back(
        {.name = std::string(60, 'x'), .layer_a = "player", .layer_b = "enemy", .points = i});
  start_with_rules(large, {"--backend-max", "journal_bytes_per_s=20"});
  Client client = client_with(studio_);
  EXPECT_TRUE(client.create_match_by_rules("arena").ok());
  EXPECT_EQ(client.create_match_by_rules("arena").status().code(), ErrorCode::kResourceExhausted);
}

/// From a match file to a verdict, by the tool alone.
class RulesByTheTool : public ServerTest {
 protected:
  void SetUp() override {
    fs::create_directories(path("rules"));
    write("arena.toml", "layers = [\"player\", \"enemy\"]\nclock = \"manual\"\n");
    write("easy.toml", "layers = [\"player\", \"enemy\"]\nclock = \"manual\"\nmax_late_ticks = 9\n");
    Process check({required_environment("SWEEPCTL_BINARY"), "check", path("arena.toml"), "--compile",
                   path("rules/arena.rules")},
                  folder_.path() / "check");
    ASSERT_EQ(check.wait(), 0) << check.standard_error();
    checked_ = check.standard_output();
    start({"--rules-dir", path("rules"), "--data-dir", path("data")});
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  /// What a command prints, and of one that fails its errors, too; `exit_code`: how it must end.
  std::string run(const std::vector<std::string>& arguments, int exit_code = 0) {
    const auto process = run_sweepctl(arguments);
    EXPECT_EQ(process->wait(), exit_code) << process->standard_output() << process->standard_error();
    return process->standard_output() + (exit_code == 0 ? "" : process->standard_error());
  }
  /// Of an object in JSON the text of a field.
  static std::string text_in(const std::string& json, const std::string& field) {
    const std::string begin = "\"" + field + "\":\"";
    const std::size_t at = json.find(begin);
    if (at == std::string::npos) return "none";
    return json.substr(at + begin.size(), json.find('"', at + begin.size()) - at - begin.size());
  }

  const TemporaryFolder folder_;
  std::string checked_;  ///< What `check` has printed.
};

TEST_F(RulesByTheTool, GoFromAMatchFileToAVerdict) {
  const std::string match = run({"create", "--rules", "arena", "--json"});
  EXPECT_EQ(text_in(match, "rules_name"), "arena");
  EXPECT_THAT(checked_, HasSubstr("rules digest: " + text_in(match, "rules_digest")));
  const std::string id = text_in(match, "match_id");
  ASSERT_TRUE(client().step_match(id, 5).ok());
  ASSERT_TRUE(client().end_match(id).ok());
  const std::string replay = path("match.swpr");
  run({"replay", "get", id, "--output", replay});
  write("key.pem", run({"replay", "key"}));
  write("receipt.json", run({"replay", "receipt", id}));
  EXPECT_THAT(run({"replay", "info", replay}), HasSubstr("approved as \"arena\""));
  run({"verify", replay, "--key", path("key.pem"), "--rules", path("arena.toml")});
  EXPECT_THAT(run({"verify", replay, "--rules", path("easy.toml")}, 15), HasSubstr("RULES_MISMATCH"));
  // The server asks for no tickets: who created the match is not known.
  EXPECT_THAT(run({"verify", replay, "--creator", "studio"}, 1), HasSubstr("without --key"));
  run({"verify", replay, "--key", path("key.pem"), "--creator", "studio"}, 14);
  const std::vector<std::string> check = {"replay", "check-receipt", path("receipt.json"), "--key",
                                          path("key.pem")};
  EXPECT_THAT(run(check), HasSubstr("its rules and creator are not checked"));
  std::vector<std::string> demanding = check;
  demanding.insert(demanding.end(), {"--rules", path("arena.toml"), "--creator", "studio"});
  EXPECT_THAT(run(demanding, 14), HasSubstr("was created by no one with a ticket"));
}

}  // namespace
}  // namespace sweepd::test::official_rules_test
