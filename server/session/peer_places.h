// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/hash_secret.h"

namespace sweepd::session {

/// How many places each client has taken: a few each, so that one cannot keep all others out. Holds those
/// that have some. Thread-safe.
class PeerPlaces {
 public:
  explicit PeerPlaces(std::size_t most) : most_(most) {}

  /// False: it has `most` already.
  bool take(const std::string& address);
  void give_back(const std::string& address);
  std::size_t most() const { return most_; }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::size_t, base::SecretHash> taken_;  ///< Guarded by mutex_.
};

}  // namespace sweepd::session
