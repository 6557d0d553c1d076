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

namespace {

/// What servers refuse in every match.
Checked check_interest(const WorldInterest& interest) {
  const auto bad = [](const char* field, const char* what) {
    return FieldError{ErrorCode::kInvalidArgument, field, what};
  };
  if (interest.every_ticks > 60) return bad("every_ticks", "is more than 60");
  if (interest.bytes_per_second != 0 && interest.bytes_per_second < 256)
    return bad("bytes_per_second", "is less than 256 and not 0");
  if (interest.owners.size() > 64) return bad("owners", "has more than 64 entries");
  if (!interest.region && interest.follow_object != 0)
    return bad("follow_object", "is for a region, which follows it; there is none");
  if (!interest.region && interest.leave_margin != 0)
    return bad("leave_margin", "is of a region, and there is none");
  return {};
}

}  // namespace

Checked encode(const WorldInterest& interest, v1::WorldInterest* out) {
  if (auto error = check_interest(interest)) return error;
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
  out->set_follow_object(interest.follow_object);
  std::int32_t margin = 0;
  if (auto error = to_subunits(interest.leave_margin, "leave_margin", &margin)) return error;
  if (margin < 0) return FieldError{ErrorCode::kInvalidArgument, "leave_margin", "is less than 0"};
  out->set_leave_margin(static_cast<std::uint32_t>(margin));
  out->set_bytes_per_second(interest.bytes_per_second);
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
