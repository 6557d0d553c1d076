// SPDX-License-Identifier: MIT
#include "match_stream.h"

#include <algorithm>

#include "channel.h"
#include "server_status.h"

namespace sweepd::internal {
namespace {

/// What the first connection may take before a call is made that says why there is none: a server that is
/// just starting is waited for, and gRPC 1.51 takes a connection that is still being made for a failed one
/// when something else has set errno meanwhile.
constexpr std::chrono::seconds kConnectTime{1};

/// What a connection to the match's own endpoint may take before its streams go by the server's address.
constexpr std::chrono::milliseconds kReachTime{1'000};

/// A wait for a connection cannot be cancelled; in slices of this it soon sees that it is not waited for any
/// more.
constexpr std::chrono::milliseconds kConnectSlice{50};
/// An alarm that goes off so late tells of this process, not of the server.
constexpr std::chrono::milliseconds kLateAlarm{250};
/// Less would be no attempt.
constexpr std::chrono::milliseconds kShortestAttempt{50};

/// Whether it may be another time that the server says something else. `is_kept`: the match outlives its
/// server's process.
bool may_pass(const grpc::Status& status, bool is_kept) {
  const std::string reason = from_server(status).reason();
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      // Its matches go with it, where it keeps no journal.
      return is_kept || reason != "SERVER_SHUTTING_DOWN";
    // A slow reader may catch up, other streams may end; but a message that was too large stays so.
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return reason == "SLOW_READER" || reason == "TOO_MANY_STREAMS" || reason == "TOO_MANY_BYTES" ||
             reason == "TOO_MANY_INTERESTS" || reason == "MEMORY_SHORT";
    case grpc::StatusCode::OK:  // Closed before the match has ended: some proxies do that.
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return true;
    default:
      return false;
  }
}

}  // namespace

void* MatchStream::Operation::begin() {
  under_way_ = true;
  ++stream_->operations_under_way_;
  return this;
}

void MatchStream::Operation::complete(bool ok) {
  under_way_ = false;
  done_(ok);
  if (--stream_->operations_under_way_ > 0) return;
  if (stream_->pause()) return;
  // The stream is not called any more. It may be gone when this returns, and this operation with it.
  stream_->network_->stream_over();
  const std::shared_ptr<MatchStream> last = std::move(stream_->self_);
}

MatchStream::MatchStream(Network* network, Route route, const ReconnectOptions& reconnect,
                         SubscriptionLimits limits)
    : network_(network),
      route_(std::move(route)),
      reconnect_(reconnect),
      subscription_(limits),
      pauses_(reconnect),
      connect_(this, [this](bool) { connect(); }),
      locate_(this, [this](bool) { located(); }),
      start_(this, [this](bool ok) { started(ok); }),
      read_(this, [this](bool ok) { has_read(ok); }),
      finish_(this, [this](bool) { over(status_); }),
      timeout_(this,
               [this](bool expired) {
                 if (expired) time_out();
               }),
      cancel_(this,
              [this](bool expired) {
                if (expired) cancel_now();
              }),
      silence_(this,
               [this](bool expired) {
                 if (expired) check_silence();
               }),
      pause_(this, [this](bool expired) {
        if (expired && !cancelled_ && !subscription_.is_over()) begin_attempt();
      }) {}

void MatchStream::start() {
  network_->post([self = shared_from_this()] { self->begin(); });
}

void MatchStream::cancel() {
  network_->post([self = shared_from_this()] { self->cancel_now(); });
}

void MatchStream::begin() {
  network_->stream_begun();
  self_ = shared_from_this();
  begin_attempt();
}

void MatchStream::begin_attempt() {
  forget_call();
  attempt_ = std::make_unique<Attempt>();
  status_ = grpc::Status();
  ++attempts_;
  attempt_->patience = patience();
  attempt_->deadline = std::chrono::system_clock::now() + attempt_->patience;
  timeout_alarm_.Set(network_->queue(), attempt_->deadline, timeout_.begin());
  if (!route_.follow_endpoint) return approach_server(Goal::kPlay);
  // A stream that comes back tries where the match was; only if it is not there any more, it asks.
  const bool knows_where = !target_.empty() && attempts_ == 1;
  if (knows_where) return approach_target();
  approach_server(Goal::kAsk);
}

/// A link that died silently may have broken the client's shared connection, too, and gRPC learns that late.
/// So an attempt to come back asks on a new one.
void MatchStream::approach_server(Goal goal) {
  const bool is_first = subscription_.state() == SessionState::kConnecting;
  const bool is_to_share = is_first && goal == Goal::kAsk;
  // An attempt to come back does not wait: others follow.
  approach(is_to_share ? route_.channel : open_channel(route_.server, *route_.security), goal,
           is_first ? kConnectTime : std::chrono::milliseconds(0));
}

void MatchStream::approach_target() {
  if (target_ == route_.server) return approach_server(Goal::kPlay);
  approach(open_channel(target_, *route_.security), Goal::kReach,
           std::min(kReachTime, attempt_->patience / 2));
}

void MatchStream::approach(std::shared_ptr<grpc::Channel> channel, Goal goal,
                           std::chrono::milliseconds time) {
  attempt_->channel = std::move(channel);
  attempt_->goal = goal;
  attempt_->connect_deadline = std::chrono::system_clock::now() + time;
  connect();
}

std::chrono::milliseconds MatchStream::patience() const {
  if (subscription_.state() == SessionState::kConnecting) return route_.timeout;
  const auto away = std::chrono::steady_clock::now() - broke_at_;
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(reconnect_.timeout - away);
  return std::min(route_.timeout, std::max(rest, kShortestAttempt));
}

void MatchStream::connect() {
  if (cancelled_ || attempt_->time_out) return over(grpc::Status::CANCELLED);
  const auto state = attempt_->channel->GetState(true);
  const auto now = std::chrono::system_clock::now();
  const bool is_reaching = attempt_->goal == Goal::kReach && state != GRPC_CHANNEL_READY;
  // The server that named it may be gone since then: another attempt to reach it would be in vain.
  const bool is_refused = is_reaching && !attempt_->is_located && state == GRPC_CHANNEL_TRANSIENT_FAILURE;
  if (state != GRPC_CHANNEL_READY && now < attempt_->connect_deadline && !is_refused) {
    const auto until = std::min(attempt_->connect_deadline, now + kConnectSlice);
    attempt_->channel->NotifyOnStateChange(state, until, network_->queue(), connect_.begin());
  } else if (attempt_->goal == Goal::kAsk) {
    locate();
  } else if (is_reaching) {
    go_round();
  } else {
    open();
  }
}

void MatchStream::go_round() {
  if (!attempt_->is_located) return approach_server(Goal::kAsk);
  // The server has just named it: it serves there, but this process cannot reach it.
  network_->unreachable_endpoints().add(target_);
  target_ = route_.server;
  approach_server(Goal::kPlay);
}

/// False: the stream is over.
bool MatchStream::authorize(grpc::ClientContext& context) {
  Status error = route_.security->authorize(context);
  if (error.ok()) return true;
  subscription_.fail(std::move(error));
  cancelled_ = true;
  over(grpc::Status::CANCELLED);
  return false;
}

void MatchStream::locate() {
  v1::GetMatchRequest request;
  request.set_match_id(route_.match_id);
  attempt_->locate_context.set_deadline(attempt_->deadline);
  if (!authorize(attempt_->locate_context)) return;
  attempt_->stub = Service::NewStub(attempt_->channel);
  attempt_->locate_call =
      attempt_->stub->AsyncGetMatch(&attempt_->locate_context, request, network_->queue());
  attempt_->locate_call->Finish(&attempt_->locate_response, &status_, locate_.begin());
}

void MatchStream::located() {
  if (cancelled_) return over(grpc::Status::CANCELLED);
  if (!status_.ok()) return over(status_);
  const v1::Endpoint& endpoint = attempt_->locate_response.match().endpoint();
  target_ = target_of({endpoint.host(), endpoint.port()}, route_.server);
  if (network_->unreachable_endpoints().contains(target_) || !route_.security->may_send_to(target_))
    target_ = route_.server;
  // The server has just told of it, so it is there: one attempt that fails is no answer. Unless the server
  // has died meanwhile, and comes back elsewhere: a stream that comes back asks again.
  attempt_->call_context.set_wait_for_ready(subscription_.state() == SessionState::kConnecting);
  attempt_->is_located = true;
  approach_target();
}

void MatchStream::open() {
  if (!authorize(attempt_->call_context)) return;
  attempt_->stub = Service::NewStub(attempt_->channel);
  begin_call(attempt_->stub.get(), &attempt_->call_context, start_.begin());
}

void MatchStream::started(bool ok) {
  if (!ok) return finish();
  read_next(read_.begin());
  call_started();
}

void MatchStream::has_read(bool ok) {
  if (ok) subscription_.note_heard();
  if (ok && receive()) return read_next(read_.begin());
  if (ok) cancel_now();
  finish();
}

bool MatchStream::joined(const SubscriptionStart& start) {
  timeout_alarm_.Cancel();
  joined_at_ = std::chrono::steady_clock::now();
  const auto away = std::chrono::steady_clock::now() - broke_at_;
  const bool is_awaited =
      subscription_.join(start, {.attempts = attempts_,
                                 .away = std::chrono::duration_cast<std::chrono::milliseconds>(away),
                                 .resumed = start.resumed,
                                 .undone = start.undone});
  if (is_awaited) watch_silence(start.heartbeat);
  return is_awaited;
}

/// A stream that may not come back keeps its link, silent or not.
void MatchStream::watch_silence(std::chrono::milliseconds heartbeat) {
  const bool is_to_watch = heartbeat.count() > 0 && reconnect_.silence_max.count() > 0 &&
                           reconnect_.timeout.count() > 0 && may_come_back();
  if (!is_to_watch) return;
  silence_max_ = std::max(reconnect_.silence_max, 2 * heartbeat);
  wait_for_silence(silence_max_);
}

void MatchStream::wait_for_silence(std::chrono::milliseconds time) {
  silence_due_ = std::chrono::system_clock::now() + time;
  silence_alarm_.Set(network_->queue(), silence_due_, silence_.begin());
}

void MatchStream::check_silence() {
  if (cancelled_ || subscription_.state() != SessionState::kJoined) return;
  const auto silence = subscription_.silent_for();
  if (silence < silence_max_) return wait_for_silence(silence_max_ - silence);
  // This process stood still itself, and has yet to read what came meanwhile.
  if (std::chrono::system_clock::now() - silence_due_ > kLateAlarm) return wait_for_silence(kLateAlarm);
  attempt_->time_out =
      Status(ErrorCode::kDeadlineExceeded, "nothing has come from the server " + place() + " for " +
                                               std::to_string(silence.count()) + " ms");
  cancel_attempt();
}

const std::string& MatchStream::place() const { return target_.empty() ? route_.server : target_; }

void MatchStream::finish() { finish_call(&status_, finish_.begin()); }

void MatchStream::time_out() {
  // An alarm that went off just before it was cancelled.
  if (subscription_.state() == SessionState::kJoined) return;
  const std::string waited = std::to_string(attempt_->patience.count());
  const Status error(ErrorCode::kDeadlineExceeded,
                     "the server " + place() + " let no participant in within " + waited + " ms");
  if (subscription_.fail_if_connecting(error)) return cancel_now();
  attempt_->time_out = error;
  cancel_attempt();
}

void MatchStream::cancel_now() {
  cancelled_ = true;
  pause_alarm_.Cancel();
  if (attempt_ != nullptr) cancel_attempt();
}

void MatchStream::cancel_attempt() {
  attempt_->locate_context.TryCancel();
  attempt_->call_context.TryCancel();
}

void MatchStream::cancel_after(std::chrono::milliseconds time) {
  if (cancel_.is_under_way()) return;
  cancel_alarm_.Set(network_->queue(), std::chrono::system_clock::now() + time, cancel_.begin());
}

void MatchStream::over(const grpc::Status& status) {
  timeout_alarm_.Cancel();
  cancel_alarm_.Cancel();
  silence_alarm_.Cancel();
  comes_back_ = shall_come_back(status);
  if (comes_back_) return;
  if (attempt_ != nullptr && attempt_->time_out) {
    subscription_.fail(*attempt_->time_out);
  } else {
    subscription_.fail(status.ok() ? Status(ErrorCode::kUnavailable, "the server closed the stream")
                                   : from_server(status));
  }
}

/// The attempt went where the match was before, without asking its server. Another server may listen there by
/// now, so a refusal is no answer: the next attempt asks.
bool MatchStream::went_by_memory() const {
  return !joined_at_ && attempt_->goal == Goal::kReach && !attempt_->is_located;
}

bool MatchStream::shall_come_back(const grpc::Status& status) {
  if (cancelled_ || reconnect_.timeout.count() <= 0 || !may_come_back()) return false;
  // The next attempt has another ticket, or is refused for good.
  const bool has_expired = joined_at_ && from_server(status).reason() == "TICKET_EXPIRED";
  if (!has_expired && !went_by_memory() && !may_pass(status, subscription_.is_kept())) return false;
  const auto now = std::chrono::steady_clock::now();
  // A stream that breaks again at once, before it has brought anything, has not come back. One that has stood
  // for a while has, even if nothing happens in its match.
  const bool has_stood = joined_at_ && now - *joined_at_ > reconnect_.longest_pause;
  joined_at_.reset();
  if (subscription_.take_progress() || has_stood) {
    broke_at_ = now;
    attempts_ = 0;
    pauses_.restart();
  }
  return now - broke_at_ < reconnect_.timeout && subscription_.set_reconnecting();
}

bool MatchStream::pause() {
  if (!std::exchange(comes_back_, false) || cancelled_ || subscription_.is_over()) return false;
  const auto end = std::chrono::system_clock::now() + pauses_.next();
  pause_alarm_.Set(network_->queue(), end, pause_.begin());
  return true;
}

}  // namespace sweepd::internal
