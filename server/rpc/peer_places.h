// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sweepd::rpc {

/// gRPC's name of a peer without its port: "ipv4:10.0.0.1" of "ipv4:10.0.0.1:40000".
std::string address_of_peer(std::string_view peer);

/// How many places each address has taken: a few each, so that one cannot keep all others out. Holds those
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
  std::unordered_map<std::string, std::size_t> taken_;  ///< Guarded by mutex_.
};

}  // namespace sweepd::rpc
