// SPDX-License-Identifier: MIT
//
// Protects `sweepctl load --shared-streams` against a real server: all clients of a match sit on one stream,
// what each one does arrives, and figures count each client's part.
#include <string>
#include <vector>

#include "integration/support/load_fixture.h"

namespace sweepd::test::shared_load_test {
namespace {

class SharedLoad : public LoadTest {
 protected:
  static std::vector<std::string> two_matches(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"--matches", "2", "--duration", "2", "--warm-up", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static std::vector<std::string> two_shared_matches(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "--shared-streams");
    return two_matches(more);
  }

  /// Of a metric with all its labels.
  static double sum(const google::protobuf::Struct& metrics, const std::string& name) {
    double sum = 0;
    for (const auto& field : metrics.fields()) {
      if (field.first.starts_with(name)) sum += field.second.number_value();
    }
    return sum;
  }

  /// Of each tick that ran.
  static double events_of_a_tick(const google::protobuf::Struct& json) {
    return number(part(json, "counts"), "events") /
           (number(json, "tick_rate_mean_hz") * number(json, "duration_s"));
  }
};

TEST_F(SharedLoad, AllClientsOfAMatchSitOnOneStreamAndTheFramesOfAllArrive) {
  const std::string address = start_with_metrics();
  const auto json = run(two_shared_matches({"--metrics", address}));
  expect_sane(json);
  EXPECT_TRUE(json.fields().at("shared_streams").bool_value());
  EXPECT_EQ(number(json, "clients_per_match"), 4);
  const auto& metrics = part(json, "metrics");
  EXPECT_EQ(number(part(metrics, "at_end"), "sweepd_matches"), 2);
  EXPECT_EQ(number(part(metrics, "at_end"), "sweepd_streams"), 2);
  const double frames = number(part(json, "counts"), "frames_sent");
  EXPECT_GT(frames, 0);
  // A message has the frames of four. Half a second's may wait, or be under way, of either match.
  if (kept_up(json)) {
    EXPECT_NEAR(latency(json, "send_lateness", "count"), frames / 4, 2 * 30);
    EXPECT_GE(sum(part(metrics, "grown"), "sweepd_frames_total"), frames - 4 * 2 * 30);
  }
  EXPECT_TRUE(client().list_matches()->empty());
}

// What a client's frame takes is what it takes alone, and a few bytes to say whose it is.
TEST_F(SharedLoad, BytesAreToldPerClient) {
  const auto json = run(two_shared_matches());
  EXPECT_GT(bytes_up_per_frame(json), 250);
  EXPECT_LE(bytes_up_per_frame(json), 370);
}

TEST_F(SharedLoad, WhatComesDownIsToldOnceAndNotToEveryClient) {
  const auto alone = run(two_matches());
  const auto shared = run(two_shared_matches());
  EXPECT_GT(events_of_a_tick(shared), events_of_a_tick(alone) / 8);
  EXPECT_LT(events_of_a_tick(shared), events_of_a_tick(alone) / 2);
  EXPECT_LT(number(shared, "bytes_down_per_client_tick") / number(shared, "tick_rate_mean_hz"),
            number(alone, "bytes_down_per_client_tick") / number(alone, "tick_rate_mean_hz") / 2);
}

TEST_F(SharedLoad, EveryClientsProbeIsAnsweredWhateverEventsAreAskedFor) {
  for (const std::string events : {"all", "own", "own-enters"}) {
    const auto json = run(two_shared_matches({"--events", events, "--clients", "3", "--threads", "2"}));
    expect_nothing_lost(json);
    const double probes = number(part(json, "counts"), "probes_sent");
    EXPECT_GT(probes, 0) << events;
    // But for those under way at the end: one or two a client.
    EXPECT_GE(latency(json, "update_to_event", "count"), probes - 2 * 3 * 2) << events;
    EXPECT_GT(latency(json, "update_to_event", "p50"), 0) << events;
  }
}

TEST_F(SharedLoad, TheServerMovesBulletsOfAHellWithJitterWithoutARefusal) {
  const auto json = run({"--shared-streams", "--matches", "1", "--duration", "1", "--warm-up", "0.5",
                         "--scene", "W2", "--motion", "server", "--jitter-ms", "5"});
  if (number(part(json, "counts"), "ticks_lost") == 0) {
    EXPECT_EQ(number(part(json, "counts"), "rejections"), 0);
  }
  EXPECT_EQ(number(part(json, "counts"), "streams_closed"), 0);
  EXPECT_GT(number(part(json, "counts"), "events"), 0);
}

TEST_F(SharedLoad, PlaysARecordedMatchWithoutARefusal) {
  const auto json = run(two_shared_matches({"--trace", golden_trace("boss")}));
  expect_nothing_lost(json);
  EXPECT_EQ(number(part(json, "counts"), "rejections"), 0);
  EXPECT_EQ(number(json, "clients_per_match"), 3);
  EXPECT_GT(latency(json, "update_to_event", "count"), 0);
}

TEST_F(SharedLoad, ASearchCountsAllClientsOfAMatchAsJoined) {
  // No machine keeps to a microsecond.
  const auto json = run({"--shared-streams", "--matches", "1", "--search", "0.001", "--search-step", "1",
                         "--duration", "1", "--warm-up", "0.2"});
  EXPECT_EQ(number(part(json, "search"), "matches_held"), 0);
  EXPECT_EQ(part(json, "search").fields().at("steps").list_value().values_size(), 2);
}

}  // namespace
}  // namespace sweepd::test::shared_load_test
