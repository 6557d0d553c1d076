// SPDX-License-Identifier: MIT
#include "rpc/status.h"

#include <google/rpc/error.pb.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/assert.h"

namespace sweepd::rpc {

using grpc::StatusCode;

namespace {

/// What is exhausted says when to try again.
constexpr std::chrono::seconds kRetryDelayMin{1};

}  // namespace

std::string clipped(std::string_view text, std::size_t bytes_max) {
  std::string beginning(text);
  if (beginning.size() <= bytes_max) return beginning;
  std::size_t size = bytes_max;
  const auto is_within_character = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
  };
  while (size > 0 && is_within_character(text[size])) --size;
  beginning.replace(size, std::string::npos, "…");
  return beginning;
}

grpc::Status make_status(StatusCode code, const ErrorDetails& details) {
  const std::string message = clipped(details.message, kStatusTextBytesMax);
  google::rpc::Status status;
  status.set_code(code);
  status.set_message(message);
  google::rpc::ErrorInfo info;
  info.set_reason(details.reason);
  info.set_domain("sweepd");
  for (const auto& [key, value] : details.metadata) (*info.mutable_metadata())[key] = clipped(value);
  status.add_details()->PackFrom(info);
  if (!details.violations.empty()) {
    google::rpc::BadRequest bad_request;
    for (const match::FieldError& error : details.violations) {
      auto* violation = bad_request.add_field_violations();
      violation->set_field(clipped(error.field, kStatusTextBytesMax));
      violation->set_description(clipped(error.description, kStatusTextBytesMax));
    }
    status.add_details()->PackFrom(bad_request);
  }
  auto retry_delay = details.retry_delay;
  if (code == StatusCode::RESOURCE_EXHAUSTED) retry_delay = std::max(retry_delay, kRetryDelayMin);
  if (retry_delay > std::chrono::seconds(0)) {
    google::rpc::RetryInfo retry;
    retry.mutable_retry_delay()->set_seconds(retry_delay.count());
    status.add_details()->PackFrom(retry);
  }
  return {code, message, status.SerializeAsString()};
}

std::string reason_of(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return {};
  google::rpc::ErrorInfo info;
  for (const auto& detail : details.details()) {
    if (detail.UnpackTo(&info)) return info.reason();
  }
  return {};
}

grpc::Status match_not_found(const runtime::MatchId& id) {
  return make_status(StatusCode::NOT_FOUND,
                     {.reason = "MATCH_NOT_FOUND",
                      .message = "no match \"" + clipped(id) + "\" (it never was, or it has ended)",
                      .metadata = {{"match_id", id}}});
}

grpc::Status server_shutting_down() {
  return make_status(StatusCode::UNAVAILABLE,
                     {.reason = "SERVER_SHUTTING_DOWN", .message = "the server is shutting down"});
}

grpc::Status match_moving(const runtime::MatchId& id) {
  return make_status(StatusCode::UNAVAILABLE,
                     {.reason = "MATCH_MOVING",
                      .message = "match \"" + clipped(id) + "\" is on its way to another loop; try again",
                      .metadata = {{"match_id", id}}});
}

grpc::Status query_too_large(std::uint32_t tests_max) {
  const std::string limit = std::to_string(tests_max);
  return make_status(
      StatusCode::RESOURCE_EXHAUSTED,
      {.reason = "QUERY_TOO_LARGE",
       .message = "the question needs more than " + limit +
                  " tests of shapes, the most for one; ask for fewer layers or a smaller region",
       .metadata = {{"tests_max", limit}}});
}

grpc::Status too_many_matches(std::size_t matches_max) {
  const std::string limit = std::to_string(matches_max);
  return make_status(StatusCode::RESOURCE_EXHAUSTED,
                     {.reason = "TOO_MANY_MATCHES",
                      .message = "the server has " + limit + " matches, its limit",
                      .metadata = {{"matches_max", limit}}});
}

grpc::Status server_overloaded(std::span<const runtime::LoadReading> loads,
                               const runtime::LoadLimits& limits) {
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
  return make_status(StatusCode::RESOURCE_EXHAUSTED,
                     {.reason = "SERVER_OVERLOADED",
                      .message = message.str(),
                      .metadata = {{"busy_percent", busy},
                                   {"busy_max_percent", busy_max},
                                   {"lateness_p99_ms", lateness},
                                   {"lateness_max_ms", lateness_max}},
                      .retry_delay = std::chrono::ceil<std::chrono::seconds>(
                          runtime::LoopLoad::kWindow * runtime::LoopLoad::kWindowsOver)});
}

grpc::Status too_many_bytes_written(std::uint64_t bytes_per_second_max) {
  const std::string limit = std::to_string(bytes_per_second_max);
  return make_status(grpc::StatusCode::RESOURCE_EXHAUSTED,
                     {.reason = "TOO_MANY_BYTES_WRITTEN",
                      .message = "your address has written more than " + limit +
                                 " bytes a second to the journal, the limit of the server",
                      .metadata = {{"bytes_per_second_max", limit}},
                      .retry_delay = std::chrono::seconds(1)});
}

