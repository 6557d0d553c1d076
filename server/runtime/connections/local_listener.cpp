// SPDX-License-Identifier: MIT
#include "runtime/connections/local_listener.h"

#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "runtime/local_peer.h"

namespace sweepd::runtime {
namespace {

constexpr std::chrono::milliseconds kLocalAcceptPause{20};
constexpr mode_t kOwnerOnly = 0600;

std::string system_error() { return std::strerror(errno); }

/// Abstract, so that no file is made; nothing listens under it, so nothing can be reached by it.
bool give_name(int descriptor, const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  SWEEPD_ASSERT(name.size() + 1 < sizeof address.sun_path);
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0;
}

/// 0: no file.
std::uint64_t socket_at(const std::filesystem::path& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

}  // namespace

/// Passes on what either end of a connection says until one of them is closed.
class LocalListener::Relay : public std::enable_shared_from_this<Relay> {
 public:
  Relay(LocalListener& listener, int outer, int inner)
      : listener_(listener),
        outer_(listener.context_, Protocol(), outer),
        inner_(listener.context_, Protocol(), inner) {
    ++listener_.connections_;
  }
  ~Relay() { --listener_.connections_; }

  void start() {
    pass_on(outer_, inner_, in_);
    pass_on(inner_, outer_, out_);
  }

 private:
  using Socket = Protocol::socket;
  using Buffer = std::array<char, std::size_t{16} << 10>;

  void pass_on(Socket& from, Socket& to, Buffer& buffer) {
    from.async_read_some(
        boost::asio::buffer(buffer), [this, self = shared_from_this(), &from, &to, &buffer](
                                         const boost::system::error_code& error, std::size_t size) {
          if (error) return close();
          boost::asio::async_write(to, boost::asio::buffer(buffer, size),
                                   [this, self, &from, &to, &buffer](const boost::system::error_code& failure,
                                                                     std::size_t /*size*/) {
                                     if (failure) return close();
                                     pass_on(from, to, buffer);
                                   });
        });
  }
  void close() {
    boost::system::error_code ignored;
    outer_.close(ignored);
    inner_.close(ignored);
  }

  LocalListener& listener_;
  Socket outer_;
  Socket inner_;
  Buffer in_;
  Buffer out_;
};

/// Of a server that has died its socket remains.
std::optional<std::string> LocalListener::make_room() {
  struct stat status = {};
  if (::lstat(path_.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISSOCK(status.st_mode)) return "is no socket";
  Protocol::socket probe(context_);
  boost::system::error_code error;
  probe.connect(Protocol::endpoint(path_.string()), error);
  if (!error) return "another process listens there";
  if (error != boost::asio::error::connection_refused) return error.message();
  if (::unlink(path_.c_str()) != 0) return system_error();
  return std::nullopt;
}

std::optional<std::string> LocalListener::listen(const std::filesystem::path& path) {
  SWEEPD_ASSERT(!thread_.joinable());
  path_ = path;
  const auto failed = [this](const std::string& why) { return path_.string() + ": " + why; };
  if (path_.string().size() >= sizeof(sockaddr_un{}.sun_path)) return failed("the path is too long");
  if (const auto fault = make_room()) return failed(*fault);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return failed(system_error());
  boost::system::error_code error;
  acceptor_.assign(Protocol(), descriptor, error);
  if (!error) acceptor_.bind(Protocol::endpoint(path_.string()), error);
  if (error) return failed(error.message());
  inode_ = socket_at(path_);
  // Before it listens, or others could open it meanwhile.
  if (::chmod(path_.c_str(), kOwnerOnly) != 0) return failed(system_error());
  acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) return failed(error.message());
  return std::nullopt;
}

void LocalListener::start() {
  SWEEPD_ASSERT(!thread_.joinable());
  accept();
  thread_ = std::thread([this] { context_.run(); });
  pthread_setname_np(thread_.native_handle(), "admin socket");
}

void LocalListener::stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  // Not that of a server which has taken the place meanwhile.
  const std::uint64_t inode = std::exchange(inode_, 0);
  if (inode != 0 && socket_at(path_) == inode) ::unlink(path_.c_str());
}

void LocalListener::accept() {
  acceptor_.async_wait(Protocol::acceptor::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    const int descriptor =
        ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) {
      welcome(descriptor);
      return accept();
    }
    pause_.expires_after(kLocalAcceptPause);  // Where there is no descriptor, say.
    pause_.async_wait([this](const boost::system::error_code& end) {
      if (!end) accept();
    });
  });
}

void LocalListener::welcome(int descriptor) {
  ucred credentials = {};
  socklen_t size = sizeof credentials;
  std::array<int, 2> pair{-1, -1};
  const bool is_known = ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
  if (!is_known || connections_ >= kConnectionsMax ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    ::close(descriptor);
    return;
  }
  const auto relay = std::make_shared<Relay>(*this, descriptor, pair[0]);
  if (!give_name(pair[0], address_of({.user = credentials.uid, .process = credentials.pid}))) {
    ::close(pair[1]);
    return;
  }
  relay->start();
  take_(pair[1]);
}

}  // namespace sweepd::runtime
