// SPDX-License-Identifier: MIT
//
// Protects who settles disputes and who runs a leaderboard: the commands of the walk-through work as they
// stand in it, from a report to a signed bundle, and the recipe in Python ranks what is verified and nothing
// else.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "integration/support/page_rules.h"
#include "integration/support/server_fixture.h"
#include "sweepd/admin.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::dispute_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t kShot = 1;
constexpr std::uint32_t kEnemy = 2;

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }

class DisputeTest : public ServerTest {
 protected:
  void SetUp() override {
    start({"--data-dir", data_.path().string()});
    fs::create_directory(folder() / "bin");
    fs::create_symlink(required_environment("SWEEPCTL_BINARY"), folder() / "bin" / "sweepctl");
  }

  fs::path folder() const { return work_.path(); }
  std::string socket() const { return (data_.path() / "admin.sock").string(); }
  Admin admin() {
    ClientOptions options;
    options.server = "unix:" + socket();
    return Admin(Client(options));
  }

  /// A player whose shot passes an enemy by two units, and who claims to have hit it; the ship flies into the
  /// other. Ten ticks, then its end.
  void play_disputed_match() {
    Client client = this->client();
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.claims.tolerance_max = 1;
    config.claims.delay_allowance_ticks = 600;
    match_ = client.create_match(config)->match_id;
    Session ann = joined(client, match_, "ann", Role::kPlayer);
    Session stage = joined(client, match_, "stage", Role::kStage);
    ship_ = *ann.spawn(object_at({0, 40}, 0));
    const ObjectId shot = *ann.spawn(object_at({0, 0}, kShot));
    const ObjectId enemy = *stage.spawn(object_at({12, 0}, kEnemy));
    ASSERT_TRUE(stage.spawn(object_at({30, 40}, kEnemy)).ok());
    for (Tick tick = 1; tick <= 10; ++tick) {
      ASSERT_TRUE(ann.move(ship_, {3.0 * static_cast<double>(tick), 40}).ok());
      if (tick == kClaimTick) {
        ASSERT_TRUE(ann.claim_hit(shot, enemy, kClaimTick - 2, 1).ok());
      }
      ASSERT_TRUE(ann.end_frame(tick).ok());
      ASSERT_TRUE(stage.end_frame(tick).ok());
      ASSERT_TRUE(client.step_match(match_, 1, true).ok());
    }
    ASSERT_TRUE(client.end_match(match_).ok());
    shot_ = shot;
  }

  std::unique_ptr<Process> run(const std::string& script) {
    const std::string name = "run-" + std::to_string(runs_++);
    std::ofstream(folder() / (name + ".sh")) << script;
    std::vector<std::string> command{"/usr/bin/env",
                                     "-C",
                                     folder().string(),
                                     "PATH=" + (folder() / "bin").string() + ":/usr/bin:/bin",
                                     "SWEEPD_SERVER=" + server().address(),
                                     "SWEEPD_PROTO=" + (source() / "proto").string(),
                                     "match=" + match_,
                                     "tick=" + std::to_string(kClaimTick),
                                     "object=" + std::to_string(ship_),
                                     "admin=" + socket(),
                                     "/bin/bash",
                                     "-euo",
                                     "pipefail",
                                     name + ".sh"};
    auto process = std::make_unique<Process>(command, folder() / name);
    process->wait(std::chrono::seconds(300));
    return process;
  }

  static constexpr Tick kClaimTick = 6;

  TemporaryFolder data_;
  TemporaryFolder work_;
  std::string match_;
  ObjectId ship_ = 0;
  ObjectId shot_ = 0;
  int runs_ = 0;
};

TEST_F(DisputeTest, TheCommandsOfTheWalkThroughLeadFromAReportToABundle) {
  play_disputed_match();
  const std::string commands = blocks_of_this_test("sh");
  ASSERT_THAT(commands, HasSubstr("sweepctl replay show"));
  const auto walk = run(commands);
  const std::string output = walk->standard_output();
  ASSERT_EQ(walk->wait(), 0) << output << walk->standard_error();
  EXPECT_THAT(output, HasSubstr("match.swpr: VERIFIED"));
  EXPECT_THAT(output, HasSubstr("signature good"));
  EXPECT_THAT(output, HasSubstr("of \"ann\" (0): shot " + std::to_string(shot_)));
  EXPECT_THAT(output, HasSubstr("NOT_OVERLAPPING, margin 4, tolerance 1"));
  EXPECT_THAT(output, HasSubstr("moment.swpb: VERIFIED, match " + match_ + ", ticks 1 to 11 around 6"));
  const auto any = run("sweepctl replay check-bundle moment.swpb --any-packer");
  EXPECT_EQ(any->wait(), 0);
  EXPECT_THAT(any->standard_output(), HasSubstr("moment.swpb: UNCHECKED, match "));
  const auto other = run("sweepctl replay check-bundle moment.swpb --packer-key receipt_key.pem");
  EXPECT_EQ(other->wait(), 14);
  EXPECT_THAT(other->standard_error(),
              HasSubstr("moment.swpb: BAD_SIGNATURE: the key of its packer is not that of receipt_key.pem"));
  EXPECT_THAT(output, HasSubstr("deleted the replay of match " + match_));
  const std::string picture = read_file(folder() / "moment.svg");
  EXPECT_THAT(picture, HasSubstr("<svg "));
  EXPECT_THAT(picture, HasSubstr("shot " + std::to_string(shot_)));
  EXPECT_THAT(picture, HasSubstr("NOT_OVERLAPPING, margin 4"));
  EXPECT_THAT(picture, HasSubstr("</svg>"));
  // Who held and removed what is in the audit log.
  EXPECT_TRUE(eventually([&] {
    const std::string log = server().process().standard_error();
    return log.find("HoldReplay") != std::string::npos && log.find("DeleteReplay") != std::string::npos;
  }));
  EXPECT_EQ(client().get_receipt(match_).status().reason(), "REPLAY_NOT_FOUND");
}

