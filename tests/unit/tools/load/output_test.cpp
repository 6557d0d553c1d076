// SPDX-License-Identifier: MIT
//
// Protects who reads what a load test has found: people, scripts and browsers.
#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "tools/load/client_behavior.h"
#include "tools/load/load_result.h"
#include "tools/load/load_search.h"

namespace sweepd::tools::load::output_test {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

LoadResult result_of_a_run() {
  LoadResult result;
  result.scene = "W1";
  result.matches = 50;
  result.clients = 4;
  result.rate_hz = 60;
  result.objects = 426;
  result.duration_s = 10;
  for (int i = 1; i <= 1000; ++i) result.measured.update_to_event.record(std::chrono::microseconds(i * 20));
  result.measured.bytes_up = 350ull * 50 * 4 * 600;
  result.measured.events = 12;
  result.tick_rate_min_hz = 59.5;
  result.server = ProcessCost{2, 10'000'000, 40'000'000};
  for (int i = 1; i <= 10; ++i) {
    result.seconds.push_back({double(i), 50, milliseconds(1), milliseconds(i), milliseconds(2 * i)});
  }
  return result;
}

google::protobuf::Struct parsed(const std::string& json) {
  google::protobuf::Struct fields;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &fields);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return fields;
}

TEST(LoadOutput, TheJsonHasTheFigures) {
  const auto json = parsed(json_of(result_of_a_run()));
  const auto& latency =
      json.fields().at("milliseconds").struct_value().fields().at("update_to_event").struct_value();
  EXPECT_NEAR(latency.fields().at("p50").number_value(), 10, 0.1);
  EXPECT_NEAR(latency.fields().at("p99.9").number_value(), 19.98, 0.2);
  EXPECT_EQ(json.fields().at("bytes_up_per_client_tick").number_value(), 350);
  EXPECT_EQ(json.fields().at("server").struct_value().fields().at("cpu_ms_per_match_second").number_value(),
            4);
  EXPECT_EQ(json.fields().at("seconds").list_value().values_size(), 10);
  EXPECT_FALSE(json.fields().at("load_is_bottleneck").bool_value());
  EXPECT_TRUE(json.fields().at("search").has_null_value());
}

TEST(LoadOutput, TheJsonOfARunWithoutAnyTimeIsStillJson) { parsed(json_of(LoadResult())); }

TEST(LoadOutput, TheTableSaysWhoTheBottleneckIs) {
  LoadResult result = result_of_a_run();
  EXPECT_THAT(table_of(result), HasSubstr("4.00 ms per match and second"));
  EXPECT_THAT(table_of(result), Not(HasSubstr("bottleneck")));
  result.busiest_thread = 0.93;
  EXPECT_THAT(table_of(result), HasSubstr("the load generator is the bottleneck"));
}

// gRPC computes on threads of its own, too: no single one has to be busy.
TEST(LoadOutput, ALoadGeneratorThatTakesAllItsCoresIsTheBottleneckToo) {
  LoadResult result = result_of_a_run();
  result.client_cores = 2;
  result.client.cpu_s = 0.91 * 2 * result.duration_s;
  EXPECT_THAT(table_of(result), HasSubstr("the load generator is the bottleneck"));
  EXPECT_TRUE(parsed(json_of(result)).fields().at("load_is_bottleneck").bool_value());
  result.client_cores = 4;
  EXPECT_THAT(table_of(result), Not(HasSubstr("bottleneck")));
}

TEST(LoadOutput, SaysThatTheClientsOfAMatchShareAStream) {
  LoadResult result = result_of_a_run();
  EXPECT_THAT(table_of(result), HasSubstr("50 matches of 4 clients at 60 Hz"));
  EXPECT_FALSE(parsed(json_of(result)).fields().at("shared_streams").bool_value());
  result.shared_streams = true;
  EXPECT_THAT(table_of(result), HasSubstr("50 matches of 4 clients on one stream at 60 Hz"));
  EXPECT_THAT(svg_of(result), HasSubstr("50 matches of 4 clients on one stream at 60 Hz"));
  EXPECT_TRUE(parsed(json_of(result)).fields().at("shared_streams").bool_value());
}

