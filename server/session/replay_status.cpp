// SPDX-License-Identifier: MIT
#include "session/replay_status.h"

namespace sweepd::session {

Status no_journal() {
  return make_status(Code::kFailedPrecondition,
                     {.reason = "NO_JOURNAL",
                      .message = "the server has no data directory: it keeps no replays and signs nothing"});
}

Status replay_lost(const runtime::MatchId& id, const std::string& what) {
  return make_status(Code::kDataLoss,
                     {.reason = "REPLAY_LOST",
                      .message = "the replay of match \"" + clipped(id) + "\" is lost: " + what,
                      .metadata = {{"match_id", clipped(id)}}});
}

Status replay_unavailable(const runtime::ReplayError& error, const runtime::MatchId& id) {
  const std::string why = error.what.empty() ? "" : ": " + error.what;
  switch (error.kind) {
    case runtime::ReplayErrorKind::kNotFound:
      return make_status(Code::kNotFound, {.reason = "REPLAY_NOT_FOUND",
                                           .message = "no replay of a match \"" + clipped(id) +
                                                      "\" (it never was, or its time is over)" + why,
                                           .metadata = {{"match_id", clipped(id)}}});
    case runtime::ReplayErrorKind::kLost:
      return replay_lost(id, error.what);
    case runtime::ReplayErrorKind::kNoTicks:
      return make_status(Code::kFailedPrecondition, {.reason = "NO_TICKS",
                                                     .message = "match \"" + id + "\" has not run a tick yet",
                                                     .metadata = {{"match_id", id}}});
    case runtime::ReplayErrorKind::kBusy:
      return make_status(Code::kResourceExhausted,
                         {.reason = "TOO_MANY_REPLAYS", .message = "try again later" + why});
    case runtime::ReplayErrorKind::kHeld:
      return make_status(Code::kFailedPrecondition,
                         {.reason = "REPLAY_HELD",
                          .message = "the replay of match \"" + id + "\" is held: release it first",
                          .metadata = {{"match_id", id}}});
    case runtime::ReplayErrorKind::kHoldNotKept:
      return make_status(Code::kFailedPrecondition,
                         {.reason = "HOLD_NOT_KEPT", .message = "a hold would not last" + why});
    case runtime::ReplayErrorKind::kTooMuchHeld:
      return make_status(Code::kResourceExhausted,
                         {.reason = "TOO_MUCH_HELD", .message = "release or delete others first" + why});
    case runtime::ReplayErrorKind::kFailing:
      break;
  }
  return make_status(Code::kUnavailable,
                     {.reason = "JOURNAL_FAILING",
                      .message = "the server's disk does not do what it is asked now; try again" + why});
}

Status replay_too_large(std::size_t bytes_max) {
  const std::string limit = std::to_string(bytes_max);
  return make_status(Code::kResourceExhausted,
                     {.reason = "REPLAY_TOO_LARGE",
                      .message = "the replay has more than " + limit + " bytes, the limit",
                      .metadata = {{"bytes_max", limit}}});
}

Status too_many_verifications(const std::string& what) {
  return make_status(Code::kResourceExhausted,
                     {.reason = "TOO_MANY_VERIFICATIONS", .message = what + "; try again later"});
}

Status verification_too_long(const std::string& what) {
  return make_status(
      Code::kResourceExhausted,
      {.reason = "VERIFICATION_TOO_LONG", .message = what + "; sweepctl verify --max-seconds allows more"});
}

Status verification_too_large(const std::string& what) {
  return make_status(
      Code::kResourceExhausted,
      {.reason = "VERIFICATION_TOO_LARGE", .message = what + "; sweepctl verify --max-memory allows more"});
}

Status upload_too_slow(const std::string& what) {
  return make_status(Code::kDeadlineExceeded,
                     {.reason = "UPLOAD_TOO_SLOW", .message = "the replay comes too slowly: " + what});
}

Status verifier_failing(const std::string& what) {
  return make_status(Code::kInternal, {.reason = "VERIFIER_FAILING", .message = what});
}

Status invalid_verification(const match::FieldError& error) {
  return invalid_field("INVALID_VERIFICATION", error);
}

}  // namespace sweepd::session
