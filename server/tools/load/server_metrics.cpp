// SPDX-License-Identifier: MIT
#include "tools/load/server_metrics.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace sweepd::tools::load {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;

constexpr std::string_view kOwnPrefix = "sweepd_";
constexpr std::chrono::seconds kPatience(10);
constexpr std::size_t kPageBytesMax = 16 << 20;
constexpr unsigned kHttpVersion = 11;

struct Address {
  std::string host;
  std::string port;
  std::string path = "/metrics";
  bool is_tls = false;
};

std::optional<Address> parse_address(std::string_view text) {
  constexpr std::string_view kPlain = "http://";
  constexpr std::string_view kSecure = "https://";
  Address address;
  address.is_tls = text.starts_with(kSecure);
  if (address.is_tls) text.remove_prefix(kSecure.size());
  if (!address.is_tls && text.starts_with(kPlain)) text.remove_prefix(kPlain.size());
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    if (slash + 1 < text.size()) address.path = text.substr(slash);
    text = text.substr(0, slash);
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  address.host = text.substr(0, colon);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  address.port = text.substr(colon + 1);
  std::uint16_t port = 0;
  const char* end = address.port.data() + address.port.size();
  const auto parsed = std::from_chars(address.port.data(), end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port == 0) return std::nullopt;
  return address;
}

/// Whom a client trusts, and who it says it is, as the command line has it for gRPC.
Status set_up(ssl::context& context, const ServerChoice& server) {
  beast::error_code error;
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  context.set_verify_mode(ssl::verify_peer);
  if (server.ca_file.empty()) {
    context.set_default_verify_paths(error);
  } else {
    context.load_verify_file(server.ca_file, error);
  }
  if (error) return Status(ErrorCode::kInvalidArgument, "--ca " + server.ca_file + ": " + error.message());
  if (server.certificate_file.empty()) return {};
  // A key with a passphrase is an error: OpenSSL would ask the terminal.
  context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); });
  context.use_certificate_chain_file(server.certificate_file, error);
  if (!error) context.use_private_key_file(server.key_file, ssl::context::pem, error);
  if (!error) return {};
  return Status(ErrorCode::kInvalidArgument, "--cert " + server.certificate_file + " with --key " +
                                                 server.key_file + ": " + error.message());
}

/// Whether another --ca could mend it.
bool is_of_issuer(long verdict) {
  return verdict == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
         verdict == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT || verdict == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN ||
         verdict == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
         verdict == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
}

/// One request, step by step: each blocks until it is done or time is up.
class Request {
 public:
  explicit Request(const Address& address) : address_(address) {}

  /// The body of the answer.
  Result<std::string> run(const ServerChoice& server) {
    beast::tcp_stream stream(context_);
    stream.expires_after(kPatience);  // All of it.
    if (Status status = connect(stream); !status.ok()) return status;
    if (!address_.is_tls) return get(stream);
    ssl::context trust(ssl::context::tls_client);
    if (Status status = set_up(trust, server); !status.ok()) return status;
    SecureStream secure(std::move(stream), trust);
    if (Status status = shake_hands(secure); !status.ok()) return status;
    return get(secure);
  }

 private:
  using SecureStream = beast::ssl_stream<beast::tcp_stream>;

  auto done() {
    return [this](beast::error_code result, auto&&...) { error_ = result; };
  }

  Status connect(beast::tcp_stream& stream) {
    asio::ip::tcp::resolver resolver(context_);
    const auto endpoints = resolver.resolve(address_.host, address_.port, error_);
    if (error_) return failed();
    stream.async_connect(endpoints, done());
    return finish() ? Status() : failed();
  }

