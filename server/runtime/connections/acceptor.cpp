// SPDX-License-Identifier: MIT
#include "runtime/connections/acceptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "base/assert.h"
#include "runtime/connections/peer_name.h"
#include "runtime/connections/proxy_header.h"
#include "runtime/connections/socket_facts.h"
#include "runtime/tls/handshakes.h"

namespace sweepd::runtime {
namespace {

using boost::asio::ip::tcp;

constexpr std::array<std::string_view, kConnectionRefusals> kRefusalNames{
    "client_limit", "limit", "no_descriptors", "offender", "proxy_header", "handshake_rate"};
constexpr std::uint32_t kRefusalLinesPerSecondMax = 10;
/// In a row, before other listeners have their turn.
constexpr int kAcceptsMax = 64;
/// After a failure that another try at once would only meet again.
constexpr std::chrono::milliseconds kAcceptPause{20};
constexpr std::chrono::seconds kHeaderPatience{3};
constexpr std::chrono::milliseconds kHeaderRetry{5};
/// A front sends its header with the first packet: more that wait are not a front's, and a further one takes
/// the place of one that has waited long.
constexpr std::size_t kNewcomersMax = 64;

/// An address of version 4 as such, also where a socket of version 6 has accepted it: so gRPC names it, too.
tcp::endpoint unmapped(const tcp::endpoint& peer) {
  if (!peer.address().is_v6() || !peer.address().to_v6().is_v4_mapped()) return peer;
  using namespace boost::asio::ip;
  return {make_address_v4(v4_mapped, peer.address().to_v6()), peer.port()};
}

/// Nothing: the connection is the front's own.
std::optional<ConnectionTable::Client> client_in(const ProxyHeader& header) {
  if (!header.client) return std::nullopt;
  ConnectionTable::Client client{.address = *header.client, .certified = {}};
  if (!header.common_name.empty()) {
    client.certified =
        std::make_shared<const CertifiedSubject>(CertifiedSubject{.common_name = header.common_name});
  }
  return client;
}

}  // namespace

std::string_view name_of(ConnectionRefusal refusal) {
  return kRefusalNames.at(static_cast<std::size_t>(refusal));
}

/// A connection of a front that has yet to say for whom it is.
struct Acceptor::Newcomer : std::enable_shared_from_this<Newcomer> {
  Newcomer(Acceptor& to, const Take& taker, int number, const Endpoint& from)
      : acceptor(to),
        take(taker),
        descriptor(number),
        peer(from),
        deadline(steady_now() + kHeaderPatience),
        retry(to.context_),
        place(acceptor.newcomers_.insert(acceptor.newcomers_.end(), this)) {}
  ~Newcomer() {
    if (descriptor >= 0) close(release());
  }
  int release() {
    acceptor.newcomers_.erase(place);
    return std::exchange(descriptor, -1);
  }

