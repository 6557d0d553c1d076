// SPDX-License-Identifier: MIT
//
// Protects the reading of recorded matches: what is right is understood to the last number, and what is wrong
// is refused with the line at fault before any server is bothered.
#include "tools/sweepctl/trace_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace sweepd::tools::trace_parser_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

Result<Trace> parse(const std::string& text) {
  std::istringstream input(text);
  return parse_trace(input);
}

constexpr char kHeader[] =
    "TRACE 1\n"     // 1
    "L 0 player\n"  // 2
    "L 1 bullet\n"  // 3
    "M 0 1\n"       // 4
    "P 0 one\n"     // 5
    "P 1 two\n";    // 6
constexpr char kSpawned[] =
    "T 1\n"                       // 7
    "F 0\n"                       // 8
    "S 10 0 5 -6 1 -1 -2 3 4\n";  // 9

TEST(TraceParser, ReadsLayersParticipantsAndTheCollisionMatrix) {
  const auto trace = parse(std::string(kHeader) + "M 1 0\nM 1 1\nT 1\nE\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_THAT(trace->layers, ElementsAre("player", "bullet"));
  EXPECT_THAT(trace->collides, ElementsAre(Pair(0, 1), Pair(1, 1)));
  ASSERT_EQ(trace->participants.size(), 2u);
  EXPECT_EQ(trace->participants[0].name, "one");
  EXPECT_EQ(trace->participants[1].name, "two");
  EXPECT_EQ(trace->last_tick, 1u);
}

TEST(TraceParser, ReadsEveryNumberOfACommand) {
  const auto trace = parse(std::string(kHeader) + kSpawned +
                           "U 10 -2147483000 2147483000\nT 3\nF 0\nD 10\nS 7 1 0 0 2 0 0 0 0 1 1 2 2\nE\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const TraceParticipant& one = trace->participants[0];
  ASSERT_EQ(one.frames.size(), 2u);
  EXPECT_EQ(one.frames[0].tick, 1u);
  ASSERT_EQ(one.frames[0].commands.size(), 2u);
  const TraceCommand& spawn = one.frames[0].commands[0];
  EXPECT_EQ(spawn.kind, TraceCommandKind::kSpawn);
  EXPECT_EQ(spawn.object, 10u);
  EXPECT_EQ(spawn.layer, 0u);
  EXPECT_EQ(spawn.x, 5);
  EXPECT_EQ(spawn.y, -6);
  EXPECT_EQ(spawn.line, 9u);
  ASSERT_EQ(trace->boxes_of(spawn).size(), 1u);
  EXPECT_EQ(trace->boxes_of(spawn)[0].min_x, -1);
  EXPECT_EQ(trace->boxes_of(spawn)[0].min_y, -2);
  EXPECT_EQ(trace->boxes_of(spawn)[0].max_x, 3);
  EXPECT_EQ(trace->boxes_of(spawn)[0].max_y, 4);
  const TraceCommand& move = one.frames[0].commands[1];
  EXPECT_EQ(move.kind, TraceCommandKind::kMove);
  EXPECT_EQ(move.x, -2147483000);
  EXPECT_EQ(move.y, 2147483000);
  EXPECT_EQ(one.frames[1].tick, 3u);
  EXPECT_EQ(one.frames[1].commands[0].kind, TraceCommandKind::kDespawn);
  EXPECT_EQ(trace->boxes_of(one.frames[1].commands[1]).size(), 2u);
  EXPECT_EQ(trace->last_tick, 3u);
}

TEST(TraceParser, FindsTheBlockOfIdsThatAParticipantNeeds) {
  const auto trace =
      parse(std::string(kHeader) + kSpawned + "S 4294967295 0 0 0 1 0 0 0 0\nS 3 0 0 0 1 0 0 0 0\nE\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->participants[0].first_id, 3u);
  EXPECT_EQ(trace->participants[0].last_id, 4294967295u);
  EXPECT_EQ(trace->participants[0].objects_max, 3u);
  EXPECT_EQ(trace->participants[1].first_id, 0u);
  EXPECT_EQ(trace->participants[1].last_id, 0u);
}

TEST(TraceParser, SkipsCommentsAndBlankLinesAndTakesAnyBlanks) {
  const auto trace = parse("TRACE 1\r\n# L 9\n\n  L\t0   player \r\nP 0 one\nT 1\n # comment\nE\n\n# done\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_THAT(trace->layers, ElementsAre("player"));
}

TEST(TraceParser, RanksLayersAndParticipantsByTheirNumbers) {
  const auto trace =
      parse("TRACE 1\nL 7 late\nL 2 early\nM 7 2\nP 9 nine\nP 4 four\nT 1\nF 9\nS 1 7 0 0 1 0 0 0 0\nE\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_THAT(trace->layers, ElementsAre("early", "late"));
  EXPECT_EQ(trace->participants[0].name, "four");
  ASSERT_EQ(trace->participants[1].frames.size(), 1u);
  EXPECT_EQ(trace->participants[1].frames[0].commands[0].layer, 1u);
}

TEST(TraceParser, JudgesFramesInTheOrderOfParticipantsWhateverTheOrderOfTheirLines) {
  const std::string spawn = "S 10 0 0 0 1 0 0 0 0\n";
  const auto trace =
      parse(std::string(kHeader) + "T 1\nF 1\n" + "S 20 0 0 0 1 0 0 0 0\nF 0\n" + spawn + "E\n");
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  const auto taken = parse(std::string(kHeader) + "T 1\nF 1\n" + spawn + "F 0\n" + spawn + "E\n");
  EXPECT_THAT(taken.status().message(), StartsWith("trace line 9: "))
      << "participant 0 comes first, so 1 is at fault";
}

TEST(TraceParser, AnIdMayBeUsedAgainInALaterTick) {
  const auto trace =
      parse(std::string(kHeader) + kSpawned + "T 2\nF 0\nD 10\nT 3\nF 1\nS 10 1 0 0 1 0 0 0 0\nE\n");
  EXPECT_TRUE(trace.ok()) << trace.status().message();
}

struct BadTrace {
  const char* name;
  std::string text;
  int line;
  const char* words;
};

void PrintTo(const BadTrace& bad, std::ostream* out) { *out << bad.name; }

class BadTraces : public ::testing::TestWithParam<BadTrace> {};

TEST_P(BadTraces, AreRefusedWithTheLineAndTheReason) {
  const auto trace = parse(GetParam().text);
  ASSERT_FALSE(trace.ok());
  EXPECT_THAT(trace.status().message(), StartsWith("trace line " + std::to_string(GetParam().line) + ": "));
  EXPECT_THAT(trace.status().message(), HasSubstr(GetParam().words));
}

std::string headed(const std::string& rest) { return kHeader + rest; }
std::string spawned(const std::string& rest) { return std::string(kHeader) + kSpawned + rest; }
std::string many_layers() {
  std::string text = "TRACE 1\n";
  for (int layer = 0; layer < 65; ++layer)
    text += "L " + std::to_string(layer) + " l" + std::to_string(layer) + "\n";
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Header, BadTraces,
    ::testing::Values(BadTrace{"Empty", "", 1, "TRACE 1"}, BadTrace{"NoTrace", "L 0 player\n", 1, "TRACE 1"},
                      BadTrace{"OtherVersion", "TRACE 2\n", 1, "version 2"},
                      BadTrace{"NoVersion", "TRACE\n", 1, "missing"},
                      BadTrace{"VersionIsNoNumber", "TRACE 1.0\n", 1, "no integer"},
                      BadTrace{"AfterVersion", "TRACE 1 x\n", 1, "'x'"},
                      BadTrace{"LayerTwice", headed("L 0 again\n"), 7, "twice"},
                      BadTrace{"LayerWithoutName", headed("L 2\n"), 7, "name"},
                      BadTrace{"LongName", headed("L 2 " + std::string(65, 'x') + "\n"), 7, "65 bytes"},
                      BadTrace{"TooManyLayers", many_layers(), 66, "more than 64"},
                      BadTrace{"LayerAfterTick", headed("T 1\nL 2 late\n"), 8, "before the first 'T'"},
                      BadTrace{"NegativeLayer", headed("L -1 x\n"), 7, "range"},
                      BadTrace{"UnknownLayerInMatrix", headed("M 0 2\n"), 7, "layer 2 is not declared"},
                      BadTrace{"MatrixAfterTick", headed("T 1\nM 0 1\n"), 8, "before the first 'T'"},
                      BadTrace{"ParticipantTwice", headed("P 1 again\n"), 7, "twice"},
                      BadTrace{"ParticipantAfterTick", headed("T 1\nP 2 late\n"), 8, "before the first 'T'"},
                      BadTrace{"NoLayer", "TRACE 1\nP 0 one\nT 1\n", 3, "no layer"},
                      BadTrace{"NoParticipant", "TRACE 1\nL 0 player\nT 1\n", 3, "no participant"},
                      BadTrace{"UnknownCommand", headed("X 1\n"), 7, "'X' is no command"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Ticks, BadTraces,
    ::testing::Values(BadTrace{"TickZero", headed("T 0\n"), 7, "range"},
                      BadTrace{"SameTick", headed("T 4\nT 4\n"), 8, "after tick 4"},
                      BadTrace{"TickBackwards", headed("T 4\nT 3\n"), 8, "after tick 4"},
                      BadTrace{"HugeTick", headed("T 99999999999999999999\n"), 7, "range"},
                      BadTrace{"FrameBeforeTick", headed("F 0\n"), 7, "before the first 'T'"},
                      BadTrace{"CommandBeforeTick", headed("D 1\n"), 7, "before the first 'T'"},
                      BadTrace{"CommandBeforeFrame", headed("T 1\nD 1\n"), 8, "first 'F'"},
                      BadTrace{"CommandBeforeFrameOfALaterTick", spawned("T 2\nD 10\n"), 11, "first 'F'"},
                      BadTrace{"UnknownParticipant", headed("T 1\nF 2\n"), 8,
                               "participant 2 is not declared"},
                      BadTrace{"SecondFrame", headed("T 1\nF 1\nF 0\nF 1\n"), 10, "already"},
                      BadTrace{"NoEnd", spawned(""), 10, "without 'E'"},
                      BadTrace{"EndWithoutTick", headed("E\n"), 7, "no tick"},
                      BadTrace{"AfterEnd", spawned("E\nT 2\n"), 11, "after 'E'"},
                      BadTrace{"EndWithMore", spawned("E 1\n"), 10, "'1'"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Commands, BadTraces,
    ::testing::Values(
        BadTrace{"NoId", spawned("D\n"), 10, "object id is missing"},
        BadTrace{"IdZero", spawned("D 0\n"), 10, "range"},
        BadTrace{"IdTooLarge", spawned("D 4294967296\n"), 10, "range"},
        BadTrace{"FractionalPosition", spawned("U 10 1.5 0\n"), 10, "no integer"},
        BadTrace{"PositionOutOfRange", spawned("U 10 2147483648 0\n"), 10, "range"},
        BadTrace{"HalfAPosition", spawned("U 10 1\n"), 10, "y is missing"},
        BadTrace{"TooManyNumbers", spawned("U 10 1 2 3\n"), 10, "'3'"},
        BadTrace{"UnknownLayer", spawned("S 11 2 0 0 1 0 0 0 0\n"), 10, "layer 2 is not declared"},
        BadTrace{"NoBoxes", spawned("S 11 0 0 0 0\n"), 10, "range"},
        BadTrace{"TooManyBoxes", spawned("S 11 0 0 0 33\n"), 10, "range 1 to 32"},
        BadTrace{"FewerBoxesThanSaid", spawned("S 11 0 0 0 2 0 0 0 0\n"), 10,
                 "2 boxes have 8 numbers, found 4"},
        BadTrace{"MoreBoxesThanSaid", spawned("S 11 0 0 0 1 0 0 0 0 0 0 0 0\n"), 10, "found 8"},
        BadTrace{"InvertedX", spawned("S 11 0 0 0 1 5 0 -5 0\n"), 10, "box 0: min is greater"},
        BadTrace{"InvertedY", spawned("S 11 0 0 0 2 0 0 0 0 0 1 0 0\n"), 10, "box 1: min is greater"},
        BadTrace{"SpawnLeavesTheRange", spawned("S 11 0 2147483647 0 1 0 0 1 0\nE\n"), 10, "OUT_OF_RANGE"},
        BadTrace{"MoveLeavesTheRange", spawned("U 10 2147483645 0\nE\n"), 10, "OUT_OF_RANGE"},
        BadTrace{"IdInUse", spawned("S 10 0 0 0 1 0 0 0 0\nE\n"), 10, "ID_IN_USE"},
        BadTrace{"IdUsedAgainTooSoon", spawned("D 10\nS 10 0 0 0 1 0 0 0 0\nE\n"), 11, "ID_USED_THIS_TICK"},
        BadTrace{"MoveOfNothing", spawned("U 11 0 0\nE\n"), 10, "UNKNOWN_OBJECT"},
        BadTrace{"MoveAfterDespawn", spawned("D 10\nU 10 0 0\nE\n"), 11, "UNKNOWN_OBJECT"},
        BadTrace{"MoveOfAnothersObject", spawned("T 2\nF 1\nU 10 0 0\nE\n"), 12, "NOT_OWNER"},
        BadTrace{"DespawnOfAnothersObject", spawned("F 1\nD 10\nE\n"), 11, "NOT_OWNER"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace sweepd::tools::trace_parser_test
