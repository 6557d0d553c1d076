// SPDX-License-Identifier: MIT
//
// Protects matches described in files: the documented sample is a match that a real server plays as it says,
// and what is wrong with a file is said by line and column before there is a match.
#include <fstream>

#include "integration/support/server_fixture.h"

namespace sweepd::test::match_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string sample() {
  return (std::filesystem::path(required_environment("SWEEPD_SOURCE_DIR")) / "deploy/samples/coop_shmup.toml")
      .string();
}

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class MatchFile : public ServerTest {
 protected:
  std::string write(const std::string& text) {
    const auto path = server().folder() / "match.toml";
    std::ofstream(path) << text;
    return path.string();
  }

  /// What sweepctl says to a command that has to fail; no match is left behind.
  std::string error_of(const std::vector<std::string>& arguments) {
    const auto run = run_sweepctl(arguments);
    EXPECT_EQ(run->wait(), 1) << run->standard_output();
    EXPECT_TRUE(client().list_matches()->empty());
    return run->standard_error();
  }
};

TEST_F(MatchFile, TheSampleIsWithoutFault) {
  const auto run = run_sweepctl({"check", sample()});
  EXPECT_EQ(run->wait(), 0) << run->standard_error();
  EXPECT_THAT(run->standard_output(),
              HasSubstr("'stage 1' of 6 layers, 5 pairs that collide, 4 scoring rules"));
}

TEST_F(MatchFile, TheSampleReachesTheServerWhole) {
  const auto run = run_sweepctl({"create", "--config", sample()});
  ASSERT_EQ(run->wait(), 0) << run->standard_error();
  const auto match = client().get_match(without_line_end(run->standard_output()));
  ASSERT_TRUE(match.ok());
  const MatchConfig& config = match->config;
  EXPECT_EQ(config.name, "stage 1");
  EXPECT_EQ(config.layers.size(), 6u);
  EXPECT_THAT(
      config.collides,
      ElementsAre(CollidingLayers{"player", "enemy", false, 30}, CollidingLayers{"player", "enemy_bullet"},
                  CollidingLayers{"player", "item"}, CollidingLayers{"graze", "enemy_bullet", true, 0},
                  CollidingLayers{"player_shot", "enemy", false, 0, false, 4}));
  EXPECT_THAT(config.clearable_layers, ElementsAre("enemy_bullet"));
  EXPECT_EQ(config.max_late_ticks, 30u);
  EXPECT_EQ(config.stage_handover, StageHandover::kNone);
  EXPECT_EQ(config.ruleset.version, "1.0");
  ASSERT_TRUE(config.playfield);
  EXPECT_EQ(config.playfield->max_y, 640);
  ASSERT_EQ(config.scoring.size(), 4u);
  EXPECT_EQ(config.scoring[1].points, 1000);
  ASSERT_EQ(config.slots.size(), 3u);
  EXPECT_EQ(config.slots[2].first_id, 100'000'000u);
  ASSERT_EQ(config.masks.size(), 2u);
  EXPECT_EQ(config.masks[0].width(), 16u);
  EXPECT_EQ(config.masks[0].pixel_size(), 2);
  EXPECT_TRUE(config.masks[0].test(7, 0));   // The ship's nose,
  EXPECT_FALSE(config.masks[0].test(0, 0));  // and what is beside it.
  EXPECT_EQ(config.masks[1].rows(), BitMask::from_text({".##.", "####", ".##."}).rows());
}

TEST_F(MatchFile, AStageIsHandedOverWhereTheFileSaysSo) {
  const auto run = run_sweepctl(
      {"create", "--config", write("layers = [\"player\"]\nstage_handover = \"lowest_number\"\n")});
  ASSERT_EQ(run->wait(), 0) << run->standard_error();
  const auto match = client().get_match(without_line_end(run->standard_output()));
  ASSERT_TRUE(match.ok());
  EXPECT_EQ(match->config.stage_handover, StageHandover::kLowestNumber);
}

