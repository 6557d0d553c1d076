// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "match/rejection.h"
#include "runtime/budgets/prepaid.h"
#include "session/client_budget.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

/// Of a message that lists frames: of more none is looked at.
inline constexpr int kListedFramesMax = 64;

/// What the messages of a Play stream take of what its payers may send in a second: frames, bytes and claims.
/// Beyond it frames are refused, and their sender is told; the other streams of the loop go on as they were.
class PlayQuota {
 public:
  /// A message has come; null: one that cannot be read. Until the next one, `find_refusal` says whether its
  /// frames are refused.
  void take(Backend& backend, const Caller& caller, const v1::PlayRequest* message, std::size_t bytes,
            runtime::TimePoint now);

  struct Refusal {
    match::RejectionReason reason = match::RejectionReason::kTooManyFrames;
    std::string message = {};
  };
  const std::optional<Refusal>& find_refusal() const { return refusal_; }

  /// The log has a line a second of a stream that is refused: its caller, and what is exceeded.
  void note_refusal(const Caller& caller, const std::string& message, runtime::TimePoint now);

 private:
  runtime::Prepaid frames_{runtime::Resource::kFrames};
  runtime::Prepaid bytes_{runtime::Resource::kFrameBytes};
  runtime::Prepaid claims_{runtime::Resource::kClaims};
  std::optional<Refusal> refusal_;
  runtime::TimePoint next_line_{};
};

}  // namespace sweepd::session
