// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "replay/rules_digest.h"
#include "session/aside.h"
#include "session/client_budget.h"
#include "session/clock_codec.h"
#include "session/message_bytes.h"
#include "session/methods.h"
#include "session/status.h"
#include "session/viewer.h"
#include "session/with_match.h"
#include "wire/config_codec.h"

namespace sweepd::session {
namespace {

constexpr std::uint32_t kStepTicksMax = 100'000;

/// A client that has been told of a match finds it again, even if the server dies right now. But a disk that
/// fails stops no match: then it is told at once.
void reply_when_settled(CreateMatchCall& call, runtime::Journal::Position position) {
  runtime::Journal* const journal = call.home().backend().journal;
  if (journal == nullptr) return call.reply();
  journal->when_settled(position, [&call] { call.reply(); });
}

/// A client that has been told of its end finds its replay, in the same way.
void reply_when_durable(EndMatchCall& call, runtime::Journal::Position position) {
  runtime::Journal* const journal = call.home().backend().journal;
  if (journal == nullptr || position == 0) return call.reply();
  journal->when_settled(position, [&call, journal, position] {
    v1::Match& match = *call.response().mutable_match();
    if (journal->durable_position() >= position) match.set_durable_tick(match.tick());
    call.reply();
  });
}

/// About what a match takes of its loop, by its config: a stage of a co-op game with four players at 60 Hz
/// takes four times that of one player. Of a MANUAL one the caller sets the pace, and its ticks wait for
/// their turn.
double estimated_ratio(const match::MatchConfig& config) {
  constexpr double kRatioPerPlayerHz = 0.001 / 60;
  if (config.clock == match::ClockKind::kManual) return 0;
  const std::size_t players =
      std::max<std::size_t>({config.slots.size(), config.start_after_participants, 1});
  return kRatioPerPlayerHz * config.tick_rate_hz * static_cast<double>(players);
}

/// Refused before those that run suffer.
bool is_overload(match::ClockKind clock, std::span<const runtime::LoadReading> loads) {
  return clock != match::ClockKind::kManual &&
         std::ranges::all_of(loads, &runtime::LoadReading::is_overloaded);
}

/// What a request asks for.
struct MatchOrder {
  match::MatchConfig config = {};
  replay::MatchRules rules = {};  ///< Of a match that is created by their name.
  std::size_t bytes = 0;          ///< That the journal has to keep.
};

/// The request says what its rules leave open. It pays for the config as if it had sent it.
base::Result<MatchOrder, Status> order_by_rules(const OfficialRules& official,
                                                const v1::CreateMatchRequest& request) {
  const auto approved = official.find(request.rules_name());
  if (!approved) return rules_not_found(request.rules_name());
  v1::MatchConfig rest = request.config();
  rest.clear_name();
  rest.clear_seed();
  if (rest.ByteSizeLong() > 0)
    return invalid_field(
        "INVALID_CONFIG",
        match::FieldError{"config", "may say name and seed only, where rules_name is given"});
  MatchOrder order{
      approved->config, {approved->digest, request.rules_name()}, approved->bytes + request.ByteSizeLong()};
  if (!request.config().name().empty()) order.config.name = request.config().name();
  order.config.seed = request.config().seed();
  return order;
}

base::Result<MatchOrder, Status> order_of(const OfficialRules& official,
                                          const v1::CreateMatchRequest& request) {
  if (!request.rules_name().empty()) return order_by_rules(official, request);
  auto config = wire::decode_config(request.config());
  if (!config.ok()) return invalid_config(config.error());
  return MatchOrder{std::move(*config), {}, request.ByteSizeLong()};
}

/// Once, before the match comes to its loop: of a large config it takes a while.
std::optional<Status> settle_rules(const Backend& backend, MatchOrder& order) {
  if (!order.rules.name.empty()) return std::nullopt;
  order.rules.digest = replay::rules_digest(order.config);
  order.rules.name = backend.rules.name_of(order.rules.digest, order.config.budgets);
  if (!order.rules.name.empty() || !backend.refuses_unranked) return std::nullopt;
  if (const auto mismatch = replay::mismatch_with_nearest(order.config, backend.rules.all()))
    return rules_not_approved(*mismatch);
  return rules_not_approved("broadphase leaves the match other budgets than its approved rules have");
}

/// Whether the request is short, and what it asks for is long to check: rules that it names, or entries that
/// say little. The rules digest takes about a microsecond for each of an entry's twenty to fifty values.
bool is_long_to_check(CreateMatchCall& call) {
  constexpr int kEntriesMax = 32;
  const v1::MatchConfig& config = call.request().config();
  if (call.request().rules_name().empty()) {
    if (call.home().backend().refuses_unranked) return true;  // What is refused is compared with all rules.
    const int entries = config.collides_size() + config.scoring_size() + config.slots_size() +
                        config.templates_size() + config.layer_limits_size() + config.visibility_size() +
                        config.masks_size();
    return entries > kEntriesMax;
  }
  const auto rules = call.home().backend().rules.find(call.request().rules_name());
  return rules && rules->bytes > kLargeRequestBytes;
}

void create_here(CreateMatchCall& call) {
  Backend& backend = call.home().backend();
  auto order = order_of(backend.rules, call.request());
  if (!order.ok()) return call.fail(order.error());
  match::MatchConfig& config = order->config;
  // Before any work goes into what is refused.
  const std::vector<runtime::LoadReading> loads =
      backend.registry.with_estimates(backend.loads(), backend.load_limits);
  if (is_overload(config.clock, loads)) return call.fail(server_overloaded(loads, backend.load_limits));
  if (backend.journal != nullptr) {
    const auto excess = backend.budgets.spend(call.payers(), runtime::Resource::kJournalBytes, order->bytes,
                                              call.home().loop().now());
    if (excess) return call.fail(over_budget(*excess));
  }
  if (config.seed == 0) config.seed = runtime::random_seed();
  if (auto error = find_error(config)) return call.fail(invalid_config(*error));
  if (auto error = fill_budgets(backend.budget_maxima, config)) return call.fail(invalid_config(*error));
  if (auto refusal = settle_rules(backend, *order)) return call.fail(*refusal);
  const double estimate = estimated_ratio(config);
  auto match = match::Match::create(std::move(config));
  if (!match.ok()) return call.fail(invalid_config(match.error()));
  auto share = take(backend, call.payers(), runtime::Resource::kMatches);
  if (!share) return call.fail(share.error());
  const auto place = backend.registry.add(loads, estimate, std::move(*share));
  if (!place) return call.fail(too_many_matches(backend.registry.matches_max()));
  MatchLoop& home = *backend.loops[place->loop];
  home.run([&call, &home, id = place->id, match = std::move(*match),
            rules = std::move(order->rules)]() mutable {
    const runtime::LogScope scope = call.log_scope();
    call.name_match(id);
    const runtime::MatchHost& host =
        home.matches().add(id, std::move(match), call.payers().own().key(), call.payers(), std::move(rules));
    encode_match_whole(host, home.endpoint(), *call.response().mutable_match());
    reply_when_settled(call, host.journal_position());
  });
}

}  // namespace

// A large request is on a worker's thread already.
void create_match(CreateMatchCall& call) {
  if (call.is_large() || !is_long_to_check(call)) return create_here(call);
  const auto work = [&call] {
    const runtime::LogScope scope = call.log_scope();
    create_here(call);
  };
  if (!run_aside(call.home().backend(), call.payers(), work)) call.fail(server_shutting_down());
}

namespace {

/// As it was when it ended.
void answer_ended(GetMatchCall& call, const EndedMatches::Ended& ended) {
  if (Status refusal = find_refusal(call.principal(), call.rpc(), call.request().match_id(), ended.creator);
      !refusal.ok())
    return call.fail(refusal);
  v1::Match& match = *call.response().mutable_match();
  match.ParseFromString(ended.match);
  leave_out_secrets(call.principal(), ended, match);
  call.reply();
}

}  // namespace

void get_match(GetMatchCall& call) {
  const auto found = [&call](runtime::MatchHost& host, MatchLoop& home) {
    const runtime::LogScope scope = call.log_scope();
    if (const Status refusal = find_refusal(call.principal(), call.rpc(), host); !refusal.ok())
      return call.fail(refusal);
    v1::Match& match = *call.response().mutable_match();
    encode_match_whole(host, home.endpoint(), match);
    leave_out_secrets(call.principal(), host, match);
    leave_out_hidden(viewer_of(call.principal(), host), host, match);
    call.reply();
  };
  with_match(call.home().backend(), call.request().match_id(), found, [&call](const Status& status) {
    const runtime::LogScope scope = call.log_scope();
    const auto ended = call.home().backend().ended_matches.find(call.request().match_id());
    if (ended != nullptr) return answer_ended(call, *ended);
    call.fail(status);
  });
}

void end_match(EndMatchCall& call) {
  with_match(call, call.request().match_id(), [&call](runtime::MatchHost& host, MatchLoop& home) {
    host.end();
    v1::Match& match = *call.response().mutable_match();
    encode_match(host, home.endpoint(), match);
    encode_former(host, match);
    leave_out_secrets(call.principal(), host, match);
    reply_when_durable(call, host.journal_position());
  });
}

void control_clock(ControlClockCall& call) {
  const auto control = decode_clock_control(call.request().control());
  if (!control.ok()) {
    const std::string& field = control.error().field;
    return call.fail(invalid_field("INVALID_CLOCK_CONTROL", {field.empty() ? "control" : "control." + field,
                                                             control.error().description}));
  }
  with_match(call, call.request().match_id(),
             [&call, control = *control](runtime::MatchHost& host, MatchLoop& home) {
               host.control_clock(control);
               v1::Match& match = *call.response().mutable_match();
               encode_match(host, home.endpoint(), match);
               leave_out_secrets(call.principal(), host, match);
               leave_out_hidden(viewer_of(call.principal(), host), host, match);
               call.reply();
             });
}

namespace {

void answer_step(StepMatchCall& call, const runtime::MatchId& id,
                 const base::Result<runtime::StepResult, runtime::StepError>& result, bool may_know_digest) {
  if (!result.ok()) return call.fail(step_failed(result.error(), id));
  call.response().set_tick(result->tick);
  if (may_know_digest) call.response().set_digest(result->digest);
  call.response().set_events(result->last_sequence_number);
  call.reply();
}

/// The call may be over before this has come to the match.
void cancel_step(MatchLoop& home, const runtime::MatchId& match_id, runtime::StepId step_id) {
  const auto cancel = [held = hold(home), step_id](runtime::MatchHost& host, MatchLoop& /*home*/) {
    host.cancel_step(step_id);
  };
  with_match(home.backend(), match_id, cancel, [](const Status& /*loss*/) {});
}

}  // namespace

void step_match(StepMatchCall& call) {
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
  call.on_cancel([&home = call.home(), match_id, step_id, is_cancelled] {
    *is_cancelled = true;
    cancel_step(home, match_id, step_id);
  });
  with_match(call, match_id,
             [&call, match_id, step_id, request, is_cancelled](runtime::MatchHost& host, MatchLoop& home) {
               if (home.backend().is_shutting_down) return call.fail(server_shutting_down());
               if (*is_cancelled) return answer_step(call, match_id, runtime::StepError::kCancelled, false);
               host.step(step_id, request, [&call, &host, match_id](const auto& result) {
                 answer_step(call, match_id, result, !is_limited(viewer_of(call.principal(), host), host));
               });
             });
}

}  // namespace sweepd::session
