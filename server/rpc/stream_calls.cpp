// SPDX-License-Identifier: MIT
#include "rpc/stream_calls.h"

#include <vector>

#include "rpc/stream_call.h"

namespace sweepd::rpc {

StreamCalls::Admission StreamCalls::admit(const std::shared_ptr<StreamCall>& call) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return Admission::kStopping;
  if (calls_.size() >= streams_max_) return Admission::kTooMany;
  calls_.emplace(call.get(), call);
  return Admission::kAdmitted;
}

void StreamCalls::remove(const StreamCall& call) {
  const std::lock_guard lock(mutex_);
  calls_.erase(&call);
}

void StreamCalls::stop() {
  std::vector<std::shared_ptr<StreamCall>> calls;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [address, call] : calls_) calls.push_back(call.lock());
  }
  for (const auto& call : calls) {
    if (call) call->stop();
  }
}

}  // namespace sweepd::rpc
