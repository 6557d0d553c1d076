// SPDX-License-Identifier: MIT
#include "network.h"

#include <chrono>
#include <utility>

namespace sweepd::internal {

Network::Network() : wake_up_(this), thread_([this] { run(); }) {}

Network::~Network() {
  post([this] { stopping_ = true; });
  thread_.join();
}

void Network::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  // An alarm that is due at once is the one way to get a word into a completion queue.
  if (tasks_.size() == 1) alarm_.Set(&queue_, std::chrono::system_clock::now(), &wake_up_);
}

void Network::run_tasks() {
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    std::swap(tasks, tasks_);
  }
  for (const auto& task : tasks) task();
}

void Network::run() {
  void* tag = nullptr;
  bool ok = false;
  bool shut_down = false;
  while (queue_.Next(&tag, &ok)) {
    static_cast<Tag*>(tag)->complete(ok);
    if (stopping_ && streams_ == 0 && !shut_down) {
      shut_down = true;
      queue_.Shutdown();
    }
  }
}

}  // namespace sweepd::internal
