// SPDX-License-Identifier: MIT
#include "tools/sweepctl/verification_batch.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "tools/sweepctl/duplicates.h"

namespace sweepd::tools {
namespace {

/// What the threads of a batch share.
class Batch {
 public:
  Batch(const FileVerificationOptions& options, const NextRequest& next, const TellReport& tell)
      : options_(options), next_(next), tell_(tell) {}

  void work() {
    while (wait_for_room()) {
      std::uint64_t index = 0;
      const auto request = take(index);
      if (!request) return;
      add(index, verify_file(options_, *request));
    }
  }

 private:
  /// False: there is nothing left to begin.
  bool wait_for_room() {
    std::unique_lock lock(reports_mutex_);
    has_room_.wait(lock, [this] { return begun_ < told_ + kReportsAheadMax || is_done_; });
    return !is_done_;
  }

  /// Other threads tell reports while this one waits for a line of a manifest that is still being written.
  std::optional<VerificationRequest> take(std::uint64_t& index) {
    const std::lock_guard lock(next_mutex_);
    if (is_done_) return std::nullopt;
    auto request = next_();
    if (request) {
      index = begun_++;
    } else {
      is_done_ = true;
      has_room_.notify_all();
    }
    return request;
  }

  void add(std::uint64_t index, VerificationReport report) {
    const std::lock_guard lock(reports_mutex_);
    reports_.emplace(index, std::move(report));
    for (auto first = reports_.begin(); first != reports_.end() && first->first == told_; ++told_) {
      duplicates_.find(first->second);
      tell_(first->second);
      first = reports_.erase(first);
    }
    has_room_.notify_all();
  }

  const FileVerificationOptions& options_;
  const NextRequest& next_;
  const TellReport& tell_;
  std::mutex next_mutex_;
  std::atomic<std::uint64_t> begun_ = 0;
  std::atomic<bool> is_done_ = false;
  std::mutex reports_mutex_;
  std::condition_variable has_room_;
  std::map<std::uint64_t, VerificationReport> reports_;  ///< That wait for an earlier one.
  std::uint64_t told_ = 0;
  Duplicates duplicates_;
};

}  // namespace

void verify_batch(const FileVerificationOptions& options, std::size_t threads, const NextRequest& next,
                  const TellReport& tell) {
  Batch batch(options, next, tell);
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, threads); ++i) {
    workers.emplace_back([&batch] { batch.work(); });
  }
}

}  // namespace sweepd::tools
