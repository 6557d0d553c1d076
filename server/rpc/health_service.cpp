// SPDX-License-Identifier: MIT
#include "rpc/health_service.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/assert.h"
#include "rpc/unary_call.h"

namespace sweepd::rpc {
namespace {

namespace health = grpc::health::v1;
using CheckCall = UnaryCall<health::HealthCheckRequest, health::HealthCheckResponse>;

/// Whoever can be reached is served: that the server shuts down is told by refusing, and to watchers by their
/// end.
health::HealthCheckResponse::ServingStatus status_of(const std::string& service) {
  static const std::array<std::string, 3> kServices{"", "sweepd.v1.MatchService", "sweepd.v1.QueryService"};
  const bool is_known = std::ranges::find(kServices, service) != kServices.end();
  return is_known ? health::HealthCheckResponse::SERVING : health::HealthCheckResponse::SERVICE_UNKNOWN;
}

void check(CheckCall& call) {
  const auto status = status_of(call.request().service());
  if (status == health::HealthCheckResponse::SERVICE_UNKNOWN) {
    return call.fail(make_status(grpc::StatusCode::NOT_FOUND,
                                 {.reason = "SERVICE_UNKNOWN", .message = "no service of that name"}));
  }
  call.response().set_status(status);
  call.reply();
}

/// Somebody who wants to be told when the server's health changes: that is once, when it shuts down.
class HealthWatchCall final : public LiveStream {
 public:
  static void accept(LoopServer& server) {
    auto* call = new HealthWatchCall(server);
    server.health_service().RequestWatch(&call->context_, &call->request_, &call->stream_, &server.queue(),
                                         &server.queue(), to_void(call->arrived_));
  }

 private:
  struct Event final : Tag {
    using Handler = void (HealthWatchCall::*)(bool);
    Event(HealthWatchCall& owner, Handler function) : call(owner), handler(function) {}
    void run(bool ok) override {
      (call.*handler)(ok);
      call.release();
    }
    HealthWatchCall& call;
    Handler handler;
  };

  explicit HealthWatchCall(LoopServer& server) : server_(server), stream_(&context_) {
    server_.count_call();
    context_.AsyncNotifyWhenDone(to_void(done_));
  }

  ~HealthWatchCall() {
    if (is_counted_) server_.backend().streams.fetch_sub(1);
    server_.remove_stream(*this);
    server_.uncount_call();
  }

  void on_arrived(bool ok) {
    if (!ok) return;  // The server is shutting down; then `done_` does not come.
    ++events_under_way_;
    server_.add_stream(*this);
    if (server_.backend().is_shutting_down) return shut_down();
    accept(server_);
    is_counted_ = true;
    Backend& backend = server_.backend();
    if (backend.streams.fetch_add(1) >= backend.streams_max)
      return finish(too_many_streams(backend.streams_max));
    health::HealthCheckResponse response;
    response.set_status(status_of(request_.service()));
    is_write_under_way_ = true;
    ++events_under_way_;
    stream_.Write(response, to_void(written_));
  }

  void on_written(bool /*ok*/) {
    is_write_under_way_ = false;
    if (server_.backend().is_shutting_down) shut_down();
  }

  void on_done(bool /*ok*/) { is_over_ = true; }

  void on_finished(bool /*ok*/) {}

  void shut_down() override {
    if (is_over_ || is_write_under_way_) return;
    is_over_ = true;
    ++events_under_way_;
    health::HealthCheckResponse response;
    response.set_status(health::HealthCheckResponse::NOT_SERVING);
    stream_.WriteAndFinish(response, {}, server_shutting_down(), to_void(finished_));
  }

  void finish(const grpc::Status& status) {
    is_over_ = true;
    ++events_under_way_;
    stream_.Finish(status, to_void(finished_));
  }

  void release() {
    SWEEPD_ASSERT(events_under_way_ > 0);
    if (--events_under_way_ == 0) delete this;
  }

  LoopServer& server_;
  grpc::ServerContext context_;
  health::HealthCheckRequest request_;
  grpc::ServerAsyncWriter<health::HealthCheckResponse> stream_;
  int events_under_way_ = 1;  ///< At first, arrived_.
  bool is_counted_ = false;
  bool is_write_under_way_ = false;
  bool is_over_ = false;
  Event arrived_{*this, &HealthWatchCall::on_arrived};
  Event done_{*this, &HealthWatchCall::on_done};
  Event written_{*this, &HealthWatchCall::on_written};
  Event finished_{*this, &HealthWatchCall::on_finished};
};

}  // namespace

void accept_health_calls(LoopServer& server) {
  static const CheckCall::Method check_method{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.health_service().RequestCheck(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      check};
  CheckCall::accept(server, check_method);
  HealthWatchCall::accept(server);
}

}  // namespace sweepd::rpc
