// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <string>

#include "subscription.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::internal {

/// How to get to a match.
struct Route {
  std::shared_ptr<grpc::Channel> channel;  ///< To the server, for asking where the match is.
  std::string server;                      ///< HOST:PORT.
  std::string match_id;
  std::chrono::milliseconds timeout{0};  ///< From `start` until joined.
  bool follow_endpoint = true;
};

/// A stream of a match from first to last: finds the match's endpoint, connects, calls. Nothing here blocks but
/// `wait_until_done`.
///
/// It keeps itself alive from `start` until its call is over, so that callbacks on their way always find it, whatever
/// became of the session. Callbacks come on gRPC's threads.
class MatchStream : public std::enable_shared_from_this<MatchStream> {
 public:
  MatchStream(Route route, std::size_t queued_max);
  virtual ~MatchStream() = default;
  MatchStream(const MatchStream&) = delete;
  MatchStream& operator=(const MatchStream&) = delete;

  /// Once; or `refuse` in its place.
  void start();
  void refuse(Status error);

  /// Gives up at once, at whatever point it is.
  void cancel();

  /// False: not over within `timeout`.
  bool wait_until_done(std::chrono::milliseconds timeout) const;

  Subscription& subscription() { return subscription_; }

 protected:
  using Service = sweepd::v1::MatchService;

  /// Starts the call, with mutex_ held. From then on the call's end must lead to `closed`.
  virtual void begin_call(Service::Stub* stub, grpc::ClientContext* context) = 0;

  /// The match has let this stream in.
  void joined() { timeout_alarm_.Cancel(); }
  /// The call is over: the last word of a derived class, which may be gone when this returns.
  void closed(const grpc::Status& status);

  const Route& route() const { return route_; }

  std::mutex mutex_;  ///< Guards what a stream's own thread and the game's both touch.

 private:
  void locate(std::chrono::system_clock::time_point deadline);
  void located(const grpc::Status& status);
  void open(const std::string& target);
  void time_out();
  void done();

  const Route route_;
  Subscription subscription_;

  std::shared_ptr<MatchStream> self_;  ///< While callbacks may come.
  bool cancelled_ = false;
  std::unique_ptr<Service::Stub> stub_;
  grpc::ClientContext locate_context_;
  v1::GetMatchRequest locate_request_;
  v1::GetMatchResponse locate_response_;
  grpc::ClientContext call_context_;
  grpc::Alarm timeout_alarm_;

  std::promise<void> done_;
  std::future<void> done_future_;
};

}  // namespace sweepd::internal
