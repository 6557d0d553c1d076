// SPDX-License-Identifier: MIT
//
// Protects a game in its lobby: whether its match outlives its server's process the server says outright,
// from the first moment, before any tick is on a disk.
#include "session/match_codec.h"

#include <gtest/gtest.h>

#include "runtime/loop/loop.h"
#include "runtime/match/match_host.h"

namespace sweepd::session::match_codec_test {
namespace {

class IdlePoller final : public runtime::Poller {
 public:
  runtime::Duration poll(runtime::TimePoint) override { return {}; }
  void wake() override {}
};

/// Its disk has written nothing yet.
class WaitingJournal final : public runtime::Journal {
 public:
  Position append(runtime::JournalRecord) override { return ++position_; }
  Position durable_position() const override { return 0; }
  bool is_crowded() const override { return false; }
  bool has_room() const override { return true; }
  bool is_failing() const override { return false; }
  void when_settled(Position, std::function<void()> done) override { done(); }
  void settle_all() override {}
  std::size_t match_bytes_max() const override { return 1 << 20; }

 private:
  Position position_ = 0;
};

v1::Match encoded(runtime::Journal* journal, match::ClockKind clock = match::ClockKind::kRealtime) {
  IdlePoller poller;
  runtime::Loop loop(poller);
  match::MatchConfig config;
  config.layers = {"ship"};
  config.clock = clock;
  runtime::MatchHostOptions options;
  options.id = "m";
  options.idle_timeout = std::chrono::seconds(60);
  options.journal = journal;
  options.journal_key = 1;
  options.on_ended = [] {};
  const auto host =
      runtime::MatchHost::create(loop, std::move(*match::Match::create(config)), std::move(options));
  v1::Match message;
  encode_match(*host, {"game.example", 7777, 3}, message);
  host->end();
  return message;
}

TEST(Match, IsKeptWhereThereIsAJournalAlsoBeforeItsFirstTick) {
  WaitingJournal journal;
  const v1::Match kept = encoded(&journal);
  EXPECT_TRUE(kept.is_kept());
  EXPECT_EQ(kept.tick(), 0u);
  EXPECT_EQ(kept.durable_tick(), 0u);
  EXPECT_FALSE(encoded(nullptr).is_kept());
}

TEST(Match, HasTimingWhereTicksAreDueByTimeAndSaysWhichLoopRunsIt) {
  const v1::Match realtime = encoded(nullptr);
  EXPECT_TRUE(realtime.has_timing());
  EXPECT_EQ(realtime.timing().loop(), 3u);
  EXPECT_EQ(realtime.timing().achieved_rate_hz(), 0) << "no tick yet";
  EXPECT_FALSE(encoded(nullptr, match::ClockKind::kManual).has_timing());
}

}  // namespace
}  // namespace sweepd::session::match_codec_test
