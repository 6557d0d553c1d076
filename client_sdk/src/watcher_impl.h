// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sweepd/session.h"
#include "watch_stream.h"

namespace sweepd {

/// A watcher is its stream.
class Watcher::Impl {
 public:
  Impl(std::shared_ptr<internal::Network> network, std::shared_ptr<internal::WatchStream> stream)
      : network_(std::move(network)), stream_(std::move(stream)) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  internal::Subscription& subscription() { return stream_->subscription(); }

 private:
  std::shared_ptr<internal::Network> network_;  ///< The last to go: the stream is on it.
  std::shared_ptr<internal::WatchStream> stream_;
};

}  // namespace sweepd
