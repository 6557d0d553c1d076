// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "sweepd/client.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::testing {

/// A server that does what a test tells it to, also what no decent server would do. On a loopback port of its
/// own.
class FakeServer final : private v1::MatchService::Service {
 public:
  using PlayStream = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
  using PlayScript = std::function<grpc::Status(grpc::ServerContext&, PlayStream&)>;
  using WatchScript =
      std::function<grpc::Status(grpc::ServerContext&, grpc::ServerWriter<v1::WatchResponse>&)>;

  /// `port` 0: any.
  explicit FakeServer(PlayScript play, WatchScript watch = {}, int port = 0);
  ~FakeServer() override;

  int port() const { return port_; }
  /// False: the port was somebody else's.
  bool is_listening() const { return server_ != nullptr; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  /// For sessions: the match is on this very server.
  Client client(std::chrono::milliseconds timeout = std::chrono::seconds(10)) const;
  /// As if the machine were gone.
  void vanish();

  /// What GetMatch answers; set before the first call.
  grpc::Status get_match_status;
  v1::Match match;

 private:
  grpc::Status GetMatch(grpc::ServerContext* context, const v1::GetMatchRequest* request,
                        v1::GetMatchResponse* response) override;
  grpc::Status Play(grpc::ServerContext* context, PlayStream* stream) override;
  grpc::Status Watch(grpc::ServerContext* context, const v1::WatchRequest* request,
                     grpc::ServerWriter<v1::WatchResponse>* writer) override;

  const PlayScript play_;
  const WatchScript watch_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

/// A Joined with the block of ids 100 to 115 in a match of two layers.
v1::PlayResponse joined_response();
/// An update for `tick` with `count` ENTER events from `first_sequence_number` on.
v1::PlayResponse update_response(Tick tick, std::uint64_t first_sequence_number, int count);

/// Reads the join and lets the participant in.
void accept(FakeServer::PlayStream& stream);

/// Waits, for very long, until `condition` holds.
template <typename Condition>
bool eventually(const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

template <typename SessionOrWatcher>
bool eventually(const SessionOrWatcher& session, SessionState state) {
  return eventually([&] { return session.state() == state; });
}

}  // namespace sweepd::testing
