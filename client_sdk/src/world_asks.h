// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "sweepd/v1/world_feed.pb.h"

namespace sweepd::internal {

/// What of the world a stream has asked for, and what of that the server has taken as far as is known. It
/// answers an ask by a snapshot or by a rejection, and neither says to which ask. A stream that comes back
/// joins with what has been taken: what the server refuses there would end it.
class WorldAsks {
 public:
  using Interest = std::optional<v1::WorldInterest>;

  /// What the first join asks for.
  void begin_with(const v1::WorldInterest& interest) { latest_ = taken_ = taken_before_ = interest; }

  const Interest& latest() const { return latest_; }
  /// The last one that was not refused.
  const Interest& taken() const { return taken_; }

  void ask(const v1::WorldInterest& interest) {
    if (waiting_ == 0) is_doubtful_ = false;  // The answer to this one will be clear.
    ++waiting_;
    latest_ = interest;
  }

  /// A snapshot has come.
  void note_snapshot() {
    if (waiting_ > 0 && !is_doubtful_) taken_before_ = std::exchange(taken_, latest_);
    waiting_ = 0;
  }

  void note_refusal() {
    if (waiting_ > 1) {  // Of which is not to be known.
      is_doubtful_ = true;
      --waiting_;
    } else if (waiting_ == 1) {  // All have been refused.
      latest_ = taken_;
      is_doubtful_ = false;
      waiting_ = 0;
    } else if (!is_doubtful_) {  // The snapshot that seemed to answer it had another cause.
      latest_ = taken_ = taken_before_;
    }
  }

  /// There may have been a refusal.
  void note_doubt() { is_doubtful_ = is_doubtful_ || waiting_ > 0; }

  /// The stream has come back, with `taken()`. What to ask for on it, behind that; it is then asked.
  Interest ask_again() {
    if (waiting_ == 0 && !is_doubtful_) return std::nullopt;
    is_doubtful_ = false;
    waiting_ = 1;
    return latest_;
  }

 private:
  Interest latest_;
  Interest taken_;
  Interest taken_before_;
  std::size_t waiting_ = 0;   ///< For their answers.
  bool is_doubtful_ = false;  ///< Whether `latest_` was refused is not known.
};

}  // namespace sweepd::internal
