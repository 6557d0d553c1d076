// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/match/resident_matches.h"

namespace sweepd::fuzz {

/// A match that has run some ticks, with objects of every shape and a log of their contacts, and a host that
/// can be followed.
class FollowedMatch {
 public:
  FollowedMatch();

  const runtime::MatchHost& host() const { return *host_; }
  /// The owner of all objects.
  match::ParticipantNumber participant() const { return participant_; }
  /// Follows as `options` say, takes all that is to be told, and goes.
  void watch(const runtime::SubscriptionOptions& options);

 private:
  class IdlePoller final : public runtime::Poller {
   public:
    runtime::Duration poll(runtime::TimePoint) override { return {}; }
    void wake() override {}
  };
  class Listener final : public runtime::Subscriber, public runtime::ReportSink {
   public:
    void tick_has_run() override {}
    void match_ended(const runtime::MatchHost&) override {}
    void replaced() override {}
    bool is_behind() const override { return false; }
    void add(const runtime::TickReport&) override {}
    bool is_full() const override { return false; }
  };

  void run_tick(const match::Frame& frame);

  IdlePoller poller_;
  runtime::Loop loop_{poller_};
  runtime::MatchRegistry registry_{1, 1};
  runtime::ResidentMatches matches_{loop_, registry_, std::chrono::hours(1)};
  runtime::MatchHost* host_ = nullptr;
  Listener listener_;
  match::ParticipantNumber participant_ = 0;
};

}  // namespace sweepd::fuzz