  /// The certificate has to have the name or the address that was asked for.
  Status shake_hands(SecureStream& stream) {
    SSL* const session = stream.native_handle();
    const char* const host = address_.host.c_str();
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) != 1) {
      SSL_set1_host(session, host);
      SSL_set_tlsext_host_name(session, host);
    }
    stream.async_handshake(ssl::stream_base::client, done());
    if (finish()) return {};
    const long verdict = SSL_get_verify_result(session);
    if (verdict == X509_V_OK) return failed();
    return Status(ErrorCode::kUnavailable,
                  std::string("the server's certificate is not trusted: ") +
                      X509_verify_cert_error_string(verdict) +
                      (is_of_issuer(verdict) ? "; --ca names the file of its issuer" : ""));
  }

  template <typename Stream>
  Result<std::string> get(Stream& stream) {
    http::request<http::empty_body> request(http::verb::get, address_.path, kHttpVersion);
    request.set(http::field::host, address_.host);
    http::async_write(stream, request, done());
    if (!finish()) return failed();
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(kPageBytesMax);
    http::async_read(stream, buffer, parser, done());
    if (!finish()) return failed();
    if (parser.get().result() == http::status::ok) return std::move(parser.get().body());
    return Status(ErrorCode::kUnavailable,
                  "the answer is HTTP status " + std::to_string(parser.get().result_int()));
  }

  bool finish() {
    context_.restart();
    context_.run();
    return !error_;
  }
  Status failed() const {
    const bool may_be_tls = !address_.is_tls && error_ == http::error::end_of_stream;
    return Status(
        ErrorCode::kUnavailable,
        error_.message() + (may_be_tls ? "; a server with a certificate is asked by https://" : ""));
  }

  const Address& address_;
  asio::io_context context_;
  beast::error_code error_;
};

std::string_view take_word(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

/// "NAME{LABELS}" before the value; a label's value may hold blanks.
std::string_view take_series(std::string_view& line) {
  const std::size_t close = line.rfind('}');
  const std::size_t end = line.find(' ', close == std::string_view::npos ? 0 : close);
  const std::string_view series = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return series;
}

class PageReader {
 public:
  void read(std::string_view line) {
    if (line.starts_with("# TYPE ")) {
      line.remove_prefix(7);
      family_ = take_word(line);
      kind_ = take_word(line);
    } else if (!line.empty() && !line.starts_with('#')) {
      add(line);
    }
  }
  MetricsPage take() { return std::move(page_); }

 private:
  void add(std::string_view line) {
    const std::string_view series = take_series(line);
    const std::string_view number = take_word(line);
    double value = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size()) return;
    const std::string_view name = series.substr(0, series.find('{'));
    if (!name.starts_with(family_)) return;
    const std::string_view part = name.substr(family_.size());
    if (kind_ == "counter" || (kind_ == "histogram" && (part == "_count" || part == "_sum"))) {
      page_.counters[std::string(series)] = value;
    } else if (kind_ == "gauge") {
      page_.gauges[std::string(series)] = value;
    }
  }

  std::string_view family_;
  std::string_view kind_;
  MetricsPage page_;
};

}  // namespace

MetricsPage parse_metrics(std::string_view text) {
  PageReader reader;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.read(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return reader.take();
}

MetricsChange change_of(const MetricsPage& before, const MetricsPage& after) {
  MetricsChange change;
  for (const auto& [series, value] : after.counters) {
    const auto found = before.counters.find(series);
    const double grown = value - (found == before.counters.end() ? 0 : found->second);
    if (series.starts_with(kOwnPrefix) && grown != 0) change.counters[series] = grown;
  }
  for (const auto& [series, value] : after.gauges) {
    const auto found = before.gauges.find(series);
    const bool was_zero = found == before.gauges.end() || found->second == 0;
    if (series.starts_with(kOwnPrefix) && !(value == 0 && was_zero)) change.gauges[series] = value;
  }
  return change;
}

Result<MetricsPage> fetch_metrics(const std::string& address, const ServerChoice& server) {
  const auto parsed = parse_address(address);
  if (!parsed) {
    return Status(
        ErrorCode::kInvalidArgument,
        "--metrics " + address + ": this is not HOST:PORT, http://HOST:PORT/PATH or https://HOST:PORT/PATH");
  }
  const Result<std::string> text = Request(*parsed).run(server);
  if (!text.ok())
    return Status(text.status().code(), "--metrics " + address + ": " + text.status().message());
  return parse_metrics(*text);
}

}  // namespace sweepd::tools::load
