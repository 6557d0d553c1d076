// SPDX-License-Identifier: MIT
#include "stream_codec.h"

#include "shape_codec.h"
#include "subunits.h"

namespace sweepd::internal {
namespace {

v1::WhenFull encode(WhenFull when_full) {
  switch (when_full) {
    case WhenFull::kDisconnect:
      return v1::WHEN_FULL_DISCONNECT;
    case WhenFull::kGap:
      return v1::WHEN_FULL_GAP;
    case WhenFull::kCoalesce:
      return v1::WHEN_FULL_COALESCE;
  }
  return v1::WHEN_FULL_UNSPECIFIED;
}

}  // namespace

void encode(const EventFilter& filter, v1::EventFilter* out) {
  out->mutable_layers()->Add(filter.layers.begin(), filter.layers.end());
  out->mutable_object_ids()->Add(filter.objects.begin(), filter.objects.end());
  for (const EventKind kind : filter.kinds) {
    out->add_kinds(kind == EventKind::kEnter ? v1::EVENT_KIND_ENTER : v1::EVENT_KIND_EXIT);
  }
  out->set_own_objects(filter.own_objects);
  out->set_stay_every_ticks(filter.stay_every_ticks);
  out->set_digest_every_ticks(filter.digest_every_ticks);
}

void encode(const QueuePolicy& policy, v1::QueuePolicy* out) {
  out->set_when_full(encode(policy.when_full));
  out->set_events_max(policy.events_max);
}

Checked encode(const WorldInterest& interest, v1::WorldInterest* out) {
  out->mutable_layers()->Add(interest.layers.begin(), interest.layers.end());
  if (interest.region) {
    if (auto error = encode(*interest.region, out->mutable_region()))
      return std::move(*error).within("region");
  }
  out->mutable_owners()->Add(interest.owners.begin(), interest.owners.end());
  out->set_own_objects(interest.own_objects);
  out->set_every_ticks(interest.every_ticks);
  std::int32_t step = 0;
  if (auto error = to_subunits(interest.position_step, "position_step", &step)) return error;
  if (step < 0) return FieldError{ErrorCode::kInvalidArgument, "position_step", "is less than 0"};
  out->set_position_step(static_cast<std::uint32_t>(step));
  return {};
}

Undone decode(const v1::Undone& undone) {
  return {.after_tick = undone.after_tick(),
          .after_sequence_number = undone.after_sequence_number(),
          .lost_ticks = undone.lost_ticks()};
}

bool holds_back(const EventFilter& filter) {
  return !filter.layers.empty() || !filter.objects.empty() || !filter.kinds.empty() || filter.own_objects;
}

}  // namespace sweepd::internal
