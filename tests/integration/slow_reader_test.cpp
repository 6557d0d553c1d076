// SPDX-License-Identifier: MIT
//
// Protects the server and all other clients from one that does not read: with each policy of a reader, the
// server's memory stays bounded, the others see every tick at once, and the slow one learns exactly what it
// missed.
#include <algorithm>
#include <thread>

#include "integration/support/stream_match.h"

namespace sweepd::test::slow_reader_test {
namespace {

constexpr int kBullets = 400;
constexpr int kReadersPerPolicy = 4;
constexpr std::uint32_t kEventsMax = 2000;
constexpr std::uint32_t kTickRateHz = 60;
constexpr std::chrono::seconds kTime{6};

/// What a reader that does not read may cost: a message on its way, and gRPC's own buffers.
constexpr std::size_t kBytesPerReader = 384u << 10;
/// Room for what else moves: the log of the match is there before.
constexpr std::size_t kBytesBeside = 4u << 20;

/// A Watch on a connection of its own: readers on one connection would slow each other.
class SlowReader {
 public:
  SlowReader(const std::string& server, v1::WatchRequest request, v1::WhenFull when_full)
      : stub_(v1::MatchService::NewStub(
            grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(), own()))) {
    request.mutable_queue_policy()->set_when_full(when_full);
    request.mutable_queue_policy()->set_events_max(kEventsMax);
    watch_ = std::make_unique<RawWatch>(*stub_, request);
    started_ = watch_->started();
  }

  RawWatch& watch() { return *watch_; }
  std::uint64_t start() const { return started_.match().events(); }

 private:
  static grpc::ChannelArguments own() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    // A client that takes nothing off the wire beyond 64 KiB: else its own buffers would read for it.
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 65'536);
    return arguments;
  }

  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::unique_ptr<RawWatch> watch_;
  v1::WatchStarted started_;
};

/// The server says why it ends a slow reader's stream. Where the reader does not even take that in time, the
/// stream is cut off, and the word comes from gRPC.
void expect_disconnected(const grpc::Status& status, std::chrono::steady_clock::duration unread) {
  if (unread > std::chrono::seconds(4) && status.error_code() == grpc::StatusCode::CANCELLED) return;
  EXPECT_EQ(refusal_text(status), "8 SLOW_READER");
}

/// That most are at or below.
Tick most_of(std::vector<Tick> values) {
  std::ranges::sort(values);
  return values.at(values.size() * 9 / 10);
}

class SlowReaders : public StreamTest {
 protected:
  void SetUp() override {
    StreamTest::SetUp();
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = kTickRateHz;
    match_id_ = client_->create_match(config)->match_id;
    driver_.emplace(joined(*client_, match_id_, "driver", Role::kPlayer));
    ship_ = *driver_->spawn(object_at({1000, 0}, 0));
    for (int i = 0; i < kBullets; ++i) ASSERT_TRUE(driver_->spawn(object_at({0, 0}, 3)).ok());
    ASSERT_TRUE(driver_->end_frame().ok());
  }

  /// Hundreds of events a tick, for a while; how far a reader that reads was behind the match most of the
  /// time.
  Tick play(Watcher& reader) {
    std::vector<Tick> lags;
    bool is_in_contact = false;
    const auto end = std::chrono::steady_clock::now() + kTime;
    while (std::chrono::steady_clock::now() < end) {
      is_in_contact = !is_in_contact;
      EXPECT_TRUE(driver_->move(ship_, {is_in_contact ? 0.0 : 1000.0, 0}).ok());
      EXPECT_TRUE(driver_->end_frame().ok());
      while (driver_->poll_event()) continue;
      while (reader.poll_event()) ++events_read_;
      const Tick now = get_match().tick();
      const Tick seen = reader.tick();
      lags.push_back(now > seen ? now - seen : 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(12));
    }
    return most_of(std::move(lags));
  }

  /// Reads until every event up to `last` has been told or marked as missing; how many were marked.
  static std::uint64_t read_with_gaps(SlowReader& reader, std::uint64_t last) {
    std::uint64_t next = reader.start() + 1;
    std::uint64_t missing = 0;
    while (next <= last) {
      const auto response = reader.watch().read();
      if (!response) ADD_FAILURE() << "the stream ended";
      if (!response) break;
      const v1::TickUpdate& update = response->update();
      if (update.has_gap()) {
        EXPECT_EQ(update.gap().first(), next);
        missing += update.gap().last() - update.gap().first() + 1;
        next = update.gap().last() + 1;
      }
      for (const std::uint64_t number : numbers_of(update)) EXPECT_EQ(number, next++);
      EXPECT_EQ(update.last_sequence_number(), next - 1);
    }
    return missing;
  }

  std::optional<Session> driver_;
  ObjectId ship_ = 0;
  std::uint64_t events_read_ = 0;
};

