// SPDX-License-Identifier: MIT
#include "rpc/match_service.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rpc/clock_codec.h"
#include "rpc/config_codec.h"
#include "rpc/status.h"
#include "rpc/unary_call.h"
#include "rpc/with_match.h"

namespace sweepd::rpc {
namespace {

using CreateCall = UnaryCall<v1::CreateMatchRequest, v1::CreateMatchResponse>;
using GetCall = UnaryCall<v1::GetMatchRequest, v1::GetMatchResponse>;
using ListCall = UnaryCall<v1::ListMatchesRequest, v1::ListMatchesResponse>;
using EndCall = UnaryCall<v1::EndMatchRequest, v1::EndMatchResponse>;
using ControlCall = UnaryCall<v1::ControlClockRequest, v1::ControlClockResponse>;
using StepCall = UnaryCall<v1::StepMatchRequest, v1::StepMatchResponse>;

constexpr std::uint32_t kPageSizeDefault = 100;
constexpr std::uint32_t kPageSizeMax = 1000;
constexpr std::uint32_t kStepTicksMax = 100'000;

/// Who has been told of a match will find it, even if the server dies right now. But no disk keeps anybody
/// from playing.
void reply_when_settled(CreateCall& call, runtime::Journal::Position position) {
  runtime::Journal* const journal = call.server().backend().journal;
  if (journal == nullptr) return call.reply();
  journal->when_settled(position, [&call] { call.reply(); });
}

/// Who has been told of its end will find its replay, in the same way.
void reply_when_durable(EndCall& call, runtime::Journal::Position position) {
  runtime::Journal* const journal = call.server().backend().journal;
  if (journal == nullptr || position == 0) return call.reply();
  journal->when_settled(position, [&call, journal, position] {
    v1::Match& match = *call.response().mutable_match();
    if (journal->durable_position() >= position) match.set_durable_tick(match.tick());
    call.reply();
  });
}

/// Refused before those that run suffer. Where the caller sets the pace, ticks wait for nothing but their
/// turn.
bool is_overload(match::ClockKind clock, std::span<const runtime::LoadReading> loads) {
  return clock == match::ClockKind::kRealtime &&
         std::ranges::all_of(loads, &runtime::LoadReading::is_overloaded);
}

void create_match(CreateCall& call) {
  Backend& backend = call.server().backend();
  auto config = decode_config(call.request().config());
  if (!config.ok()) return call.fail(invalid_config(config.error()));
  // Before any work goes into what is refused.
  const std::vector<runtime::LoadReading> loads = backend.loads();
  if (is_overload(config->clock, loads)) return call.fail(server_overloaded(loads, backend.load_limits));
  if (config->seed == 0) config->seed = runtime::random_seed();
  auto match = match::Match::create(std::move(*config));
  if (!match.ok()) return call.fail(invalid_config(match.error()));
  const auto place = backend.registry.add(loads);
  if (!place) return call.fail(too_many_matches(backend.registry.matches_max()));
  LoopServer& home = *backend.loops[place->loop];
  home.run([&call, &home, id = place->id, match = std::move(*match)]() mutable {
    const runtime::LogScope scope = call.log_scope();
    const runtime::MatchHost& host = home.matches().add(id, std::move(match));
    encode_match_whole(host, home.endpoint(), *call.response().mutable_match());
    reply_when_settled(call, host.journal_position());
  });
}

void get_match(GetCall& call) {
  with_match(call, call.request().match_id(), [&call](runtime::MatchHost& host, LoopServer& home) {
    encode_match_whole(host, home.endpoint(), *call.response().mutable_match());
    call.reply();
  });
}

void end_match(EndCall& call) {
  with_match(call, call.request().match_id(), [&call](runtime::MatchHost& host, LoopServer& home) {
    host.end();
    v1::Match& match = *call.response().mutable_match();
    encode_match(host, home.endpoint(), match);
    encode_former_scores(host, match);
    reply_when_durable(call, host.journal_position());
  });
}

void control_clock(ControlCall& call) {
  const auto control = decode_clock_control(call.request().control());
  if (!control.ok()) {
    const std::string& field = control.error().field;
    return call.fail(invalid_field("INVALID_CLOCK_CONTROL", {field.empty() ? "control" : "control." + field,
                                                             control.error().description}));
  }
  with_match(call, call.request().match_id(),
             [&call, control = *control](runtime::MatchHost& host, LoopServer& home) {
               host.control_clock(control);
               encode_match(host, home.endpoint(), *call.response().mutable_match());
               call.reply();
             });
}

/// The answers of several loops to one list.
struct Gathering {
  explicit Gathering(std::vector<runtime::MatchPlace> all) : places(std::move(all)), found(places.size()) {}
  std::vector<runtime::MatchPlace> places;
  std::vector<std::optional<v1::Match>> found;  ///< Each loop fills its own places.
  std::atomic<std::size_t> loops_left = 0;
  int looks = 0;
};

void finish_list(ListCall& call, Gathering& gathering) {
  for (auto& match : gathering.found) {
    if (match)
      *call.response().add_matches() = std::move(*match);  // Those that ended meanwhile are not listed.
  }
  call.reply();
}

/// Whether there are some left that were not where they had been looked for: they have moved.
base::Result<bool, grpc::Status> look_again(Backend& backend, Gathering& gathering) {
  ++gathering.looks;
  bool is_any_left = false;
  for (std::size_t i = 0; i < gathering.places.size(); ++i) {
    runtime::MatchPlace& place = gathering.places[i];
    if (gathering.found[i]) continue;
    const auto next = place_of(backend, place.id, gathering.looks);
    if (!next.ok() && next.error().error_code() != grpc::StatusCode::NOT_FOUND) return next.error();
    is_any_left |= next.ok();
    place.loop = next.ok() ? (*next)->index() : backend.loops.size();
  }
  return is_any_left;
}

void gather(ListCall& call, const std::shared_ptr<Gathering>& gathering) {
  Backend& backend = call.server().backend();
  gathering->loops_left = backend.loops.size();
  for (const auto& loop : backend.loops) {
    // Even if it is this one: each loop looks after what is on its way to it.
    loop->loop().post([&call, &backend, &home = *loop, gathering] {
      for (std::size_t i = 0; i < gathering->places.size(); ++i) {
        if (gathering->places[i].loop != home.index() || gathering->found[i]) continue;
        const runtime::MatchHost* host = home.matches().find(gathering->places[i].id);
        if (host != nullptr) encode_match(*host, home.endpoint(), gathering->found[i].emplace());
      }
      if (gathering->loops_left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
      const auto is_any_left = look_again(backend, *gathering);
      if (!is_any_left.ok()) return call.fail(is_any_left.error());
      if (*is_any_left) return gather(call, gathering);
      finish_list(call, *gathering);
    });
  }
}

void list_matches(ListCall& call) {
  Backend& backend = call.server().backend();
  const std::uint32_t asked = call.request().page_size();
  const std::size_t page_size = std::min(asked == 0 ? kPageSizeDefault : asked, kPageSizeMax);
  auto places = backend.registry.list(call.request().page_token(), page_size + 1);
  if (places.size() > page_size) {
    places.pop_back();
    call.response().set_next_page_token(places.back().id);
  }
  gather(call, std::make_shared<Gathering>(std::move(places)));
}

void answer_step(StepCall& call, const runtime::MatchId& id,
                 const base::Result<runtime::StepResult, runtime::StepError>& result) {
  if (!result.ok()) return call.fail(step_failed(result.error(), id));
  call.response().set_tick(result->tick);
  call.response().set_digest(result->digest);
  call.response().set_events(result->last_sequence_number);
  call.reply();
}

/// The call may be over before this has come to the match.
void cancel_step(LoopServer& server, const runtime::MatchId& match_id, runtime::StepId step_id) {
  const auto cancel = [held = hold(server), step_id](runtime::MatchHost& host, LoopServer& /*home*/) {
    host.cancel_step(step_id);
  };
  with_match(server.backend(), match_id, cancel, [](const grpc::Status& /*loss*/) {});
}

void step_match(StepCall& call) {
  const std::uint32_t asked = call.request().ticks();
  if (asked > kStepTicksMax) {
    const std::string description = std::to_string(asked) + "; at most " + std::to_string(kStepTicksMax);
    return call.fail(invalid_field("INVALID_STEP", {"ticks", description}));
  }
  static std::atomic<runtime::StepId> last_step_id = 0;
  const runtime::StepId step_id = ++last_step_id;
  const runtime::MatchId match_id = call.request().match_id();
  const runtime::StepRequest request{std::max(asked, 1u), call.request().wait_for_frames()};
  // Where the match moves, the cancellation may come to it before the step does.
  const auto is_cancelled = std::make_shared<std::atomic<bool>>(false);
  call.on_cancel([&server = call.server(), match_id, step_id, is_cancelled] {
    *is_cancelled = true;
    cancel_step(server, match_id, step_id);
  });
  with_match(call, match_id,
             [&call, match_id, step_id, request, is_cancelled](runtime::MatchHost& host, LoopServer& home) {
               if (home.backend().is_shutting_down) return call.fail(server_shutting_down());
               if (*is_cancelled) return answer_step(call, match_id, runtime::StepError::kCancelled);
               host.step(step_id, request,
                         [&call, match_id](const auto& result) { answer_step(call, match_id, result); });
             });
}

}  // namespace

void accept_match_calls(LoopServer& server) {
  static const CreateCall::Method create{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.match_service().RequestCreateMatch(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      create_match};
  static const GetCall::Method get{[](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
                                     to.match_service().RequestGetMatch(context, request, writer, &to.queue(),
                                                                        &to.queue(), tag);
                                   },
                                   get_match};
  static const ListCall::Method list{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.match_service().RequestListMatches(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      list_matches};
  static const EndCall::Method end{[](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
                                     to.match_service().RequestEndMatch(context, request, writer, &to.queue(),
                                                                        &to.queue(), tag);
                                   },
                                   end_match};
  static const StepCall::Method step{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.match_service().RequestStepMatch(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      step_match};
  static const ControlCall::Method control{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.match_service().RequestControlClock(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      control_clock};
  CreateCall::accept(server, create);
  GetCall::accept(server, get);
  ListCall::accept(server, list);
  EndCall::accept(server, end);
  StepCall::accept(server, step);
  ControlCall::accept(server, control);
}

}  // namespace sweepd::rpc
