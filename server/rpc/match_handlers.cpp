// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>

#include "base/assert.h"
#include "rpc/await_unary.h"
#include "rpc/config_codec.h"
#include "rpc/match_codec.h"
#include "rpc/unary_handlers.h"

namespace sweepd::rpc {
namespace {

using CreateCall = UnaryCall<v1::CreateMatchRequest, v1::CreateMatchResponse>;
using GetCall = UnaryCall<v1::GetMatchRequest, v1::GetMatchResponse>;
using ListCall = UnaryCall<v1::ListMatchesRequest, v1::ListMatchesResponse>;
using EndCall = UnaryCall<v1::EndMatchRequest, v1::EndMatchResponse>;
using StepCall = UnaryCall<v1::StepMatchRequest, v1::StepMatchResponse>;
using Host = std::shared_ptr<runtime::MatchHost>;

constexpr std::uint32_t kListPageDefault = 100;
constexpr std::uint32_t kListPageMax = 1000;
constexpr std::uint32_t kStepTicksMax = 100'000;

grpc::Status not_created(runtime::MatchRegistry::CreateError error, std::size_t matches_max) {
  if (error == runtime::MatchRegistry::CreateError::kStopping) return server_shutting_down();
  return to_status({grpc::StatusCode::RESOURCE_EXHAUSTED, "TOO_MANY_MATCHES",
                    "this server runs at most " + std::to_string(matches_max) + " matches"});
}

void create_match(const ServiceContext& context, const std::shared_ptr<CreateCall>& call) {
  auto config = decode_config(call->request().config());
  if (!config) return call->finish(invalid_config(config.error()));
  auto match = match::Match::create(std::move(*config));
  if (!match) return call->finish(invalid_config(match.error()));
  const auto error = context.registry.create(std::move(*match), [call, &context](const Host& host) {
    encode_match(*host, context.endpoints, call->response().mutable_match());
    call->finish();
  });
  if (error) call->finish(not_created(*error, context.registry.matches_max()));
}

void get_match(const ServiceContext& context, const std::shared_ptr<GetCall>& call) {
  on_match_loop(context, call, [call, &context](const Host& host) {
    encode_match(*host, context.endpoints, call->response().mutable_match());
    call->finish();
  });
}

/// Each match writes its own row on its own loop; the last one to do so answers.
void list_matches(const ServiceContext& context, const std::shared_ptr<ListCall>& call) {
  const v1::ListMatchesRequest& request = call->request();
  const std::uint32_t page_size =
      std::min(request.page_size() == 0 ? kListPageDefault : request.page_size(), kListPageMax);
  auto hosts = context.registry.list_after(request.page_token(), page_size + 1);
  if (hosts.size() > page_size) {
    hosts.pop_back();
    call->response().set_next_page_token(hosts.back()->match_id());
  }
  if (hosts.empty()) return call->finish();
  auto* rows = call->response().mutable_matches();
  for (std::size_t i = 0; i < hosts.size(); ++i) rows->Add();
  const auto left = std::make_shared<std::atomic<std::size_t>>(hosts.size());
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    hosts[i]->loop().post([call, left, host = hosts[i], row = rows->Mutable(static_cast<int>(i)), &context] {
      encode_match(*host, context.endpoints, row);
      if (left->fetch_sub(1, std::memory_order_acq_rel) == 1) call->finish();
    });
  }
}

void end_match(const ServiceContext& context, const std::shared_ptr<EndCall>& call) {
  on_match_loop(context, call, [call, &context](const Host& host) {
    host->end();
    encode_match(*host, context.endpoints, call->response().mutable_match());
    call->finish();
  });
}

void finish_step(const std::shared_ptr<StepCall>& call, const Host& host, runtime::StepOutcome outcome) {
  if (outcome == runtime::StepOutcome::kMatchEnded) return call->finish(match_not_found(host->match_id()));
  if (outcome == runtime::StepOutcome::kCancelled) {
    return call->finish(to_status({grpc::StatusCode::DEADLINE_EXCEEDED, "FRAMES_MISSING",
                                   "not every player and stage has sent its frame in time"}));
  }
  call->response().set_tick(host->match().tick());
  call->response().set_digest(host->match().digest());
  call->response().set_events(host->match().last_sequence_number());
  call->finish();
}

void begin_step(const std::shared_ptr<StepCall>& call, const Host& host) {
  const v1::StepMatchRequest& request = call->request();
  if (host->match().config().clock != match::ClockKind::kManual) {
    return call->finish(to_status({grpc::StatusCode::FAILED_PRECONDITION, "CLOCK_NOT_MANUAL",
                                   "only a match with a MANUAL clock can be stepped"}));
  }
  if (host->is_stepping()) {
    return call->finish(to_status({grpc::StatusCode::ABORTED, "STEP_IN_PROGRESS",
                                   "another call steps this match; try again when it is done"}));
  }
  host->step(std::max(request.ticks(), 1u), request.wait_for_frames(), call.get(),
             [call, host](runtime::StepOutcome outcome) { finish_step(call, host, outcome); });
}

void step_match(const ServiceContext& context, const std::shared_ptr<StepCall>& call) {
  if (call->request().ticks() > kStepTicksMax) {
    return call->finish(to_status({grpc::StatusCode::INVALID_ARGUMENT, "INVALID_STEP",
                                   "ticks: is " + std::to_string(call->request().ticks()) + ", the most are " +
                                       std::to_string(kStepTicksMax),
                                   {}, "ticks"}));
  }
  const auto host = context.registry.find(call->request().match_id());
  if (host) {
    // Before the call goes to the match's loop. Work is run there in the order posted: the step comes first.
    call->on_cancelled = [host, requester = call.get()] {
      host->loop().post([host, requester] { host->cancel_step(requester); });
    };
  }
  on_match_loop(context, call, [call](const Host& found) { begin_step(call, found); });
}

}  // namespace

void await_match_calls(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue,
                       const ServiceContext& context) {
  using Service = v1::MatchService::AsyncService;
  await_unary(service, queue, &Service::RequestCreateMatch,
              typename CreateCall::Handler([&context](const auto& call) { create_match(context, call); }));
  await_unary(service, queue, &Service::RequestGetMatch,
              typename GetCall::Handler([&context](const auto& call) { get_match(context, call); }));
  await_unary(service, queue, &Service::RequestListMatches,
              typename ListCall::Handler([&context](const auto& call) { list_matches(context, call); }));
  await_unary(service, queue, &Service::RequestEndMatch,
              typename EndCall::Handler([&context](const auto& call) { end_match(context, call); }));
  await_unary(service, queue, &Service::RequestStepMatch,
              typename StepCall::Handler([&context](const auto& call) { step_match(context, call); }));
}

}  // namespace sweepd::rpc
