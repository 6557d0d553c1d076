// SPDX-License-Identifier: MIT
//
// Protects `sweepctl load` against a real server: what it plays is a match without a refusal, what it
// measures is there, and it cleans up after itself.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "integration/support/load_fixture.h"

namespace sweepd::test::load_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Load : public LoadTest {};

TEST_F(Load, PlaysExplicitMovesWithoutARefusal) {
  const auto json = run({"--matches", "2", "--duration", "2", "--warm-up", "0.5"});
  expect_sane(json);
  // Every object's position: the loop's frames take 300 to 350 each.
  EXPECT_GT(bytes_up_per_frame(json), 250);
  EXPECT_LE(bytes_up_per_frame(json), 360);
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Load, ThreadsShareTheMatches) {
  const auto json = run({"--matches", "3", "--duration", "1", "--warm-up", "0.5", "--threads", "2"});
  expect_nothing_lost(json);
  EXPECT_EQ(number(json, "matches"), 3);
  EXPECT_GT(number(json, "tick_rate_min_hz"), 0);  // Of each match, whichever thread plays it.
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Load, WhoAsksForFewerEventsIsToldLess) {
  std::map<std::string, double> bytes_down;
  for (const std::string events : {"all", "own", "own-enters"}) {
    const auto json = run({"--matches", "2", "--duration", "2", "--warm-up", "1", "--events", events});
    EXPECT_EQ(json.fields().at("events").string_value(), events);
    EXPECT_GT(number(part(json, "counts"), "probes_sent"), 0) << events;
    if (kept_up(json)) {
      EXPECT_EQ(number(part(json, "counts"), "probes_lost"), 0) << events;
    }
    EXPECT_GT(latency(json, "update_to_event", "count"), 0) << events;
    // A server that ran fewer ticks told less: per tick that it ran.
    bytes_down[events] = number(json, "bytes_down_per_client_tick") / number(json, "tick_rate_mean_hz");
  }
  EXPECT_GT(bytes_down["all"], bytes_down["own"]);
  EXPECT_GT(bytes_down["own"], 0);
  EXPECT_GT(bytes_down["own-enters"], 0);
}

TEST_F(Load, LetsTheServerMoveBulletsWithoutARefusal) {
  const auto explicit_moves = run({"--matches", "2", "--duration", "2", "--warm-up", "0.5"});
  const auto json = run({"--matches", "2", "--duration", "2", "--warm-up", "0.5", "--motion", "server"});
  expect_sane(json);
  EXPECT_LT(bytes_up_per_frame(json), bytes_up_per_frame(explicit_moves) / 2);
}

// `edges` has the outermost coordinates.
TEST_F(Load, TellsWhatTheWorldFeedTakesWhereItIsAskedFor) {
  const auto without = run({"--matches", "1", "--duration", "2", "--warm-up", "0.5", "--motion", "server"});
  EXPECT_EQ(without.fields().count("world_bytes_per_client_tick"), 0u);
  const auto json =
      run({"--matches", "1", "--duration", "2", "--warm-up", "0.5", "--motion", "server", "--feed"});
  expect_sane(json);
  EXPECT_GT(number(json, "world_bytes_per_client_tick"), 0);
  EXPECT_GT(number(json, "world_tick_bytes_max"), number(json, "world_bytes_per_client_tick"));
  EXPECT_LT(number(json, "world_bytes_per_client_tick"), number(json, "bytes_down_per_client_tick"));
}

TEST_F(Load, PlaysARecordedMatchAgainAndAgainWithoutARefusal) {
  for (const std::string name : {"boss", "edges"}) {
    const std::string trace = golden_trace(name);
    const auto json = run({"--matches", "2", "--duration", "2", "--warm-up", "0.5", "--trace", trace});
    expect_nothing_lost(json);
    EXPECT_EQ(number(part(json, "counts"), "rejections"), 0) << "whatever the server has skipped";
    EXPECT_EQ(json.fields().at("scene").string_value(), "trace");
    EXPECT_EQ(json.fields().at("trace").string_value(), trace);
    EXPECT_EQ(number(json, "clients_per_match"), 3);
    EXPECT_GT(number(json, "objects_per_match"), 0);
    // All three are told of every probe; the rest is the trace's.
    EXPECT_GT(number(part(json, "counts"), "events"), 4 * number(part(json, "counts"), "probes_sent"));
    EXPECT_GT(latency(json, "update_to_event", "count"), 0);
    EXPECT_TRUE(client().list_matches()->empty());
  }
}

TEST_F(Load, TellsWhatChangedOfTheServersMetrics) {
  const std::string address = start_with_metrics({"--data-dir", (folder_.path() / "data").string()});
  const auto json = run({"--matches", "2", "--duration", "2", "--warm-up", "0.5", "--metrics", address});
  const auto& metrics = part(json, "metrics");
  EXPECT_GT(number(part(metrics, "grown"), "sweepd_journal_records_total"), 0);
  EXPECT_EQ(number(part(metrics, "at_end"), "sweepd_matches"), 2);
  EXPECT_EQ(number(part(metrics, "at_end"), "sweepd_streams"), 8);
}

