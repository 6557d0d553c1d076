// SPDX-License-Identifier: MIT
#include "runtime/local_peer.h"

#include <charconv>
#include <system_error>

#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

constexpr std::string_view kPeerPrefix = "sweepd.uid";
constexpr std::string_view kPeerProcess = ".pid";

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [next, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(next - text.data()));
  return failure == std::errc{};
}

}  // namespace

std::string address_of(const LocalPeer& peer) {
  std::uint64_t number = 0;
  fill_with_random_bytes(&number, sizeof number);
  return std::string(kPeerPrefix) + std::to_string(peer.user) + std::string(kPeerProcess) +
         std::to_string(peer.process) + "." + std::to_string(number);
}

std::optional<LocalPeer> local_peer_in(std::string_view address) {
  const std::size_t at = address.find(kPeerPrefix);
  if (at == std::string_view::npos) return std::nullopt;
  address.remove_prefix(at + kPeerPrefix.size());
  LocalPeer peer;
  if (!take_number(address, peer.user) || !address.starts_with(kPeerProcess)) return std::nullopt;
  address.remove_prefix(kPeerProcess.size());
  if (!take_number(address, peer.process)) return std::nullopt;
  return peer;
}

}  // namespace sweepd::runtime
