// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace sweepd::rpc {

class StreamCall;

/// The streams of a server: bounded in number, and all told when the server stops. Thread-safe.
class StreamCalls {
 public:
  explicit StreamCalls(std::size_t streams_max) : streams_max_(streams_max) {}

  enum class Admission { kAdmitted, kTooMany, kStopping };
  Admission admit(const std::shared_ptr<StreamCall>& call);
  void remove(const StreamCall& call);

  /// Admits no more and ends all.
  void stop();

  std::size_t streams_max() const { return streams_max_; }

 private:
  const std::size_t streams_max_;
  std::mutex mutex_;
  std::map<const StreamCall*, std::weak_ptr<StreamCall>> calls_;
  bool stopping_ = false;
};

}  // namespace sweepd::rpc
