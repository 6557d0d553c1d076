// SPDX-License-Identifier: MIT
#include "ws/upgrade.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <cctype>
#include <optional>

#include "base/assert.h"
#include "session/call_trace.h"

namespace sweepd::ws {
namespace {

namespace http = boost::beast::http;

/// What the key is hashed with (RFC 6455, 1.3).
constexpr std::string_view kAcceptSalt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Of 16 bytes in base64.
constexpr std::size_t kKeyCharacters = 24;
constexpr std::string_view kVersion = "13";

bool is_same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// The parts of a field, of all its lines, between commas.
std::vector<std::string_view> values_of(const HttpHead& head, http::field name) {
  std::vector<std::string_view> values;
  const auto range = head.equal_range(name);
  for (auto it = range.first; it != range.second; ++it) {
    std::string_view rest = view(it->value());
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (const auto value = trimmed(rest.substr(0, comma)); !value.empty()) values.push_back(value);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return values;
}

bool has_value(const HttpHead& head, http::field name, std::string_view wanted) {
  return std::ranges::any_of(values_of(head, name),
                             [&](std::string_view value) { return is_same(value, wanted); });
}

std::string_view bearer_of(const HttpHead& head) {
  constexpr std::string_view kScheme = "bearer ";
  const auto value = single_value(head, http::field::authorization);
  if (!value || value->size() <= kScheme.size() || !is_same(value->substr(0, kScheme.size()), kScheme))
    return {};
  return trimmed(value->substr(kScheme.size()));
}

std::string_view token_of(const HttpHead& head) {
  for (const std::string_view value : values_of(head, http::field::sec_websocket_protocol))
    if (value.starts_with(kTicketPrefix)) return value.substr(kTicketPrefix.size());
  return bearer_of(head);
}

bool has_body(const HttpHead& head) {
  return head.count(http::field::content_length) > 0 || head.count(http::field::transfer_encoding) > 0;
}

bool is_key(std::string_view key) {
  if (key.size() != kKeyCharacters || !key.ends_with("==")) return false;
  return std::ranges::all_of(key.substr(0, kKeyCharacters - 2), [](char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '+' || character == '/';
  });
}

std::optional<HttpRefusal> find_fault(const HttpHead& head) {
  if (head.version() != 11) return HttpRefusal{505, "this port speaks HTTP/1.1"};
  if (head.count(http::field::host) != 1) return HttpRefusal{400, "the request has to name one host"};
  if (head.method() != http::verb::get || !has_value(head, http::field::upgrade, "websocket") ||
      !has_value(head, http::field::connection, "upgrade") || has_body(head))
    return HttpRefusal{426, "this port speaks WebSocket"};
  if (single_value(head, http::field::sec_websocket_version) != kVersion)
    return HttpRefusal{426, "the version of WebSocket is 13"};
  if (!is_key(single_value(head, http::field::sec_websocket_key).value_or("")))
    return HttpRefusal{400, "Sec-WebSocket-Key has to be 16 bytes in base64, once"};
  const auto offered = values_of(head, http::field::sec_websocket_protocol);
  if (std::ranges::find(offered, kSubprotocol) == offered.end())
    return HttpRefusal{400, "the subprotocol is \"sweepd.v1\""};
  return std::nullopt;
}

/// Of what the client wrote and the salt, as it proves that its request was understood.
std::string accept_key(std::string_view key) {
  std::string text(key);
  text += kAcceptSalt;
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned size = 0;
  SWEEPD_ASSERT(EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha1(), nullptr) == 1);
  std::array<unsigned char, 64> base64{};
  const int characters = EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(size));
  return {reinterpret_cast<const char*>(base64.data()), static_cast<std::size_t>(characters)};
}

}  // namespace

bool Origins::allow(const HttpHead& head) const {
  if (head.count(http::field::origin) == 0) return true;
  const auto origin = single_value(head, http::field::origin);
  return origin && std::ranges::any_of(allowed_, [&](const std::string& allowed) {
           return allowed == "*" || is_same(allowed, *origin);
         });
}

std::variant<Upgrade, HttpRefusal> read_upgrade(const HttpHead& head, const Origins& origins) {
  if (!origins.allow(head)) return HttpRefusal{403, "pages of this origin may not come in (--ws-origin)"};
  if (auto fault = find_fault(head)) return *std::move(fault);
  const std::string_view target = view(head.target());
  if (target.find('?') != std::string_view::npos)
    return HttpRefusal{400, "the path has no parameters: a ticket goes into a header or a subprotocol"};
  return Upgrade{.path = std::string(target),
                 .key = std::string(*single_value(head, http::field::sec_websocket_key)),
                 .token = std::string(token_of(head)),
                 .request_id = std::string(view(head[session::kRequestIdKey]))};
}

std::string accept_upgrade(const Upgrade& upgrade, std::string_view request_id) {
  std::string text =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      accept_key(upgrade.key) + "\r\nSec-WebSocket-Protocol: ";
  text += kSubprotocol;
  text.append("\r\n").append(session::kRequestIdKey).append(": ").append(request_id);
  return text + "\r\n\r\n";
}

}  // namespace sweepd::ws
