// SPDX-License-Identifier: MIT
#include "runtime/connections/socket_facts.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sweepd::runtime {
namespace {

constexpr int kKeepaliveSeconds = 15;
constexpr int kKeepaliveEverySeconds = 5;
constexpr int kKeepaliveTries = 3;
constexpr int kUnacknowledgedMaxMs = 30'000;

void set_option(int descriptor, int level, int option, int value) {
  (void)setsockopt(descriptor, level, option, &value, sizeof value);
}

/// A peer that still sends is to hear at once that nothing is taken any more.
void reset_when_closed(int descriptor) {
  const linger at_once{1, 0};
  (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

std::string last_system_error() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

std::optional<std::uint64_t> socket_number(int descriptor) {
  struct stat facts = {};
  if (fstat(descriptor, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return std::nullopt;
  return facts.st_ino;
}

SocketTraffic traffic_of(int descriptor) {
  tcp_info info = {};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  return {.received = info.tcpi_bytes_received, .taken = info.tcpi_bytes_acked};
}

std::uint64_t bytes_read_of(int descriptor) {
  int unread = 0;
  if (ioctl(descriptor, SIOCINQ, &unread) != 0) return 0;
  const std::uint64_t received = traffic_of(descriptor).received;
  return received - std::min(received, static_cast<std::uint64_t>(unread));
}

void prepare_connection(int descriptor) {
  set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, kKeepaliveSeconds);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, kKeepaliveEverySeconds);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPCNT, kKeepaliveTries);
  set_option(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnacknowledgedMaxMs);
}

// The descriptor is another thread's, which may close it at any time; the copy stays what it is.
void end_connection(int descriptor, std::uint64_t number) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return;
  if (socket_number(copy) == number) {
    reset_when_closed(copy);
    // Where there is no connection to dissolve, as of other sockets than TCP's, it is shut down.
    const sockaddr none{.sa_family = AF_UNSPEC, .sa_data = {}};
    if (connect(copy, &none, sizeof none) != 0) (void)shutdown(copy, SHUT_RDWR);
  }
  close(copy);
}

void reset_connection(int descriptor) {
  reset_when_closed(descriptor);
  close(descriptor);
}

}  // namespace sweepd::runtime
