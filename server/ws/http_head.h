// SPDX-License-Identifier: MIT
#pragma once

#include <boost/beast/core/string_type.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sweepd::ws {

/// Of a request, up to the empty line.
inline constexpr std::size_t kHeadBytesMax = 16 << 10;

using HttpHead = boost::beast::http::request_header<boost::beast::http::fields>;

/// Beast has a type of its own for it.
inline std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// What a connection is told that brings no request that is served here; it is closed then.
struct HttpRefusal {
  unsigned status = 400;
  std::string what;
};
std::string to_text(const HttpRefusal& refusal);

/// What a connection begins with.
struct ParsedHead {
  HttpHead head;
  std::size_t bytes = 0;  ///< Those that it takes.
};
/// Nothing: it has yet to come as a whole.
std::optional<std::variant<ParsedHead, HttpRefusal>> parse_head(std::string_view bytes);

/// The value of a field that may come once; nothing: it comes not at all, or more often.
std::optional<std::string_view> single_value(const HttpHead& head, boost::beast::http::field name);

}  // namespace sweepd::ws
