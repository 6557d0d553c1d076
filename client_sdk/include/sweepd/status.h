// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace sweepd {

/// What went wrong, for programs.
enum class ErrorCode {
  kNone,
  kNotANumber,       ///< A NaN or an infinity where a number was due.
  kOutOfRange,       ///< A coordinate, size, speed or index beyond its range.
  kInvalidArgument,  ///< Anything else wrong with an argument; the message names the field.
  kNotJoined,        ///< The session has no seat (yet, or any more).
  kUnknownObject,    ///< 0 is no object's id.
  kIdInUse,
  kOutOfIds,   ///< The session's block of object ids is used up.
  kQueueFull,  ///< Frames wait for a slow connection; the frame was not taken. Try again, or give up.
  kNotFound,   ///< No such match, or no such slot.
  /// The seat is not kept for this session (any more), or the ticket does not allow it. Of a session that an
  /// operator has ended, the reason is "KICKED" or "BANNED": it does not come back by itself.
  kPermissionDenied,
  kAlreadyExists,      ///< The slot or the name is taken, also while its participant is away.
  kResourceExhausted,  ///< A limit of the server is reached.
  kFailedPrecondition,
  kUnavailable,  ///< The server cannot be reached, is stopping, or the stream broke.
  kDeadlineExceeded,
  kDataLoss,  ///< What the server kept is damaged, and lost.
  kInternal,
  kUnauthenticated,  ///< The server asks for a ticket (Security::token), and got none or one that is no good.
};

/// Success, or an error with a code for programs and words for people.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(ErrorCode code, std::string message, std::string reason = {}, std::string field = {})
      : code_(code), message_(std::move(message)), reason_(std::move(reason)), field_(std::move(field)) {}

  bool ok() const { return code_ == ErrorCode::kNone; }
  explicit operator bool() const { return ok(); }
  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& reason() const {
    return reason_;
  }  ///< The server's, such as "MATCH_NOT_FOUND"; may be empty.
  const std::string& field() const {
    return field_;
  }  ///< The field at fault, such as "config.layers[3]"; may be empty.

 private:
  ErrorCode code_ = ErrorCode::kNone;
  std::string message_;
  std::string reason_;
  std::string field_;
};

/// A value, or the Status that says why there is none.
template <typename Value>
class [[nodiscard]] Result {
 public:
  Result(Value value) : value_(std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }
  Value& value() { return value_.value(); }
  const Value& value() const { return value_.value(); }
  Value& operator*() { return *value_; }
  const Value& operator*() const { return *value_; }
  Value* operator->() { return &*value_; }
  const Value* operator->() const { return &*value_; }

 private:
  std::optional<Value> value_;
  Status status_;
};

}  // namespace sweepd