TEST_F(MatchFile, TheSampleIsPlayedAsItSays) {
  const auto run = run_sweepctl({"create", "--config", sample(), "--clock", "manual"});
  ASSERT_EQ(run->wait(), 0) << run->standard_error();
  EXPECT_THAT(run->standard_error(), HasSubstr("clock is overridden by --clock"));
  const std::string match_id = without_line_end(run->standard_output());
  Client client = this->client();
  Session ann = joined(client, match_id, "ann", Role::kPlayer);
  Session stage = joined(client, match_id, "stage", Role::kStage);
  // The ship is the picture; its nose is two units wide. A bullet beside the nose only grazes.
  const Result<ObjectId> ship = ann.spawn("ship", {240, 600});
  ASSERT_TRUE(ship.ok());
  ASSERT_TRUE(ann.end_frame().ok());
  const ObjectId grazing = *stage.spawn("enemy bullet", {232, 584});
  const ObjectId hitting = *stage.spawn("enemy bullet", {240, 584});
  EXPECT_GE(grazing, 100'000'000u);
  ASSERT_TRUE(stage.end_frame().ok());
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  ASSERT_TRUE(eventually([&] { return ann.tick() >= 1; }));
  std::vector<std::string> contacts;
  for (const Event& event : drain(ann)) {
    if (event.kind != EventKind::kEnter) continue;
    contacts.push_back((event.object_b == grazing   ? "grazing "
                        : event.object_b == hitting ? "hitting "
                                                    : "other ") +
                       std::to_string(event.layer_a));
  }
  EXPECT_THAT(contacts, ElementsAre("grazing 1", "hitting 0", "hitting 1"));
  // The file forbids players the stage's bullets, what is of no kind, a second ship, and ships to leap.
  ASSERT_TRUE(ann.spawn("enemy bullet", {100, 100}).ok());
  ASSERT_TRUE(ann.spawn(object_at({479, 100}, 0)).ok());
  ASSERT_TRUE(ann.spawn("ship", {240, 600}).ok());
  EXPECT_EQ(ann.spawn("sheep", {240, 600}).status().field(), "kind");
  ASSERT_TRUE(ann.move(*ship, {440, 600}).ok());
  ASSERT_TRUE(ann.end_frame().ok());
  ASSERT_TRUE(stage.end_frame().ok());
  const auto match = client.get_match(match_id);
  ASSERT_TRUE(match.ok());
  EXPECT_EQ(match->scores.at(0).score, 10) << "one bullet grazes, the other has hit";
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  ASSERT_TRUE(eventually([&] { return ann.tick() >= 2; }));
  std::vector<std::string> reasons;
  while (const auto rejection = ann.poll_rejection()) reasons.push_back(rejection->reason);
  EXPECT_THAT(reasons,
              ElementsAre("TEMPLATE_NOT_ALLOWED", "TEMPLATE_NOT_ALLOWED", "TOO_MANY_OBJECTS", "TOO_FAST"));
}

TEST_F(MatchFile, OptionsWinAndSaySo) {
  const std::string path =
      write("layers = [\"a\", \"b\"]\ntick_rate_hz = 30\nname = \"file\"\n[collides]\na = [\"b\"]\n");
  const auto run = run_sweepctl({"create", "--config", path, "--rate", "120", "--max-lead", "7"});
  ASSERT_EQ(run->wait(), 0) << run->standard_error();
  EXPECT_THAT(run->standard_error(), HasSubstr(path + ":2:16: tick_rate_hz is overridden by --rate"));
  EXPECT_THAT(run->standard_error(), Not(HasSubstr("--max-lead")));
  const auto match = client().list_matches()->at(0);
  EXPECT_EQ(match.config.tick_rate_hz, 120u);
  EXPECT_EQ(match.config.max_lead_ticks, 7u);
  EXPECT_EQ(match.config.name, "file");
  EXPECT_THAT(match.config.collides, ElementsAre(CollidingLayers{"a", "b"}));
}

TEST_F(MatchFile, ItsFaultsAreToldByLineAndColumnBeforeThereIsAMatch) {
  const std::string path = write("layers = [\"a\"]\ntick_rate_hz = 500\nnmae = \"x\"\n");
  for (const std::string command : {"create", "check"}) {
    const std::string error =
        error_of(command == "check" ? std::vector<std::string>{"check", path}
                                    : std::vector<std::string>{"create", "--config", path});
    EXPECT_THAT(error, StartsWith("sweepctl: " + path +
                                  ":2:16: tick_rate_hz is 500; must be a whole number, 1 to 240\n"));
    EXPECT_THAT(error, HasSubstr("sweepctl: " + path +
                                 ":3:1: nmae is no key that is known here; did you mean \"name\"?"));
  }
}