grpc::Status slow_reader(std::size_t events_max) {
  return make_status(StatusCode::RESOURCE_EXHAUSTED,
                     {.reason = "SLOW_READER",
                      .message = "more than " + std::to_string(events_max) +
                                 " events waited for this stream to take them, its queue's bound"});
}

grpc::Status invalid_token(const std::string& name) {
  return make_status(
      StatusCode::PERMISSION_DENIED,
      {.reason = "INVALID_TOKEN",
       .message = "no seat of name \"" + clipped(name) +
                  "\" is kept for this token: it is another's, or the time to come back is over"});
}

grpc::Status join_undone(const std::string& name) {
  return make_status(StatusCode::FAILED_PRECONDITION,
                     {.reason = "JOIN_UNDONE",
                      .message = "the server died before it had written down that \"" + name +
                                 "\" took a seat: join again"});
}

grpc::Status replaced() {
  return make_status(StatusCode::ABORTED,
                     {.reason = "REPLACED", .message = "the participant came back on another stream"});
}

grpc::Status invalid_request(match::FieldError error) {
  return invalid_field("INVALID_REQUEST", std::move(error));
}

grpc::Status invalid_field(std::string reason, match::FieldError error) {
  return make_status(StatusCode::INVALID_ARGUMENT, {.reason = std::move(reason),
                                                    .message = error.field + ": " + error.description,
                                                    .violations = {error}});
}

grpc::Status invalid_config(const match::FieldError& error) {
  return invalid_field("INVALID_CONFIG", {"config." + error.field, error.description});
}

grpc::Status join_refused(match::JoinError error, const match::Join& request, const runtime::MatchId& id) {
  const std::string shown = clipped(request.name);
  const std::string name = "\"" + shown + "\"";
  switch (error) {
    case match::JoinError::kInvalidName:
      return invalid_field("INVALID_JOIN",
                           {"join.name", std::to_string(request.name.size()) + " bytes; 1 to " +
                                             std::to_string(match::kNameBytesMax) + " are allowed"});
    case match::JoinError::kNameTaken:
      return make_status(
          StatusCode::ALREADY_EXISTS,
          {.reason = "NAME_TAKEN", .message = "a participant of name " + name + " is in the match"});
    case match::JoinError::kNoSuchSlot:
      return make_status(StatusCode::NOT_FOUND,
                         {.reason = "NO_SUCH_SLOT", .message = "no slot of name " + name + " and that role"});
    case match::JoinError::kSlotTaken:
      return make_status(StatusCode::ALREADY_EXISTS,
                         {.reason = "SLOT_TAKEN", .message = "the slot of name " + name + " is taken"});
    case match::JoinError::kMatchFull:
      return make_status(
          StatusCode::RESOURCE_EXHAUSTED,
          {.reason = "MATCH_FULL",
           .message = "the match is full: at most " + std::to_string(match::kParticipantsMax) +
                      " players and stages, and " + std::to_string(match::kObserversMax) + " observers"});
    case match::JoinError::kMatchEnded:
      break;
  }
  return match_not_found(id);
}

grpc::Status tick_not_known(match::Tick tick, const match::TickRange& known) {
  const std::string first = std::to_string(known.first);
  const std::string last = std::to_string(known.last);
  const std::string range =
      known.last == 0 ? "no tick has run yet" : "ticks " + first + " to " + last + " are known";
  return make_status(StatusCode::OUT_OF_RANGE,
                     {.reason = "TICK_NOT_KNOWN",
                      .message = "at_tick: is " + std::to_string(tick) + "; " + range,
                      .metadata = {{"first_tick", first}, {"last_tick", last}},
                      .violations = {{"at_tick", "is " + std::to_string(tick) + "; " + range}}});
}

grpc::Status step_failed(runtime::StepError error, const runtime::MatchId& id) {
  switch (error) {
    case runtime::StepError::kClockNotManual:
      return make_status(
          StatusCode::FAILED_PRECONDITION,
          {.reason = "CLOCK_NOT_MANUAL", .message = "only a match with a MANUAL clock can be stepped"});
    case runtime::StepError::kStepInProgress:
      return make_status(StatusCode::ABORTED,
                         {.reason = "STEP_IN_PROGRESS",
                          .message = "another step of this match waits for frames, or " +
                                     std::to_string(runtime::StepQueue::kStepsMax) + " wait for their turn"});
    case runtime::StepError::kCancelled:
      return make_status(
          StatusCode::DEADLINE_EXCEEDED,
          {.reason = "FRAMES_MISSING", .message = "the frames for the next tick did not come in time"});
    case runtime::StepError::kMatchPaused:
      return make_status(
          StatusCode::FAILED_PRECONDITION,
          {.reason = "MATCH_PAUSED",
           .message = "match \"" + clipped(id) + "\" is paused: no tick runs until it is resumed"});
    case runtime::StepError::kMatchEnded:
      return match_not_found(id);
    case runtime::StepError::kShuttingDown:
      break;
  }
  return server_shutting_down();
}

}  // namespace sweepd::rpc
