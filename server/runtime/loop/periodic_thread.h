// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sweepd::runtime {

/// A thread for work that comes again and again and must not wait for anything. It runs no code of the
/// network library: that reads, on any thread that enters it, for as long as a client sends.
class PeriodicThread {
 public:
  /// `name`: of the thread, for the system's tools; 15 characters at most.
  explicit PeriodicThread(std::string name) : name_(std::move(name)) {}
  ~PeriodicThread() { stop(); }
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;

  /// Runs `work` when `period` has passed since it last ended. Before `start`.
  void every(std::chrono::milliseconds period, std::function<void()> work);
  void start();
  /// Returns when nothing runs any more.
  void stop();

 private:
  struct Work {
    Work(boost::asio::io_context& context, std::chrono::milliseconds every, std::function<void()> what)
        : timer(context), period(every), function(std::move(what)) {}
    boost::asio::steady_timer timer;
    std::chrono::milliseconds period;
    std::function<void()> function;
  };
  void wait(Work& work);

  const std::string name_;
  boost::asio::io_context context_{1};
  std::vector<std::unique_ptr<Work>> works_;
  std::thread thread_;
};

}  // namespace sweepd::runtime
