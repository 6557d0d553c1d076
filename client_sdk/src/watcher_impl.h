// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sweepd/session.h"
#include "watch_stream.h"

namespace sweepd {

/// A watcher is its stream.
class Watcher::Impl {
 public:
  explicit Impl(std::shared_ptr<internal::WatchStream> stream) : stream_(std::move(stream)) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  internal::Subscription& subscription() { return stream_->subscription(); }

 private:
  std::shared_ptr<internal::WatchStream> stream_;
};

}  // namespace sweepd
