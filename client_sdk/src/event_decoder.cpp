// SPDX-License-Identifier: MIT
#include "event_decoder.h"

#include <string_view>

namespace sweepd::internal {
namespace {

bool columns_are_equal(const v1::EventColumns& columns) {
  const int rows = columns.kind_size();
  const int times = columns.time_of_impact_size();
  if (times != 0 && times != rows) return false;
  if (columns.sequence_gap_size() != 0 && columns.sequence_gap_size() != rows) return false;
  return columns.tick_delta_size() == rows && columns.reason_size() == rows &&
         columns.object_a_size() == rows && columns.object_b_size() == rows &&
         columns.layer_a_size() == rows && columns.layer_b_size() == rows && columns.part_a_size() == rows &&
         columns.part_b_size() == rows;
}

// A reason that a newer server knows and this SDK does not is kNone: the EXIT itself still counts.
ExitReason decode(v1::ExitReason reason) {
  switch (reason) {
    case v1::EXIT_REASON_MOVED:
      return ExitReason::kMoved;
    case v1::EXIT_REASON_DESPAWNED:
      return ExitReason::kDespawned;
    case v1::EXIT_REASON_EXPIRED:
      return ExitReason::kExpired;
    case v1::EXIT_REASON_LEFT_PLAYFIELD:
      return ExitReason::kLeftPlayfield;
    case v1::EXIT_REASON_LAYER_CHANGED:
      return ExitReason::kLayerChanged;
    case v1::EXIT_REASON_DISABLED:
      return ExitReason::kDisabled;
    case v1::EXIT_REASON_RESHAPED:
      return ExitReason::kReshaped;
    case v1::EXIT_REASON_OWNER_LEFT:
      return ExitReason::kOwnerLeft;
    case v1::EXIT_REASON_MATCH_ENDED:
      return ExitReason::kMatchEnded;
    case v1::EXIT_REASON_SWEPT:
      return ExitReason::kSwept;
    case v1::EXIT_REASON_CONSUMED:
      return ExitReason::kConsumed;
    case v1::EXIT_REASON_DESTROYED:
      return ExitReason::kDestroyed;
    default:
      return ExitReason::kNone;
  }
}

bool is_known(int kind) { return kind == v1::EVENT_KIND_ENTER || kind == v1::EVENT_KIND_EXIT; }

Status malformed(const char* what) {
  return {ErrorCode::kInternal, std::string("the server sent events ") + what};
}

}  // namespace

std::string reason_name(v1::RejectionReason reason) {
  constexpr std::string_view kPrefix = "REJECTION_REASON_";
  const std::string& name = v1::RejectionReason_Name(reason);
  if (name.starts_with(kPrefix)) return name.substr(kPrefix.size());
  return "REASON_" + std::to_string(static_cast<int>(reason));
}

Status decode(const v1::EventColumns& columns, std::vector<Event>* out) {
  if (!columns_are_equal(columns)) return malformed("in columns of unequal length");
  for (int kind : columns.kind()) {
    if (!is_known(kind)) return malformed("of an unknown kind");
  }
  Tick tick = columns.first_tick();
  std::uint64_t sequence_number = columns.first_sequence_number();
  out->reserve(out->size() + static_cast<std::size_t>(columns.kind_size()));
  for (int i = 0; i < columns.kind_size(); ++i) {
    tick += columns.tick_delta(i);
    Event& event = out->emplace_back();
    if (columns.sequence_gap_size() != 0) sequence_number += columns.sequence_gap(i);
    event.sequence_number = sequence_number++;
    event.tick = tick;
    event.kind = columns.kind(i) == v1::EVENT_KIND_ENTER ? EventKind::kEnter : EventKind::kExit;
    event.reason = decode(columns.reason(i));
    event.object_a = columns.object_a(i);
    event.object_b = columns.object_b(i);
    event.layer_a = columns.layer_a(i);
    event.layer_b = columns.layer_b(i);
    event.part_a = columns.part_a(i);
    event.part_b = columns.part_b(i);
    if (columns.time_of_impact_size() != 0) event.time_of_impact = columns.time_of_impact(i);
  }
  return {};
}

Rejection decode(const v1::Rejection& rejection) {
  return {.tick = rejection.tick(),
          .frame_tick = rejection.frame_tick(),
          .reason = reason_name(rejection.reason()),
          .field = rejection.field(),
          .object = rejection.object_id(),
          .message = rejection.message()};
}

Encounter decode(const v1::Encounter& encounter) {
  return {.object_a = encounter.object_a(),
          .object_b = encounter.object_b(),
          .layer_a = encounter.layer_a(),
          .layer_b = encounter.layer_b(),
          .part_a = encounter.part_a(),
          .part_b = encounter.part_b(),
          .since_tick = encounter.since_tick()};
}

}  // namespace sweepd::internal