  Acceptor& acceptor;
  const Take& take;
  int descriptor;
  const Endpoint peer;
  TimePoint deadline;
  boost::asio::steady_timer retry;
  const std::list<Newcomer*>::iterator place;  ///< While it has the descriptor.
};

Acceptor::Acceptor(Budgets& budgets, ConnectionTable& table, std::vector<AddressRange> fronts)
    : budgets_(budgets), table_(table), fronts_(std::move(fronts)), lines_(kRefusalLinesPerSecondMax) {
  open_reserve();
}

Acceptor::~Acceptor() {
  stop();
  if (reserve_ >= 0) close(reserve_);
}

void Acceptor::open_reserve() { reserve_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

base::Result<std::uint16_t, std::string> Acceptor::listen(const std::string& host, std::uint16_t port,
                                                          const Take& take) {
  SWEEPD_ASSERT(!thread_.joinable());
  boost::system::error_code error;
  tcp::resolver resolver(context_);
  const auto found = resolver.resolve(host, std::to_string(port), tcp::resolver::passive, error);
  if (error) return error.message();
  for (const auto& entry : found) {
    Endpoint endpoint = entry.endpoint();
    endpoint.port(port);
    auto listener = std::make_unique<Listener>(context_, endpoint, take);
    if (const std::string failure = open(*listener); !failure.empty()) return failure;
    port = listener->endpoint.port();  // Further addresses share the port that was free.
    listeners_.push_back(std::move(listener));
  }
  return port;
}

/// Empty: it listens. The socket is closed in children: a verifier must not keep the port.
std::string Acceptor::open(Listener& listener) {
  const int descriptor =
      ::socket(listener.endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return last_system_error();
  boost::system::error_code error;
  listener.socket.assign(listener.endpoint.protocol(), descriptor, error);
  // Connections of a server that is gone must not keep the next one from starting.
  if (!error) listener.socket.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && listener.endpoint.protocol() == tcp::v6()) {
    // Every address: of version 4, too.
    const bool is_any = listener.endpoint.address().is_unspecified();
    listener.socket.set_option(boost::asio::ip::v6_only(!is_any), error);
  }
  if (!error) listener.socket.bind(listener.endpoint, error);
  if (!error) listener.socket.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) return error.message();
  listener.endpoint = listener.socket.local_endpoint();
  return {};
}

void Acceptor::start() {
  SWEEPD_ASSERT(!thread_.joinable());
  for (const auto& listener : listeners_) wait(*listener);
  const auto work = boost::asio::make_work_guard(context_);
  thread_ = std::thread([this, work] {
    cpu_clock_.start();
    context_.run();
    cpu_clock_.stop();
  });
}

void Acceptor::stop() {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
  for (const auto& listener : listeners_) {
    boost::system::error_code ignored;
    listener->socket.close(ignored);
  }
}

std::vector<Acceptor::Endpoint> Acceptor::endpoints() const {
  std::vector<Endpoint> all;
  for (const auto& listener : listeners_) all.push_back(listener->endpoint);
  return all;
}

void Acceptor::listen_anew(const Endpoint& endpoint) {
  boost::asio::post(context_, [this, endpoint] {
    const auto it =
        std::ranges::find_if(listeners_, [&](const auto& one) { return one->endpoint == endpoint; });
    if (it == listeners_.end()) return;
    Listener& listener = **it;
    boost::system::error_code ignored;
    listener.socket.close(ignored);
    const std::string failure = open(listener);
    if (!failure.empty()) log_error("cannot listen anew", {{"port", endpoint.port()}, {"reason", failure}});
    if (!failure.empty()) return pause(listener);
    wait(listener);
  });
}

void Acceptor::wait(Listener& listener) {
  listener.socket.async_wait(AcceptorSocket::wait_read,
                             [this, &listener](const boost::system::error_code& error) {
                               if (error == boost::asio::error::operation_aborted) return;
                               accept(listener);
                             });
}

void Acceptor::accept(Listener& listener) {
  for (int count = 0; count < kAcceptsMax; ++count) {
    if (!accept_one(listener)) return;
  }
  wait(listener);
}

// Whether another may be there at once; else it is waited for.
bool Acceptor::accept_one(Listener& listener) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  const int descriptor = ::accept4(listener.socket.native_handle(), reinterpret_cast<sockaddr*>(&storage),
                                   &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor >= 0) {
    Endpoint peer;
    peer.resize(std::min<std::size_t>(size, peer.capacity()));
    std::memcpy(peer.data(), &storage, peer.size());
    welcome(listener, descriptor, unmapped(peer));
    return true;
  }
  switch (errno) {
    case EAGAIN:
      wait(listener);
      return false;
    case EMFILE:
    case ENFILE:
      return drop_one(listener);
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
      return true;  // What became of one connection says nothing about the next.
    default:
      lines_.log(LogLevel::kWarning, "cannot accept connections", {{"reason", last_system_error()}});
      pause(listener);
      return false;
  }
}

void Acceptor::pause(Listener& listener) {
  listener.pause.expires_after(kAcceptPause);
  listener.pause.async_wait([this, &listener](const boost::system::error_code& error) {
    if (error) return;
    if (!listener.socket.is_open() && !open(listener).empty()) return pause(listener);
    wait(listener);
  });
}

// Another thread may take the descriptor before the reserve is back: then there is none for a while.
bool Acceptor::drop_one(Listener& listener) {
  if (reserve_ < 0) open_reserve();
  if (reserve_ < 0) {
    pause(listener);
    return false;
  }
  close(std::exchange(reserve_, -1));
  const int descriptor =
      ::accept4(listener.socket.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor >= 0) {
    reset_connection(descriptor);
    note_refusal("", ConnectionRefusal::kNoDescriptors);
  }
  open_reserve();
  return true;
}

bool Acceptor::is_front(const ConnectionTable::Address& address) const {
  return std::ranges::any_of(fronts_, [&](const AddressRange& front) { return front.contains(address); });
}

