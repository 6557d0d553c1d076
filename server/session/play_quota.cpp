// SPDX-License-Identifier: MIT
#include "session/play_quota.h"

#include <algorithm>

#include "runtime/telemetry/log.h"
#include "session/backend.h"
#include "session/permission.h"

namespace sweepd::session {
namespace {

constexpr std::uint32_t kRefusalLinesPerSecondMax = 100;

std::size_t claims_of(const v1::PlayRequest& message) {
  auto claims = static_cast<std::size_t>(message.frame().claims_size());
  if (message.frames().frames_size() > kListedFramesMax) return claims;
  for (const v1::Frame& frame : message.frames().frames())
    claims += static_cast<std::size_t>(frame.claims_size());
  return claims;
}

match::RejectionReason reason_of(runtime::Resource resource) {
  switch (resource) {
    case runtime::Resource::kFrameBytes:
      return match::RejectionReason::kTooManyBytes;
    case runtime::Resource::kClaims:
      return match::RejectionReason::kTooManyClaims;
    default:
      return match::RejectionReason::kTooManyFrames;
  }
}

}  // namespace

// A message without a frame counts as one: it costs as much to read.
void PlayQuota::take(Backend& backend, const Caller& caller, const v1::PlayRequest* message,
                     std::size_t bytes, runtime::TimePoint now) {
  const int listed = message == nullptr ? 0 : message->frames().frames_size();
  const auto frames = static_cast<std::size_t>(std::max(listed, 1));
  const std::size_t claims = message == nullptr ? 0 : claims_of(*message);
  auto excess = frames_.take(backend.budgets, caller.payers, frames, now);
  if (!excess) excess = bytes_.take(backend.budgets, caller.payers, bytes, now);
  if (!excess && claims > 0) excess = claims_.take(backend.budgets, caller.payers, claims, now);
  refusal_.reset();
  if (!excess) return;
  refusal_ = Refusal{reason_of(excess->resource), text_of(*excess)};
  note_refusal(caller, refusal_->message, now);
}

void PlayQuota::note_refusal(const Caller& caller, const std::string& message, runtime::TimePoint now) {
  if (now < next_line_) return;
  next_line_ = now + std::chrono::seconds(1);
  static runtime::LogBound lines(kRefusalLinesPerSecondMax);
  lines.log(runtime::LogLevel::kInfo, "frames refused",
            {{"reason", message},
             {"caller", text_of(caller)},
             {"address", caller.payers.of(runtime::KeyKind::kAddress)->key().text()}});
}

}  // namespace sweepd::session
