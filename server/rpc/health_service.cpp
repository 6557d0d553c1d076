// SPDX-License-Identifier: MIT
#include "rpc/health_service.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "rpc/client_budget.h"
#include "rpc/unary_call.h"

namespace sweepd::rpc {
namespace {

namespace health = grpc::health::v1;
using CheckCall = UnaryCall<health::HealthCheckRequest, health::HealthCheckResponse>;

using Status = health::HealthCheckResponse::ServingStatus;

/// "sweepd.journal" is the component "journal".
constexpr std::string_view kComponentPrefix = "sweepd.";

Status status_of_component(const Backend& backend, std::string_view name) {
  const auto component = backend.health == nullptr ? std::nullopt : backend.health->find(std::string(name));
  if (!component) return health::HealthCheckResponse::SERVICE_UNKNOWN;
  return component->is_ok() ? health::HealthCheckResponse::SERVING : health::HealthCheckResponse::NOT_SERVING;
}

/// As /readyz: a part that fails so that matches go on (a disk) does not count. A loop that stands still
/// answers nothing at all; the others say NOT_SERVING meanwhile.
Status status_of(const Backend& backend, std::string_view service) {
  static constexpr std::array<std::string_view, 4> kServices{
      "", "sweepd.v1.MatchService", "sweepd.v1.QueryService", "sweepd.v1.ReplayService"};
  if (std::ranges::find(kServices, service) != kServices.end()) {
    const bool is_ready = backend.health == nullptr || backend.health->is_ready();
    return is_ready ? health::HealthCheckResponse::SERVING : health::HealthCheckResponse::NOT_SERVING;
  }
  if (!service.starts_with(kComponentPrefix)) return health::HealthCheckResponse::SERVICE_UNKNOWN;
  return status_of_component(backend, service.substr(kComponentPrefix.size()));
}

void check(CheckCall& call) {
  const Status status = status_of(call.server().backend(), call.request().service());
  if (status == health::HealthCheckResponse::SERVICE_UNKNOWN) {
    return call.fail(make_status(grpc::StatusCode::NOT_FOUND,
                                 {.reason = "SERVICE_UNKNOWN", .message = "no service of that name"}));
  }
  call.response().set_status(status);
  call.reply();
}

/// Somebody who wants to be told when the health of a service changes. One write is under way at most; what
/// changes meanwhile is not told one by one, only how it is in the end.
class HealthWatchCall final : public LiveStream {
 public:
  static void accept(LoopServer& server) {
    auto* call = new HealthWatchCall(server);
    static const int method = method_index<health::HealthCheckRequest>(true);
    server.health_service().request_server_streaming(method, call->context_, call->bytes_, call->stream_,
                                                     server.queue(), to_void(call->arrived_));
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
    server_.remove_stream(*this);
    server_.uncount_call();
  }

  void on_arrived(bool ok) {
    if (!ok) return;  // The server is shutting down; then `done_` does not come.
    ++events_under_way_;
    server_.add_stream(*this);
    if (server_.backend().is_shutting_down) return shut_down();
    accept(server_);
    Backend& backend = server_.backend();
    caller_ = caller_of(backend, context_);
    auto place = backend.budgets.take(caller_.account, runtime::Resource::kStreams);
    if (!place) return finish(over_budget(place.error()));
    place_ = std::move(*place);
    if (is_too_large(bytes_)) return finish(request_too_large(bytes_.Length()));
    if (const auto fault = parse_request(bytes_, request_)) return finish(invalid_request(*fault));
    tell();
  }

  void health_changed() override { tell(); }

  // What it has been told already is no news.
  void tell() {
    const Status status = status_of(server_.backend(), request_.service());
    if (is_over_ || is_write_under_way_ || status == told_) return;
    told_ = status;
    is_write_under_way_ = true;
    ++events_under_way_;
    health::HealthCheckResponse response;
    response.set_status(status);
    stream_.Write(response, to_void(written_));
  }

  void on_written(bool ok) {
    is_write_under_way_ = false;
    if (!ok) is_over_ = true;  // The stream is broken, and done_ will say so.
    if (server_.backend().is_shutting_down) return shut_down();
    tell();
  }

  void on_done(bool /*ok*/) { is_over_ = true; }

  void on_finished(bool /*ok*/) {}

  void shut_down() override {
    if (is_over_ || is_write_under_way_) return;
    if (told_ == health::HealthCheckResponse::NOT_SERVING) return finish(server_shutting_down());
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
  grpc::ByteBuffer bytes_;  ///< Of the request, until it is parsed.
  health::HealthCheckRequest request_;
  grpc::ServerAsyncWriter<health::HealthCheckResponse> stream_;
  int events_under_way_ = 1;  ///< At first, arrived_.
  std::optional<Status> told_;
  Caller caller_;
  BudgetShare place_;
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
      next_of<health::HealthCheckRequest>(&LoopServer::health_service), check, true};
  CheckCall::accept(server, check_method);
  HealthWatchCall::accept(server);
}

}  // namespace sweepd::rpc
