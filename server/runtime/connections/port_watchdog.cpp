// SPDX-License-Identifier: MIT
#include "runtime/connections/port_watchdog.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/assert.h"
#include "runtime/connections/socket_facts.h"
#include "runtime/telemetry/log.h"

namespace sweepd::runtime {
namespace {

using namespace std::string_view_literals;

constexpr const char* kConnectionsPart = "connections";
/// What a client of HTTP/2 says first, and empty settings.
constexpr std::string_view kHello = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"sv;
/// So a port answers it that speaks HTTP/1.1.
constexpr std::string_view kOlderHttp = "HTTP/1.1 ";
constexpr std::size_t kFrameHeaderBytes = 9;
constexpr char kSettingsFrame = 4;

/// Where a client of this machine reaches what listens there.
Acceptor::Endpoint reachable(Acceptor::Endpoint endpoint) {
  using namespace boost::asio::ip;
  if (!endpoint.address().is_unspecified()) return endpoint;
  const bool is_v4 = endpoint.address().is_v4();
  endpoint.address(is_v4 ? address(address_v4::loopback()) : address(address_v6::loopback()));
  return endpoint;
}

}  // namespace

PortWatchdog::PortWatchdog(Acceptor& acceptor, ConnectionTable& table, Health* health, Options options)
    : acceptor_(acceptor), table_(table), health_(health), options_(options) {}

PortWatchdog::~PortWatchdog() { stop(); }

void PortWatchdog::start() {
  SWEEPD_ASSERT(!thread_.joinable());
  for (const Acceptor::Endpoint& endpoint : acceptor_.endpoints()) ports_.push_back({endpoint});
  stop_event_ = eventfd(0, EFD_CLOEXEC);
  SWEEPD_ASSERT(stop_event_ >= 0);
  if (health_ != nullptr) health_->set_ok(kConnectionsPart);
  thread_ = std::thread([this] { run(); });
}

void PortWatchdog::stop() {
  if (!thread_.joinable()) return;
  eventfd_write(stop_event_, 1);
  thread_.join();
  close(stop_event_);
}

void PortWatchdog::run() {
  while (!await(stop_event_, POLLIN, options_.period)) {
    trouble_.clear();
    for (Port& port : ports_) look_at(port);
    tell();
  }
}

void PortWatchdog::look_at(Port& port) {
  const auto trouble = probe(port.endpoint);
  if (await(stop_event_, POLLIN, std::chrono::milliseconds(0))) return;  // Nothing was waited for.
  if (!trouble) {
    port.failures = 0;
    return;
  }
  failures_total_.fetch_add(1, std::memory_order_relaxed);
  log_warning("a port of the server does not answer it",
              {{"port", port.endpoint.port()}, {"reason", *trouble}});
  if (++port.failures < options_.failures_max) return;
  trouble_ = "port " + std::to_string(port.endpoint.port()) + " does not answer: " + *trouble;
  acceptor_.listen_anew(port.endpoint);
}

void PortWatchdog::tell() {
  const std::uint64_t dropped = acceptor_.refusals(ConnectionRefusal::kNoDescriptors);
  if (trouble_.empty() && dropped != seen_without_descriptor_) {
    trouble_ = std::to_string(dropped - seen_without_descriptor_) +
               " connections were closed for want of descriptors (ulimit -n)";
  }
  seen_without_descriptor_ = dropped;
  if (health_ == nullptr) return;
  if (!trouble_.empty()) return health_->set_failing(kConnectionsPart, trouble_);
  health_->set_ok(kConnectionsPart);
}

std::optional<std::string> PortWatchdog::probe(const Acceptor::Endpoint& endpoint) {
  const Acceptor::Endpoint to = reachable(endpoint);
  const int descriptor = ::socket(to.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return last_system_error();
  auto trouble = converse(descriptor, to);
  close(descriptor);
  return trouble;
}

std::optional<std::string> PortWatchdog::converse(int descriptor, const Acceptor::Endpoint& to) {
  // Its own end is known before it connects: so the acceptor knows it for one of the server's own.
  Acceptor::Endpoint local(to.address(), 0);
  if (bind(descriptor, local.data(), static_cast<socklen_t>(local.size())) != 0) return last_system_error();
  auto size = static_cast<socklen_t>(local.capacity());
  if (getsockname(descriptor, local.data(), &size) != 0) return last_system_error();
  table_.announce_own(local);
  if (connect(descriptor, to.data(), static_cast<socklen_t>(to.size())) != 0 && errno != EINPROGRESS)
    return last_system_error();
  if (!await(descriptor, POLLOUT, options_.patience)) return "no connection comes about";
  if (send(descriptor, kHello.data(), kHello.size(), MSG_NOSIGNAL) < 0) return last_system_error();
  std::array<char, kFrameHeaderBytes> header{};
  if (!await(descriptor, POLLIN, options_.patience)) return "nothing comes on a new connection";
  const ssize_t bytes = recv(descriptor, header.data(), header.size(), MSG_WAITALL);
  const bool is_whole = bytes == static_cast<ssize_t>(header.size());
  const bool is_answer =
      header[3] == kSettingsFrame || std::string_view(header.data(), header.size()) == kOlderHttp;
  if (!is_whole || !is_answer) return "the connection was closed";
  return std::nullopt;
}

// False: not in time, or the watchdog is to stop.
bool PortWatchdog::await(int descriptor, short events, std::chrono::milliseconds time) const {
  std::array<pollfd, 2> polled{{{descriptor, events, 0}, {stop_event_, POLLIN, 0}}};
  const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(time.count()));
  return ready > 0 && polled[0].revents != 0;
}

}  // namespace sweepd::runtime
