// SPDX-License-Identifier: MIT
#include "ws/http_head.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <iterator>
#include <utility>

namespace sweepd::ws {

namespace http = boost::beast::http;

std::string to_text(const HttpRefusal& refusal) {
  const auto status = static_cast<http::status>(refusal.status);
  std::string text = "HTTP/1.1 " + std::to_string(refusal.status) + ' ';
  text += view(http::obsolete_reason(status));
  text += "\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " +
          std::to_string(refusal.what.size() + 1) + "\r\n";
  if (status == http::status::upgrade_required) text += "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  return text + "\r\n" + refusal.what + '\n';
}

std::optional<std::variant<ParsedHead, HttpRefusal>> parse_head(std::string_view bytes) {
  http::request_parser<http::empty_body> parser;
  parser.header_limit(kHeadBytesMax);
  boost::beast::error_code error;
  const std::size_t taken = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (parser.is_header_done()) return ParsedHead{parser.release().base(), taken};
  if (error == http::error::need_more || !error) {
    if (bytes.size() < kHeadBytesMax) return std::nullopt;
    error = http::error::header_limit;
  }
  if (error == http::error::header_limit) return HttpRefusal{431, "the head of the request is too large"};
  if (error == http::error::bad_version) return HttpRefusal{505, "this port speaks HTTP/1.1"};
  return HttpRefusal{400, "this is no request of HTTP/1.1"};
}

std::optional<std::string_view> single_value(const HttpHead& head, http::field name) {
  const auto range = head.equal_range(name);
  if (range.first == range.second || std::next(range.first) != range.second) return std::nullopt;
  return view(range.first->value());
}

}  // namespace sweepd::ws
