// SPDX-License-Identifier: MIT
#include "tools/load/server_metrics.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace sweepd::tools::load {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::string_view kOwnPrefix = "sweepd_";
constexpr std::chrono::seconds kPatience(10);
constexpr std::size_t kPageBytesMax = 16 << 20;
constexpr unsigned kHttpVersion = 11;

struct Address {
  std::string host;
  std::string port;
  std::string path = "/metrics";
};

std::optional<Address> parse_address(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (text.starts_with(kScheme)) text.remove_prefix(kScheme.size());
  Address address;
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

/// One request, step by step: each blocks until it is done or time is up.
class Request {
 public:
  explicit Request(const Address& address) : address_(address), stream_(context_) {
    stream_.expires_after(kPatience);  // All of it.
  }

  /// The body of the answer, whatever its status is.
  Result<std::string> run() {
    beast::error_code error;
    asio::ip::tcp::resolver resolver(context_);
    const auto endpoints = resolver.resolve(address_.host, address_.port, error);
    if (error) return failed(error);
    const auto done = [&error](beast::error_code result, auto&&...) { error = result; };
    stream_.async_connect(endpoints, done);
    if (!finish(error)) return failed(error);
    http::request<http::empty_body> request(http::verb::get, address_.path, kHttpVersion);
    request.set(http::field::host, address_.host);
    http::async_write(stream_, request, done);
    if (!finish(error)) return failed(error);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(kPageBytesMax);
    http::async_read(stream_, buffer, parser, done);
    if (!finish(error)) return failed(error);
    if (parser.get().result() == http::status::ok) return std::move(parser.get().body());
    return Status(ErrorCode::kUnavailable,
                  "the answer is HTTP status " + std::to_string(parser.get().result_int()));
  }

 private:
  bool finish(const beast::error_code& error) {
    context_.restart();
    context_.run();
    return !error;
  }
  static Status failed(const beast::error_code& error) {
    return Status(ErrorCode::kUnavailable, error.message());
  }

  const Address& address_;
  asio::io_context context_;
  beast::tcp_stream stream_;
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

Result<MetricsPage> fetch_metrics(const std::string& address) {
  const auto parsed = parse_address(address);
  if (!parsed) {
    return Status(ErrorCode::kInvalidArgument,
                  "--metrics " + address + ": this is not HOST:PORT or http://HOST:PORT/PATH");
  }
  const Result<std::string> text = Request(*parsed).run();
  if (!text.ok())
    return Status(text.status().code(), "--metrics " + address + ": " + text.status().message());
  return parse_metrics(*text);
}

}  // namespace sweepd::tools::load
