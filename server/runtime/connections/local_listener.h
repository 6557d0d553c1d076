// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace sweepd::runtime {

/// Listens on a unix socket that its owner alone may open, on a thread of its own. Network libraries tell
/// where a connection comes from by its peer's address, and those of processes have none. So each connection
/// is handed over as one end of a pair, whose other end has the process's ids for its name; what comes is
/// passed on.
class LocalListener {
 public:
  /// Takes a descriptor over: not blocking, closed in children. On the listener's thread.
  using Take = std::function<void(int descriptor)>;

  /// At once, further ones are closed: operators are few.
  static constexpr std::size_t kConnectionsMax = 32;

  explicit LocalListener(Take take) : take_(std::move(take)), acceptor_(context_), pause_(context_) {}
  ~LocalListener() { stop(); }
  LocalListener(const LocalListener&) = delete;
  LocalListener& operator=(const LocalListener&) = delete;

  /// Nothing, or why it cannot. A socket in its place that nothing answers on is removed.
  std::optional<std::string> listen(const std::filesystem::path& path);
  void start();
  /// Closes all connections, and removes the socket.
  void stop();

 private:
  using Protocol = boost::asio::local::stream_protocol;
  class Relay;

  std::optional<std::string> make_room();
  void accept();
  void welcome(int descriptor);

  const Take take_;
  std::filesystem::path path_;
  std::uint64_t inode_ = 0;  ///< Of the socket that it has made; 0: none.
  std::size_t connections_ = 0;
  boost::asio::io_context context_{1};
  Protocol::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  std::thread thread_;
};

}  // namespace sweepd::runtime