TEST(LoadOutput, SaysWhatTheWorldFeedTakesWhereItIsAskedFor) {
  LoadResult result = result_of_a_run();
  EXPECT_THAT(table_of(result), Not(HasSubstr("of the world")));
  result.asks_for_world = true;
  result.measured.world_bytes = 70ull * 50 * 4 * 600;
  result.measured.world_tick_bytes_max = 900;
  EXPECT_THAT(table_of(result), HasSubstr("of these of the world           70.0, the largest tick 900"));
  EXPECT_EQ(parsed(json_of(result)).fields().at("world_bytes_per_client_tick").number_value(), 70);
}

TEST(LoadOutput, AServerThatIsGoneHasNoFigures) {
  LoadResult result = result_of_a_run();
  result.server.reset();
  EXPECT_TRUE(parsed(json_of(result)).fields().at("server").has_null_value());
  EXPECT_THAT(table_of(result), HasSubstr("server CPU and memory             unknown"));
}

TEST(LoadOutput, WhatWasLostHasALineEach) {
  LoadResult result = result_of_a_run();
  result.measured.probes_lost = 2;
  result.streams_closed = 3;
  result.first_error = "the match was ended";
  result.misbehaving_streams_closed = 4;
  const std::string table = table_of(result);
  EXPECT_THAT(table, HasSubstr("2 probes were not answered within 60 ticks"));
  EXPECT_THAT(table, HasSubstr("3 streams were closed by the server: the match was ended"));
  EXPECT_THAT(table, HasSubstr("4 streams of misbehaving clients were closed by the server"));
}

TEST(LoadOutput, TheTableListsTheStepsOfASearch) {
  LoadResult result = result_of_a_run();
  SearchResult search;
  search.bound = milliseconds(5);
  search.matches_held = 40;
  search.ended_because = "p99 of tick lateness";
  search.steps = {{40, true, milliseconds(1), milliseconds(2), milliseconds(3), 60, 0.4},
                  {50, false, milliseconds(9), milliseconds(9), milliseconds(9), 60, 0.5}};
  result.search = search;
  EXPECT_THAT(table_of(result),
              HasSubstr("40 matches are held with every p99 up to 5.00 ms (p99 of tick lateness)"));
  const auto json = parsed(json_of(result)).fields().at("search").struct_value();
  EXPECT_EQ(json.fields().at("matches_held").number_value(), 40);
  EXPECT_EQ(json.fields().at("steps").list_value().values_size(), 2);
}

TEST(LoadSearch, EveryFigureHasToBeWithinTheBoundAndEveryMatchAtItsRate) {
  const SearchStep good{10, false, milliseconds(5), milliseconds(5), milliseconds(5), 59.5, 0.9};
  EXPECT_EQ(why_not_held(good, milliseconds(5), 60), "");
  SearchStep step = good;
  step.lateness_p99 = std::chrono::microseconds(5001);
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "p99 of tick lateness");
  step = good;
  step.beyond_the_wait_p99 = milliseconds(6);
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "p99 of update to event beyond the wait");
  step = good;
  step.input_age_p99 = milliseconds(6);
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "p99 of the age of unread input");
  step = good;
  step.tick_rate_min_hz = 59.3;
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "tick rate of the slowest match");
  step.busiest_thread = 0.91;
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "the load generator is the bottleneck");
  step = good;
  step.cores_busy = 0.91;
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "the load generator is the bottleneck");
  step = good;
  step.send_lateness_p99 = milliseconds(6);
  EXPECT_EQ(why_not_held(step, milliseconds(5), 60), "the load generator was late");
}

TEST(LoadSearch, NothingMayBeLost) {
  const SearchStep good{10, false, milliseconds(5), milliseconds(5), milliseconds(5), 60, 0.5};
  const std::vector<std::pair<std::uint64_t SearchStep::*, std::string>> losses = {
      {&SearchStep::streams_closed, "streams were closed by the server"},
      {&SearchStep::frames_not_sent, "frames could not be sent"},
      {&SearchStep::probes_lost, "probes were not answered"},
      {&SearchStep::ticks_lost, "ticks were skipped"}};
  for (const auto& [count, why] : losses) {
    SearchStep step = good;
    step.*count = 1;
    EXPECT_EQ(why_not_held(step, milliseconds(5), 60), why);
  }
}

