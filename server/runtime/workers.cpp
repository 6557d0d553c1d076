// SPDX-License-Identifier: MIT
#include "runtime/workers.h"

#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

Workers::Workers(std::size_t threads, std::size_t waiting_max) : waiting_max_(waiting_max) {
  SWEEPD_ASSERT(threads > 0);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() { stop(); }

bool Workers::add(Job job) {
  std::deque<Job> unwanted;
  bool is_taken = false;
  {
    const std::lock_guard lock(mutex_);
    // A job that an idle thread is about to take does not wait.
    const auto is_full = [this] { return waiting_.size() >= waiting_max_ + idle_; };
    if (!is_stopped_ && is_full()) unwanted = take_unwanted();
    is_taken = !is_stopped_ && !is_full();
    if (is_taken) waiting_.push_back(std::move(job));
  }
  if (is_taken) changed_.notify_one();
  for (const Job& dropped : unwanted) dropped.drop();
  return is_taken;
}

std::deque<Workers::Job> Workers::take_unwanted() {
  std::deque<Job> wanted;
  std::deque<Job> unwanted;
  for (Job& job : waiting_) {
    auto& to = !job.is_wanted || job.is_wanted() ? wanted : unwanted;
    to.push_back(std::move(job));
  }
  waiting_.swap(wanted);
  return unwanted;
}

void Workers::stop() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    dropped.swap(waiting_);
  }
  changed_.notify_all();
  for (const Job& job : dropped) job.drop();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::size_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return is_stopped_ || !waiting_.empty(); });
    --idle_;
    if (is_stopped_) return;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job.run();
    job = {};  // What it holds goes before the lock is taken.
    lock.lock();
  }
}

}  // namespace sweepd::runtime
