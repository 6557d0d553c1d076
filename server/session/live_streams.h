// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace sweepd::session {

/// A stream brings something at least this often: short enough that a client which waits for three of them
/// notices a dead link in 1.5 s, long enough that it costs a stream on which nothing happens two small
/// messages a second.
inline constexpr std::chrono::milliseconds kHeartbeatInterval{500};

/// A call that lives until the client or the server ends it.
class LiveStream {
 public:
  /// Ends the call with UNAVAILABLE.
  virtual void shut_down() = 0;

  /// A part of the server fails, or does no longer. Must not end the call within.
  virtual void health_changed() {}

  /// Ends what kicked and banned callers do here: itself, or what participants have a part in. How many that
  /// were. Cheap while there are none.
  virtual std::uint32_t expel() { return 0; }

  /// Called twice in each heartbeat interval. A stream that has sent nothing since the last call sends a
  /// heartbeat.
  virtual void beat() {}

 protected:
  ~LiveStream() = default;
};

/// The streams whose home is one loop, in slots of which one is due at a time: thousands of heartbeats at one
/// instant would hold up the ticks that are due then. On the loop's thread.
class LiveStreams {
 public:
  static constexpr std::size_t kSlots = 16;
  /// From one slot to the next.
  static constexpr std::chrono::microseconds kSlotTime =
      std::chrono::microseconds(kHeartbeatInterval) / (2 * kSlots);

  void add(LiveStream& stream) { slot_of(stream).insert(&stream); }
  void remove(LiveStream& stream) { slot_of(stream).erase(&stream); }
  std::vector<LiveStream*> all() const;

  /// A beat must add and remove no stream.
  void beat_next_slot();

 private:
  using Slot = std::unordered_set<LiveStream*>;

  Slot& slot_of(const LiveStream& stream);

  std::array<Slot, kSlots> slots_;
  std::size_t next_slot_ = 0;
};

}  // namespace sweepd::session
