// SPDX-License-Identifier: MIT
#include "ws/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/assert.h"
#include "runtime/tls/peer_certificate.h"

namespace sweepd::ws {
namespace {

/// How much may wait in the kernel that has not been sent: what is beyond waits in the match's log, which
/// has bounds of its own.
constexpr int kUnsentBytesMax = 128 << 10;

void set_option(int descriptor, int level, int option, int value) {
  (void)setsockopt(descriptor, level, option, &value, sizeof value);
}

}  // namespace

/// What OpenSSL reads and writes by: so that the kernel's times of arrival are known of TLS, too.
struct SocketBio {
  static int read(BIO* bio, char* room, int size) {
    const auto done = of(bio).receive_bytes(
        {reinterpret_cast<std::uint8_t*>(room), static_cast<std::size_t>(std::max(size, 0))});
    return tell(bio, done, BIO_FLAGS_READ);
  }
  static int write(BIO* bio, const char* bytes, int size) {
    const auto done = of(bio).send_bytes({bytes, static_cast<std::size_t>(std::max(size, 0))});
    return tell(bio, done, BIO_FLAGS_WRITE);
  }
  static long control(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }
  static int create(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
  }

  static BIO* make(Socket& socket) {
    static const BIO_METHOD* const kMethod = [] {
      BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
      SWEEPD_ASSERT(method != nullptr);
      BIO_meth_set_read(method, read);
      BIO_meth_set_write(method, write);
      BIO_meth_set_ctrl(method, control);
      BIO_meth_set_create(method, create);
      return method;
    }();
    BIO* const bio = BIO_new(kMethod);
    SWEEPD_ASSERT(bio != nullptr);
    BIO_set_data(bio, &socket);
    return bio;
  }

 private:
  static Socket& of(BIO* bio) { return *static_cast<Socket*>(BIO_get_data(bio)); }
  static int tell(BIO* bio, const Socket::Transfer& done, int flag) {
    BIO_clear_retry_flags(bio);
    if (done.bytes > 0) return static_cast<int>(done.bytes);
    if (done.state == Socket::State::kClosed) return flag == BIO_FLAGS_READ ? 0 : -1;
    BIO_set_flags(bio, flag | BIO_FLAGS_SHOULD_RETRY);
    return -1;
  }
};

void Socket::FreeTls::operator()(ssl_st* connection) const { SSL_free(connection); }

Socket::Socket(int descriptor, ssl_ctx_st* tls) : descriptor_(descriptor) {
  set_option(descriptor_, SOL_SOCKET, SO_TIMESTAMPNS, 1);
  set_option(descriptor_, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kUnsentBytesMax);
  if (tls == nullptr) return;
  tls_.reset(SSL_new(tls));
  SWEEPD_ASSERT(tls_ != nullptr);
  BIO* const bio = SocketBio::make(*this);
  SSL_set_bio(tls_.get(), bio, bio);
  SSL_set_accept_state(tls_.get());
  SSL_set_read_ahead(tls_.get(), 1);
  SSL_set_mode(tls_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS);
}

Socket::~Socket() { ::close(descriptor_); }

Socket::State Socket::shake_hands() {
  if (tls_ == nullptr) return State::kReady;
  ERR_clear_error();
  const int result = SSL_do_handshake(tls_.get());
  return result == 1 ? State::kReady : state_after(result);
}

std::shared_ptr<const runtime::CertifiedSubject> Socket::certified() const {
  return tls_ == nullptr ? nullptr : runtime::peer_subject(*tls_);
}

Socket::State Socket::state_after(int result) const {
  switch (SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return State::kWantsRead;
    case SSL_ERROR_WANT_WRITE:
      return State::kWantsWrite;
    default:
      return State::kClosed;
  }
}

Socket::Transfer Socket::receive(std::span<std::uint8_t> room) {
  if (tls_ == nullptr) return receive_bytes(room);
  ERR_clear_error();
  std::size_t bytes = 0;
  const int result = SSL_read_ex(tls_.get(), room.data(), room.size(), &bytes);
  if (result == 1) return {bytes, State::kReady};
  return {0, state_after(result)};
}

Socket::Transfer Socket::send(std::string_view bytes) {
  if (tls_ == nullptr) return send_bytes(bytes);
  ERR_clear_error();
  std::size_t sent = 0;
  const int result = SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &sent);
  if (result == 1) return {sent, State::kReady};
  return {0, state_after(result)};
}

Socket::Transfer Socket::receive_bytes(std::span<std::uint8_t> room) {
  iovec place{room.data(), room.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(timespec))> facts{};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = facts.data();
  message.msg_controllen = facts.size();
  const ssize_t bytes = ::recvmsg(descriptor_, &message, MSG_DONTWAIT);
  if (bytes == 0) return {0, State::kClosed};
  if (bytes < 0) {
    const bool may_come = errno == EAGAIN || errno == EINTR;
    return {0, may_come ? State::kWantsRead : State::kClosed};
  }
  arrival_ = {};
  for (cmsghdr* fact = CMSG_FIRSTHDR(&message); fact != nullptr; fact = CMSG_NXTHDR(&message, fact)) {
    if (fact->cmsg_level == SOL_SOCKET && fact->cmsg_type == SCM_TIMESTAMPNS)
      std::memcpy(&arrival_, CMSG_DATA(fact), sizeof arrival_);
  }
  return {static_cast<std::size_t>(bytes), State::kReady};
}

Socket::Transfer Socket::send_bytes(std::string_view bytes) {
  const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent > 0) return {static_cast<std::size_t>(sent), State::kReady};
  const bool may_go = sent == 0 || errno == EAGAIN || errno == EINTR;
  return {0, may_go ? State::kWantsWrite : State::kClosed};
}

void Socket::end_sending() {
  if (tls_ != nullptr) {
    ERR_clear_error();
    (void)SSL_shutdown(tls_.get());
  }
  (void)::shutdown(descriptor_, SHUT_WR);
}

void Socket::reset_when_closed() {
  const linger at_once{1, 0};
  (void)setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

// Both times are the machine's wall time, which may have been set between the two.
runtime::Duration Socket::waited() const {
  if (arrival_.tv_sec == 0) return {};
  timespec now{};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  const auto age = std::chrono::seconds(now.tv_sec - arrival_.tv_sec) +
                   std::chrono::nanoseconds(now.tv_nsec - arrival_.tv_nsec);
  return std::max<runtime::Duration>(age, runtime::Duration::zero());
}

}  // namespace sweepd::ws
