// SPDX-License-Identifier: MIT
//
// Protects the server's memory and every client's room in it: clients that ask and take no answers, that open
// more streams and matches than are theirs, or send headers without end are refused, told when to try again,
// or hung up on; their neighbours play on.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>

#include "base/sanitizers.h"
#include "google/rpc/error.pb.h"
#include "integration/support/guarded_server.h"
#include "integration/support/raw_http2.h"
#include "integration/support/raw_stream.h"

namespace sweepd::test::hostile_client_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

class HostileClient : public GuardedServerTest {
 protected:
  std::shared_ptr<grpc::Channel> channel() {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(server().address(), grpc::InsecureChannelCredentials(), own);
  }

  /// A match of which GetMatch tells 480 KiB: all its masks.
  Result<MatchInfo> create_large_match() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    for (std::uint32_t i = 0; i < 60; ++i) {
      BitMask mask(BitMask::kPixelsMax, BitMask::kPixelsMax);
      mask.set(i, i);
      config.masks.push_back(mask);
    }
    return client().create_match(config);
  }

  /// Not the neighbour's: a client that is hung up on twice is kept out.
  static RawHttp2::Options from_other_address() {
    RawHttp2::Options options;
    options.from = "127.0.0.2";
    return options;
  }

  /// Seconds of google.rpc.RetryInfo; -1: there is none.
  static std::int64_t retry_seconds(const grpc::Status& status) {
    google::rpc::Status details;
    details.ParseFromString(status.error_details());
    google::rpc::RetryInfo retry;
    for (const auto& detail : details.details()) {
      if (detail.UnpackTo(&retry)) return retry.retry_delay().seconds();
    }
    return -1;
  }

  /// A client on four connections that sends frames without reading: `frame_of(0)`, `frame_of(1)`, …
  void expect_kept_out(const std::function<std::string(std::uint32_t number)>& frame_of) {
    start_with({});
    Neighbour neighbour(client(), server().process());
    const auto refused = [&] { return metric("sweepd_connections_refused_total{reason=\"offender\"}"); };
    const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto attack = [&] {
      while (refused() == 0 && std::chrono::steady_clock::now() < last) {
        RawHttp2 connection(server().port(), from_other_address());
        bool is_connected = true;
        for (std::uint32_t number = 0; number < 100'000 && is_connected;) {
          std::string burst;  // One at a time, a client with a sanitizer would be no flood.
          for (int i = 0; i < 256; ++i) burst += frame_of(number++);
          is_connected = connection.send(burst);
        }
      }
    };
    std::vector<std::jthread> attackers;
    for (int i = 0; i < 4; ++i) attackers.emplace_back(attack);
    attackers.clear();
    EXPECT_GE(refused(), 1);
    EXPECT_GE(metric("sweepd_connections_ended_total"), 2);
    EXPECT_TRUE(client().list_matches().ok());
    neighbour.stop();
    EXPECT_TRUE(neighbour.error().ok()) << neighbour.error().message();
    // A call that is begun takes gRPC about a kibibyte, and a fast machine reads what four connections send,
    // 400'000 calls, before they are ended.
    if (!base::kHasSanitizer) {
      EXPECT_LT(neighbour.memory_most(), 512 * kMebibyte);
    }
  }

  static void expect_refused(const grpc::Status& status, const std::string& reason) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
    EXPECT_EQ(describe(status), reason);
    EXPECT_GT(retry_seconds(status), 0);
  }
};

