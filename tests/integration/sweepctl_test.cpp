// SPDX-License-Identifier: MIT
//
// Protects the person at the terminal: each command of sweepctl does what its help says, and errors are one
// clear line.
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "integration/support/server_fixture.h"

namespace sweepd::test::sweepctl_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Sweepctl : public ServerTest {
 protected:
  std::string create(std::vector<std::string> options = {}) {
    options.insert(options.begin(), "create");
    const auto run = run_sweepctl(options);
    EXPECT_EQ(run->wait(), 0) << run->standard_error();
    std::string match_id = run->standard_output();
    while (!match_id.empty() && match_id.back() == '\n') match_id.pop_back();
    return match_id;
  }
};

TEST_F(Sweepctl, EveryCommandsHelpShowsAnExample) {
  for (const std::string command :
       {"create", "check", "ls", "watch", "world", "encounters", "region", "ray", "pause", "resume", "rate",
        "end", "play", "load", "verify", "replay", "key", "token", "context"}) {
    TemporaryFolder folder;
    Process help({required_environment("SWEEPCTL_BINARY"), command, "--help"}, folder.path());
    EXPECT_EQ(help.wait(), 0);
    EXPECT_THAT(help.standard_output(), HasSubstr("Example")) << command;
  }
}

TEST_F(Sweepctl, CreatesListsAndEndsAMatch) {
  const std::string match_id = create({"--name", "final boss"});
  const auto list = run_sweepctl({"ls"});
  EXPECT_THAT(list->standard_output(), HasSubstr(match_id));
  EXPECT_THAT(list->standard_output(), HasSubstr("final boss"));
  EXPECT_EQ(run_sweepctl({"end", match_id})->wait(), 0);
  EXPECT_EQ(run_sweepctl({"ls"})->standard_output().find(match_id), std::string::npos);
}

TEST_F(Sweepctl, NamesFromAServerAreTextOnTheTerminal) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.name =
      "\x1b]0;owned\a\xc2\x9b"
      "2J stage\nanother-id  fake";
  const auto match = client().create_match(config);
  ASSERT_TRUE(match.ok()) << match.status().message();
  const std::string list = run_sweepctl({"ls"})->standard_output();
  EXPECT_THAT(list, HasSubstr("\\u001b]0;owned\\u0007\\u009b2J stage\\u000aanother-id  fake"));
  EXPECT_EQ(std::ranges::count(list, '\n'), 2) << "the heading, and one match";
  const std::string end = run_sweepctl({"end", match->match_id})->standard_output();
  EXPECT_EQ(std::ranges::count(end, '\n'), 1);
  for (const std::string& text : {list, end}) {
    EXPECT_EQ(text.find_first_of("\x1b\a"), std::string::npos);
    EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  }
}

TEST_F(Sweepctl, CreatesAMatchWithTheBroadphaseAskedFor) {
  create({"--broadphase", "grid", "--sectors", "rows", "--sector-size", "32.5"});
  const auto match = client().list_matches()->at(0);
  EXPECT_EQ(match.config.broadphase, BroadphaseKind::kSectorGrid);
  EXPECT_EQ(match.config.sector_grid.scheme, SectorScheme::kHorizontalStrips);
  EXPECT_EQ(match.config.sector_grid.sector_size, 32.5);
  EXPECT_THAT(run_sweepctl({"ls", "--json"})->standard_output(), HasSubstr(R"("broadphase":"grid")"));
  const auto run = run_sweepctl({"create", "--broadphase", "guess"});
  EXPECT_EQ(run->wait(), 2);
  EXPECT_THAT(run->standard_error(), HasSubstr("sap|grid|approach|brute"));
}

