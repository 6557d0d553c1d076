// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "runtime/connections/address_range.h"
#include "runtime/connections/connection_table.h"
#include "runtime/connections/handshake_rates.h"
#include "runtime/loop/thread_clock.h"
#include "runtime/telemetry/log.h"

namespace sweepd::runtime {

/// Why a connection was closed as soon as it had come.
enum class ConnectionRefusal : std::uint8_t {
  kClientLimit,    ///< Its client has as many as one may.
  kLimit,          ///< All together have.
  kNoDescriptors,  ///< The process may open no further file.
  kOffender,       ///< Its client has had connections ended, and comes again too soon.
  kProxyHeader,    ///< A front has not said in time, or not in order, whose it is.
  kHandshakeRate,  ///< Its client has begun too many of TLS lately, or all have.
};
inline constexpr std::size_t kConnectionRefusals = 6;
std::string_view name_of(ConnectionRefusal refusal);

/// Accepts connections on a thread of its own and passes on those that the budgets allow. It goes on
/// accepting when the process runs out of descriptors: of those that may be open it keeps one in
/// reserve, so that a connection for which there is none is closed instead of left to wait.
class Acceptor {
 public:
  /// Takes a descriptor over: not blocking, closed in children. On the acceptor's thread. `is_own`: the
  /// server itself has connected, to see whether it answers.
  using Take = std::function<void(int descriptor, bool is_own)>;
  using Endpoint = ConnectionTable::Endpoint;

  /// `fronts`: who may say in the PROXY protocol, version 2, for whom they connect. The budgets and the table
  /// outlive the acceptor.
  Acceptor(Budgets& budgets, ConnectionTable& table, std::vector<AddressRange> fronts);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  /// Before `start`. On all addresses that `host` has; port 0: any free one. Returns the port, or why that
  /// cannot be.
  base::Result<std::uint16_t, std::string> listen(const std::string& host, std::uint16_t port,
                                                  const Take& take);
  /// Before `start`: connections are of TLS, and begin at these rates at most.
  void limit_handshakes(const HandshakeRates& rates) { handshakes_.emplace(rates); }
  void start();
  /// Returns when nothing is taken over any more.
  void stop();

  /// Closes the socket that listens there and opens it anew. From any thread.
  void listen_anew(const Endpoint& endpoint);

  /// Where it listens. Once all have begun to.
  std::vector<Endpoint> endpoints() const;
  std::uint64_t refusals(ConnectionRefusal refusal) const {
    return refusals_[static_cast<std::size_t>(refusal)].load(std::memory_order_relaxed);
  }
  /// Since when it hands one over, by the clock's epoch; 0: it does not. From any thread, as the next.
  Duration::rep takes_since() const { return takes_since_.load(std::memory_order_relaxed); }
  /// Of its thread.
  Duration cpu_time() const { return cpu_clock_.now(); }
  bool has_fronts() const { return !fronts_.empty(); }

 private:
  using AcceptorSocket = boost::asio::ip::tcp::acceptor;
  struct Listener {
    Listener(boost::asio::io_context& context, Endpoint where, Take taker)
        : endpoint(std::move(where)), take(std::move(taker)), socket(context), pause(context) {}
    Endpoint endpoint;
    Take take;
    AcceptorSocket socket;
    boost::asio::steady_timer pause;
  };
  struct Newcomer;

  std::string open(Listener& listener);
  void wait(Listener& listener);
  void accept(Listener& listener);
  bool accept_one(Listener& listener);
  void pause(Listener& listener);
  bool drop_one(Listener& listener);
  void welcome(Listener& listener, int descriptor, const Endpoint& peer);
  void read_header(const std::shared_ptr<Newcomer>& newcomer);
  void look_again(const std::shared_ptr<Newcomer>& newcomer);
  void make_room_for_newcomer();
  void admit(const Take& take, int descriptor, const Endpoint& peer,
             const std::optional<ConnectionTable::Client>& client);
  void refuse(int descriptor, const std::string& client, ConnectionRefusal why);
  void note_refusal(const std::string& client, ConnectionRefusal why);
  bool is_front(const ConnectionTable::Address& address) const;
  void open_reserve();

  Budgets& budgets_;
  ConnectionTable& table_;
  const std::vector<AddressRange> fronts_;
  std::optional<HandshakeRates> handshakes_;  ///< Nothing: connections are in plain text.
  std::list<Newcomer*> newcomers_;            ///< That wait for their header, the oldest first.
  boost::asio::io_context context_{1};
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::atomic<Duration::rep> takes_since_ = 0;
  ThreadClock cpu_clock_;
  int reserve_ = -1;  ///< A descriptor for the moment in which there is no other.
  std::array<std::atomic<std::uint64_t>, kConnectionRefusals> refusals_{};
  LogBound lines_;
  std::thread thread_;
};

}  // namespace sweepd::runtime