TEST_F(HostileClient, ThatTakesNoAnswersIsRefusedFurtherOnesAndThoseAreCancelled) {
  start_with({"--message-mib-per-client-max", "16"});
  v1::GetMatchRequest request;
  request.set_match_id(create_large_match()->match_id);
  Neighbour neighbour(client(), server().process());
  const std::size_t before = resident_bytes_of(server().process());
  const auto refusals = [&] {
    return metric("sweepd_budget_refusals_total{key=\"address\",resource=\"bytes\",scope=\"client\"}");
  };
  std::vector<std::unique_ptr<RawHttp2>> connections;
  int sent = 0;
  double refused = 0;
  for (int i = 0; i < 4; ++i) {
    RawHttp2::Options takes_nothing;
    takes_nothing.window_bytes = 0;
    auto& connection = *connections.emplace_back(std::make_unique<RawHttp2>(server().port(), takes_nothing));
    for (std::uint32_t stream = 1; stream < 2000; stream += 2) {
      connection.send(
          RawHttp2::call(stream, "/sweepd.v1.MatchService/GetMatch", request.SerializeAsString()));
      connection.drain();
      // In a rush they would keep a loop from its ticks, and be hung up on for that.
      if (++sent % 100 != 0) continue;
      ASSERT_TRUE(eventually([&] { return refusals() > refused + 50; })) << page("/metrics");
      refused = refusals();
    }
  }
  EXPECT_GT(refusals(), 3000);
  EXPECT_TRUE(eventually([&] { return metric("sweepd_answers_not_taken_total") > 0; }));
  EXPECT_TRUE(eventually([&] { return metric("sweepd_message_bytes") == 0; }));
  neighbour.stop();
  EXPECT_LT(neighbour.memory_most(), before + 256 * kMebibyte);
  EXPECT_TRUE(client().list_matches().ok());
}

TEST_F(HostileClient, WithManyStreamsIsRefusedFurtherOnesAndOthersAreNot) {
  start_with({"--streams-per-client-max", "20"});
  const std::string match_id = client().create_match(shooter_config(ClockKind::kManual))->match_id;
  auto stub = v1::MatchService::NewStub(channel());
  std::vector<std::unique_ptr<RawStream>> streams;
  for (int i = 0; i < 20; ++i) {
    streams.push_back(std::make_unique<RawStream>(*stub));
    streams.back()->joined(match_id, std::to_string(i));
  }
  RawStream further(*stub);
  further.join(match_id, "further");
  expect_refused(further.finish(), "TOO_MANY_STREAMS");
  streams.pop_back();
  EXPECT_TRUE(eventually([&] { return metric("sweepd_streams") == 19; }));
  RawStream again(*stub);
  again.joined(match_id, "again");
}

TEST_F(HostileClient, WithManyMatchesIsRefusedFurtherOnesUntilSomeEnd) {
  start_with({"--matches-per-client-max", "3"});
  std::vector<std::string> match_ids;
  for (int i = 0; i < 3; ++i)
    match_ids.push_back(client().create_match(shooter_config(ClockKind::kManual))->match_id);
  auto stub = v1::MatchService::NewStub(channel());
  const auto create = [&] {
    grpc::ClientContext context;
    v1::CreateMatchRequest request;
    request.mutable_config()->add_layers("player");
    v1::CreateMatchResponse response;
    return stub->CreateMatch(&context, request, &response);
  };
  expect_refused(create(), "TOO_MANY_MATCHES");
  ASSERT_TRUE(client().end_match(match_ids[0]).ok());
  EXPECT_TRUE(create().ok());
}

TEST_F(HostileClient, WithManyStreamsOnOneConnectionIsHeldBackByIt) {
  start_with({"--streams-per-connection-max", "10"});
  RawHttp2 connection(server().port(), {});
  ASSERT_TRUE(connection.is_served());
  connection.send(RawHttp2::frame(RawHttp2::kSettings, RawHttp2::kAcknowledged, 0, ""));
  const std::string unfinished = RawHttp2::call_headers("/sweepd.v1.MatchService/Play");
  for (std::uint32_t stream = 1; stream < 2000; stream += 2)
    connection.send(RawHttp2::frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, stream, unfinished));
  EXPECT_LE(metric("sweepd_streams"), 10);
  EXPECT_TRUE(client().list_matches().ok());
}

