// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/budgets/client_limits.h"
#include "runtime/loop/event_source.h"
#include "runtime/loop/poller.h"
#include "session/entrance.h"

namespace sweepd::session {

class MatchLoop;

/// A part of a door. What its connections bring becomes streams (StreamPipe) and unary calls (UnaryCall) of
/// its home loop, on the loop's thread.
class DoorPart {
 public:
  virtual ~DoorPart() = default;

  /// Calls are taken from now on. Once, before the thread of `home` runs.
  virtual void open(MatchLoop& home) = 0;

  /// A connection is the door's from now on. `is_own`: the server itself has connected, in plain text. From
  /// any thread, between `open` and `shut_down`.
  virtual void take_connection(int descriptor, bool is_own) = 0;

  /// Refuses new calls, and cancels at the deadline those that go on. The streams have been ended.
  virtual void shut_down(std::chrono::system_clock::time_point deadline) = 0;

  /// Handles what is left of its events. After the loop's thread, when no call is left.
  virtual void close() = 0;
};

/// What a loop has of a door.
class LoopDoor : public DoorPart {
 public:
  /// What the loop waits on; the part's events come from there.
  virtual runtime::Poller& poller() = 0;
};

/// The same of a door that it does not wait on, but looks at between two waits.
class SideLoopDoor : public DoorPart {
 public:
  virtual runtime::EventSource& events() = 0;
};

/// A way by which clients come in: their bytes on one side, streams and unary calls of the session on the
/// other. It neither listens nor accepts: the owner of the loops does, and hands it the connections.
class Door {
 public:
  virtual ~Door() = default;

  /// A part for each loop, or why there is none. The door outlives its parts. What it keeps of clients' bytes
  /// by itself has bounds by `limits`.
  virtual base::Result<std::vector<std::unique_ptr<LoopDoor>>, std::string> make_parts(
      std::size_t loops, const runtime::ClientLimits& limits) = 0;

  /// The part of the admin listener, or why there is none: all that comes by it has that entrance. It waits
  /// for its events by itself. After `make_parts`.
  virtual base::Result<std::unique_ptr<DoorPart>, std::string> make_admin_part(
      Entrance entrance, const runtime::ClientLimits& limits) = 0;
};

/// A door beside the one that loops wait on, for clients alone. The same holds for it.
class SideDoor {
 public:
  virtual ~SideDoor() = default;

  virtual std::vector<std::unique_ptr<SideLoopDoor>> make_parts(std::size_t loops,
                                                                const runtime::ClientLimits& limits) = 0;
};

}  // namespace sweepd::session
