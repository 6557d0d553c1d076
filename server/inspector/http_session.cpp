// SPDX-License-Identifier: MIT
#include "inspector/http_session.h"

#include <algorithm>
#include <array>
#include <boost/asio/ssl/stream_base.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "runtime/connections/peer_name.h"
#include "runtime/tls/handshakes.h"

namespace sweepd::inspector {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kBufferBytesMax = 2 * kHeaderBytesMax;
constexpr std::chrono::seconds kHandshakePatience{5};
/// A client that takes an answer byte by byte has its place for no longer.
constexpr std::chrono::seconds kAnswerPatience{10};
/// For the client to take the last answer; what it sends meanwhile is thrown away.
constexpr std::chrono::seconds kLastPatience{1};
constexpr std::size_t kThrownAwayBytesMax = 64 * 1024;

bool runs_here(const boost::asio::ip::address& address) {
  // Where a socket takes both, IPv4 comes in the clothes of IPv6.
  const bool is_mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  if (!is_mapped) return address.is_loopback();
  return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6()).is_loopback();
}

/// "localhost:9464", "127.0.0.1", "[::1]:9464".
bool names_this_machine(std::string_view host) {
  const bool is_bracketed = host.starts_with('[');
  std::string_view name = host.substr(0, host.find(is_bracketed ? ']' : ':'));
  if (is_bracketed) name.remove_prefix(1);
  if (beast::iequals({name.data(), name.size()}, "localhost")) return true;
  error_code error;
  const auto address = boost::asio::ip::make_address(std::string(name), error);
  return !error && runs_here(address);
}

/// Headers by which a proxy on this machine shows itself, or any site's page in a browser on it.
template <typename Request>
bool is_passed_on(const Request& request) {
  for (const char* name :
       {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via", "Origin"}) {
    if (request.find(name) != request.end()) return true;
  }
  const auto host = request[http::field::host];
  return !names_this_machine({host.data(), host.size()});
}

bool is_breach_of_protocol(const error_code& error) {
  return error.category() == http::make_error_code(http::error::bad_method).category();
}

}  // namespace

class HttpSession {
 public:
  virtual ~HttpSession() = default;
  virtual bool is_waiting() const = 0;  ///< For a request.
  virtual void close() = 0;
};

namespace {

using TlsStream = beast::ssl_stream<beast::tcp_stream>;

/// `Stream`: of TCP, or of TLS over it.
template <typename Stream>
class SessionOver final : public HttpSession, public std::enable_shared_from_this<SessionOver<Stream>> {
  static constexpr bool kIsTls = std::is_same_v<Stream, TlsStream>;

  template <typename Handler>
  auto then(Handler handler) {
    return beast::bind_front_handler(handler, this->shared_from_this());
  }

 public:
  SessionOver(Stream stream, const Sources& sources, const HttpOptions& options, std::shared_ptr<void> place)
      : sources_(sources),
        patience_(options.patience),
        place_(std::move(place)),
        tls_(options.tls),
        stream_(std::move(stream)) {}

  void begin() {
    if constexpr (kIsTls) {
      is_waiting_ = true;
      link().expires_after(std::min<std::chrono::milliseconds>(patience_, kHandshakePatience));
      stream_.async_handshake(boost::asio::ssl::stream_base::server, then(&SessionOver::on_handshake));
    } else {
      read();
    }
  }

  bool is_waiting() const override { return is_waiting_; }

  void close() override {
    link().close();
    place_.reset();
  }

 private:
  auto& link() { return beast::get_lowest_layer(stream_); }
  const auto& link() const { return beast::get_lowest_layer(stream_); }

  void on_handshake(const error_code& error) {
    if (!error) read();
  }

  void read() {
    is_waiting_ = true;
    parser_.emplace();
    parser_->header_limit(kHeaderBytesMax);
    // From here to the end of the header: a client that sends a byte now and then gains no time.
    link().expires_after(patience_);
    http::async_read_header(stream_, buffer_, *parser_, then(&SessionOver::on_read));
  }

  void on_read(const error_code& error, std::size_t /*bytes*/) {
    is_waiting_ = false;
    if (!error) return answer();
    if (error == http::error::end_of_stream || !is_breach_of_protocol(error)) return;
    response_ = {};
    const bool is_too_large = error == http::error::header_limit || error == http::error::buffer_overflow;
    response_.keep_alive(false);
    write(is_too_large ? error_page(431, "at most 8 KiB of header") : error_page(400, error.message()),
          false);
  }

