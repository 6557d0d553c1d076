// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "network.h"
#include "reconnect_pauses.h"
#include "security.h"
#include "subscription.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::internal {

/// How to get to a match.
struct Route {
  std::shared_ptr<grpc::Channel> channel;  ///< To the server, for asking where the match is.
  std::shared_ptr<const Security> security;
  std::string server;  ///< HOST:PORT.
  std::string match_id;
  std::chrono::milliseconds timeout{0};  ///< From `start` until joined, and for each attempt to come back.
  bool follow_endpoint = true;
};

/// A stream of a match from first to last: finds the match's endpoint, connects there or, where that cannot
/// be reached, to the server's own address, calls, reads until it is over. When the call breaks, it comes
/// back on another one, on another connection, for as long as ReconnectOptions say.
///
/// It lives on the network's thread; where not said otherwise, that is the one to call from. It keeps itself
/// alive from `start` until nothing of it is under way, whatever became of the session. The network outlives
/// it.
class MatchStream : public std::enable_shared_from_this<MatchStream> {
 public:
  MatchStream(Network* network, Route route, const ReconnectOptions& reconnect, SubscriptionLimits limits);
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

  /// Starts a call; `call_started` or the end of the call has to follow. Nothing of the call before is under
  /// way.
  virtual void begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) = 0;
  virtual void call_started() = 0;
  virtual void read_next(void* read) = 0;
  /// What was read. False: the stream is of no use any more.
  virtual bool receive() = 0;
  virtual void finish_call(grpc::Status* status, void* finished) = 0;
  /// Nothing of the call is under way any more. It lives in its context's memory, which goes next.
  virtual void forget_call() = 0;
  /// Whether the server would let a stream that broke in again.
  virtual bool may_come_back() = 0;

  /// The match has let this stream in, for the first time or again. False: it is not waited for any more.
  bool joined(const SubscriptionStart& start);
  void cancel_now();
  void cancel_after(std::chrono::milliseconds time);

  Network& network() { return *network_; }
  const Route& route() const { return route_; }

 private:
  /// What a connection is for.
  enum class Goal {
    kAsk,    ///< To the server: where the match is.
    kReach,  ///< To the match's own endpoint, if that can be reached: to play there.
    kPlay,   ///< To the server: to play there, too.
  };

  /// One call, and what leads to it.
  struct Attempt {
    std::shared_ptr<grpc::Channel> channel;
    Goal goal = Goal::kPlay;
    std::chrono::system_clock::time_point connect_deadline;  ///< Of the channel.
    bool is_located = false;  ///< The server has named the endpoint within this attempt.
    std::chrono::milliseconds patience{0};
    std::chrono::system_clock::time_point deadline;  ///< Until it has joined.
    std::optional<Status> time_out;                  ///< The deadline has passed.
    std::unique_ptr<Service::Stub> stub;
    grpc::ClientContext locate_context;
    v1::GetMatchResponse locate_response;
    std::unique_ptr<grpc::ClientAsyncResponseReader<v1::GetMatchResponse>> locate_call;
    grpc::ClientContext call_context;
  };

  void begin();
  void begin_attempt();
  std::chrono::milliseconds patience() const;
  void approach_server(Goal goal);
  void approach_target();
  void approach(std::shared_ptr<grpc::Channel> channel, Goal goal, std::chrono::milliseconds time);
  void connect();
  void go_round();
  void locate();
  void located();
  void open();
  bool authorize(grpc::ClientContext& context);
  void started(bool ok);
  void has_read(bool ok);
  void finish();
  void time_out();
  void watch_silence(std::chrono::milliseconds heartbeat);
  void wait_for_silence(std::chrono::milliseconds time);
  void check_silence();
  const std::string& place() const;
  void cancel_attempt();
  void over(const grpc::Status& status);
  bool went_by_memory() const;
  bool shall_come_back(const grpc::Status& status);
  bool pause();

  Network* const network_;
  const Route route_;
  const ReconnectOptions reconnect_;
  Subscription subscription_;

  std::shared_ptr<MatchStream> self_;  ///< While anything is under way.
  std::size_t operations_under_way_ = 0;
  bool cancelled_ = false;
  grpc::Status status_;
  std::unique_ptr<Attempt> attempt_;
  std::string target_;  ///< Where the match was found last.

  // While it comes back.
  bool comes_back_ = false;  ///< As soon as nothing of the old call is under way.
  std::chrono::steady_clock::time_point broke_at_;
  std::uint32_t attempts_ = 0;                                      ///< Since then.
  std::optional<std::chrono::steady_clock::time_point> joined_at_;  ///< The call that is there.
  ReconnectPauses pauses_;

  std::chrono::milliseconds silence_max_{0};  ///< Of the call that is there.
  std::chrono::system_clock::time_point silence_due_;

  grpc::Alarm timeout_alarm_;
  grpc::Alarm cancel_alarm_;
  grpc::Alarm silence_alarm_;
  grpc::Alarm pause_alarm_;

  Operation connect_;
  Operation locate_;
  Operation start_;
  Operation read_;
  Operation finish_;
  Operation timeout_;
  Operation cancel_;
  Operation silence_;
  Operation pause_;
};

}  // namespace sweepd::internal
