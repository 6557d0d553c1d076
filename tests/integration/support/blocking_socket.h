// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/system/error_code.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace sweepd::test {

/// A connection to a port of this machine that waits for 30 s at most, wherever it waits. A SyncStream of
/// Asio's.
class BlockingSocket {
 public:
  using executor_type = boost::asio::io_context::executor_type;

  /// `receive_bytes_max`: that the kernel keeps of what is not read; 0: as it likes.
  explicit BlockingSocket(int port, int receive_bytes_max = 0)
      : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_bytes_max > 0)
      (void)setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_bytes_max, sizeof receive_bytes_max);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      throw std::runtime_error("nothing listens on port " + std::to_string(port));
  }
  /// Any certificate will do.
  void shake_hands() {
    tls_context_.reset(SSL_CTX_new(TLS_client_method()));
    tls_.reset(SSL_new(tls_context_.get()));
    SSL_set_fd(tls_.get(), descriptor_);
    if (SSL_connect(tls_.get()) != 1) throw std::runtime_error("the server does not speak TLS");
  }
  ~BlockingSocket() { close(); }
  BlockingSocket(const BlockingSocket&) = delete;
  BlockingSocket& operator=(const BlockingSocket&) = delete;

  /// Nothing runs on it.
  executor_type get_executor() noexcept { return context_.get_executor(); }
  /// The beginning of what has been read: a line of HTTP has its status there.
  const std::string& first_bytes() const { return first_bytes_; }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }
  /// Without a goodbye.
  void reset() {
    const linger at_once{1, 0};
    (void)setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, boost::system::error_code& error) {
    for (auto it = boost::asio::buffer_sequence_begin(buffers);
         it != boost::asio::buffer_sequence_end(buffers); ++it) {
      const boost::asio::mutable_buffer room = *it;
      if (room.size() == 0) continue;
      const ssize_t bytes = receive(room.data(), room.size());
      if (bytes > 0) note(static_cast<const char*>(room.data()), static_cast<std::size_t>(bytes));
      return finish(bytes, true, error);
    }
    error = {};
    return 0;
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, boost::system::error_code& error) {
    for (auto it = boost::asio::buffer_sequence_begin(buffers);
         it != boost::asio::buffer_sequence_end(buffers); ++it) {
      const boost::asio::const_buffer bytes = *it;
      if (bytes.size() == 0) continue;
      return finish(send(bytes.data(), bytes.size()), false, error);
    }
    error = {};
    return 0;
  }
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers) {
    return checked([&](auto& error) { return read_some(buffers, error); });
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return checked([&](auto& error) { return write_some(buffers, error); });
  }

 private:
  static constexpr int kPatienceMs = 30'000;

  void note(const char* bytes, std::size_t size) {
    constexpr std::size_t kNoted = 12;
    if (first_bytes_.size() < kNoted)
      first_bytes_.append(bytes, std::min(size, kNoted - first_bytes_.size()));
  }
  ssize_t receive(void* to, std::size_t size) {
    if (tls_) return SSL_read(tls_.get(), to, static_cast<int>(size));
    return await(POLLIN) ? ::recv(descriptor_, to, size, 0) : -1;
  }
  ssize_t send(const void* bytes, std::size_t size) {
    if (tls_) return SSL_write(tls_.get(), bytes, static_cast<int>(size));
    return await(POLLOUT) ? ::send(descriptor_, bytes, size, MSG_NOSIGNAL) : -1;
  }
  bool await(short events) const {
    pollfd polled{descriptor_, events, 0};
    errno = ETIMEDOUT;
    return ::poll(&polled, 1, kPatienceMs) > 0;
  }
  static std::size_t finish(ssize_t bytes, bool ends_at_none, boost::system::error_code& error) {
    error = {};
    if (bytes < 0) error.assign(errno, boost::system::system_category());
    if (bytes == 0 && ends_at_none) error = boost::asio::error::eof;
    return bytes < 0 ? 0 : static_cast<std::size_t>(bytes);
  }
  template <typename Operation>
  static std::size_t checked(const Operation& operation) {
    boost::system::error_code error;
    const std::size_t bytes = operation(error);
    if (error) throw boost::system::system_error(error);
    return bytes;
  }

  struct FreeTls {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* connection) const { SSL_free(connection); }
  };

  boost::asio::io_context context_;
  int descriptor_;
  std::string first_bytes_;
  std::unique_ptr<SSL_CTX, FreeTls> tls_context_;
  std::unique_ptr<SSL, FreeTls> tls_;  ///< Null: plain text.
};

// What Beast ends a connection by.
inline void teardown(boost::beast::role_type /*role*/, BlockingSocket& socket,
                     boost::system::error_code& error) {
  socket.close();
  error = {};
}
inline void beast_close_socket(BlockingSocket& socket) { socket.close(); }

}  // namespace sweepd::test
