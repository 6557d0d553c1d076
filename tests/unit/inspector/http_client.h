// SPDX-License-Identifier: MIT
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace sweepd::test {

/// A bare connection to a port of this machine: sends what it is told to, however wrong. Nothing blocks for
/// ever.
class HttpClient {
 public:
  /// `from`: the last byte of its own address, 127.0.0.x.
  explicit HttpClient(std::uint16_t port, std::uint8_t from = 1)
      : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl((INADDR_LOOPBACK & ~std::uint32_t{0xFF}) | from);
    if (from != 1) ::bind(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~HttpClient() { ::close(descriptor_); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  bool is_connected() const { return is_connected_; }

  /// False: the other side has hung up.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// No more will be sent.
  void half_close() { ::shutdown(descriptor_, SHUT_WR); }

  /// The next answer with its header; of HEAD, `has_body` is false. What there is of it if the connection
  /// ends.
  std::string response(bool has_body = true) {
    while (pending_.find("\r\n\r\n") == std::string::npos) {
      if (!receive()) return std::exchange(pending_, {});
    }
    std::size_t size = pending_.find("\r\n\r\n") + 4;
    const std::size_t field = pending_.find("Content-Length: ");
    if (has_body && field < size) size += std::strtoul(pending_.c_str() + field + 16, nullptr, 10);
    while (pending_.size() < size && receive()) {
    }
    const std::string response = pending_.substr(0, size);
    pending_.erase(0, size);
    return response;
  }

  /// Everything until the other side hangs up.
  std::string rest() {
    while (receive()) {
    }
    return std::exchange(pending_, {});
  }

  /// Whether the other side has hung up and nothing more comes.
  /// The first bytes of a response have come.
  bool is_answered() { return !pending_.empty() || receive(); }
  bool is_at_end() { return pending_.empty() && !receive(); }

 private:
  bool receive() {
    char bytes[4096];
    const ssize_t count = ::recv(descriptor_, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    pending_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int descriptor_;
  bool is_connected_ = false;
  std::string pending_;
};

inline std::string get(std::uint16_t port, const std::string& path) {
  HttpClient client(port);
  client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return client.rest();
}

}  // namespace sweepd::test
