// SPDX-License-Identifier: MIT
#include "runtime/connections/connection_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/connections/socket_facts.h"

namespace sweepd::runtime {
namespace {

constexpr std::uint64_t kHeavyBytes = std::uint64_t{1} << 18;
constexpr std::uint64_t kCaptorBytes = std::uint64_t{1} << 15;
/// Calls without end are read at 3 KiB a millisecond, large messages at 50 and more.
constexpr std::uint64_t kCaptorBytesPerMsMax = std::uint64_t{12} << 10;
constexpr std::size_t kAnnouncedMax = 64;
/// When a look at all connections that began at `begin` may be taken again: looks take a twentieth of the
/// time at most.
TimePoint next_look(TimePoint begin) {
  constexpr int kPauseFactor = 20;
  constexpr std::chrono::milliseconds kPauseMin{20};
  const TimePoint end = steady_now();
  return end + std::max<Duration>((end - begin) * kPauseFactor, kPauseMin);
}

}  // namespace

void ConnectionTable::add(int descriptor, const Endpoint& peer, Budgets::Share share,
                          const std::optional<Client>& client) {
  const auto socket = socket_number(descriptor);
  const std::lock_guard lock(mutex_);
  const auto former = connections_.find(descriptor);
  if (former != connections_.end()) {  // Its number has come again, so it has been closed.
    forget_peer(former->second.peer);
    connections_.erase(former);
  }
  const auto use = std::make_shared<ConnectionUse>();
  connections_.emplace(
      descriptor,
      Connection{.socket = socket.value_or(0), .peer = peer, .share = std::move(share), .use = use});
  const std::lock_guard peers_lock(peers_mutex_);
  peers_.insert_or_assign(peer, Peer{client, use});
}

void ConnectionTable::sweep() {
  const std::lock_guard lock(mutex_);
  sweep_locked();
}

void ConnectionTable::sweep_if_due(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (now < next_sweep_) return;
  sweep_locked();
  next_sweep_ = next_look(now);
}

void ConnectionTable::sweep_locked() {
  for (auto it = connections_.begin(); it != connections_.end();) {
    if (socket_number(it->first) == it->second.socket) {
      ++it;
    } else {
      forget_peer(it->second.peer);
      it = connections_.erase(it);
    }
  }
}

void ConnectionTable::forget_peer(const Endpoint& peer) {
  const std::lock_guard lock(peers_mutex_);
  peers_.erase(peer);
}

ConnectionTable::Peer ConnectionTable::find(const Endpoint& peer) const {
  const std::lock_guard lock(peers_mutex_);
  const auto it = peers_.find(peer);
  return it == peers_.end() ? Peer() : it->second;
}

void ConnectionTable::announce_own(const Endpoint& local) {
  const std::lock_guard lock(mutex_);
  if (announced_.size() >= kAnnouncedMax) announced_.clear();  // Of attempts that never arrived.
  announced_.insert(local);
}

bool ConnectionTable::take_announced(const Endpoint& peer) {
  const std::lock_guard lock(mutex_);
  return announced_.erase(peer) > 0;
}

std::size_t ConnectionTable::end_unruly_if_due(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (now < next_count_) return 0;
  const std::size_t ended = end_where([this](int descriptor, Connection& connection) {
    const SocketTraffic bytes = unheard(descriptor, connection);
    return bytes.received > kUnheardBytesMax + bytes.taken / 2 || connection.use->calls > 2 * calls_max_;
  });
  next_count_ = next_look(now);
  return ended;
}

std::size_t ConnectionTable::end_heaviest() {
  const std::lock_guard lock(mutex_);
  std::uint64_t most = 0;
  for (auto& [descriptor, connection] : connections_)
    if (!connection.is_ended) most = std::max(most, unheard(descriptor, connection).received);
  if (most < kHeavyBytes) return 0;
  return end_where([most](int descriptor, Connection& connection) {
    return unheard(descriptor, connection).received >= most / 2;
  });
}

template <typename IsEnded>
std::size_t ConnectionTable::end_where(const IsEnded& is_ended) {
  std::size_t ended = 0;
  std::set<BudgetKey> clients;
  for (auto& [descriptor, connection] : connections_) {
    if (connection.is_ended || !is_ended(descriptor, connection)) continue;
    end_connection(descriptor, connection.socket);
    connection.is_ended = true;
    ++ended;
    const BudgetKey client = client_of(connection);
    offenders_.note(client, steady_now());
    if (is_kept_out(client)) clients.insert(client);
  }
  if (clients.empty()) return ended;
  return ended + end_all_of(clients);
}

std::size_t ConnectionTable::end_all_of(const std::set<BudgetKey>& clients) {
  std::size_t ended = 0;
  for (auto& [descriptor, connection] : connections_) {
    if (connection.is_ended || !clients.contains(client_of(connection))) continue;
    end_connection(descriptor, connection.socket);
    connection.is_ended = true;
    ++ended;
  }
  return ended;
}

BudgetKey ConnectionTable::client_of(const Connection& connection) const {
  return key_of_address(find(connection.peer).address_of(connection.peer));
}

ConnectionTable::Turn ConnectionTable::turn_of(const Captive& captive) const {
  Turn turn{.captive = captive, .read = {}};
  for (const auto& [descriptor, connection] : connections_)
    if (!connection.is_ended) turn.read[descriptor] = idle_bytes_of(descriptor, connection);
  return turn;
}

std::size_t ConnectionTable::end_captors(const Captive& captive) {
  const std::lock_guard lock(mutex_);
  Turn& turn = turns_[captive.thread];
  if (turn.captive.turn != captive.turn) {
    turn = turn_of(captive);
    return 0;
  }
  const Duration worked = captive.cpu_time - turn.captive.cpu_time;
  if (worked < kCaptureTime) return 0;
  const std::uint64_t too_much =
      kCaptorBytesPerMsMax * std::chrono::duration_cast<std::chrono::milliseconds>(worked).count();
  std::unordered_map<int, std::uint64_t> read;
  std::uint64_t most = 0;
  for (const auto& [descriptor, connection] : connections_) {
    if (connection.is_ended) continue;
    const std::uint64_t now = idle_bytes_of(descriptor, connection);
    const auto before = turn.read.find(descriptor);
    const std::uint64_t bytes = before == turn.read.end() ? now : now - std::min(now, before->second);
    if (bytes > too_much && worked < kLongCaptureTime) continue;
    read[descriptor] = bytes;
    most = std::max(most, bytes);
  }
  if (most < kCaptorBytes) return 0;
  return end_where([&](int descriptor, const Connection& /*connection*/) {
    const auto it = read.find(descriptor);
    return it != read.end() && it->second >= most / 2;
  });
}

// A message may be counted before its bytes are seen here.
std::uint64_t ConnectionTable::idle_bytes_of(int descriptor, const Connection& connection) {
  const std::uint64_t messages = connection.use->message_bytes.load(std::memory_order_relaxed);
  const std::uint64_t read = bytes_read_of(descriptor);
  return read - std::min(read, messages);
}

// Of a descriptor that has been closed since the last sweep, and stands for something else, the figures are
// of another connection: `end_connection` looks before it ends it.
SocketTraffic ConnectionTable::unheard(int descriptor, Connection& connection) {
  const SocketTraffic now = {.received = bytes_read_of(descriptor), .taken = traffic_of(descriptor).taken};
  SocketTraffic& before = connection.at_message;
  const std::uint64_t messages = connection.use->messages.load(std::memory_order_relaxed);
  if (messages != connection.messages_seen || now.received < before.received || now.taken < before.taken) {
    connection.messages_seen = messages;
    before = now;
  }
  return {.received = now.received - before.received, .taken = now.taken - before.taken};
}

std::size_t ConnectionTable::size() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

}  // namespace sweepd::runtime
