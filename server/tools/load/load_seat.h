// SPDX-License-Identifier: MIT
#pragma once

#include <sweepd/v1/match_service.pb.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/load/client_loop.h"
#include "tools/load/load_options.h"
#include "tools/load/probe.h"

namespace sweepd::tools::load {

/// A participant of a match: who it is, what it plays, and how long it waits until it hears of what it did.
class LoadSeat {
 public:
  struct Part {
    const ClientLoop* loop = nullptr;
    std::string name;
  };
  LoadSeat(const Part& part, EventsAsked events, Measurements& measurements);

  /// Whom a Join is to seat.
  void name_itself(v1::Join& join) const;
  void sit_down(const v1::Joined& joined);
  /// In its match, since it has sat down.
  std::uint32_t number() const { return number_; }

  /// What it sends first: everything it has, after `tick` of its loop. Its frames follow.
  std::string open(std::uint32_t tick);
  std::string_view frame(std::uint32_t tick) const { return loop_->frame(tick); }
  /// From here on it waits for an event, if its frame of `tick` causes one that it will be told.
  void await_event(std::uint32_t tick, TimePoint sent);

  std::uint32_t probe_id() const { return loop_->probe().mover; }
  /// Whether an event is that of its probe.
  bool awaits(std::uint32_t object_a, std::uint32_t object_b) const {
    return object_a == loop_->probe().mover && object_b == loop_->probe().partner;
  }
  Probe& probe() { return probe_; }
  const Probe& probe() const { return probe_; }

 private:
  const ClientLoop* loop_;
  std::string name_;
  EventsAsked events_;
  Probe probe_;
  std::uint32_t number_ = 0;
  std::string token_;       ///< With which it can come back.
  std::string next_token_;  ///< Of the Joined that has come last.
};

}  // namespace sweepd::tools::load
