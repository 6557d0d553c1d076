// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ws/http_head.h"

namespace sweepd::ws {

inline constexpr std::string_view kSubprotocol = "sweepd.v1";
/// A subprotocol that begins so is the ticket of a client that cannot send headers: a browser.
inline constexpr std::string_view kTicketPrefix = "sweepd.ticket.";

/// Pages of which origins may come in ("https://game.example.com"); "*": of any. Clients that are no browsers
/// have no origin.
class Origins {
 public:
  explicit Origins(std::vector<std::string> allowed = {}) : allowed_(std::move(allowed)) {}
  bool allow(const HttpHead& head) const;

 private:
  std::vector<std::string> allowed_;
};

/// A client that asks for a WebSocket, and may have one.
struct Upgrade {
  std::string path;
  std::string key;
  std::string token;       ///< Empty: none.
  std::string request_id;  ///< That the client gives; empty: none.
};
/// By RFC 6455, 4.2.1: a request that has anything else in it than that allows is refused.
std::variant<Upgrade, HttpRefusal> read_upgrade(const HttpHead& head, const Origins& origins);

/// The answer: the connection speaks WebSocket from then on.
std::string accept_upgrade(const Upgrade& upgrade, std::string_view request_id);

}  // namespace sweepd::ws