// gRPC holds a client to the maximum only once that says that it knows of it.
TEST_F(HostileClient, ThatWatchesThousandsOfEncountersAndReadsNothingTakesBoundedMemory) {
  constexpr int kBullets = 4000;
  constexpr int kWatchers = 45;
  constexpr std::uint32_t kTicks = 200;
  start_with({});
  Client own = client();
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.objects_per_participant_max = kBullets + 1;
  const std::string match_id = own.create_match(config)->match_id;
  Session driver = joined(own, match_id, "driver", Role::kPlayer);
  ASSERT_TRUE(driver.spawn(object_at({0, 0}, 0)).ok());
  for (int i = 0; i < kBullets; ++i) ASSERT_TRUE(driver.spawn(object_at({0, 0}, 3)).ok());
  ASSERT_TRUE(driver.end_frame(1).ok());
  ASSERT_TRUE(own.step_match(match_id, 1, true).ok());
  ASSERT_EQ(own.get_match(match_id)->open_encounters, static_cast<std::uint32_t>(kBullets));
  v1::WatchRequest request;
  request.set_match_id(match_id);
  request.mutable_filter()->set_stay_every_ticks(1);  // All of them, in every tick.
  RawHttp2::Options takes_nothing = from_other_address();
  takes_nothing.window_bytes = 0;
  std::vector<std::unique_ptr<RawHttp2>> watchers;
  for (int i = 0; i < kWatchers; ++i) {
    request.mutable_queue_policy()->set_when_full(static_cast<v1::WhenFull>(1 + i % 3));
    watchers.push_back(std::make_unique<RawHttp2>(server().port(), takes_nothing));
    watchers.back()->send(RawHttp2::call(1, "/sweepd.v1.MatchService/Watch", request.SerializeAsString()));
  }
  const auto streams = [&] { return metric("sweepd_open_streams{rpc=\"Watch\"}"); };
  ASSERT_TRUE(eventually([&] { return streams() == kWatchers; })) << streams();
  ASSERT_TRUE(own.step_match(match_id, kTicks).ok());
  const std::size_t before = resident_bytes_of(server().process());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(own.step_match(match_id, kTicks).ok());
  EXPECT_EQ(own.get_match(match_id)->tick, 1 + 6 * kTicks);
  if (!base::kHasSanitizer) {
    EXPECT_LT(resident_bytes_of(server().process()), before + 8 * kMebibyte);
    EXPECT_LT(before, 128 * kMebibyte);
  }
}

TEST_F(HostileClient, WithManyCallsOnOneConnectionThatAgreesToNoMaximumIsHungUpOn) {
  start_with({"--streams-per-connection-max", "10"});
  RawHttp2 connection(server().port(), from_other_address());
  const std::string unfinished = RawHttp2::call_headers("/sweepd.v1.MatchService/Play");
  for (std::uint32_t stream = 1; stream < 200; stream += 2)
    connection.send(RawHttp2::frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, stream, unfinished));
  EXPECT_TRUE(eventually([&] { return metric("sweepd_connections_ended_total") == 1; }));
  EXPECT_TRUE(client().list_matches().ok());
}

// gRPC reads a client for as long as that sends, on the thread that has come for an event.
TEST_F(HostileClient, ThatBeginsCallsWithoutEndIsHungUpOnAndKeptOutForAWhile) {
  const std::string headers = RawHttp2::call_headers("/sweepd.v1.MatchService/GetMatch");
  expect_kept_out([&](std::uint32_t number) {
    return RawHttp2::frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, 2 * number + 1, headers);
  });
}

// They are no messages and begin no calls. Each GOAWAY takes gRPC as long as a call.
TEST_F(HostileClient, ThatSendsFramesOfHttp2WithoutEndIsHungUpOnAndKeptOutForAWhile) {
  const std::string ping = RawHttp2::frame(RawHttp2::kPing, 0, 0, std::string(8, 'p'));
  const std::string go_away = RawHttp2::frame(RawHttp2::kGoAway, 0, 0, std::string(8, '\0'));
  expect_kept_out([&](std::uint32_t number) { return number % 2 == 0 ? ping : go_away; });
}

