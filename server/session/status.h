// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "match/field_check.h"

namespace sweepd::session {

/// The codes of google.rpc.Code, with its numbers.
enum class Code : std::uint8_t {
  kOk,
  kCancelled,
  kUnknown,
  kInvalidArgument,
  kDeadlineExceeded,
  kNotFound,
  kAlreadyExists,
  kPermissionDenied,
  kResourceExhausted,
  kFailedPrecondition,
  kAborted,
  kOutOfRange,
  kUnimplemented,
  kInternal,
  kUnavailable,
  kDataLoss,
  kUnauthenticated,
};

/// How a call or a stream ended, as every door can tell it. By default: OK.
class Status {
 public:
  Status() = default;
  /// `details`: a google.rpc.Status, serialized.
  Status(Code code, std::string message, std::string details)
      : code_(code), message_(std::move(message)), details_(std::move(details)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& details() const { return details_; }

 private:
  Code code_ = Code::kOk;
  std::string message_;
  std::string details_;
};

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
Status make_status(Code code, const ErrorDetails& details);

/// ErrorInfo.reason of a status that make_status has made.
std::string reason_of(const Status& status);

}  // namespace sweepd::session