TEST_F(MatchFile, FaultsThatTheRulesOfAMatchFindAreToldByLineAndColumnToo) {
  const std::string path =
      write("layers = [\"a\", \"b\"]\n[[scoring]]\nlayer_a = \"a\"\nlayer_b = \"b\"\npoints = 5\n");
  EXPECT_THAT(
      error_of({"create", "--config", path}),
      StartsWith("sweepctl: " + path + ":3:11: scoring[0].layer_a \"a\" and layer_b \"b\" do not collide"));
  EXPECT_THAT(error_of({"create", "--config", "/no/such.toml"}),
              StartsWith("sweepctl: /no/such.toml cannot be read: No such file or directory"));
  EXPECT_THAT(error_of({"create", "--config", server().folder().string()}),
              HasSubstr("cannot be read: Is a directory"));
}

constexpr const char* kTraceMatch =
    "layers = [\"shield\", \"enemy\", \"player\", \"player_shot\", \"item\", \"enemy_bullet\"]\n"
    "late_frames = \"apply_next\"\nname = \"recorded\"\n"
    "[collides]\nplayer = [\"enemy\", \"enemy_bullet\", \"item\"]\nplayer_shot = [\"enemy\"]\n"
    "shield = [\"enemy_bullet\"]\nenemy = [\"enemy_bullet\"]\n"
    "[[contacts]]\nlayers = [\"player\", \"enemy_bullet\"]\nsensor = true\n"
    "[[scoring]]\nlayer_a = \"player_shot\"\nlayer_b = \"enemy\"\npoints = 10\n";

TEST_F(MatchFile, ATraceIsPlayedExactlyInTheMatchOfAFileAndScores) {
  const std::filesystem::path traces =
      std::filesystem::path(required_environment("SWEEPD_SOURCE_DIR")) / "tests/golden/traces";
  const auto plain = server().folder() / "boss.trace";
  ASSERT_EQ(std::system(
                ("xz -dc '" + (traces / "boss.trace.xz").string() + "' > '" + plain.string() + "'").c_str()),
            0);
  const auto events = server().folder() / "events.txt";
  const std::string path = write(kTraceMatch);
  const auto run =
      run_sweepctl({"play", plain.string(), "--config", path, "--events", events.string(), "--keep"});
  ASSERT_EQ(run->wait(), 0) << run->standard_error();
  EXPECT_TRUE(read_file(events) == read_file(traces / "boss.events"));
  EXPECT_THAT(run->standard_error(), HasSubstr(":2:15: late_frames: what the trace needs is played instead"));
  EXPECT_THAT(run->standard_error(),
              HasSubstr(":8:10: collides.enemy[0]: in the trace enemy and enemy_bullet do not collide"));
  const auto matches = client().list_matches();
  ASSERT_EQ(matches->size(), 1u);
  const MatchInfo& match = matches->front();
  EXPECT_EQ(match.config.name, "recorded");
  EXPECT_EQ(match.config.clock, ClockKind::kManual);
  EXPECT_THAT(match.config.layers,
              ElementsAre("player", "player_shot", "enemy", "enemy_bullet", "item", "shield"));
  EXPECT_EQ(match.config.collides.size(), 5u);
  // Every shot that met an enemy is ten points, by the trace's own list of events.
  const auto scores = client().get_match(match.match_id)->scores;
  std::int64_t points = 0;
  for (const Score& score : scores) points += score.score;
  EXPECT_GT(points, 0);
  EXPECT_EQ(points % 10, 0);
}

TEST_F(MatchFile, AFileThatATraceCannotBePlayedInLeavesNoMatchBehind) {
  const auto trace = server().folder() / "small.trace";
  std::ofstream(trace) << "TRACE 1\nL 0 ship\nL 1 rock\nP 0 one\nT 1\nF 0\nS 1 0 0 0 1 -5 -5 5 5\nE\n";
  const std::string path = write(
      "layers = [\"ship\", \"rock\"]\n[collides]\nship = [\"rock\"]\n"
      "[[scoring]]\nlayer_a = \"ship\"\nlayer_b = \"rock\"\npoints = 10\n");
  const std::string error = error_of({"play", trace.string(), "--config", path});
  EXPECT_THAT(error, HasSubstr(path + ":3:9: collides.ship[0]: in the trace ship and rock do not collide"));
  EXPECT_THAT(error, HasSubstr("sweepctl: " + path + ":5:11: scoring[0].layer_a"));
}

}  // namespace
}  // namespace sweepd::test::match_file_test
