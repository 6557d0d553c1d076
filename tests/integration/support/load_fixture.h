// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "integration/support/server_fixture.h"

namespace sweepd::test {

/// Runs `sweepctl load` against a real server and reads what it found.
class LoadTest : public ServerTest {
 protected:
  using Fields = google::protobuf::Map<std::string, google::protobuf::Value>;

  void SetUp() override { start(with_room({})); }

  /// Where the machine stands still, the spawns of one client come before the despawns of another: for a while
  /// a match has more objects than its scene.
  static std::vector<std::string> with_room(std::vector<std::string> options) {
    options.insert(options.end(), {"--match-objects-max", "65536", "--match-parts-max", "131072"});
    return options;
  }

  /// Runs it to its end and reads its JSON.
  google::protobuf::Struct run(std::vector<std::string> arguments) {
    const std::filesystem::path path = folder_.path() / "load.json";
    arguments.insert(arguments.begin(), "load");
    arguments.insert(arguments.end(), {"--json", path.string()});
    const auto process = run_sweepctl(arguments);
    EXPECT_EQ(process->wait(), 0) << process->standard_error();
    google::protobuf::Struct json;
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(read_file(path), &json).ok()) << read_file(path);
    return json;
  }
  static double number(const google::protobuf::Struct& json, const std::string& name) {
    return json.fields().at(name).number_value();
  }
  static const google::protobuf::Struct& part(const google::protobuf::Struct& json, const std::string& name) {
    return json.fields().at(name).struct_value();
  }
  static double latency(const google::protobuf::Struct& json, const std::string& name,
                        const std::string& figure) {
    return number(part(part(json, "milliseconds"), name), figure);
  }

  static double frames_of_a_message(const google::protobuf::Struct& json) {
    return json.fields().at("shared_streams").bool_value() ? number(json, "clients_per_match") : 1;
  }

  /// Whether neither the server nor the load stood still for longer than a probe waits to change sides.
  static bool kept_up(const google::protobuf::Struct& json) {
    return number(part(json, "counts"), "ticks_lost") == 0 && latency(json, "tick_lateness", "max") < 500 &&
           latency(json, "send_lateness", "max") < 500;
  }

  /// Every single one of these ends a client's play, or the measurement's sense.
  static void expect_nothing_lost(const google::protobuf::Struct& json) {
    const auto& counts = part(json, "counts");
    EXPECT_EQ(number(counts, "streams_closed"), 0);
    if (!kept_up(json)) return;
    EXPECT_EQ(number(counts, "frames_not_sent"), 0);
    EXPECT_EQ(number(counts, "probes_lost"), 0);
    // Where ticks were skipped, what flies by itself is no longer where the clients' loop has it.
    EXPECT_EQ(number(counts, "rejections"), 0);
  }

  /// Of a run of 2 matches with 4 clients at 60 Hz for 2 s: figures that fit each other, on any machine.
  static void expect_sane(const google::protobuf::Struct& json) {
    expect_nothing_lost(json);
    const auto& counts = part(json, "counts");
    const double seconds = number(json, "duration_s");
    EXPECT_GE(seconds, 2);
    EXPECT_GT(number(counts, "events"), 0);
    // Each client's probe changes sides twice a second.
    EXPECT_GE(number(counts, "probes_sent"), 8);
    EXPECT_LE(number(counts, "probes_sent"), 8 * 2 * (seconds + 1));
    // All that were sent and before are answered, but for those under way at the end: one or two a client.
    EXPECT_GE(latency(json, "update_to_event", "count"), number(counts, "probes_sent") - 8 * 2);
    EXPECT_GT(latency(json, "update_to_event", "p50"), 0);
    EXPECT_GE(latency(json, "update_to_event", "p50"), latency(json, "beyond_the_wait", "p50"));
    EXPECT_GE(latency(json, "update_to_event", "p99"), latency(json, "update_to_event", "p50"));
    EXPECT_LE(latency(json, "update_to_event", "max"), 1000 * (seconds + 1));
    // Each update is told apart by its tick; each frame is sent once, those of a shared stream together.
    EXPECT_LE(latency(json, "tick_lateness", "count"), number(counts, "updates"));
    EXPECT_GE(latency(json, "tick_lateness", "count"), 8 * seconds);
    EXPECT_GE(latency(json, "send_lateness", "count"),
              number(counts, "frames_sent") / frames_of_a_message(json) - 8);
    // A match that was late at the beginning makes up for up to four ticks in these two seconds, and updates
    // that were on their way for as long as eight ticks add theirs: 66.
    EXPECT_GT(number(json, "tick_rate_min_hz"), 0);
    EXPECT_LE(number(json, "tick_rate_min_hz"), number(json, "tick_rate_mean_hz"));
    EXPECT_LT(number(json, "tick_rate_mean_hz"), 75);
    EXPECT_GT(number(part(json, "server"), "cpu_s"), 0);
    EXPECT_GT(number(part(json, "load"), "cpu_s"), 0);
  }

  /// Of the frames that were really sent: a slow machine sends fewer.
  static double bytes_up_per_frame(const google::protobuf::Struct& json) {
    const double client_ticks = number(json, "duration_s") * number(json, "rate_hz") *
                                number(json, "matches") * number(json, "clients_per_match");
    return number(json, "bytes_up_per_client_tick") * client_ticks /
           number(part(json, "counts"), "frames_sent");
  }

  /// In place of the server that runs. Where its metrics are.
  std::string start_with_metrics(std::vector<std::string> options = {}) {
    stopped_by_test_ = true;
    const auto port_file = folder_.path() / "http-port";
    options.insert(options.end(), {"--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
    start(with_room(std::move(options)));
    stopped_by_test_ = false;
    return "127.0.0.1:" + std::to_string(std::stoi(read_file(port_file)));
  }

  /// Unpacked.
  std::string golden_trace(const std::string& name) {
    const std::string trace = (folder_.path() / (name + ".trace")).string();
    const std::string packed = required_environment("SWEEPD_SOURCE_DIR") + "/tests/golden/traces/" + name;
    EXPECT_EQ(std::system(("xz -dc '" + packed + ".trace.xz' > '" + trace + "'").c_str()), 0);
    return trace;
  }

  TemporaryFolder folder_;
};

}  // namespace sweepd::test
