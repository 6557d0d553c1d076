// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash_secret.h"
#include "replay/testimony.h"

namespace sweepd::runtime {

/// What a budget is of. Where several are exceeded, the first of these is told.
enum class KeyKind : std::uint8_t {
  kSubject,  ///< The bearer of a ticket: a player, a stage, an observer, a moderator.
  kBackend,  ///< The same of a backend or an operator, which creates matches and asks about them.
  kTenant,   ///< All bearers of a tenant's tickets.
  kAddress,  ///< Of a client, or of the client behind a front.
};
inline constexpr std::size_t kKeyKinds = 4;
inline constexpr std::array<KeyKind, kKeyKinds> kAllKeyKinds{KeyKind::kSubject, KeyKind::kBackend,
                                                             KeyKind::kTenant, KeyKind::kAddress};
/// "subject"; in flags, metrics and refusals.
std::string_view name_of(KeyKind kind);

/// Which budget of a kind a cost is charged to: opaque, equal texts are one budget.
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

/// Between the parts of a subject's key, of which the last is its tenant; no claim of a ticket has it, and no
/// address.
inline constexpr char kKeySeparator = '\x1f';
/// Whose ticket a subject's key is of. Of an address: no one's.
replay::TicketSubject ticket_subject_of(const BudgetKey& key);
/// The tenant of a subject; empty: it has none, or the key is an address.
std::string_view tenant_in(const BudgetKey& key);

}  // namespace sweepd::runtime

template <>
struct std::hash<sweepd::runtime::BudgetKey> {
  std::size_t operator()(const sweepd::runtime::BudgetKey& key) const noexcept {
    return sweepd::base::SecretHash()(key.text());
  }
};
