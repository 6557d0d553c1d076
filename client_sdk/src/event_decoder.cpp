// SPDX-License-Identifier: MIT
#include "event_decoder.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

namespace sweepd::internal {
namespace {

template <typename Column>
bool has_rows_or_none(const Column& column, int rows) {
  return column.empty() || column.size() == rows;
}

bool columns_are_equal(const v1::EventColumns& columns) {
  const int rows = columns.object_a_size();
  return columns.object_b_size() == rows && columns.layer_a_size() == rows &&
         columns.layer_b_size() == rows && has_rows_or_none(columns.tick_delta(), rows) &&
         has_rows_or_none(columns.reason(), rows) && has_rows_or_none(columns.part_a(), rows) &&
         has_rows_or_none(columns.part_b(), rows) && has_rows_or_none(columns.time_of_impact(), rows) &&
         has_rows_or_none(columns.sequence_gap(), rows);
}

/// Where the column is empty, its usual value.
template <typename Column, typename Value>
Value at(const Column& column, int row, Value usual) {
  return column.empty() ? usual : static_cast<Value>(column[row]);
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

/// Whether the rows go on to no tick after that of the update.
bool ticks_have_run(const v1::EventColumns& columns, Tick update_tick) {
  if (columns.object_a_size() == 0) return true;
  Tick tick = columns.first_tick() != 0 ? columns.first_tick() : update_tick;
  for (const std::uint32_t delta : columns.tick_delta()) {
    if (tick > update_tick || delta > update_tick - tick) return false;
    tick += delta;
  }
  return tick <= update_tick;
}

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// How many events of the log there are from the first row on, up to that of the update. kMost: so many or
/// more, which no log has.
std::uint64_t numbers_from_first_row_on(const v1::EventColumns& columns) {
  std::uint64_t count = static_cast<std::uint64_t>(columns.object_a_size());
  const auto add = [&count](std::uint64_t more) { count += std::min(more, kMost - count); };
  add(columns.events_after());
  for (const std::uint64_t gap : columns.sequence_gap()) add(gap);
  return count;
}

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

Status decode_events(const v1::TickUpdate& update, std::vector<Event>* out) {
  const v1::EventColumns& columns = update.events();
  if (!columns_are_equal(columns)) return malformed("in columns of unequal length");
  const int rows = columns.object_a_size();
  const auto rows_wide = static_cast<std::uint64_t>(rows);
  const std::uint64_t numbers_wide = numbers_from_first_row_on(columns);
  if (update.last_sequence_number() < numbers_wide || numbers_wide == kMost)
    return malformed("without numbers");
  if (!ticks_have_run(columns, update.tick())) return malformed("of ticks that have not run");
  Tick tick = columns.first_tick() != 0 ? columns.first_tick() : update.tick();
  std::uint64_t sequence_number = update.last_sequence_number() - numbers_wide + 1;
  out->reserve(out->size() + rows_wide);
  for (int i = 0; i < rows; ++i) {
    tick += at(columns.tick_delta(), i, 0u);
    sequence_number += at(columns.sequence_gap(), i, std::uint64_t{0});
    const int reason = at(columns.reason(), i, 0);
    Event& event = out->emplace_back();
    event.sequence_number = sequence_number++;
    event.tick = tick;
    event.kind = reason == v1::EXIT_REASON_UNSPECIFIED ? EventKind::kEnter : EventKind::kExit;
    event.reason = decode(static_cast<v1::ExitReason>(reason));
    event.object_a = columns.object_a(i);
    event.object_b = columns.object_b(i);
    event.layer_a = columns.layer_a(i);
    event.layer_b = columns.layer_b(i);
    event.part_a = at(columns.part_a(), i, 0u);
    event.part_b = at(columns.part_b(), i, 0u);
    event.time_of_impact = at(columns.time_of_impact(), i, event.time_of_impact);
  }
  return {};
}

BrokenRule decode(const v1::BrokenRule& broken) {
  return {.rule = broken.rule(),
          .template_name = broken.template_name(),
          .found = broken.found(),
          .limit = broken.limit()};
}

Rejection decode(const v1::Rejection& rejection) {
  return {.tick = rejection.tick(),
          .frame_tick = rejection.frame_tick(),
          .reason = reason_name(rejection.reason()),
          .field = rejection.field(),
          .object = rejection.object_id(),
          .message = rejection.message(),
          .participant = rejection.has_participant() ? std::optional(rejection.participant()) : std::nullopt,
          .broken_rule =
              rejection.has_broken_rule() ? std::optional(decode(rejection.broken_rule())) : std::nullopt};
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
