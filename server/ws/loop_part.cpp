// SPDX-License-Identifier: MIT
#include "ws/loop_part.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"
#include "runtime/telemetry/log.h"
#include "runtime/tls/handshakes.h"

namespace sweepd::ws {
namespace {

/// Between two looks at all sockets, while some have lately been ready, and while none has.
constexpr std::chrono::milliseconds kPollPeriod{1};
constexpr std::chrono::milliseconds kIdlePollPeriod{10};
constexpr std::chrono::milliseconds kNewsTime{100};
constexpr std::chrono::milliseconds kLookAfterPeriod{50};
constexpr int kReadyMax = 64;

/// Closes what is never handed over.
struct Descriptor {
  explicit Descriptor(int number_to_own) : number(number_to_own) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int release() { return std::exchange(number, -1); }
  int number;
};

}  // namespace

LoopPart::LoopPart(DoorShare& share) : share_(share), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  SWEEPD_ASSERT(epoll_ >= 0);
}

LoopPart::~LoopPart() { ::close(epoll_); }

void LoopPart::take_connection(int descriptor, bool is_own) {
  // TLS begins on the loop's thread.
  const std::string peer = runtime::HandshakePeer::present();
  home_->loop().post([this, is_own, peer, owned = std::make_shared<Descriptor>(descriptor)] {
    const runtime::HandshakePeer begins(peer);
    if (!is_shut_down_) welcome(owned->release(), is_own);
  });
}

void LoopPart::welcome(int descriptor, bool is_own) {
  const std::shared_ptr<ssl_ctx_st> tls = is_own ? nullptr : share_.tls.current();
  adopt(std::make_unique<Connection>(*this, descriptor, tls.get()));
}

void LoopPart::adopt(std::unique_ptr<Connection> connection) {
  if (connections_.empty()) next_poll_ = next_look_after_ = now();
  Connection* const key = connection.get();
  connections_.emplace(key, std::move(connection));
}

std::unique_ptr<Connection> LoopPart::release(Connection& connection) {
  if (connection.set_listed(false)) std::erase(listed_, &connection);
  auto node = connections_.extract(&connection);
  SWEEPD_ASSERT(!node.empty());
  return std::move(node.mapped());
}

void LoopPart::bury(Connection& connection) { buried_.push_back(release(connection)); }

void LoopPart::watch(Connection& connection, std::uint32_t before, std::uint32_t events) {
  epoll_event event{.events = events, .data = {.ptr = &connection}};
  const int change = before == 0 ? EPOLL_CTL_ADD : events == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
  if (epoll_ctl(epoll_, change, connection.descriptor(), &event) == 0) return;
  runtime::log_error("a connection cannot be watched", {{"descriptor", connection.descriptor()}});
}

void LoopPart::list(Connection& connection) {
  if (!connection.set_listed(true)) listed_.push_back(&connection);
}

void LoopPart::look(runtime::TimePoint now) {
  buried_.clear();
  const runtime::TimePoint until = now + runtime::kRoundTimeMax;
  serve_listed(until);
  if (connections_.empty()) return;
  if (now >= next_poll_) poll_sockets(now);
  if (now >= next_look_after_) look_after_all(now);
  serve_listed(until);
}

runtime::TimePoint LoopPart::next_look() const {
  if (!listed_.empty()) return {};
  return connections_.empty() ? runtime::TimePoint::max() : std::min(next_poll_, next_look_after_);
}

// What they write makes them listed again, and what is left then has its turn in the next round.
void LoopPart::serve_listed(runtime::TimePoint until) {
  for (std::size_t left = listed_.size(); left > 0 && !listed_.empty(); --left) {
    Connection* const connection = listed_.front();
    listed_.pop_front();
    connection->set_listed(false);
    connection->go_on();
    if (now() >= until) return;
  }
}

// Of those that are told of, one may have gone to another loop since.
void LoopPart::poll_sockets(runtime::TimePoint now) {
  std::array<epoll_event, kReadyMax> ready{};
  const int count = epoll_wait(epoll_, ready.data(), kReadyMax, 0);
  for (int i = 0; i < count; ++i) {
    const auto it = connections_.find(static_cast<Connection*>(ready[i].data.ptr));
    if (it != connections_.end()) it->first->on_ready(ready[i].events);
  }
  if (count > 0) last_news_ = now;
  next_poll_ = now + (now - last_news_ < kNewsTime ? kPollPeriod : kIdlePollPeriod);
}

void LoopPart::look_after_all(runtime::TimePoint now) {
  next_look_after_ = now + kLookAfterPeriod;
  std::vector<Connection*> all;
  all.reserve(connections_.size());
  for (const auto& [connection, owner] : connections_) all.push_back(connection);
  for (Connection* const connection : all) {
    if (!connections_.contains(connection)) continue;
    if (is_shut_down_ && !connection->has_stream()) {
      connection->leave_idle();
    } else if (end_ && now >= *end_) {
      connection->cancel();
    } else {
      connection->look_after(now);
    }
  }
}

void LoopPart::shut_down(std::chrono::system_clock::time_point deadline) {
  home_->loop().post([this, deadline] {
    is_shut_down_ = true;
    const auto left =
        std::chrono::duration_cast<runtime::Duration>(deadline - std::chrono::system_clock::now());
    end_ = now() + std::max(left, runtime::Duration::zero());
    next_look_after_ = now();
  });
}

// Those that are left have no stream.
void LoopPart::close() {
  listed_.clear();
  connections_.clear();
  buried_.clear();
}

}  // namespace sweepd::ws
