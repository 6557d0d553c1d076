// SPDX-License-Identifier: MIT
#include "runtime/loop.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

/// Asio does not tell when its next timer is due; this is how late one may be.
constexpr std::chrono::milliseconds kTimerResolution{100};

}  // namespace

Loop::Loop(std::uint32_t index) : index_(index), guard_(context_.get_executor()) {}

Loop::~Loop() { stop(); }

void Loop::start(Poller& poller) {
  SWEEPD_ASSERT(poller_ == nullptr);
  poller_ = &poller;
  thread_ = std::thread([this] { run(); });
}

void Loop::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  poller_->wake();
  thread_.join();
}

void Loop::post(std::function<void()> work) {
  SWEEPD_ASSERT(poller_ != nullptr);
  boost::asio::post(context_, std::move(work));
  poller_->wake();
}

void Loop::run() {
  while (!stopping_) {
    poller_->poll(std::min(schedule_.next_due(), Clock::now() + kTimerResolution));
    context_.poll();
    schedule_.run_due(Clock::now());
  }
}

}  // namespace sweepd::runtime