TEST(LoadSearch, AStepCarriesWhatItsRunLost) {
  LoadResult result = result_of_a_run();
  result.measured.frames_not_sent = 1;
  result.measured.probes_lost = 2;
  result.measured.send_lateness.record(milliseconds(9));
  result.ticks_lost = 3;
  result.streams_closed = 4;
  result.misbehaving_streams_closed = 99;
  result.client.cpu_s = 5;
  const SearchStep step = step_of(result, milliseconds(5));
  EXPECT_FALSE(step.held);
  EXPECT_EQ(step.frames_not_sent, 1u);
  EXPECT_EQ(step.probes_lost, 2u);
  EXPECT_EQ(step.ticks_lost, 3u);
  EXPECT_EQ(step.streams_closed, 4u);
  EXPECT_EQ(step.send_lateness_p99, milliseconds(9));
  EXPECT_DOUBLE_EQ(step.cores_busy, 0.5);
}

TEST(LoadSearch, AStepSaysWhatItsRunMeasured) {
  LoadResult result = result_of_a_run();
  result.measured.tick_lateness.record(milliseconds(3));
  result.tick_rate_min_hz = 60;
  EXPECT_TRUE(step_of(result, milliseconds(4)).held);
  EXPECT_FALSE(step_of(result, milliseconds(2)).held);
  EXPECT_EQ(step_of(result, milliseconds(4)).lateness_p99, milliseconds(3));
}

// Every element is closed, in the order in which it must be.
void expect_well_formed(const std::string& xml) {
  static const std::regex kTag(R"(<(/?)(\w+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(/?)>)");
  std::vector<std::string> open;
  std::size_t tags = 0;
  for (std::sregex_iterator it(xml.begin(), xml.end(), kTag), end; it != end; ++it, ++tags) {
    if ((*it)[1].length() > 0) {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), (*it)[2].str());
      open.pop_back();
    } else if ((*it)[4].length() == 0) {
      open.push_back((*it)[2].str());
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(tags, static_cast<std::size_t>(std::count(xml.begin(), xml.end(), '<')));
}

TEST(LoadOutput, ThePlotIsWellFormedAndNamesItsAxesWithUnits) {
  const std::string svg = svg_of(result_of_a_run());
  expect_well_formed(svg);
  for (const char* text : {"W1, explicit moves: 50 matches of 4 clients at 60 Hz", ">milliseconds<",
                           ">seconds<", ">99.9<", ">tick lateness, p99<", ">update to event<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(LoadOutput, ThePlotOfNothingIsWellFormedToo) {
  const std::string svg = svg_of(LoadResult());
  expect_well_formed(svg);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(LoadManners, AsManyMisbehaveAsAskedForSpreadOverTheMatches) {
  const ClientBehaviorCounts counts{3, 2, 1, 4};
  std::map<ClientBehavior, std::uint32_t> found;
  std::map<std::uint32_t, int> bad_in_match;
  for (std::uint32_t match = 0; match < 5; ++match) {
    for (std::uint32_t client = 0; client < 4; ++client) {
      const ClientBehavior behavior = behavior_of(counts, 5, 4, match, client);
      ++found[behavior];
      if (behavior != ClientBehavior::kGood) ++bad_in_match[match];
    }
  }
  const std::map<ClientBehavior, std::uint32_t> expected = {{ClientBehavior::kGood, 10},
                                                            {ClientBehavior::kSlowReader, 3},
                                                            {ClientBehavior::kDisconnecting, 2},
                                                            {ClientBehavior::kLateFrames, 1},
                                                            {ClientBehavior::kMalformed, 4}};
  EXPECT_EQ(found, expected);
  // Of matches that a search adds none does: there are as many already as were asked for.
  for (std::uint32_t match = 5; match < 50; ++match) {
    for (std::uint32_t client = 0; client < 4; ++client)
      EXPECT_EQ(behavior_of({3, 2, 1, 14}, 5, 4, match, client), ClientBehavior::kGood) << match;
  }
  for (const auto& [match, count] : bad_in_match) EXPECT_EQ(count, 2) << match;
}

}  // namespace
}  // namespace sweepd::tools::load::output_test