TEST_F(Sweepctl, TellsWhatThereIsAndWhereNowAndEarlier) {
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Session session = joined(client, match_id, "ann", Role::kPlayer);
  const std::string ship = std::to_string(*session.spawn(object_at({10, 20}, 0)));
  const std::string enemy = std::to_string(*session.spawn(object_at({10, 20}, 2)));
  ASSERT_TRUE(session.end_frame(1).ok());
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  const auto world = run_sweepctl({"world", match_id});
  EXPECT_EQ(world->wait(), 0) << world->standard_error();
  EXPECT_THAT(world->standard_output(), HasSubstr("object " + ship + " of 0 at 10, 20, 1 parts\n"));
  EXPECT_THAT(run_sweepctl({"encounters", match_id})->standard_output(), HasSubstr(enemy));
  EXPECT_EQ(run_sweepctl({"region", match_id, "0", "0", "1", "1"})->standard_output(), "");
  EXPECT_EQ(run_sweepctl({"region", match_id, "0", "0", "10", "20"})->standard_output(),
            "object " + ship + " part 0\nobject " + enemy + " part 0\n");
  EXPECT_EQ(
      run_sweepctl({"ray", match_id, "10", "0", "10", "20", "--hits", "1", "--json"})->standard_output(),
      "[{\"object\":" + ship + ",\"part\":0,\"distance\":0.8000030518}]\n");
  ASSERT_TRUE(client.step_match(match_id, 1).ok());
  EXPECT_EQ(run_sweepctl({"world", match_id, "--at-tick", "1"})->standard_output(), world->standard_output());
  const auto future = run_sweepctl({"world", match_id, "--at-tick", "3"});
  EXPECT_EQ(future->wait(), 1);
  EXPECT_THAT(future->standard_error(), HasSubstr("ticks 1 to 2 are known"));
  EXPECT_EQ(run_sweepctl({"region", match_id, "0", "0", "1"})->wait(), 2) << "a box has four numbers";
}

TEST_F(Sweepctl, WatchPrintsEncountersAsTheyHappenAndEndsWithTheMatch) {
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Process watch({required_environment("SWEEPCTL_BINARY"), "watch", match_id, "--server", server().address()},
                server().folder() / "watch");
  Session player = joined(client, match_id, "player", Role::kPlayer);
  ASSERT_TRUE(player.spawn(object_at({0, 0}, 0)).ok());
  const ObjectId enemy = *player.spawn(object_at({0, 0}, 2));
  ASSERT_TRUE(player.end_frame().ok());
  // The watcher may start after the contact and would then see it in its snapshot: the later EXIT it must
  // see.
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  ASSERT_TRUE(
      eventually([&] { return !watch.standard_error().empty() || !watch.standard_output().empty(); }));
  ASSERT_TRUE(player.despawn(enemy).ok());
  ASSERT_TRUE(player.end_frame().ok());
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  EXPECT_TRUE(eventually([&] { return watch.standard_output().find("DESPAWNED") != std::string::npos; }))
      << watch.standard_output();
  ASSERT_TRUE(client.end_match(match_id).ok());
  EXPECT_EQ(watch.wait(), 0);
}

TEST_F(Sweepctl, WatchPrintsObjectsThatComeIntoViewAndWhyTheyLeaveIt) {
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Session player = joined(client, match_id, "player", Role::kPlayer);
  Process watch(
      {required_environment("SWEEPCTL_BINARY"), "watch", match_id, "--world", "--server", server().address()},
      server().folder() / "watch");
  const auto prints = [&watch](const std::string& text) {
    return eventually([&] { return watch.standard_output().find(text) != std::string::npos; });
  };
  ASSERT_TRUE(prints("t=0 WORLD 0 objects of 1 participants")) << watch.standard_error();
  const std::string ship = std::to_string(*player.spawn(object_at({10, 20.5}, 0)));
  ASSERT_TRUE(player.end_frame().ok());
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  EXPECT_TRUE(prints("t=1 APPEARS player " + ship + " of 0 at 10, 20.5\n")) << watch.standard_output();
  ASSERT_TRUE(player.despawn(static_cast<ObjectId>(std::stoul(ship))).ok());
  ASSERT_TRUE(player.end_frame().ok());
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  EXPECT_TRUE(prints("t=2 DEPARTS player " + ship + " of 0 at 10, 20.5: DESPAWNED\n"))
      << watch.standard_output();
  ASSERT_TRUE(client.end_match(match_id).ok());
  EXPECT_EQ(watch.wait(), 0);
}