TEST_F(Load, MetricsThatCannotBeHadAreToldBeforeTheRun) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"nowhere",
       "--metrics nowhere: this is not HOST:PORT, http://HOST:PORT/PATH or https://HOST:PORT/PATH"},
      {"127.0.0.1:1", "--metrics 127.0.0.1:1: Connection refused"}};
  for (const auto& [address, message] : wrong) {
    const auto run = run_sweepctl({"load", "--duration", "600", "--metrics", address});
    EXPECT_EQ(run->wait(), 1);
    EXPECT_THAT(run->standard_error(), HasSubstr(message));
  }
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Load, PlaysTheBulletHellOverOneConnectionPerMatchWithJitter) {
  const auto json = run({"--matches", "1", "--duration", "1", "--warm-up", "0.5", "--scene", "W2", "--motion",
                         "server", "--connections-per-match", "1", "--jitter-ms", "5"});
  if (number(part(json, "counts"), "ticks_lost") == 0) {
    EXPECT_EQ(number(part(json, "counts"), "rejections"), 0);
  }
  EXPECT_GT(number(part(json, "counts"), "events"), 0);
  EXPECT_EQ(number(json, "objects_per_match"), 5504);
}

TEST_F(Load, ClientsThatMisbehaveAreToldApartFromThoseThatDoNot) {
  const auto json = run({"--matches", "2", "--duration", "3", "--warm-up", "0.5", "--slow-readers", "1",
                         "--disconnecting", "1", "--late-frames", "1", "--malformed", "1"});
  const auto& counts = part(json, "counts");
  EXPECT_GT(number(counts, "rejections"), 0);  // Of malformed frames only: each is one.
  EXPECT_LE(number(counts, "rejections"), 6);
  EXPECT_GT(number(counts, "reconnections"), 0);
  EXPECT_EQ(number(counts, "streams_closed"), 0);  // Of those that behave.
  EXPECT_GT(latency(json, "update_to_event", "count"), 0);
}

TEST_F(Load, SearchesUntilABoundIsBrokenAndDrawsAPlot) {
  const std::filesystem::path svg = folder_.path() / "load.svg";
  // No machine keeps to a microsecond.
  const auto json = run({"--matches", "1", "--search", "0.001", "--search-step", "1", "--duration", "1",
                         "--warm-up", "0.2", "--svg", svg.string()});
  EXPECT_EQ(number(part(json, "search"), "matches_held"), 0);
  EXPECT_EQ(part(json, "search").fields().at("steps").list_value().values_size(), 2);
  EXPECT_THAT(read_file(svg), HasSubstr("</svg>"));
}

TEST_F(Load, CtrlCEndsItWithWhatItHasAndWithoutAMatchLeft) {
  const std::filesystem::path path = folder_.path() / "load.json";
  Process process(
      {required_environment("SWEEPCTL_BINARY"), "load", "--server", server().address(), "--matches", "2",
       "--duration", "600", "--warm-up", "0.1", "--progress", "--json", path.string()},
      folder_.path());
  ASSERT_TRUE(eventually([&] { return process.standard_error().find("2 matches") != std::string::npos; }));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 130) << process.standard_error();
  EXPECT_THAT(process.standard_output(), HasSubstr("update to event"));
  EXPECT_THAT(read_file(path), HasSubstr("\"was_interrupted\":true"));
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Load, CtrlCASecondTimeDoesNotWaitForAServerThatHangs) {
  Process process({required_environment("SWEEPCTL_BINARY"), "load", "--server", server().address(),
                   "--matches", "2", "--duration", "600", "--warm-up", "0.1", "--progress"},
                  folder_.path());
  ASSERT_TRUE(eventually([&] { return process.standard_error().find("2 matches") != std::string::npos; }));
  server().process().signal(SIGSTOP);
  process.signal(SIGINT);
  EXPECT_TRUE(eventually([&] { return !process.standard_output().empty(); }));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  EXPECT_THAT(process.standard_error(), Not(HasSubstr("may still run")));
  server().go_on();
}

