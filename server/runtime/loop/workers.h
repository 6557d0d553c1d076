// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/budgets/budget_key.h"

namespace sweepd::runtime {

/// A few threads for work that would keep a loop from its ticks. Keys take turns: the next job is of the key
/// that has the fewest running and, of those, was served longest ago. Jobs of one key run in the order in
/// which they came. Thread-safe.
class Workers {
 public:
  /// Exactly one of the two is called, once, from a thread of the workers' or from the thread that stops them
  /// or adds another.
  struct Job {
    std::function<void()> run = {};
    std::function<void()> drop = {};  ///< The workers stop first, or it is no longer wanted.
    BudgetKey key = {};               ///< Whose job it is.
    /// Asked, from any thread and under a lock, where the queue is full: those that are no longer make room.
    /// Absent: it always is.
    std::function<bool()> is_wanted = {};
  };

  /// `waiting_max`: jobs that wait for a thread.
  Workers(std::size_t threads, std::size_t waiting_max);
  ~Workers();  ///< Stops them.
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False: waiting_max jobs wait already, or the workers have stopped; neither of the two will be called.
  bool add(Job job);

  /// Drops what waits, and returns when what runs has run. To stop sooner, tell the jobs to give up before.
  void stop();

  /// Jobs that wait for a thread.
  std::size_t waiting() const;
  /// Whether jobs of other keys wait.
  bool is_awaited_by_others(const BudgetKey& key) const;

 private:
  /// Of one key.
  struct Line {
    std::deque<Job> waiting = {};
    std::size_t running = 0;
    std::uint64_t served = 0;  ///< When: by the count of jobs taken.
  };

  void work();
  void put(Job job);
  Job take_next();
  void end_job(const BudgetKey& key);
  std::deque<Job> take_all();
  std::deque<Job> take_unwanted();

  const std::size_t waiting_max_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<BudgetKey, Line> lines_;  ///< Guarded by mutex_: those with jobs that wait or run.
  std::size_t waiting_ = 0;          ///< Guarded by mutex_: jobs in all lines.
  std::uint64_t turn_ = 0;           ///< Guarded by mutex_.
  std::size_t idle_ = 0;             ///< Guarded by mutex_: threads that wait for a job.
  bool is_stopped_ = false;          ///< Guarded by mutex_.
  std::vector<std::thread> threads_;
};

}  // namespace sweepd::runtime