TEST_F(Sweepctl, WatchEndsCleanlyOnCtrlC) {
  const std::string match_id = create();
  Process watch({required_environment("SWEEPCTL_BINARY"), "watch", match_id, "--server", server().address()},
                server().folder() / "watch");
  ASSERT_TRUE(
      eventually([&] { return !watch.standard_error().empty() || !watch.standard_output().empty(); }));
  watch.signal(SIGINT);
  EXPECT_EQ(watch.wait(), 0);
}

TEST_F(Sweepctl, AnUnknownMatchIsOneClearLine) {
  const auto run = run_sweepctl({"end", "no-such-match"});
  EXPECT_EQ(run->wait(), 1);
  EXPECT_THAT(run->standard_error(), StartsWith("sweepctl: "));
  EXPECT_THAT(run->standard_error(), HasSubstr("no-such-match"));
}

TEST_F(Sweepctl, AnUnreachableServerIsOneClearLine) {
  TemporaryFolder folder;
  Process run({required_environment("SWEEPCTL_BINARY"), "ls", "--server", "127.0.0.1:1"}, folder.path());
  EXPECT_EQ(run.wait(), 1);
  EXPECT_THAT(run.standard_error(), StartsWith("sweepctl: "));
  EXPECT_THAT(run.standard_error(), HasSubstr("127.0.0.1:1"));
}

TEST_F(Sweepctl, ABadTraceNamesTheLineAndLeavesNoMatchBehind) {
  const auto trace = server().folder() / "bad.trace";
  std::ofstream(trace) << "TRACE 1\nL 0 player\nP 0 one\nT 1\nF 0\nS 1 0 0 0 1 5 0 -5 0\nE\n";
  const auto run = run_sweepctl({"play", trace.string()});
  EXPECT_EQ(run->wait(), 1);
  EXPECT_THAT(run->standard_error(), HasSubstr("line 6"));
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Sweepctl, ARefusedChangeFailsThePlayInsteadOfWritingInexactEvents) {
  const auto trace = server().folder() / "theft.trace";
  const auto events = server().folder() / "theft.events";
  std::ofstream(trace)
      << "TRACE 1\nL 0 player\nP 0 one\nP 1 two\nT 1\nF 0\nS 1 0 0 0 1 -5 -5 5 5\nT 2\nF 1\nU 1 7 7\nE\n";
  const auto run = run_sweepctl({"play", trace.string(), "--events", events.string()});
  EXPECT_EQ(run->wait(), 1);
  EXPECT_THAT(run->standard_error(), HasSubstr("NOT_OWNER"));
  EXPECT_FALSE(std::filesystem::exists(events));
}

TEST_F(Sweepctl, CtrlCInTheMiddleOfAPlayEndsItsMatch) {
  const auto trace = server().folder() / "long.trace";
  std::ofstream(trace)
      << "TRACE 1\nL 0 player\nP 0 one\nT 1\nF 0\nS 1 0 0 0 1 -5 -5 5 5\nT 100000\nF 0\nD 1\nE\n";
  Process play({required_environment("SWEEPCTL_BINARY"), "play", trace.string(), "--clock", "realtime",
                "--server", server().address()},
               server().folder() / "play");
  Client client = this->client();
  ASSERT_TRUE(eventually([&] {
    const auto matches = client.list_matches();
    return matches.ok() && !matches->empty() && matches->front().tick > 0;
  })) << play.standard_error();
  play.signal(SIGINT);
  EXPECT_EQ(play.wait(), 130);
  EXPECT_TRUE(eventually([&] { return client.list_matches()->empty(); }));
}

}  // namespace
}  // namespace sweepd::test::sweepctl_test
