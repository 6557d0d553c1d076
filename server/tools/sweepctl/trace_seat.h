// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sweepd/client.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools {

struct TraceSeatOptions {
  ClientOptions client;
  std::string match_id;
  std::string name;         ///< Of the slot.
  bool every_tick = false;  ///< Sends empty frames too. Without, only tick 1 gets a frame in any case.
};

/// One participant of a trace with a connection of its own. Sends its frames in order, never twice, and
/// counts the events that come back. The trace must outlive it.
class TraceSeat {
 public:
  TraceSeat(const Trace& trace, std::size_t number, const TraceSeatOptions& options);

  bool joined() const { return session_.state() == SessionState::kJoined; }
  /// Whether the run is still exact: an error if the session failed or ended, or if the server refused
  /// anything.
  Status check();

  /// Queues its frames up to `tick` as far as there is room; `sent_tick` tells how far it came.
  Status send_until(Tick tick);
  Tick sent_tick() const { return sent_tick_; }
  std::size_t unsent_frames() const { return session_.unsent_frames(); }
  std::size_t commands() const { return commands_; }

  /// Takes in what has arrived; events after `last_tick` are none of the trace's.
  void receive(Tick last_tick, const std::function<void(const Event&)>& on_event);
  Tick received_tick() const { return received_tick_; }
  std::uint64_t event_count() const { return event_count_; }
  /// The match's digest after the trace's last tick, if it was told, and seen before the next tick came.
  std::optional<std::uint64_t> last_digest() const { return last_digest_; }

  void leave() { session_.leave(); }

 private:
  Status compose(const TraceFrame& frame);
  Status apply(const TraceCommand& command);
  Status spawn(const TraceCommand& command);
  Status named(const Status& status) const;

  const Trace& trace_;
  const TraceParticipant& participant_;
  std::string name_;
  bool every_tick_;
  Client client_;
  Session session_;
  std::size_t next_frame_ = 0;
  bool composed_ =
      false;  ///< The session's frame in progress holds the commands of the tick after `sent_tick_`.
  Tick sent_tick_ = 0;
  Tick received_tick_ = 0;
  std::size_t commands_ = 0;
  std::uint64_t event_count_ = 0;
  std::optional<std::uint64_t> last_digest_;
};

}  // namespace sweepd::tools
