// SPDX-License-Identifier: MIT
//
// Protects the heap of a server with thousands of matches: a tick in which nothing happens asks it for
// nothing, however many follow the match.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "unit/counted_heap.h"
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::idle_tick_test {
namespace {

using test::allocations;

/// Takes every update as a stream would, and keeps none.
class Reader final : public Subscriber, private ReportSink {
 public:
  explicit Reader(MatchHost& host) : host_(host), subscription_(host.watch(*this)) {}
  ~Reader() { host_.leave(*this); }

  void tick_has_run() override { host_.collect(subscription_, *this); }
  void match_ended(const MatchHost&) override {}
  void replaced() override {}
  bool is_behind() const override { return false; }

  std::size_t updates = 0;

 private:
  void add(const TickReport&) override { ++updates; }
  bool is_full() const override { return false; }

  MatchHost& host_;
  Subscription& subscription_;
};

class IdleTicks : public MatchHostTest {
 protected:
  static constexpr int kMatches = 10;
  static constexpr int kTicks = 1'000'000;

  void SetUp() override {
    for (int i = 0; i < kMatches; ++i) {
      MatchHost& host = create(config_with(match::ClockKind::kRealtime));
      seats_.push_back(std::make_unique<FakeSubscriber>());
      const auto number = join(host, *seats_.back(), "player");
      seats_.back()->takes = false;  // It would keep what it is told.
      host.submit(number, frame_with_spawn(first_id_, 0));
      readers_.push_back(std::make_unique<Reader>(host));
      hosts_.push_back(&host);
    }
  }
  void TearDown() override {
    readers_.clear();
    for (std::size_t i = 0; i < hosts_.size(); ++i) hosts_[i]->leave(*seats_[i]);
  }

  /// At the loop's own pace, with the test's clock.
  void run_ticks(int ticks) {
    while (ticks > 0) {
      now_ = *loop_.ticks().next_due();
      const match::Tick before = total();
      loop_.run_round();
      ticks -= static_cast<int>(total() - before);
    }
  }
  match::Tick total() const {
    match::Tick total = 0;
    for (const MatchHost* host : hosts_) total += host->match().tick();
    return total;
  }

  std::vector<MatchHost*> hosts_;
  std::vector<std::unique_ptr<FakeSubscriber>> seats_;
  std::vector<std::unique_ptr<Reader>> readers_;
};

TEST_F(IdleTicks, AMillionAskTheHeapForNothing) {
  run_ticks(kMatches * 500);  // Until histories are full.
  const std::size_t before = allocations;
  const std::size_t updates = readers_.front()->updates;
  run_ticks(kTicks);
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(readers_.front()->updates - updates, 1000u) << "heartbeats";
}

}  // namespace
}  // namespace sweepd::runtime::idle_tick_test
