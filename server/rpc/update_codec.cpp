// SPDX-License-Identifier: MIT
#include "rpc/update_codec.h"

namespace sweepd::rpc {
namespace {

constexpr std::size_t kUpdateBytes = 16;
constexpr std::size_t kEventBytes = 17;      // Nine columns, two of them ids of up to five bytes.
constexpr std::size_t kRejectionBytes = 24;  // And its texts.

static_assert(static_cast<int>(collision::EventKind::kExit) == v1::EVENT_KIND_EXIT);
static_assert(static_cast<int>(collision::ExitReason::kMatchEnded) == v1::EXIT_REASON_MATCH_ENDED);
static_assert(static_cast<int>(match::RejectionReason::kTickInThePast) ==
              v1::REJECTION_REASON_TICK_IN_THE_PAST);

void encode_rejection(const match::Rejection& rejection, v1::Rejection& message) {
  message.set_tick(rejection.tick);
  message.set_frame_tick(rejection.frame_tick);
  message.set_reason(static_cast<v1::RejectionReason>(rejection.reason));
  message.set_field(rejection.field);
  message.set_object_id(rejection.object);
  message.set_message(rejection.message);
}

}  // namespace

void UpdateBuilder::add(const runtime::TickReport& report, v1::TickUpdate& update) {
  if (bytes_ == 0) bytes_ = kUpdateBytes;
  update.set_tick(report.tick);
  update.set_digest(report.digest);
  if (!report.events.empty()) add_events(report.events, *update.mutable_events());
  std::uint64_t not_listed = update.rejections_not_listed() + report.rejections_not_listed;
  for (const match::Rejection& rejection : report.rejections) {
    if (update.rejections_size() == kRejectionsListedMax) {
      ++not_listed;
      continue;
    }
    encode_rejection(rejection, *update.add_rejections());
    bytes_ += kRejectionBytes + rejection.field.size() + rejection.message.size();
  }
  update.set_rejections_not_listed(not_listed);
}

void UpdateBuilder::add_events(std::span<const collision::Event> events, v1::EventColumns& columns) {
  if (columns.kind_size() == 0) {
    columns.set_first_sequence_number(events.front().sequence_number);
    columns.set_first_tick(events.front().tick);
    last_event_tick_ = events.front().tick;
  }
  for (const collision::Event& event : events) {
    columns.add_tick_delta(static_cast<std::uint32_t>(event.tick - last_event_tick_));
    columns.add_kind(static_cast<v1::EventKind>(event.kind));
    columns.add_reason(static_cast<v1::ExitReason>(event.reason));
    columns.add_object_a(event.key.object_a);
    columns.add_object_b(event.key.object_b);
    columns.add_layer_a(event.key.layer_a);
    columns.add_layer_b(event.key.layer_b);
    columns.add_part_a(event.parts.part_a);
    columns.add_part_b(event.parts.part_b);
    last_event_tick_ = event.tick;
  }
  bytes_ += events.size() * kEventBytes;
}

void UpdateBuilder::reset() {
  bytes_ = 0;
  last_event_tick_ = 0;
}

}  // namespace sweepd::rpc
