// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sweepd::runtime {

/// A few threads for work that would keep a loop from its ticks: jobs run in the order in which they came.
/// Thread-safe.
class Workers {
 public:
  /// Exactly one of the two is called, once, from a thread of the workers' or of who stops them or adds
  /// another.
  struct Job {
    std::function<void()> run = {};
    std::function<void()> drop = {};  ///< The workers stop first, or it is no longer wanted.
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

  /// Drops what waits, and returns when what runs has run: whoever cannot wait for that has to tell its jobs
  /// to give up before.
  void stop();

  /// Jobs that wait for a thread.
  std::size_t waiting() const;

 private:
  void work();
  std::deque<Job> take_unwanted();

  const std::size_t waiting_max_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;  ///< Guarded by mutex_.
  std::size_t idle_ = 0;     ///< Guarded by mutex_: threads that wait for a job.
  bool is_stopped_ = false;  ///< Guarded by mutex_.
  std::vector<std::thread> threads_;
};

}  // namespace sweepd::runtime
