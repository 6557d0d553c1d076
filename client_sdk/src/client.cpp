// SPDX-License-Identifier: MIT
#include "sweepd/client.h"

#include "client_impl.h"
#include "clock_codec.h"
#include "event_decoder.h"
#include "match_codec.h"
#include "session_impl.h"
#include "stream_codec.h"
#include "watcher_impl.h"

namespace sweepd {
namespace {

constexpr std::uint32_t kMatchesPerPage = 1'000;
constexpr std::uint32_t kEncountersPerPage = 10'000;

Status invalid(const std::string& field, const std::string& message) {
  return {ErrorCode::kInvalidArgument, field + message, {}, field};
}

Status check(const ReconnectOptions& reconnect) {
  if (reconnect.timeout.count() < 0) return invalid("reconnect.timeout", " is negative");
  if (reconnect.silence_max.count() < 0) return invalid("reconnect.silence_max", " is negative");
  if (reconnect.timeout.count() == 0) return {};
  if (reconnect.first_pause.count() < 1) return invalid("reconnect.first_pause", " is less than 1 ms");
  if (reconnect.longest_pause < reconnect.first_pause) {
    return invalid("reconnect.longest_pause", " is less than first_pause");
  }
  return {};
}

Status check(const std::optional<WorldInterest>& world) {
  v1::WorldInterest message;
  if (!world) return {};
  internal::Checked error = internal::encode(*world, &message);
  return error ? std::move(*error).within("world").status() : Status();
}

Status check(const JoinOptions& options) {
  if (options.frames_queued_max == 0) return invalid("frames_queued_max", " is 0; at least 1 is needed");
  if (!options.reconnect_token.empty() && !internal::token_of(options.reconnect_token))
    return internal::malformed_token();
  if (Status error = check(options.world); !error.ok()) return error;
  return check(options.reconnect);
}

Status check(const WatchOptions& options) {
  if (Status error = check(options.world); !error.ok()) return error;
  return check(options.reconnect);
}

template <typename Response>
Result<MatchInfo> match_in(const Result<Response>& response) {
  if (!response.ok()) return response.status();
  return internal::decode(response->match());
}

}  // namespace

Client::Client(ClientOptions options) : impl_(std::make_shared<Impl>(std::move(options))) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<MatchInfo> Client::create_match(const MatchConfig& config) {
  v1::CreateMatchRequest request;
  if (auto error = internal::encode(config, request.mutable_config())) return error->status();
  return match_in(impl_->ask(*impl_->matches, &v1::MatchService::Stub::CreateMatch, request));
}

Result<MatchInfo> Client::create_match_by_rules(const std::string& rules_name, const MatchConfig& labels) {
  v1::CreateMatchRequest request;
  v1::CreateMatchResponse response;
  request.set_rules_name(rules_name);
  if (!labels.name.empty()) request.mutable_config()->set_name(labels.name);
  if (labels.seed != 0) request.mutable_config()->set_seed(labels.seed);
  const Status status = impl_->call(*impl_->matches, &v1::MatchService::Stub::CreateMatch, request, &response,
                                    impl_->deadline());
  if (!status.ok()) return status;
  return internal::decode(response.match());
}

Result<MatchInfo> Client::get_match(const std::string& match_id) {
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  return match_in(impl_->ask(*impl_->matches, &v1::MatchService::Stub::GetMatch, request));
}

Result<std::vector<MatchInfo>> Client::list_matches() {
  // One deadline for all pages, so that the call ends in time even if the pages do not.
  const TimePoint deadline = impl_->deadline();
  std::vector<MatchInfo> matches;
  v1::ListMatchesRequest request;
  v1::ListMatchesResponse response;
  request.set_page_size(kMatchesPerPage);
  do {
    request.set_page_token(response.next_page_token());
    const Status status =
        impl_->call(*impl_->matches, &v1::MatchService::Stub::ListMatches, request, &response, deadline);
    if (!status.ok()) return status;
    for (const auto& match : response.matches()) matches.push_back(internal::decode(match));
  } while (!response.next_page_token().empty());
  return matches;
}

Result<MatchInfo> Client::end_match(const std::string& match_id) {
  v1::EndMatchRequest request;
  request.set_match_id(match_id);
  return match_in(impl_->ask(*impl_->matches, &v1::MatchService::Stub::EndMatch, request));
}

Result<StepResult> Client::step_match(const std::string& match_id, std::uint32_t ticks,
                                      bool wait_for_frames) {
  v1::StepMatchRequest request;
  request.set_match_id(match_id);
  request.set_ticks(ticks);
  request.set_wait_for_frames(wait_for_frames);
  const auto response = impl_->ask(*impl_->matches, &v1::MatchService::Stub::StepMatch, request);
  if (!response.ok()) return response.status();
  return StepResult{.tick = response->tick(), .digest = response->digest(), .events = response->events()};
}

Result<MatchInfo> Client::control_clock(const std::string& match_id, const ClockControl& control) {
  v1::ControlClockRequest request;
  request.set_match_id(match_id);
  internal::encode(control, request.mutable_control());
  return match_in(impl_->ask(*impl_->matches, &v1::MatchService::Stub::ControlClock, request));
}

Result<std::vector<Encounter>> Client::list_encounters(const std::string& match_id, ObjectId object,
                                                       Tick at_tick) {
  const TimePoint deadline = impl_->deadline();
  std::vector<Encounter> encounters;
  v1::ListEncountersRequest request;
  v1::ListEncountersResponse response;
  request.set_match_id(match_id);
  request.set_object_id(object);
  request.set_at_tick(at_tick);
  request.set_page_size(kEncountersPerPage);
  do {
    request.set_page_token(response.next_page_token());
    const Status status =
        impl_->call(*impl_->queries, &v1::QueryService::Stub::ListEncounters, request, &response, deadline);
    if (!status.ok()) return status;
    for (const auto& encounter : response.encounters()) encounters.push_back(internal::decode(encounter));
  } while (!response.next_page_token().empty());
  return encounters;
}

Session Client::join(const JoinOptions& options) {
  const auto stream =
      std::make_shared<internal::PlayStream>(impl_->network.get(), impl_->route(options.match_id), options);
  if (Status error = impl_->server_error.ok() ? check(options) : impl_->server_error; error.ok()) {
    stream->start();
  } else {
    stream->subscription().fail(std::move(error));
  }
  return Session(std::make_shared<Session::Impl>(impl_->network, stream, stream->first_seat(),
                                                 std::make_shared<Session::Impl::OnStream>()));
}

Watcher Client::watch(const WatchOptions& options) {
  const auto stream =
      std::make_shared<internal::WatchStream>(impl_->network.get(), impl_->route(options.match_id), options);
  if (Status error = impl_->server_error.ok() ? check(options) : impl_->server_error; error.ok()) {
    stream->start();
  } else {
    stream->subscription().fail(std::move(error));
  }
  return Watcher(std::make_shared<Watcher::Impl>(impl_->network, stream));
}

Watcher Client::watch(const std::string& match_id, std::uint32_t events_queued_max) {
  WatchOptions options;
  options.match_id = match_id;
  options.events_queued_max = events_queued_max;
  return watch(options);
}

}  // namespace sweepd