// gRPC 1.51 takes headers for as long as they come. Strangers come through a front that stops this
// (front_test); without one, a connection that brings no whole message is ended.
TEST_F(HostileClient, ThatSendsHeadersWithoutEndIsHungUpOn) {
  start_with({});
  Neighbour neighbour(client(), server().process());
  std::string fields;
  for (int i = 0; i < 140; ++i) {
    std::string name = "x";
    name += std::to_string(100 + i);
    fields.append(std::string("\0\x04", 2)).append(name).append("d").append(std::string(100, 'a'));
  }
  const std::string more = RawHttp2::frame(RawHttp2::kContinuation, 0, 1, fields);
  const std::string begin = RawHttp2::call_headers("/sweepd.v1.MatchService/GetMatch");
  constexpr int kFrames = 20'000;  // 300 MB.
  const auto attack = [&] {
    for (int times = 0; times < 3; ++times) {
      RawHttp2 connection(server().port(), from_other_address());
      connection.send(RawHttp2::frame(RawHttp2::kHeaders, 0, 1, begin));
      int sent = 0;
      while (sent < kFrames && connection.send(more)) ++sent;
      EXPECT_LT(sent, kFrames);
    }
  };
  std::vector<std::jthread> attackers;
  for (int i = 0; i < 4; ++i) attackers.emplace_back(attack);
  attackers.clear();
  EXPECT_GE(metric("sweepd_connections_ended_total"), 2) << "then it is kept out";
  neighbour.stop();
  if (!base::kHasSanitizer) {
    EXPECT_LT(neighbour.memory_most(), 300 * kMebibyte);
  }
  EXPECT_TRUE(neighbour.error().ok()) << neighbour.error().message();
  EXPECT_TRUE(eventually([&] { return client().create_match(shooter_config(ClockKind::kManual)).ok(); }));
}

TEST_F(HostileClient, ThatSendsMuchAsLittleIsRefusedBeforeItIsInflated) {
  start_with({});
  Neighbour neighbour(client(), server().process());
  const auto before = resident_bytes_of(server().process());
  auto stub = v1::MatchService::NewStub(channel());
  v1::GetMatchRequest request;
  request.set_match_id(std::string(128 * kMebibyte, 'a'));
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::GetMatchResponse response;
    const grpc::Status status = stub->GetMatch(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
  }
  neighbour.stop();
  EXPECT_TRUE(neighbour.error().ok()) << neighbour.error().message();
  if (!base::kHasSanitizer) {
    EXPECT_LT(neighbour.memory_most(), before + 32 * kMebibyte);
  }
}

TEST_F(HostileClient, IsNotTheOnlyOneThatIsRefusedWhereMemoryIsShort) {
  if (base::kHasSanitizer) GTEST_SKIP() << "a sanitizer's heap is not what is bounded";
  start_with({"--memory-max-mib", "64"});
  std::vector<std::string> match_ids;
  Status refusal;
  // Its connection may be ended before it hears of the refusal.
  const auto is_refused = [&] { return !refusal.ok() && refusal.code() != ErrorCode::kUnavailable; };
  for (int i = 0; i < 400 && !is_refused(); ++i) {
    const auto match = create_large_match();
    if (match.ok()) match_ids.push_back(match->match_id);
    refusal = match.status();
  }
  EXPECT_EQ(refusal.code(), ErrorCode::kResourceExhausted) << refusal.message();
  EXPECT_EQ(refusal.reason(), "MEMORY_SHORT");
  EXPECT_LT(resident_bytes_of(server().process()), 64 * kMebibyte);
  // The client comes back to a server that has ended its connection; it may have heard the call, not the
  // answer.
  const auto is_ended = [&](const std::string& id) {
    const auto match = client().end_match(id);
    return match.ok() || match.status().code() == ErrorCode::kNotFound;
  };
  for (const std::string& id : match_ids) EXPECT_TRUE(eventually([&] { return is_ended(id); }));
  EXPECT_TRUE(eventually([&] { return client().create_match(shooter_config(ClockKind::kManual)).ok(); }));
}

}  // namespace
}  // namespace sweepd::test::hostile_client_test
