// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/sanitizers.h"
#include "runtime/budgets/budgets.h"
#include "runtime/clock.h"
#include "runtime/connections/offenders.h"
#include "runtime/connections/socket_facts.h"
#include "runtime/tls/certified_subject.h"

namespace sweepd::runtime {

/// What the calls of a connection tell of it.
struct ConnectionUse {
  std::atomic<std::uint64_t> messages = 0;       ///< That it has brought. A call counts as one, too.
  std::atomic<std::uint64_t> message_bytes = 0;  ///< Of those that may be large.
  std::atomic<std::size_t> calls = 0;            ///< Under way.
};

/// Every connection that clients have, with its share of the budgets. Its owner is the network library, which
/// does not tell that it closes one: so `sweep` asks the kernel which descriptors still stand for the socket
/// that they stood for. That costs no second descriptor and trusts no order of events. Thread-safe.
class ConnectionTable {
 public:
  using Endpoint = boost::asio::ip::tcp::endpoint;
  using Address = boost::asio::ip::address;

  /// `calls_max`: under way on one connection. The network library asks clients to keep to it; one with twice
  /// as many does not.
  explicit ConnectionTable(std::size_t calls_max) : calls_max_(calls_max) {}

  /// Who is behind a front that passes clients on.
  struct Client {
    Address address;
    std::shared_ptr<const CertifiedSubject> certified = {};  ///< Null: the front has checked no certificate.
  };

  /// Before the descriptor goes to its owner. `client`: who is behind `peer`, where that is a front.
  void add(int descriptor, const Endpoint& peer, Budgets::Share share,
           const std::optional<Client>& client = std::nullopt);

  /// Forgets what has been closed. Takes about 1 µs a connection.
  void sweep();
  /// The same, unless the last sweep was so recent that sweeps would take too much of the time.
  void sweep_if_due(TimePoint now = steady_now());

  struct Peer {
    std::optional<Client> client;        ///< Behind a peer that is a front; nothing: the peer is the client.
    std::shared_ptr<ConnectionUse> use;  ///< Null: the table has no such connection.
    /// Of the client, for budgets.
    Address address_of(const Endpoint& peer) const { return client ? client->address : peer.address(); }
  };
  Peer find(const Endpoint& peer) const;

  /// Connections of the server's own, which are refused for no budget: announced before they are made.
  void announce_own(const Endpoint& local);
  bool take_announced(const Endpoint& peer);

  /// Bytes that a connection may bring without a whole message, beside half of what it takes meanwhile: a
  /// client that only listens acknowledges what it hears. That is many times what a message may have. More
  /// are headers without end, which the network library keeps for as long as they come.
  static constexpr std::uint64_t kUnheardBytesMax = std::uint64_t{8} << 20;

  /// A thread that works for longer in one turn, and reads as much of one connection as games do not send in
  /// such a time, is kept. Sanitizers make everything slow.
  static constexpr std::chrono::milliseconds kCaptureTime{base::kHasSanitizer ? 200 : 5};
  /// No message keeps a thread for as long as this. Frames of HTTP/2 that are no messages (PING, GOAWAY) come
  /// without end, and are read as fast as large messages.
  static constexpr std::chrono::milliseconds kLongCaptureTime{base::kHasSanitizer ? 2000 : 100};

  /// Ends the connections that have brought more or have too many calls, unless it has just looked. How many
  /// those are.
  std::size_t end_unruly_if_due(TimePoint now = steady_now());
  /// Where memory is short: ends each that has brought half of what the one with most has, if that is a
  /// quarter of a mebibyte at least. How many those are.
  std::size_t end_heaviest();

  /// A thread that has entered the network library and should be back.
  struct Captive {
    std::uint32_t thread = 0;
    Duration::rep turn = 0;  ///< Tells this time from the next.
    Duration cpu_time{};     ///< That the thread has had so far.
  };
  static constexpr std::uint32_t kAcceptor = ~std::uint32_t{0};  ///< Else the loop's number.
  /// A thread is kept there for as long as a client sends more than it can handle. To be called again and
  /// again: once the thread has worked for some milliseconds since the first call of a turn, ends the
  /// connections of which most has been read meanwhile that is no message, by whichever thread: the one that
  /// polls for events reads the connections of all. How many those are.
  std::size_t end_captors(const Captive& captive);

  /// Whether so many connections of this client had to be ended so lately that it may have none for a while.
  bool is_kept_out(const BudgetKey& client) const { return offenders_.is_kept_out(client, steady_now()); }

  std::size_t size() const;

 private:
  struct Connection {
    std::uint64_t socket = 0;
    Endpoint peer;
    Budgets::Share share;
    std::shared_ptr<ConnectionUse> use;
    std::uint64_t messages_seen = 0;
    SocketTraffic at_message = {};  ///< When a message was last seen to have come.
    bool is_ended = false;          ///< Its owner has yet to close it.
  };
  /// As it was when the turn of a captive was first looked at.
  struct Turn {
    Captive captive;
    std::unordered_map<int, std::uint64_t> read;  ///< Bytes of no message, by descriptor.
  };
  Turn turn_of(const Captive& captive) const;
  BudgetKey client_of(const Connection& connection) const;
  /// That have been read, without those of messages.
  static std::uint64_t idle_bytes_of(int descriptor, const Connection& connection);
  /// Since a message was last seen to have come.
  static SocketTraffic unheard(int descriptor, Connection& connection);
  template <typename IsEnded>
  std::size_t end_where(const IsEnded& is_ended);
  std::size_t end_all_of(const std::set<BudgetKey>& clients);
  void sweep_locked();
  void forget_peer(const Endpoint& peer);

  const std::size_t calls_max_;
  mutable std::mutex mutex_;
  std::unordered_map<int, Connection> connections_;  ///< By descriptor.
  std::set<Endpoint> announced_;
  TimePoint next_sweep_{};
  TimePoint next_count_{};               ///< Of bytes without a message, and of calls.
  std::map<std::uint32_t, Turn> turns_;  ///< By thread.
  Offenders offenders_;
  mutable std::mutex peers_mutex_;  ///< Of the next: every call asks, and must not wait for a sweep.
  std::map<Endpoint, Peer> peers_;
};

}  // namespace sweepd::runtime