  void answer() {
    const auto& request = parser_->get();
    const bool is_head = request.method() == http::verb::head;
    response_ = {};
    response_.version(request.version());
    // A body is not read, so what comes after it could not be found either.
    response_.keep_alive(request.keep_alive() && parser_->is_done());
    const std::string_view target(request.target().data(), request.target().size());
    const std::string_view path = target.substr(0, target.find('?'));
    const bool can_be_put = path == kLogLevelPath;
    if (can_be_put && request.method() == http::verb::put) {
      const std::string_view query = target.substr(std::min(path.size() + 1, target.size()));
      return write(change(path, query), false);
    }
    if (request.method() != http::verb::get && !is_head) {
      response_.set(http::field::allow, can_be_put ? "GET, HEAD, PUT" : "GET, HEAD");
      return write(error_page(405, can_be_put ? "GET, HEAD and PUT only" : "GET and HEAD only"), false);
    }
    write(find_page(path, sources_), is_head);
  }

  Page change(std::string_view path, std::string_view query) {
    error_code error;
    const tcp::endpoint peer = link().socket().remote_endpoint(error);
    Page page = change_log_level(query, origin(), sources_);
    const http::status status = http::int_to_status(page.status);
    const bool is_done = status == http::status::ok;
    if (sources_.told_change && (is_done || status == http::status::forbidden))
      sources_.told_change(runtime::peer_name(peer), path, is_done ? std::string_view() : page.body);
    return page;
  }

  RequestOrigin origin() const {
    error_code error;
    const tcp::endpoint peer = link().socket().remote_endpoint(error);
    const bool is_here = !error && runs_here(peer.address());
    if (!is_here) return RequestOrigin::kElsewhere;
    return is_passed_on(parser_->get()) ? RequestOrigin::kThroughAnother : RequestOrigin::kThisMachine;
  }

  void write(Page page, bool is_head) {
    response_.result(page.status);
    response_.set(http::field::server, "sweepd");
    response_.set(http::field::content_type, page.type);
    response_.set(http::field::cache_control, "no-store");
    response_.content_length(page.body.size());  // Of HEAD as well: what GET would have.
    if (!is_head) response_.body() = std::move(page.body);
    link().expires_after(std::min<std::chrono::milliseconds>(patience_, kAnswerPatience));
    http::async_write(stream_, response_, then(&SessionOver::on_written));
  }

  void on_written(const error_code& error, std::size_t /*bytes*/) {
    if (error) return;
    if (response_.keep_alive()) return read();
    if constexpr (kIsTls) {
      link().expires_after(kLastPatience);
      stream_.async_shutdown(then(&SessionOver::on_shut_down));
    } else {
      end();
    }
  }

  void on_shut_down(const error_code& /*error*/) { end(); }

  void end() {
    // Closed at once, with something unread, a connection is reset, and the answer may be lost with it.
    error_code ignored;
    link().socket().shutdown(tcp::socket::shutdown_send, ignored);
    link().expires_after(kLastPatience);
    throw_away();
  }

  void throw_away() {
    link().async_read_some(boost::asio::buffer(thrown_away_), then(&SessionOver::on_thrown_away));
  }

  void on_thrown_away(const error_code& error, std::size_t bytes) {
    thrown_away_bytes_ += bytes;
    if (!error && thrown_away_bytes_ < kThrownAwayBytesMax) throw_away();
  }

  const Sources& sources_;
  const std::chrono::milliseconds patience_;
  std::shared_ptr<void> place_;
  bool is_waiting_ = false;                               ///< For a request.
  const std::shared_ptr<boost::asio::ssl::context> tls_;  ///< Of the stream; null: none.
  Stream stream_;
  beast::flat_buffer buffer_{kBufferBytesMax};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
  std::array<char, 4096> thrown_away_ = {};
  std::size_t thrown_away_bytes_ = 0;
};

template <typename Stream>
std::weak_ptr<HttpSession> begin_session(Stream stream, const Sources& sources, const HttpOptions& options,
                                         std::shared_ptr<void> place) {
  const auto session =
      std::make_shared<SessionOver<Stream>>(std::move(stream), sources, options, std::move(place));
  session->begin();
  return session;
}

}  // namespace

std::weak_ptr<HttpSession> serve_http(tcp::socket socket, const Sources& sources, const HttpOptions& options,
                                      std::shared_ptr<void> place) {
  if (options.tls) {
    error_code gone;
    const runtime::HandshakePeer begins(runtime::peer_name(socket.remote_endpoint(gone)));
    return begin_session(TlsStream(std::move(socket), *options.tls), sources, options, std::move(place));
  }
  return begin_session(beast::tcp_stream(std::move(socket)), sources, options, std::move(place));
}

bool close_if_waiting(HttpSession& session) {
  if (!session.is_waiting()) return false;
  session.close();
  return true;
}

void close(HttpSession& session) { session.close(); }

}  // namespace sweepd::inspector