TEST_F(Load, ASearchThatIsInterruptedBeforeItsFirstStepHasJudgedNothing) {
  const std::filesystem::path path = folder_.path() / "load.json";
  Process process(
      {required_environment("SWEEPCTL_BINARY"), "load", "--server", server().address(), "--matches", "1",
       "--search", "5", "--duration", "600", "--warm-up", "600", "--json", path.string()},
      folder_.path());
  ASSERT_TRUE(eventually([&] { return !client().list_matches()->empty(); }));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 130) << process.standard_error();
  EXPECT_THAT(process.standard_output(), HasSubstr("0 matches are held"));
  EXPECT_THAT(process.standard_output(), HasSubstr("(interrupted)"));
  EXPECT_THAT(read_file(path), HasSubstr("\"steps\":[]"));
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Load, AServerThatDiesMeanwhileIsAnErrorAndHasNoFigures) {
  const std::filesystem::path path = folder_.path() / "load.json";
  Process process(
      {required_environment("SWEEPCTL_BINARY"), "load", "--server", server().address(), "--matches", "2",
       "--duration", "8", "--warm-up", "0.5", "--progress", "--json", path.string()},
      folder_.path());
  ASSERT_TRUE(
      eventually([&] { return process.standard_error().find("1 s: 2 matches") != std::string::npos; }));
  stopped_by_test_ = true;
  server().process().signal(SIGKILL);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.standard_error(), HasSubstr("8 streams were closed, not by the load"));
  EXPECT_THAT(process.standard_error(), HasSubstr("2 matches may still run there"));
  const std::string json = read_file(path);
  EXPECT_THAT(json, HasSubstr("\"server\":null"));
  EXPECT_THAT(json, HasSubstr("\"streams_closed\":8"));
}

TEST_F(Load, SaysWhatIsWrongWithItsOptions) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--matches", "0"}, "--matches"},
      {{"--scene", "W3"}, "W1|W2"},
      {{"--motion", "none"}, "explicit|server"},
      {{"--clients", "65"}, "--clients"},
      {{"--rate", "241"}, "--rate"},
      {{"--duration", "0"}, "--duration"},
      {{"--duration", "nan"}, "--duration"},
      {{"--warm-up", "inf"}, "--warm-up"},
      {{"--rate", "100", "--jitter-ms", "11"}, "--jitter-ms"},
      {{"--matches", "1", "--clients", "2", "--slow-readers", "3"},
       "3 misbehaving clients are asked for, of 2"},
      {{"--trace", ""}, "--trace: is empty"},
      {{"--trace", "any", "--scene", "W1"}, "--scene with --trace: a trace takes the scene's place"},
      {{"--trace", "any", "--clients", "4"}, "--clients with --trace"},
      {{"--trace", "any", "--motion", "server"}, "--motion with --trace"},
      {{"--trace", "any", "--disconnecting", "1"}, "--disconnecting with --trace"},
      {{"--shared-streams", "--connections-per-match", "1"}, "--connections-per-match with --shared-streams"},
      {{"--shared-streams", "--slow-readers", "1"},
       "--slow-readers with --shared-streams: a client misbehaves on a stream of its own"},
      {{"--shared-streams", "--disconnecting", "1"}, "--disconnecting with --shared-streams"},
      {{"--shared-streams", "--late-frames", "1"}, "--late-frames with --shared-streams"},
      {{"--shared-streams", "--malformed", "1"}, "--malformed with --shared-streams"}};
  for (const auto& [arguments, message] : wrong) {
    std::vector<std::string> command = {"load"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto run = run_sweepctl(command);
    EXPECT_EQ(run->wait(), 2) << message;
    EXPECT_THAT(run->standard_error(), HasSubstr(message));
  }
}

TEST_F(Load, AFileThatCannotBeWrittenIsToldBeforeTheRun) {
  const auto run = run_sweepctl({"load", "--duration", "600", "--json", "/nowhere/load.json"});
  EXPECT_EQ(run->wait(), 1);
  EXPECT_THAT(run->standard_error(), HasSubstr("cannot write /nowhere/load.json"));
}

TEST_F(Load, SaysWhatIsWrongWithATrace) {
  const std::filesystem::path trace = folder_.path() / "wrong.trace";
  const auto error = [&](const std::string& content) {
    std::ofstream(trace) << content;
    const auto process = run_sweepctl({"load", "--trace", trace.string()});
    EXPECT_EQ(process->wait(), 1);
    return process->standard_error();
  };
  EXPECT_THAT(error("TRACE 1\nL 0 a\nP 0 one\nT 1\nX\nE\n"), HasSubstr("wrong.trace: trace line 5"));
  EXPECT_THAT(error("TRACE 1\nL 0 a\nT 1\nE\n"), HasSubstr("no participant is declared"));
  EXPECT_THAT(error("TRACE 1\nL 0 a\nP 0 one\nT 216001\nE\n"),
              HasSubstr("216001 ticks are more than the 216000 that the load plays"));
  std::filesystem::remove(trace);
  const auto missing = run_sweepctl({"load", "--trace", trace.string()});
  EXPECT_EQ(missing->wait(), 1);
  EXPECT_THAT(missing->standard_error(), HasSubstr("cannot read " + trace.string()));
}

TEST_F(Load, AServerThatIsNotThereIsOneClearLine) {
  Process process(
      {required_environment("SWEEPCTL_BINARY"), "load", "--server", "127.0.0.1:1", "--matches", "1"},
      folder_.path());
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.standard_error(), HasSubstr("127.0.0.1:1"));
}

}  // namespace
}  // namespace sweepd::test::load_test
