// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sweepd::session {

/// What nothing needs any more and is yet to be freed. From any thread.
class GivenBack {
 public:
  void put(std::shared_ptr<void> what) {
    const std::lock_guard lock(mutex_);
    what_.push_back(std::move(what));
  }
  /// Frees it all, on the caller's thread.
  void empty() {
    std::vector<std::shared_ptr<void>> freed;
    const std::lock_guard lock(mutex_);
    freed.swap(what_);
  }  // The lock goes before what is freed.

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<void>> what_;
};

}  // namespace sweepd::session
