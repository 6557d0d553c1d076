// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>

#include "rpc/service_context.h"
#include "rpc/tag.h"
#include "runtime/loop.h"
#include "runtime/match_host.h"
#include "runtime/subscriber.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// A stream that follows a match: the outgoing half of Play and Watch.
///
/// Its state is touched by one loop only, its home: the loop that accepted it, until it has found its match; from then on
/// the match's. Events of another loop's completion queue are posted home.
///
/// gRPC allows one write at a time. What comes up meanwhile gathers in one update, which is bounded: a reader that leaves
/// more than kPendingRowsMax rows untaken loses the stream (SLOW_READER) rather than events in the middle.
class StreamCall : public runtime::Subscriber, public std::enable_shared_from_this<StreamCall> {
 public:
  static constexpr int kPendingRowsMax = 65'536;

  /// Ends the stream because the server stops. Any thread.
  void stop();

  void on_tick(const runtime::TickReport& report) override;
  void on_ended() override;

 protected:
  /// An operation of gRPC's under way: hands its completion to the home loop.
  class Operation : public Tag {
   public:
    using Method = void (StreamCall::*)(bool ok);
    Operation(StreamCall& call, Method method) : call_(call), method_(method) {}
    void complete(bool ok) override { call_.dispatch(method_, ok); }

   private:
    StreamCall& call_;
    Method method_;
  };

  StreamCall(runtime::Loop& accepting_loop, const ServiceContext& context);

  /// The next call of the same method has to be awaited, and this one begun.
  virtual void begin() = 0;
  virtual void await_next() = 0;
  /// Gone from the match, if it was in it.
  virtual void depart() = 0;
  virtual void write_update(v1::TickUpdate& update) = 0;
  virtual void write_ended(const runtime::MatchHost& host) = 0;
  virtual void write_finish(const grpc::Status& status) = 0;
  /// A read is over. Only Play reads.
  virtual void read_done(bool ok);

  /// Keeps the call alive until gRPC is through with it. Before the call is requested.
  void hold() { self_ = shared_from_this(); }
  grpc::ServerContext& server_context() { return server_context_; }
  const ServiceContext& context() const { return context_; }
  runtime::MatchHost* host() const { return host_.get(); }

  /// Makes the loop of `host` the home and runs `then` there.
  void go_home(std::shared_ptr<runtime::MatchHost> host, std::function<void()> then);
  /// To be called with every operation that is started.
  void note_started() { ++operations_; }
  void note_write_started();
  /// Leaves the match and ends the stream once what is pending is written. The first call counts.
  void end(const grpc::Status& status);
  bool is_ending() const { return finish_status_.has_value(); }

  Operation accepted_operation_{*this, &StreamCall::accepted};
  Operation done_operation_{*this, &StreamCall::done};
  Operation read_operation_{*this, &StreamCall::read_over};
  Operation write_operation_{*this, &StreamCall::written};
  Operation finish_operation_{*this, &StreamCall::finished};

 private:
  void dispatch(Operation::Method method, bool ok);
  void accepted(bool ok);
  void done(bool ok);
  void read_over(bool ok);
  void written(bool ok);
  void finished(bool ok);
  void note_over();
  void pump();
  void drop_slow_reader();

  runtime::Loop& accepting_loop_;
  runtime::Loop* home_;  // Written once, by the accepting loop.
  const ServiceContext& context_;
  grpc::ServerContext server_context_;
  std::shared_ptr<runtime::MatchHost> host_;
  v1::TickUpdate pending_;
  std::optional<grpc::Status> finish_status_;
  std::optional<boost::asio::steady_timer> give_up_timer_;
  int operations_ = 0;
  bool has_pending_ = false;
  bool has_ended_pending_ = false;
  bool is_writing_ = false;
  bool is_finishing_ = false;
  bool is_finished_ = false;
  bool is_broken_ = false;
  std::shared_ptr<StreamCall> self_;
};

}  // namespace sweepd::rpc
