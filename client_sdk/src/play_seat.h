// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "move_encoder.h"
#include "sweepd/session.h"

namespace sweepd::internal {

/// A participant on a stream, where the stream's thread and the game's thread meet. A stream has one, or
/// several if it is shared.
/// Its state goes forward: connecting, joined (and reconnecting, and joined again), then failed or left,
/// which stay. How the stream is comes on top of that.
class PlaySeat {
 public:
  /// `saved_token`: of a former process that had this seat; empty: it is taken for the first time.
  PlaySeat(std::string name, Role role, std::string saved_token)
      : first_id_skip(saved_token.empty() ? 0 : std::hash<std::string>()(saved_token)),
        name_(std::move(name)),
        role_(role),
        token_(std::move(saved_token)) {}

  const std::string& name() const { return name_; }
  Role role() const { return role_; }
  /// Nothing before the first join. The server gives the number of one that has left to another.
  std::optional<ParticipantNumber> number() const {
    const std::int64_t number = number_.load(std::memory_order_acquire);
    return number == kNoNumber ? std::nullopt : std::optional(static_cast<ParticipantNumber>(number));
  }

  /// On a stream in the state `stream`.
  SessionState state(SessionState stream) const {
    const SessionState own = state_.load(std::memory_order_acquire);
    if (is_last(own) || stream == SessionState::kJoined) return own;
    const bool comes_back = stream == SessionState::kReconnecting;
    return comes_back && own == SessionState::kConnecting ? own : stream;
  }
  /// For taking the seat again: the last that the server gave.
  std::string token() const {
    const std::lock_guard lock(mutex_);
    return token_;
  }
  bool is_over() const { return is_last(state_.load(std::memory_order_acquire)); }
  Status error() const {
    const std::lock_guard lock(mutex_);
    return error_;
  }

  /// What it was until now. From kJoined: the server has to be told. From what comes before: the stream's
  /// thread does that, when `sit_down` says so.
  SessionState leave() {
    const std::lock_guard lock(mutex_);
    const SessionState before = state_.load(std::memory_order_acquire);
    if (!is_last(before)) put(SessionState::kLeft, {});
    return before;
  }
  /// What has ended for it alone. False: it was over before.
  bool fail(Status error) {
    const std::lock_guard lock(mutex_);
    if (is_over()) return false;
    put(SessionState::kFailed, std::move(error));
    return true;
  }

  // From the stream's thread.

  /// When all that belongs to the seat is known: the game may use it at once. False: it has been given up
  /// meanwhile.
  bool sit_down(ParticipantNumber number, const std::string& reconnect_token) {
    number_.store(number, std::memory_order_release);
    is_here = true;
    const std::lock_guard lock(mutex_);
    token_ = reconnect_token;
    if (is_over()) return false;
    put(SessionState::kJoined, {});
    return true;
  }
  /// The call is over that it was on, or has not begun.
  void stand_up() {
    moves.reset();
    is_here = false;
    const std::lock_guard lock(mutex_);
    if (state_.load(std::memory_order_acquire) == SessionState::kJoined) put(SessionState::kReconnecting, {});
  }

  /// How far into its block it begins to hand out ids: those of the objects that a former process spawned
  /// are not known, and begin at the first.
  const std::size_t first_id_skip;
  std::uint32_t key =
      0;  ///< No other on the stream ever has it. Set before the stream's thread has the seat.
  MoveEncoder moves;
  bool is_here = false;  ///< It has joined on the call that is there.

 private:
  static bool is_last(SessionState state) {
    return state == SessionState::kFailed || state == SessionState::kLeft;
  }
  /// Under the lock.
  void put(SessionState state, Status error) {
    error_ = std::move(error);
    state_.store(state, std::memory_order_release);
  }

  static constexpr std::int64_t kNoNumber = -1;

  const std::string name_;
  const Role role_;
  std::atomic<std::int64_t> number_ = kNoNumber;
  std::atomic<SessionState> state_ = SessionState::kConnecting;
  mutable std::mutex mutex_;  ///< Guards what follows, and changes of state_.
  Status error_;
  std::string token_;
};

}  // namespace sweepd::internal
