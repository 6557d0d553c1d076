// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/status.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "match/config.h"
#include "match/match.h"
#include "runtime/loop_load.h"
#include "runtime/match_id.h"
#include "runtime/step_queue.h"

namespace sweepd::rpc {

/// What went wrong, for people, for programs and for forms.
struct ErrorDetails {
  std::string reason;  ///< UPPER_SNAKE_CASE, stable.
  std::string message;
  std::vector<std::pair<std::string, std::string>> metadata = {};
  std::vector<match::FieldError> violations = {};  ///< Fields of the request, with their whole paths.
  std::chrono::seconds retry_delay{0};             ///< When it may be worth another try; 0: not said, but
                                                   ///< for RESOURCE_EXHAUSTED: a second.
};

inline constexpr std::size_t kEchoBytesMax = 64;
inline constexpr std::size_t kStatusTextBytesMax = 1024;

/// What a client wrote, as it may be said back to it: its beginning, and "…" where that is not all. Whole
/// characters of UTF-8.
std::string clipped(std::string_view text, std::size_t bytes_max = kEchoBytesMax);

/// A status with google.rpc.Status in its details. Each text in it is clipped to kStatusTextBytesMax, and
/// those for programs to kEchoBytesMax: statuses travel in trailers, and a transport that is given 8 KiB of
/// those gives the call up, or the connection.
grpc::Status make_status(grpc::StatusCode code, const ErrorDetails& details);

/// ErrorInfo.reason of a status that make_status has made.
std::string reason_of(const grpc::Status& status);

grpc::Status match_not_found(const runtime::MatchId& id);
grpc::Status server_shutting_down();
/// It was never where it was said to be.
grpc::Status match_moving(const runtime::MatchId& id);
/// A question would take more than so many tests of shapes.
grpc::Status query_too_large(std::uint32_t tests_max);
grpc::Status too_many_matches(std::size_t matches_max);
/// `loads`: of all loops, each overloaded.
grpc::Status server_overloaded(std::span<const runtime::LoadReading> loads,
                               const runtime::LoadLimits& limits);
/// The journal has written as much for the caller as it may.
grpc::Status too_many_bytes_written(std::uint64_t bytes_per_second_max);
grpc::Status slow_reader(std::size_t events_max);
grpc::Status invalid_token(const std::string& name);
grpc::Status join_undone(const std::string& name);
grpc::Status replaced();
/// `error.field` is relative to the config.
grpc::Status invalid_config(const match::FieldError& error);
grpc::Status invalid_field(std::string reason, match::FieldError error);
/// The request could not be read at all: see parse_request.h.
grpc::Status invalid_request(match::FieldError error);
grpc::Status join_refused(match::JoinError error, const match::Join& request, const runtime::MatchId& id);
grpc::Status tick_not_known(match::Tick tick, const match::TickRange& known);
grpc::Status step_failed(runtime::StepError error, const runtime::MatchId& id);

}  // namespace sweepd::rpc
