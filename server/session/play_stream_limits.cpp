// SPDX-License-Identifier: MIT
//
// What frames of a Play stream have to keep within before they come into the match.
#include "session/play_stream.h"

#include "session/client_budget.h"
#include "session/world_codec.h"

namespace sweepd::session {

bool PlayStream::may_have_tags(match::ParticipantNumber number, const match::Frame& frame) {
  const auto error = find_tag_error(frame, host_->match().config());
  if (error)
    host_->refuse(number, match::RejectionReason::kNotAllowed, frame.tick, error->field, error->description);
  return !error;
}

bool PlayStream::has_room_for_observer(const runtime::MatchHost& host,
                                       const runtime::SubscriptionOptions::World& asked,
                                       std::uint64_t own_id) {
  return has_room_for_world(host, asked.interest, {.sees_all = false, .role = match::Role::kObserver},
                            own_id);
}

bool PlayStream::is_within_byte_limits(match::ParticipantNumber number, const v1::Frame& message) {
  const match::Rights& rights = host_->match().rights_of(number);
  if (rights.frame_bytes_max.value == match::Rights::kNoLimit &&
      rights.bytes_per_second_max.value == match::Rights::kNoLimit) {
    return true;
  }
  const std::uint64_t bytes = message.ByteSizeLong();
  const auto refuse = [&](const char* name, match::RoleLimit limit, const char* before, const char* after) {
    const std::string rule = match::path_of_limit(limit.place, name);
    host_->refuse(number, match::RejectionReason::kTooManyBytes, message.tick(), "",
                  "the frame has " + std::to_string(bytes) + " bytes; " + before +
                      std::to_string(limit.value) + after + " (" + rule + ")",
                  match::BrokenRule{rule, "", bytes, limit.value});
    return false;
  };
  if (bytes > rights.frame_bytes_max.value)
    return refuse("frame_bytes_max", rights.frame_bytes_max, "at most ", " are allowed");
  if (host_->take_bytes(number, bytes)) return true;
  return refuse("bytes_per_second_max", rights.bytes_per_second_max, "fewer are left of ", " a second");
}

bool PlayStream::is_within_quota(match::ParticipantNumber number, match::Tick frame_tick) {
  const auto& refusal = quota_.find_refusal();
  if (refusal) host_->refuse(number, refusal->reason, frame_tick, "", refusal->message);
  return !refusal;
}

/// What comes in real time is written even over the budget; where ticks are stepped, steps wait instead.
void PlayStream::take_write_budget(std::size_t bytes) {
  if (host_ == nullptr || !host_->is_kept()) return;
  if (host_->match().config().clock == match::ClockKind::kManual) return;
  caller().payers.charge(runtime::Resource::kJournalBytes, bytes, home().loop().now());
}

bool PlayStream::is_within_write_budgets(match::ParticipantNumber number, const v1::Frame& message) {
  if (!host_->is_kept() || host_->match().config().clock == match::ClockKind::kManual) return true;
  const auto refuse = [&](const std::string& text) {
    host_->refuse(number, match::RejectionReason::kTooManyBytes, message.tick(), "", text);
    return false;
  };
  const runtime::TimePoint now = home().loop().now();
  if (const auto excess =
          backend().budgets.spend(caller().payers, runtime::Resource::kJournalBytes, 0, now)) {
    quota_.note_refusal(caller(), text_of(*excess), now);
    return refuse(text_of(*excess));
  }
  if (!host_->may_write(number)) {
    return refuse("the match has written more than " + std::to_string(host_->write_bytes_per_second_max()) +
                  " bytes a second to the journal, the limit of the server, and the participant its share");
  }
  if (host_->write_bytes_per_second_max() > 0) host_->note_sent_bytes(number, message.ByteSizeLong());
  return true;
}

}  // namespace sweepd::session