void Acceptor::welcome(Listener& listener, int descriptor, const Endpoint& peer) {
  if (table_.take_announced(peer)) {
    table_.add(descriptor, peer, {});
    return listener.take(descriptor, true);
  }
  if (!is_front(peer.address())) return admit(listener.take, descriptor, peer, std::nullopt);
  if (newcomers_.size() >= kNewcomersMax) make_room_for_newcomer();
  read_header(std::make_shared<Newcomer>(*this, listener.take, descriptor, peer));
}

// Only looks at first: what follows the header is not the acceptor's to take. A front sends it with the first
// packet, so that looking again is rare.
void Acceptor::read_header(const std::shared_ptr<Newcomer>& newcomer) {
  std::array<char, ProxyHeader::kBytesMax> bytes{};
  const ssize_t size = ::recv(newcomer->descriptor, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
  const bool has_ended = size == 0 || (size < 0 && errno != EAGAIN);
  const ProxyHeader header =
      parse_proxy_header({bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))});
  const bool is_late = header.state == ProxyHeader::State::kIncomplete && steady_now() >= newcomer->deadline;
  if (has_ended || is_late || header.state == ProxyHeader::State::kMalformed)
    return refuse(newcomer->release(), newcomer->peer.address().to_string(), ConnectionRefusal::kProxyHeader);
  if (header.state == ProxyHeader::State::kIncomplete) return look_again(newcomer);
  if (header.bytes > 0) (void)::recv(newcomer->descriptor, bytes.data(), header.bytes, MSG_DONTWAIT);
  admit(newcomer->take, newcomer->release(), newcomer->peer, client_in(header));
}

void Acceptor::look_again(const std::shared_ptr<Newcomer>& newcomer) {
  newcomer->retry.expires_after(kHeaderRetry);
  newcomer->retry.async_wait([this, newcomer](const boost::system::error_code& error) {
    if (!error && newcomer->descriptor >= 0) read_header(newcomer);
  });
}

/// Of the address that has most of them the oldest goes, after a last look: one front's connections keep no
/// other's out.
void Acceptor::make_room_for_newcomer() {
  std::map<ConnectionTable::Address, std::vector<Newcomer*>> by_address;
  for (Newcomer* const one : newcomers_) by_address[one->peer.address()].push_back(one);
  const auto most =
      std::ranges::max_element(by_address, {}, [](const auto& entry) { return entry.second.size(); });
  const auto oldest = most->second.front()->shared_from_this();
  oldest->retry.cancel();
  oldest->deadline = TimePoint::min();
  read_header(oldest);
}

void Acceptor::admit(const Take& take, int descriptor, const Endpoint& peer,
                     const std::optional<ConnectionTable::Client>& client) {
  const BudgetKey key = key_of_address(client ? client->address : peer.address());
  if (table_.is_kept_out(key)) return refuse(descriptor, key.text(), ConnectionRefusal::kOffender);
  if (handshakes_ && !handshakes_->take(key, steady_now()))
    return refuse(descriptor, key.text(), ConnectionRefusal::kHandshakeRate);
  const Budgets::AccountPtr account = budgets_.account(KeyKind::kAddress, key);
  auto share = budgets_.take(account, Resource::kConnections);
  if (!share) {  // Some may have been closed since they were counted.
    table_.sweep_if_due();
    share = budgets_.take(account, Resource::kConnections);
  }
  if (!share) {
    return refuse(descriptor, account->key().text(),
                  share.error().kind ? ConnectionRefusal::kClientLimit : ConnectionRefusal::kLimit);
  }
  prepare_connection(descriptor);
  table_.add(descriptor, peer, std::move(*share), client);
  const HandshakePeer begins(client ? peer_name(client->address) : peer_name(peer));
  takes_since_.store(steady_now().time_since_epoch().count(), std::memory_order_relaxed);
  take(descriptor, false);
  takes_since_.store(0, std::memory_order_relaxed);
}

void Acceptor::refuse(int descriptor, const std::string& client, ConnectionRefusal why) {
  reset_connection(descriptor);
  note_refusal(client, why);
}

void Acceptor::note_refusal(const std::string& client, ConnectionRefusal why) {
  refusals_[static_cast<std::size_t>(why)].fetch_add(1, std::memory_order_relaxed);
  lines_.log(LogLevel::kWarning, "connection refused", {{"client", client}, {"reason", name_of(why)}});
}

}  // namespace sweepd::runtime
