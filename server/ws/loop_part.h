// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/clock.h"
#include "runtime/loop/event_source.h"
#include "session/door.h"
#include "session/match_loop.h"
#include "ws/connection.h"
#include "ws/frame_writer.h"
#include "ws/tls_contexts.h"
#include "ws/upgrade.h"

namespace sweepd::ws {

class LoopPart;

/// What the parts of a door share.
struct DoorShare {
  TlsContexts tls;
  Origins origins;
  std::vector<LoopPart*> parts;  ///< By loop.
};

/// A loop's part of the door: its connections. The loop does not wait for them: sockets of REALTIME matches
/// are read when a tick is due, and the others are looked at now and then, more often while they have
/// something to say.
class LoopPart final : public session::SideLoopDoor, private runtime::EventSource {
 public:
  explicit LoopPart(DoorShare& share);
  ~LoopPart() override;

  runtime::EventSource& events() override { return *this; }
  void open(session::MatchLoop& home) override { home_ = &home; }
  void take_connection(int descriptor, bool is_own) override;
  void shut_down(std::chrono::system_clock::time_point deadline) override;
  void close() override;

  // Of its connections, on the loop's thread.

  session::MatchLoop& home() { return *home_; }
  runtime::TimePoint now() const { return home_->loop().now(); }
  const Origins& origins() const { return share_.origins; }
  DoorShare& share() { return share_; }
  MessageFrame& frame() { return frame_; }
  bool is_shut_down() const { return is_shut_down_; }

  /// `before`: what was watched for.
  void watch(Connection& connection, std::uint32_t before, std::uint32_t events);
  /// It goes on soon, in this round or the next.
  void list(Connection& connection);
  /// It is over, and goes when no function of it runs any more.
  void bury(Connection& connection);
  std::unique_ptr<Connection> release(Connection& connection);
  void adopt(std::unique_ptr<Connection> connection);

 private:
  using Connections = std::unordered_map<Connection*, std::unique_ptr<Connection>>;

  void look(runtime::TimePoint now) override;
  runtime::TimePoint next_look() const override;
  void welcome(int descriptor, bool is_own);
  void serve_listed(runtime::TimePoint until);
  void poll_sockets(runtime::TimePoint now);
  void look_after_all(runtime::TimePoint now);

  DoorShare& share_;
  session::MatchLoop* home_ = nullptr;
  const int epoll_;
  Connections connections_;
  std::deque<Connection*> listed_;
  std::vector<std::unique_ptr<Connection>> buried_;
  MessageFrame frame_;
  runtime::TimePoint next_poll_{};
  runtime::TimePoint last_news_{};  ///< When a socket was last found to be ready.
  runtime::TimePoint next_look_after_{};
  std::optional<runtime::TimePoint> end_;  ///< When what is left is cut off.
  bool is_shut_down_ = false;
};

}  // namespace sweepd::ws
