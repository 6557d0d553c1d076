// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace sweepd::internal {

/// Endpoints that a server has named and that could not be reached while the server itself could: behind a
/// firewall, say, that lets its main port through alone. Streams go by the server's own address meanwhile.
/// From the network's thread.
class UnreachableEndpoints {
 public:
  using Clock = std::chrono::steady_clock;

  /// Then it is tried again: a firewall may change, and a server may have been started just then.
  static constexpr std::chrono::minutes kMemory{5};
  /// A server that names ever new ones makes this forget, not grow.
  static constexpr std::size_t kMax = 1024;

  void add(const std::string& target, Clock::time_point now = Clock::now()) {
    if (until_.size() >= kMax) until_.clear();
    until_.insert_or_assign(target, now + kMemory);
  }

  bool contains(const std::string& target, Clock::time_point now = Clock::now()) {
    const auto it = until_.find(target);
    if (it == until_.end()) return false;
    if (now < it->second) return true;
    until_.erase(it);
    return false;
  }

 private:
  std::map<std::string, Clock::time_point> until_;
};

}  // namespace sweepd::internal
