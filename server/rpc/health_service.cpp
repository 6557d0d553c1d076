// SPDX-License-Identifier: MIT
#include "rpc/health_service.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rpc/stream_call.h"
#include "rpc/unary_call.h"
#include "session/local_stream.h"
#include "session/parse_request.h"

namespace sweepd::rpc {
namespace {

namespace health = grpc::health::v1;
using CheckCall = session::UnaryCall<health::HealthCheckRequest, health::HealthCheckResponse>;

using Status = health::HealthCheckResponse::ServingStatus;

/// "sweepd.journal" is the component "journal".
constexpr std::string_view kComponentPrefix = "sweepd.";

Status status_of_component(const session::Backend& backend, std::string_view name) {
  const auto component = backend.health == nullptr ? std::nullopt : backend.health->find(std::string(name));
  if (!component) return health::HealthCheckResponse::SERVICE_UNKNOWN;
  return component->is_ok() ? health::HealthCheckResponse::SERVING : health::HealthCheckResponse::NOT_SERVING;
}

/// As /readyz: a part that fails so that matches go on (a disk) does not count. A loop that stands still
/// answers nothing at all; the others say NOT_SERVING meanwhile.
Status status_of(const session::Backend& backend, std::string_view service) {
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
  const Status status = status_of(call.home().backend(), call.request().service());
  if (status == health::HealthCheckResponse::SERVICE_UNKNOWN) {
    return call.fail(session::make_status(
        session::Code::kNotFound, {.reason = "SERVICE_UNKNOWN", .message = "no service of that name"}));
  }
  call.response().set_status(status);
  call.reply();
}

/// A client that is told when the health of a service changes. One write is under way at most; what changes
/// meanwhile is not told one by one, only how it is in the end.
class HealthWatch final : public session::LocalStream<health::HealthCheckResponse> {
 public:
  /// The pipe has the request already.
  HealthWatch(session::MatchLoop& home, session::StreamPipe<health::HealthCheckResponse>& pipe)
      : LocalStream(home, pipe, "Health.Watch") {}

 private:
  void begin() override {
    caller().count_message();
    auto place = session::take_stream(backend(), caller().account);
    if (!place) {
      pipe_.incoming().drop();
      return refuse(place.error());
    }
    place_ = std::move(*place);
    if (const auto refusal = session::refuse_too_large(pipe_.incoming())) return refuse(*refusal);
    if (const auto fault = session::parse_request(pipe_.incoming(), request_))
      return refuse(session::invalid_request(*fault));
    pump();
  }

  void refuse(const session::Status& status) {
    is_refused_ = true;
    finish(status);
  }

  void health_changed() override { pump(); }

  void finish(const session::Status& status) override {
    if (is_over() || final_status_) return;
    trace_.note_status(status);
    final_status_ = status;
    pump();
  }

  void on_written(bool ok) override {
    is_write_under_way_ = false;
    if (ok) pump();  // Else the stream is broken, and kDone will say so.
  }

  // What it has been told already is no news. The last that it is told is NOT_SERVING, unless it is refused.
  void pump() {
    if (is_over() || is_write_under_way_ || is_finish_under_way_) return;
    const Status status =
        final_status_ ? health::HealthCheckResponse::NOT_SERVING : status_of(backend(), request_.service());
    if (!is_refused_ && status != told_) return tell(status);
    if (!final_status_) return;
    is_finish_under_way_ = true;
    begin_event();
    pipe_.finish(*final_status_);
  }

  void tell(Status status) {
    told_ = status;
    is_write_under_way_ = true;
    health::HealthCheckResponse response;
    response.set_status(status);
    begin_event();
    pipe_.write(response);
  }

  health::HealthCheckRequest request_;
  std::optional<Status> told_;
  std::optional<session::Status> final_status_;
  session::BudgetShare place_;
  bool is_refused_ = false;
  bool is_write_under_way_ = false;
  bool is_finish_under_way_ = false;
};

using HealthWatchCall = StreamCall<ServerStream, HealthWatch, health::HealthCheckRequest, HealthByteService>;

}  // namespace

void accept_health_calls(LoopServer& server) {
  accept_calls(server, server.health_service(), session::UnaryMethod(check, true));
  HealthWatchCall::accept(server, server.health_service());
}

}  // namespace sweepd::rpc
