// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "network.h"
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

/// A stream of a match from first to last: finds the match's endpoint, connects, calls, reads until it is
/// over.
///
/// It lives on the network's thread; where not said otherwise, that is the one to call from. It keeps itself
/// alive from `start` until nothing of it is under way, whatever became of the session. The network outlives
/// it.
class MatchStream : public std::enable_shared_from_this<MatchStream> {
 public:
  MatchStream(Network* network, Route route, std::size_t queued_max);
  virtual ~MatchStream() = default;
  MatchStream(const MatchStream&) = delete;
  MatchStream& operator=(const MatchStream&) = delete;

  /// Once. From any thread.
  void start();
  /// Gives up, at whatever point it is. From any thread.
  void cancel();

  Subscription& subscription() { return subscription_; }

 protected:
  using Service = sweepd::v1::MatchService;

  /// An operation on the queue: it is begun, and later done.
  class Operation final : public Tag {
   public:
    Operation(MatchStream* stream, std::function<void(bool)> done)
        : stream_(stream), done_(std::move(done)) {}

    /// The tag to give to gRPC.
    void* begin();
    void complete(bool ok) override;
    bool is_under_way() const { return under_way_; }

   private:
    MatchStream* stream_;
    std::function<void(bool)> done_;
    bool under_way_ = false;
  };

  /// Starts the call; `call_started` or `call_over` has to follow.
  virtual void begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) = 0;
  virtual void call_started() = 0;
  virtual void read_next(void* read) = 0;
  /// What was read. False: the call is of no use any more.
  virtual bool receive() = 0;
  virtual void finish_call(grpc::Status* status, void* finished) = 0;

  /// The match has let this stream in.
  void joined() { timeout_alarm_.Cancel(); }
  void cancel_now();
  void cancel_after(std::chrono::milliseconds time);

  Network& network() { return *network_; }
  const Route& route() const { return route_; }

 private:
  void begin();
  void locate(std::chrono::system_clock::time_point deadline);
  void located();
  void open(const std::string& target);
  void started(bool ok);
  void has_read(bool ok);
  void finish();
  void time_out();
  void over(const grpc::Status& status);

  Network* const network_;
  const Route route_;
  Subscription subscription_;

  std::shared_ptr<MatchStream> self_;  ///< While anything is under way.
  std::size_t operations_under_way_ = 0;
  bool cancelled_ = false;
  grpc::Status status_;

  std::unique_ptr<Service::Stub> stub_;
  grpc::ClientContext locate_context_;
  v1::GetMatchResponse locate_response_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<v1::GetMatchResponse>> locate_call_;
  grpc::ClientContext call_context_;
  grpc::Alarm timeout_alarm_;
  grpc::Alarm cancel_alarm_;

  Operation locate_;
  Operation start_;
  Operation read_;
  Operation finish_;
  Operation timeout_;
  Operation cancel_;
};

}  // namespace sweepd::internal