TEST_F(DisputeTest, AHeldReplayIsNotDeletedAndHoldsOutliveARestart) {
  play_disputed_match();
  const auto held = admin().hold_replay(match_);
  ASSERT_TRUE(held.ok()) << held.status().message();
  EXPECT_GT(*held, 0u);
  EXPECT_EQ(admin().delete_replay(match_).status().reason(), "REPLAY_HELD");
  server().process().signal(SIGTERM);
  EXPECT_EQ(server().process().wait(), 0);
  start({"--data-dir", data_.path().string()});
  EXPECT_EQ(admin().delete_replay(match_).status().reason(), "REPLAY_HELD");
  EXPECT_TRUE(client().get_receipt(match_).ok());
  ASSERT_TRUE(admin().release_replay(match_).ok());
  EXPECT_TRUE(admin().delete_replay(match_).ok());
  EXPECT_EQ(client().get_receipt(match_).status().reason(), "REPLAY_NOT_FOUND");
  EXPECT_EQ(admin().hold_replay(match_).status().reason(), "REPLAY_NOT_FOUND");
}

TEST_F(DisputeTest, TheReplayOfAMatchThatRunsCanBeNeitherHeldNorDeleted) {
  const auto match = client().create_match(shooter_config(ClockKind::kManual));
  ASSERT_TRUE(match.ok());
  EXPECT_EQ(admin().hold_replay(match->match_id).status().reason(), "REPLAY_NOT_FOUND");
  EXPECT_EQ(admin().delete_replay(match->match_id).status().reason(), "REPLAY_NOT_FOUND");
  EXPECT_EQ(admin().delete_replay("none").status().reason(), "REPLAY_NOT_FOUND");
}

/// Plays one run of a match that a leaderboard has opened: so many touches of 7 points each.
void play_run(Client& client, const std::string& match_id, const std::string& player, int touches) {
  Session session = joined(client, match_id, player, Role::kPlayer);
  const ObjectId ship = *session.spawn(object_at({0, 0}, 0));
  for (int i = 0; i < touches; ++i) ASSERT_TRUE(session.spawn(object_at({100.0 * (i + 1), 0}, 1)).ok());
  for (int i = 0; i <= touches; ++i) {
    ASSERT_TRUE(session.move(ship, {100.0 * i, 0}).ok());
    ASSERT_TRUE(session.end_frame(static_cast<Tick>(i) + 1).ok());
    ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  }
  ASSERT_TRUE(client.end_match(match_id).ok());
}

constexpr const char* kMatchFile = R"(
name = "ranked run"
layers = ["ship", "item"]
clock = "manual"
[collides]
ship = ["item"]
[[scoring]]
name = "item"
layer_a = "ship"
layer_b = "item"
points = 7
)";

TEST_F(DisputeTest, TheRecipeOfALeaderboardRanksWhatIsVerifiedAndNothingElse) {
  std::ofstream(folder() / "match.toml") << kMatchFile;
  fs::create_symlink(source() / "deploy/leaderboard/leaderboard.py", folder() / "bin" / "leaderboard");
  const auto stubs = run(R"sh(mkdir -p board/stubs
    protoc -I "$SWEEPD_PROTO" --python_out=board/stubs --grpc_python_out=board/stubs \
      --plugin=protoc-gen-grpc_python="$(command -v grpc_python_plugin)" \
      $(cd "$SWEEPD_PROTO" && find sweepd -name '*.proto'))sh");
  ASSERT_EQ(stubs->wait(), 0) << stubs->standard_error();
  const auto open = [this](const std::string& player) {
    const auto opened = run("leaderboard board open " + player + " match.toml");
    EXPECT_EQ(opened->wait(), 0) << opened->standard_error();
    std::string id = opened->standard_output();
    return id.substr(0, id.find('\n'));
  };
  const std::string honest = open("ann"), boast = open("bob"), second = open("cid");
  Client client = this->client();
  play_run(client, honest, "ann", 3);
  play_run(client, boast, "bob", 1);
  play_run(client, second, "cid", 2);
  const auto submitted = run("leaderboard board submit " + honest + " 21\nleaderboard board submit " + boast +
                             " 9000\nleaderboard board submit " + second + " 14\nleaderboard board verify\n" +
                             "leaderboard board top");
  ASSERT_EQ(submitted->wait(), 0) << submitted->standard_error();
  const std::string output = submitted->standard_output();
  EXPECT_THAT(output, HasSubstr("claims 9000, and has 7"));
  const std::string top = output.substr(output.rfind('[', output.size() - 3));
  EXPECT_THAT(top, HasSubstr(R"([{"player": "ann", "score": 21, "match": ")" + honest));
  EXPECT_THAT(top, HasSubstr(R"({"player": "cid", "score": 14)"));
  EXPECT_THAT(top, Not(HasSubstr("bob")));
}

}  // namespace
}  // namespace sweepd::test::dispute_test
