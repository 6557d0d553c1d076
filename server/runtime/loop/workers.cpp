// SPDX-License-Identifier: MIT
#include "runtime/loop/workers.h"

#include <iterator>
#include <tuple>
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
    const auto is_full = [this] { return waiting_ >= waiting_max_ + idle_; };
    if (!is_stopped_ && is_full()) unwanted = take_unwanted();
    is_taken = !is_stopped_ && !is_full();
    if (is_taken) put(std::move(job));
  }
  if (is_taken) changed_.notify_one();
  for (const Job& dropped : unwanted) dropped.drop();
  return is_taken;
}

void Workers::put(Job job) {
  const auto [line, is_new] = lines_.try_emplace(job.key);
  if (is_new) line->second.served = ++turn_;
  line->second.waiting.push_back(std::move(job));
  ++waiting_;
}

Workers::Job Workers::take_next() {
  Line* next = nullptr;
  for (auto& [key, line] : lines_) {
    if (line.waiting.empty()) continue;
    const bool is_first =
        next == nullptr || std::tie(line.running, line.served) < std::tie(next->running, next->served);
    if (is_first) next = &line;
  }
  SWEEPD_ASSERT(next != nullptr);
  Job job = std::move(next->waiting.front());
  next->waiting.pop_front();
  --waiting_;
  ++next->running;
  next->served = ++turn_;
  return job;
}

void Workers::end_job(const BudgetKey& key) {
  const auto line = lines_.find(key);
  if (--line->second.running == 0 && line->second.waiting.empty()) lines_.erase(line);
}

std::deque<Workers::Job> Workers::take_all() {
  std::deque<Job> all;
  for (auto& [key, line] : lines_) {
    for (Job& job : line.waiting) all.push_back(std::move(job));
    line.waiting.clear();
  }
  waiting_ = 0;
  return all;
}

std::deque<Workers::Job> Workers::take_unwanted() {
  std::deque<Job> unwanted;
  for (auto line = lines_.begin(); line != lines_.end();) {
    std::deque<Job> wanted;
    for (Job& job : line->second.waiting) {
      auto& to = !job.is_wanted || job.is_wanted() ? wanted : unwanted;
      to.push_back(std::move(job));
    }
    line->second.waiting.swap(wanted);
    const bool is_over = line->second.waiting.empty() && line->second.running == 0;
    line = is_over ? lines_.erase(line) : std::next(line);
  }
  waiting_ -= unwanted.size();
  return unwanted;
}

void Workers::stop() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    dropped = take_all();
  }
  changed_.notify_all();
  for (const Job& job : dropped) job.drop();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::size_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

bool Workers::is_awaited_by_others(const BudgetKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto own = lines_.find(key);
  return waiting_ > (own == lines_.end() ? 0 : own->second.waiting.size());
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return is_stopped_ || waiting_ > 0; });
    --idle_;
    if (is_stopped_) return;
    Job job = take_next();
    const BudgetKey key = job.key;
    lock.unlock();
    job.run();
    job = {};  // What it holds goes before the lock is taken.
    lock.lock();
    end_job(key);
  }
}

}  // namespace sweepd::runtime
