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
  void admit() override {
    caller().count_message();
    if (take_place()) parse(request_, [this] { begin(); });
  }

  void begin() {
    trace_.note_status(session::Status{});
    is_asked_ = true;
    write_next();
  }

  void health_changed() override { write_next(); }

  void shut_down() override {
    is_shutting_down_ = true;
    write_next();
  }

  // What it has been told already is no news. The last that it is told is NOT_SERVING, unless it is refused.
  void write_next() override {
    if (!is_wanted() || !is_asked_ || is_writing()) return;
    const Status status = is_shutting_down_ ? health::HealthCheckResponse::NOT_SERVING
                                            : status_of(backend(), request_.service());
    if (status != told_) return tell(status);
    if (is_shutting_down_) finish(session::server_shutting_down());
  }

  void tell(Status status) {
    told_ = status;
    health::HealthCheckResponse response;
    response.set_status(status);
    write(response);
  }

  health::HealthCheckRequest request_;
  std::optional<Status> told_;
  bool is_shutting_down_ = false;
  bool is_asked_ = false;  ///< Its request has been read.
};

using HealthWatchCall = StreamCall<ServerStream, HealthWatch, health::HealthCheckRequest, HealthByteService>;

}  // namespace

void accept_health_calls(LoopServer& server) {
  accept_calls(server, server.health_service(), session::UnaryMethod(check, true));
  HealthWatchCall::accept(server, server.health_service());
}

}  // namespace sweepd::rpc
