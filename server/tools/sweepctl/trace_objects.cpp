// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_objects.h"

#include <algorithm>
#include <span>
#include <string>

#include "tools/sweepctl/trace_fields.h"

namespace sweepd::tools {
namespace {

TraceBox extent_of(std::span<const TraceBox> boxes) {
  TraceBox extent = boxes.front();
  for (const TraceBox& box : boxes) {
    extent.min_x = std::min(extent.min_x, box.min_x);
    extent.min_y = std::min(extent.min_y, box.min_y);
    extent.max_x = std::max(extent.max_x, box.max_x);
    extent.max_y = std::max(extent.max_y, box.max_y);
  }
  return extent;
}

bool in_range(std::int64_t position, std::int64_t min, std::int64_t max) {
  return position + min >= kCoordinateRange.min && position + max <= kCoordinateRange.max;
}

std::string name_of(const TraceCommand& command) { return "object " + std::to_string(command.object); }

Status check_range(const TraceCommand& command, const TraceBox& extent) {
  if (in_range(command.x, extent.min_x, extent.max_x) && in_range(command.y, extent.min_y, extent.max_y))
    return {};
  return trace_error("a box of " + name_of(command) + " would leave the range of coordinates (OUT_OF_RANGE)");
}

}  // namespace

Status TraceObjects::apply(std::uint64_t tick, std::uint32_t participant, const TraceCommand& command,
                           std::span<const TraceBox> boxes) {
  if (counts_.size() <= participant) counts_.resize(participant + 1);
  if (command.kind == TraceCommandKind::kSpawn) return spawn(tick, participant, command, boxes);
  Object* object = nullptr;
  if (Status status = find_own(participant, command, object); !status.ok()) return status;
  if (command.kind == TraceCommandKind::kMove) return check_range(command, object->extent);
  object->alive = false;
  object->despawn_tick = tick;
  --counts_[participant];
  return {};
}

std::uint32_t TraceObjects::count_of(std::uint32_t participant) const {
  return participant < counts_.size() ? counts_[participant] : 0;
}

Status TraceObjects::spawn(std::uint64_t tick, std::uint32_t participant, const TraceCommand& command,
                           std::span<const TraceBox> boxes) {
  Object& object = objects_[command.object];
  if (object.alive) return trace_error(name_of(command) + " exists already (ID_IN_USE)");
  if (object.despawn_tick == tick) {
    return trace_error(name_of(command) + " was despawned in this very tick (ID_USED_THIS_TICK)");
  }
  object = Object{true, 0, participant, extent_of(boxes)};
  ++counts_[participant];
  return check_range(command, object.extent);
}

Status TraceObjects::find_own(std::uint32_t participant, const TraceCommand& command, Object*& found) {
  const auto entry = objects_.find(command.object);
  if (entry == objects_.end() || !entry->second.alive) {
    return trace_error(name_of(command) + " does not exist (UNKNOWN_OBJECT)");
  }
  if (entry->second.participant != participant) {
    return trace_error(name_of(command) + " belongs to another participant (NOT_OWNER)");
  }
  found = &entry->second;
  return {};
}

}  // namespace sweepd::tools
