// SPDX-License-Identifier: MIT
#include "integration/support/raw_http2.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace sweepd::test {
namespace {

sockaddr_in endpoint(const std::string& host, int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  return address;
}

int connected(const std::string& from, int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const sockaddr_in own = endpoint(from, 0);
  const sockaddr_in server = endpoint("127.0.0.1", port);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&server), sizeof server) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
  return text;
}

std::string literal(std::string_view text) {
  std::string bytes(1, static_cast<char>(text.size()));
  bytes.append(text);
  return bytes;
}

/// Never indexed in the table of either side.
std::string header(std::string_view name, std::string_view value) {
  std::string bytes(1, '\0');
  bytes.append(literal(name)).append(literal(value));
  return bytes;
}

}  // namespace

struct RawHttp2::Tls {
  explicit Tls(int descriptor) : context(SSL_CTX_new(TLS_client_method())), ssl(SSL_new(context)) {
    static constexpr std::array<unsigned char, 3> kHttp2{2, 'h', '2'};
    SSL_set_alpn_protos(ssl, kHttp2.data(), kHttp2.size());
    SSL_set_fd(ssl, descriptor);
    is_connected = SSL_connect(ssl) == 1;
  }
  ~Tls() {
    SSL_free(ssl);
    SSL_CTX_free(context);
  }
  SSL_CTX* context;
  SSL* ssl;
  bool is_connected = false;
};

RawHttp2::RawHttp2(int port, const Options& options) : descriptor_(connected(options.from, port)) {
  if (descriptor_ < 0) return;
  if (!options.before_hello.empty()) send(options.before_hello);
  if (options.is_tls) tls_ = std::make_unique<Tls>(descriptor_);
  if (!options.says_hello) return;
  const std::string window = big_endian(4, 2) + big_endian(options.window_bytes, 4);
  send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, window));
}

RawHttp2::~RawHttp2() {
  tls_.reset();
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool RawHttp2::send(std::string_view bytes) {
  if (descriptor_ < 0 || (tls_ && !tls_->is_connected)) return false;
  while (!bytes.empty()) {
    const long count = tls_ ? SSL_write(tls_->ssl, bytes.data(), static_cast<int>(bytes.size()))
                            : ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

long RawHttp2::read_some(char* to, std::size_t size, bool waits) {
  if (!waits && !(tls_ && SSL_pending(tls_->ssl) > 0)) {
    pollfd polled{descriptor_, POLLIN, 0};
    if (::poll(&polled, 1, 0) == 0) return -2;
  }
  if (tls_) return SSL_read(tls_->ssl, to, static_cast<int>(size));
  return ::recv(descriptor_, to, size, 0);
}

bool RawHttp2::read_exactly(char* to, std::size_t size) {
  while (size > 0) {
    const long count = read_some(to, size, true);
    if (count <= 0) return false;
    to += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

int RawHttp2::read_frame() {
  if (descriptor_ < 0 || (tls_ && !tls_->is_connected)) return -1;
  std::array<char, 9> head{};
  if (!read_exactly(head.data(), head.size())) return -1;
  const auto byte = [&head](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(head[at]));
  };
  std::string payload((byte(0) << 16) + (byte(1) << 8) + byte(2), '\0');
  if (!read_exactly(payload.data(), payload.size())) return -1;
  return static_cast<int>(byte(3));
}

bool RawHttp2::drain() {
  std::array<char, 16384> bytes{};
  while (true) {
    const long count = descriptor_ < 0 ? 0 : read_some(bytes.data(), bytes.size(), false);
    if (count == -2) return true;
    if (count <= 0) return false;
  }
}

std::string RawHttp2::frame(int type, int flags, std::uint32_t stream, std::string_view payload) {
  std::string bytes = big_endian(payload.size(), 3);
  bytes += static_cast<char>(type);
  bytes += static_cast<char>(flags);
  bytes.append(big_endian(stream, 4)).append(payload);
  return bytes;
}

std::string RawHttp2::call_headers(std::string_view path) {
  return header(":method", "POST") + header(":scheme", "http") + header(":path", path) +
         header(":authority", "sweepd") + header("content-type", "application/grpc") +
         header("te", "trailers");
}

std::string RawHttp2::call(std::uint32_t stream, std::string_view path, std::string_view message, int flags) {
  std::string framed(1, '\0');
  framed.append(big_endian(message.size(), 4)).append(message);
  return frame(kHeaders, kEndHeaders, stream, call_headers(path)) + frame(kData, flags, stream, framed);
}

std::string RawHttp2::proxy_header(std::string_view client) {
  const sockaddr_in address = endpoint(std::string(client), 0);
  const std::string raw(reinterpret_cast<const char*>(&address.sin_addr), 4);
  std::string addresses = raw;
  addresses.append(raw).append(big_endian(40000, 2)).append(big_endian(7777, 2));
  std::string bytes("\r\n\r\n\0\r\nQUIT\n\x21\x11", 14);
  bytes.append(big_endian(addresses.size(), 2)).append(addresses);
  return bytes;
}

}  // namespace sweepd::test
