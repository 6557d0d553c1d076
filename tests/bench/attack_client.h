// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "bench/attack.h"
#include "integration/support/raw_http2.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.grpc.pb.h"

namespace sweepd::bench {

/// A connection from an address that is the attackers' own, as budgets are each client's; it does not come
/// back. Null: the server takes none.
std::shared_ptr<grpc::Channel> hostile_channel(const AttackTarget& target);
test::RawHttp2::Options hostile_http2(const AttackTarget& target);

/// No call outlives its attack.
void limit_time(grpc::ClientContext& context, const AttackTarget& target);

/// One layer that meets itself.
v1::MatchConfig hostile_config(v1::ClockKind clock);

/// Places of boxes of 8 units.
using Placement = std::function<v1::Spawn(int index)>;
v1::Spawn on_one_spot(int index);
/// In a square of 300 a row, none in contact.
v1::Spawn side_by_side(int index);
/// The same further apart, and each flies another way.
v1::Spawn flying(int index);

/// A match of the attacker's.
class HostileMatch {
 public:
  HostileMatch(const AttackTarget& target, const v1::MatchConfig& config,
               std::shared_ptr<grpc::Channel> channel = {});

  bool is_created() const { return !id_.empty(); }
  const std::string& id() const { return id_; }
  const AttackTarget& target() const { return target_; }
  v1::MatchService::Stub& stub() { return *stub_; }
  std::shared_ptr<grpc::Channel> channel() const { return channel_; }

  /// Nothing of it if the match is over.
  v1::Match state();
  bool step(std::uint32_t ticks);
  bool end();

 private:
  AttackTarget target_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::string id_;
};

/// A player in it, who throws away what it is told.
class HostilePlayer {
 public:
  HostilePlayer(HostileMatch& match, const std::string& name);
  ~HostilePlayer();
  HostilePlayer(const HostilePlayer&) = delete;
  HostilePlayer& operator=(const HostilePlayer&) = delete;

  std::uint32_t first_id() const { return first_id_; }  ///< 0: it could not join.
  bool is_over() const { return is_over_; }
  std::uint32_t spawned() const { return spawned_; }
  bool send(const v1::Frame& frame);
  /// Frames of at most 2,000 each.
  bool spawn(int count, const Placement& place);

 private:
  void read();

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
  std::uint32_t first_id_ = 0;
  std::uint32_t spawned_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread reader_;
};

/// Watchers of it on one connection, who read what they are told until the match is over or they go.
class HostileWatchers {
 public:
  HostileWatchers(HostileMatch& match, int count);
  ~HostileWatchers();
  HostileWatchers(const HostileWatchers&) = delete;
  HostileWatchers& operator=(const HostileWatchers&) = delete;

 private:
  std::deque<grpc::ClientContext> contexts_;
  std::deque<std::thread> readers_;
  std::atomic<int> begun_ = 0;
};

/// Spawns so many more and runs the ticks of a MANUAL match until all are there, or as many as it may have.
/// False: the match is over.
bool fill(HostileMatch& match, HostilePlayer& player, int count, const Placement& place);

}  // namespace sweepd::bench
