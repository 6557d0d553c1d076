// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>

#include "inspector/pages.h"

namespace sweepd::inspector {

inline constexpr std::size_t kHeaderBytesMax = 8 * 1024;

class HttpSession;

struct HttpOptions {
  /// For a request, and for the next one. For taking an answer 10 s, or the patience where that is less.
  std::chrono::milliseconds patience{0};
  /// Null: plain text. The handshake has 5 s, or the patience where that is less.
  std::shared_ptr<boost::asio::ssl::context> tls = {};
};

/// Serves one connection until the client closes it, breaks the rules, or runs out of patience: however it
/// spreads its bytes. One request is answered at a time; what a client sends ahead waits, and beyond 16 KiB
/// stays with the client. `sources` outlives the connection. `place` is given back when it is over. Returns
/// the connection, for as long as it is there.
std::weak_ptr<HttpSession> serve_http(boost::asio::ip::tcp::socket socket, const Sources& sources,
                                      const HttpOptions& options, std::shared_ptr<void> place);

/// Closes the connection if it waits for a request, or for the rest of one, and gives its place back. False:
/// an answer is on its way. On the thread that serves it.
bool close_if_waiting(HttpSession& session);

/// Closes it, also in the middle of an answer, and gives its place back.
void close(HttpSession& session);

}  // namespace sweepd::inspector
