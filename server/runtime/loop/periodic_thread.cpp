// SPDX-License-Identifier: MIT
#include "runtime/loop/periodic_thread.h"

#include <pthread.h>

#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

void PeriodicThread::every(std::chrono::milliseconds period, std::function<void()> work) {
  SWEEPD_ASSERT(!thread_.joinable());
  works_.push_back(std::make_unique<Work>(context_, period, std::move(work)));
}

void PeriodicThread::start() {
  SWEEPD_ASSERT(!thread_.joinable());
  for (const auto& work : works_) wait(*work);
  thread_ = std::thread([this] { context_.run(); });
  pthread_setname_np(thread_.native_handle(), name_.c_str());
}

void PeriodicThread::stop() {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
}

void PeriodicThread::wait(Work& work) {
  work.timer.expires_after(work.period);
  work.timer.async_wait([this, &work](const boost::system::error_code& error) {
    if (error) return;
    work.function();
    wait(work);
  });
}

}  // namespace sweepd::runtime
