// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sweepd/status.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools {

/// The objects of a trace while it is read: refuses what a server would refuse, and names the server's
/// reason. Commands come in the order in which they apply.
class TraceObjects {
 public:
  Status apply(std::uint64_t tick, std::uint32_t participant, const TraceCommand& command,
               std::span<const TraceBox> boxes);
  std::uint32_t count_of(std::uint32_t participant) const;

 private:
  struct Object {
    bool alive = false;
    std::uint64_t despawn_tick = 0;  ///< 0: never despawned.
    std::uint32_t participant = 0;
    TraceBox extent;  ///< Around all boxes.
  };

  Status spawn(std::uint64_t tick, std::uint32_t participant, const TraceCommand& command,
               std::span<const TraceBox> boxes);
  Status find_own(std::uint32_t participant, const TraceCommand& command, Object*& found);

  // Looked up by id, never walked: its order does not matter.
  std::unordered_map<std::uint32_t, Object> objects_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace sweepd::tools
