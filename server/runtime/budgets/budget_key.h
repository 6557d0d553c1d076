// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/ip/address.hpp>
#include <compare>
#include <functional>
#include <string>
#include <utility>

#include "base/hash_secret.h"

namespace sweepd::runtime {

/// Which budget a cost is charged to: opaque, equal texts are one budget. Today the address of a client
/// (key_of_address); another source, such as an identity, only has to make other texts.
class BudgetKey {
 public:
  /// Of the server itself, and of what has no known client.
  BudgetKey() = default;
  BudgetKey(std::string text)
      : text_(std::move(text)) {}               // NOLINT(google-explicit-constructor): any text is one.
  BudgetKey(const char* text) : text_(text) {}  // NOLINT(google-explicit-constructor)

  bool empty() const { return text_.empty(); }
  /// For the log and for files.
  const std::string& text() const { return text_; }
  friend auto operator<=>(const BudgetKey&, const BudgetKey&) = default;

 private:
  std::string text_;
};

/// An address of version 4 is one client. Of version 6 the first 64 bits are: a client has all the rest to
/// itself. "10.0.0.1", "2001:db8:1:2::/64".
BudgetKey key_of_address(const boost::asio::ip::address& address);

}  // namespace sweepd::runtime

template <>
struct std::hash<sweepd::runtime::BudgetKey> {
  std::size_t operator()(const sweepd::runtime::BudgetKey& key) const noexcept {
    return sweepd::base::SecretHash()(key.text());
  }
};
