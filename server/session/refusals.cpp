// SPDX-License-Identifier: MIT
#include "session/refusals.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/assert.h"

namespace sweepd::session {

Status match_not_found(const runtime::MatchId& id) {
  return make_status(Code::kNotFound,
                     {.reason = "MATCH_NOT_FOUND",
                      .message = "no match \"" + clipped(id) + "\" (it never was, or it has ended)",
                      .metadata = {{"match_id", id}}});
}

Status server_shutting_down() {
  return make_status(Code::kUnavailable,
                     {.reason = "SERVER_SHUTTING_DOWN", .message = "the server is shutting down"});
}

Status match_moving(const runtime::MatchId& id) {
  return make_status(Code::kUnavailable,
                     {.reason = "MATCH_MOVING",
                      .message = "match \"" + clipped(id) + "\" is on its way to another loop; try again",
                      .metadata = {{"match_id", id}}});
}

Status query_too_large(std::uint32_t tests_max) {
  const std::string limit = std::to_string(tests_max);
  return make_status(
      Code::kResourceExhausted,
      {.reason = "QUERY_TOO_LARGE",
       .message = "the question needs more than " + limit +
                  " tests of shapes, the most for one; ask for fewer layers or a smaller region",
       .metadata = {{"tests_max", limit}}});
}

Status too_many_matches(std::size_t matches_max) {
  const std::string limit = std::to_string(matches_max);
  return make_status(Code::kResourceExhausted, {.reason = "TOO_MANY_MATCHES",
                                                .message = "the server has " + limit + " matches, its limit",
                                                .metadata = {{"matches_max", limit}}});
}

Status server_overloaded(std::span<const runtime::LoadReading> loads, const runtime::LoadLimits& limits) {
  const auto least = std::ranges::min_element(loads, {}, &runtime::LoadReading::busy_ratio);
  const auto milliseconds = [](runtime::Duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  };
  const std::string busy = std::to_string(std::lround(least->busy_ratio * 100));
  const std::string lateness = std::to_string(milliseconds(least->lateness_p99));
  const std::string busy_max = std::to_string(limits.busy_percent_max);
  const std::string lateness_max = std::to_string(milliseconds(limits.lateness_max));
  std::ostringstream message;
  message << "every loop of the server is overloaded: the least busy one works " << busy
          << "% of the time (limit " << busy_max << "%, --loop-busy-max-percent), and its ticks begin up to "
          << lateness << " ms late (p99, limit " << (lateness_max == "0" ? "none" : lateness_max + " ms")
          << ", --loop-lateness-max-ms); a loop that stands still counts as overloaded, too";
  return make_status(Code::kResourceExhausted,
                     {.reason = "SERVER_OVERLOADED",
                      .message = message.str(),
                      .metadata = {{"busy_percent", busy},
                                   {"busy_max_percent", busy_max},
                                   {"lateness_p99_ms", lateness},
                                   {"lateness_max_ms", lateness_max}},
                      .retry_delay = std::chrono::ceil<std::chrono::seconds>(
                          runtime::LoopLoad::kWindow * runtime::LoopLoad::kWindowsOver)});
}

Status slow_reader(std::size_t events_max) {
  return make_status(Code::kResourceExhausted,
                     {.reason = "SLOW_READER",
                      .message = "more than " + std::to_string(events_max) +
                                 " events waited for this stream to take them, its queue's bound"});
}

Status slow_reader_of_world(std::size_t bytes_max) {
  return make_status(Code::kResourceExhausted,
                     {.reason = "SLOW_READER",
                      .message = "more than about " + std::to_string(bytes_max) +
                                 " bytes of the world waited for this stream to take them"});
}

Status too_many_interests(std::size_t interests_max) {
  const std::string limit = std::to_string(interests_max);
  return make_status(Code::kResourceExhausted,
                     {.reason = "TOO_MANY_INTERESTS",
                      .message = "watchers and observers of the match ask to be told of the world in " +
                                 limit + " ways, its limit; ask as one of them does, or without",
                      .metadata = {{"interests_max", limit}},
                      .retry_delay = std::chrono::seconds(5)});
}

Status invalid_token(const std::string& name) {
  return make_status(
      Code::kPermissionDenied,
      {.reason = "INVALID_TOKEN",
       .message = "no seat of name \"" + clipped(name) +
                  "\" is kept for this token: it is another's, or the time to come back is over"});
}

Status join_undone(const std::string& name) {
  return make_status(Code::kFailedPrecondition,
                     {.reason = "JOIN_UNDONE",
                      .message = "the server died before it had written down that \"" + name +
                                 "\" took a seat: join again"});
}

Status replaced() {
  return make_status(Code::kAborted,
                     {.reason = "REPLACED", .message = "the participant came back on another stream"});
}

Status invalid_request(match::FieldError error) { return invalid_field("INVALID_REQUEST", std::move(error)); }

std::optional<Status> refuse_too_large(MessageBytes& request) {
  if (!request.is_too_large()) return std::nullopt;
  const std::string size = std::to_string(request.size());
  request.drop();
  const std::string limit = std::to_string(kRequestBytesMax);
  const std::string what = "has " + size + " bytes; at most " + limit + " are taken";
  return make_status(Code::kResourceExhausted, {.reason = "MESSAGE_TOO_LARGE",
                                                .message = "message: " + what,
                                                .metadata = {{"bytes", size}, {"bytes_max", limit}},
                                                .violations = {{"message", what}}});
}

Status rules_not_found(const std::string& name) {
  return make_status(Code::kNotFound,
                     {.reason = "RULES_NOT_FOUND",
                      .message = "the server has approved no rules of the name \"" + clipped(name) + "\"",
                      .metadata = {{"rules_name", clipped(name)}}});
}

Status rules_not_approved(const std::string& mismatch) {
  return make_status(Code::kFailedPrecondition,
                     {.reason = "RULES_NOT_APPROVED",
                      .message = "the server creates matches of approved rules only: config." + mismatch});
}

Status invalid_field(std::string reason, match::FieldError error) {
  return make_status(Code::kInvalidArgument, {.reason = std::move(reason),
                                              .message = error.field + ": " + error.description,
                                              .violations = {error}});
}

Status invalid_config(const match::FieldError& error) {
  return invalid_field("INVALID_CONFIG", {"config." + error.field, error.description});
}

Status join_refused(match::JoinError error, const match::Join& request, const runtime::MatchId& id) {
  const std::string shown = clipped(request.name);
  const std::string name = "\"" + shown + "\"";
  switch (error) {
    case match::JoinError::kInvalidName:
      return invalid_field("INVALID_JOIN",
                           {"join.name", std::to_string(request.name.size()) + " bytes; 1 to " +
                                             std::to_string(match::kNameBytesMax) + " are allowed"});
    case match::JoinError::kNameTaken:
      return make_status(
          Code::kAlreadyExists,
          {.reason = "NAME_TAKEN", .message = "a participant of name " + name + " is in the match"});
    case match::JoinError::kNoSuchSlot:
      return make_status(Code::kNotFound,
                         {.reason = "NO_SUCH_SLOT", .message = "no slot of name " + name + " and that role"});
    case match::JoinError::kSlotTaken:
      return make_status(Code::kAlreadyExists,
                         {.reason = "SLOT_TAKEN", .message = "the slot of name " + name + " is taken"});
    case match::JoinError::kMatchFull:
      return make_status(
          Code::kResourceExhausted,
          {.reason = "MATCH_FULL",
           .message = "the match is full: at most " + std::to_string(match::kParticipantsMax) +
                      " players and stages, and " + std::to_string(match::kObserversMax) + " observers"});
    case match::JoinError::kMatchEnded:
      break;
  }
  return match_not_found(id);
}

Status tick_not_known(match::Tick tick, const match::TickRange& known) {
  const std::string first = std::to_string(known.first);
  const std::string last = std::to_string(known.last);
  const std::string range =
      known.last == 0 ? "no tick has run yet" : "ticks " + first + " to " + last + " are known";
  return make_status(Code::kOutOfRange,
                     {.reason = "TICK_NOT_KNOWN",
                      .message = "at_tick: is " + std::to_string(tick) + "; " + range,
                      .metadata = {{"first_tick", first}, {"last_tick", last}},
                      .violations = {{"at_tick", "is " + std::to_string(tick) + "; " + range}}});
}

Status step_failed(runtime::StepError error, const runtime::MatchId& id) {
  switch (error) {
    case runtime::StepError::kClockNotManual:
      return make_status(
          Code::kFailedPrecondition,
          {.reason = "CLOCK_NOT_MANUAL", .message = "only a match with a MANUAL clock can be stepped"});
    case runtime::StepError::kStepInProgress:
      return make_status(Code::kAborted,
                         {.reason = "STEP_IN_PROGRESS",
                          .message = "another step of this match waits for frames, or " +
                                     std::to_string(runtime::StepQueue::kStepsMax) + " wait for their turn"});
    case runtime::StepError::kCancelled:
      return make_status(
          Code::kDeadlineExceeded,
          {.reason = "FRAMES_MISSING", .message = "the frames for the next tick did not come in time"});
    case runtime::StepError::kMatchPaused:
      return make_status(
          Code::kFailedPrecondition,
          {.reason = "MATCH_PAUSED",
           .message = "match \"" + clipped(id) + "\" is paused: no tick runs until it is resumed"});
    case runtime::StepError::kMatchEnded:
      return match_not_found(id);
    case runtime::StepError::kShuttingDown:
      break;
  }
  return server_shutting_down();
}

}  // namespace sweepd::session
