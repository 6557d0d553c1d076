// SPDX-License-Identifier: MIT
#include "runtime/budgets/budget_key.h"

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>

namespace sweepd::runtime {

using boost::asio::ip::address_v4;
using boost::asio::ip::address_v6;

std::string_view name_of(KeyKind kind) {
  constexpr std::array<std::string_view, kKeyKinds> kNames{"subject", "backend", "tenant", "address"};
  return kNames.at(static_cast<std::size_t>(kind));
}

namespace {

std::string_view take_part(std::string_view& text) {
  const std::size_t end = std::min(text.find(kKeySeparator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

replay::TicketSubject ticket_subject_of(const BudgetKey& key) {
  std::string_view text = key.text();
  if (text.find(kKeySeparator) == std::string_view::npos) return {};
  replay::TicketSubject subject;
  subject.name = take_part(text);
  subject.issuer = take_part(text);
  subject.tenant = take_part(text);
  return subject;
}

std::string_view tenant_in(const BudgetKey& key) {
  const std::string_view text = key.text();
  const std::size_t last = text.rfind(kKeySeparator);
  return last == std::string_view::npos ? std::string_view() : text.substr(last + 1);
}

BudgetKey key_of_address(const boost::asio::ip::address& address) {
  if (address.is_v4()) return BudgetKey(address.to_string());
  const address_v6 whole = address.to_v6();
  if (whole.is_v4_mapped()) {
    return BudgetKey(boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, whole).to_string());
  }
  address_v6::bytes_type bytes = whole.to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return BudgetKey(address_v6(bytes).to_string() + "/64");
}

}  // namespace sweepd::runtime