TEST_F(SlowReaders, CostTheServerLittleAndTheOthersNothingAndKnowWhatTheyMissed) {
  Watcher reader = client_->watch(match_id_);
  ASSERT_TRUE(is_in(reader, SessionState::kJoined));
  const Tick lag_alone = play(reader);
  const std::size_t before = resident_bytes_of(server().process());

  std::vector<std::unique_ptr<SlowReader>> slow;
  for (const v1::WhenFull when_full : {v1::WHEN_FULL_DISCONNECT, v1::WHEN_FULL_GAP, v1::WHEN_FULL_COALESCE}) {
    for (int i = 0; i < kReadersPerPolicy; ++i) {
      slow.push_back(std::make_unique<SlowReader>(server().address(), watch_request(), when_full));
    }
  }
  events_read_ = 0;
  const Tick lag_beside_them = play(reader);
  const std::size_t after = resident_bytes_of(server().process());
  EXPECT_GT(events_read_, 20u * kEventsMax) << "enough to fill their queues many times over";
  EXPECT_LT(after, before + slow.size() * kBytesPerReader + kBytesBeside);
  EXPECT_LE(lag_beside_them, lag_alone + kTickRateHz / 10) << "ticks";
  EXPECT_EQ(reader.state(), SessionState::kJoined);

  const std::uint64_t last = get_match().events();
  for (std::size_t i = 0; i < slow.size(); ++i) {
    if (i < kReadersPerPolicy) {
      expect_disconnected(slow[i]->watch().finish(), kTime);
    } else if (i < 2 * kReadersPerPolicy) {
      EXPECT_GT(read_with_gaps(*slow[i], last), kEventsMax);
    } else {
      bool has_snapshot = false;
      for (std::uint64_t covered = 0; covered < last;) {
        const auto response = slow[i]->watch().read();
        ASSERT_TRUE(response);
        has_snapshot |= response->update().has_snapshot();
        if (response->update().has_snapshot()) {
          const int open = response->update().snapshot().open_encounters_size();
          EXPECT_TRUE(open == 0 || open == kBullets) << open;
        }
        covered = response->update().last_sequence_number();
      }
      EXPECT_TRUE(has_snapshot);
    }
  }
  std::printf("RSS %zu KiB before, %zu KiB beside %zu slow readers; a reader was %d ticks behind, then %d\n",
              before / 1024, after / 1024, slow.size(), static_cast<int>(lag_alone),
              static_cast<int>(lag_beside_them));
}

TEST_F(SlowReaders, ADisconnectedReaderResumesAndAGapCanBeFetched) {
  const auto start = std::chrono::steady_clock::now();
  SlowReader slow(server().address(), watch_request(), v1::WHEN_FULL_DISCONNECT);
  SlowReader with_gap(server().address(), watch_request(), v1::WHEN_FULL_GAP);
  Watcher reader = client_->watch(match_id_);
  const auto go_to = [&](double x) {
    ASSERT_TRUE(driver_->move(ship_, {x, 0}).ok() && driver_->end_frame().ok());
    const Tick sent = driver_->tick();
    ASSERT_TRUE(eventually([&] { return driver_->tick() > sent + 1; }));
  };
  while (get_match().events() < slow.start() + 40 * kEventsMax / 2) {  // Less than the log holds.
    go_to(0);
    go_to(1000);
    while (driver_->poll_event()) continue;
  }
  std::uint64_t covered = slow.start();
  while (const auto response = slow.watch().read()) covered = response->update().last_sequence_number();
  expect_disconnected(slow.watch().finish(), std::chrono::steady_clock::now() - start);
  EXPECT_LT(covered, get_match().events());
  RawWatch again(*stub_, resumed_after(watch_request(), get_match().epoch(), covered));
  EXPECT_TRUE(again.started().resumed());

  std::optional<v1::SequenceRange> gap;
  while (!gap) {
    const auto response = with_gap.watch().read();
    ASSERT_TRUE(response);
    if (response->update().has_gap()) gap = response->update().gap();
  }
  RawWatch fetch(*stub_, resumed_after(watch_request(), get_match().epoch(), gap->first() - 1));
  ASSERT_TRUE(fetch.started().resumed());
  std::uint64_t next = gap->first();
  while (next <= gap->last()) {
    const auto response = fetch.read();
    ASSERT_TRUE(response);
    for (const std::uint64_t number : numbers_of(response->update())) ASSERT_EQ(number, next++);
  }
}

/// A player whose client takes updates off the wire and looks at none: gRPC takes all that it is told.
TEST_F(SlowReaders, AreKnownByWhatTheirFramesAcknowledgeHoweverMuchIsBuffered) {
  RawStream laggard(*stub_);
  const std::uint32_t number = laggard.joined(match_id_, "laggard").joined().participant().number();
  const auto read_up_to = [&](Tick tick) {
    Tick seen = 0;
    while (seen < tick) {
      const auto response = laggard.read();
      if (!response) ADD_FAILURE() << "the stream ended";
      if (!response) break;
      seen = response->update().tick();
    }
    return seen;
  };
  const auto acknowledge = [&](Tick tick) {
    v1::Frame frame;
    frame.set_acknowledged_tick(tick);
    laggard.send(frame);
  };
  const auto acknowledged = [&] {
    const v1::Match match = get_match();
    const auto is_it = [&](const v1::Participant& one) { return one.number() == number; };
    return std::ranges::find_if(match.participants(), is_it)->acknowledged_tick();
  };
  const Tick seen = read_up_to(get_match().tick());
  const Tick far_on = seen + kTickRateHz;
  EXPECT_TRUE(eventually([&] {
    acknowledge(seen);
    return get_match().tick() >= far_on;
  }));
  EXPECT_TRUE(eventually([&] { return acknowledged() == seen; }));
  const Tick read = read_up_to(far_on);
  acknowledge(read);
  EXPECT_TRUE(eventually([&] { return acknowledged() == read; }));
}

}  // namespace
}  // namespace sweepd::test::slow_reader_test
