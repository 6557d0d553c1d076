// SPDX-License-Identifier: MIT
#include "session/stream.h"

#include <utility>

#include "base/assert.h"
#include "session/parse_request.h"
#include "session/refusals.h"

namespace sweepd::session {

Stream::Stream(MatchLoop& accepting, Pipe& pipe, const char* name, std::string rpc)
    : trace_(name), pipe_(pipe), accepting_(accepting), rpc_(std::move(rpc)) {
  accepting_.count_call();
}

Stream::~Stream() {
  SWEEPD_ASSERT(!has_events());
  accepting_.uncount_call();
}

// It does not end in here, as kDone is yet to come; and it may be another loop's afterwards.
void Stream::arrive(CallOrigin origin) {
  begin_event();  // kDone
  trace_.begin(std::move(origin.request_id), std::move(origin.peer));
  const runtime::LogScope scope = trace_.scope();
  caller_ = std::move(origin.caller);
  accepting_.add_stream(*this);
  if (backend().is_shutting_down) return shut_down();
  caller_.count_message();
  expulsions_seen_ = backend().expulsions.version();
  const Status refusal = let_in(backend(), rpc_, origin.token, caller_);
  trace_.name_caller(text_of(caller_), is_known_operator(principal()));
  if (!refusal.ok()) {
    pipe_.incoming().drop();
    return finish(refusal);
  }
  admit();
}

void Stream::shut_down() { finish(server_shutting_down()); }

bool Stream::has_memory() {
  if (!backend().memory.is_full()) return true;
  pipe_.incoming().drop();
  finish(memory_is_short(backend().memory));
  return false;
}

bool Stream::has_good_ticket() { return backend().gate.is_still_good(caller_.admission); }

std::optional<std::uint64_t> Stream::take_seen_expulsions() {
  const std::uint64_t version = backend().expulsions.version();
  if (version == expulsions_seen_) return std::nullopt;
  return std::exchange(expulsions_seen_, version);
}

Status Stream::find_expulsion(const identity::Subject& subject, std::uint64_t since_version) const {
  return backend().expulsions.find(subject, trace_.match_id(), since_version, ticket_time_s());
}

bool Stream::take_place() {
  auto place = session::take(backend(), caller_.payers, runtime::Resource::kStreams);
  if (place) {
    place_ = std::move(*place);
    return true;
  }
  pipe_.incoming().drop();
  finish(place.error());
  return false;
}

void Stream::parse(google::protobuf::Message& request, const std::function<void()>& then) {
  MessageBytes& bytes = pipe_.incoming();
  if (const auto refusal = refuse_too_large(bytes)) return finish(*refusal);
  if (!bytes.is_large()) return on_parsed(parse_request(bytes, request), request, then);
  const std::shared_ptr<MessageBytes> large = bytes.release();
  const auto fault = std::make_shared<std::optional<match::FieldError>>();
  run_aside([large, fault, &request] { *fault = parse_request(*large, request); },
            [this, fault, &request, then] { on_parsed(*fault, request, then); });
}

void Stream::on_parsed(const std::optional<match::FieldError>& fault,
                       const google::protobuf::Message& request, const std::function<void()>& then) {
  if (fault) return finish(invalid_request(*fault));
  name_match(request);
  then();
}

void Stream::run_aside(const std::function<void()>& work, const std::function<void()>& then) {
  begin_event();
  const auto whole = [this, work, then] {
    work();
    end_event_at_home(then);
  };
  if (session::run_aside(backend(), caller_.payers, whole)) return;
  end_event_at_home([this] { finish(server_shutting_down()); });
}

void Stream::name_match(const google::protobuf::Message& request) {
  const auto* const field = request.GetDescriptor()->FindFieldByName("match_id");
  if (field != nullptr) trace_.name_match(request.GetReflection()->GetString(request, field));
}

void Stream::read() {
  begin_event();
  pipe_.read();
}

void Stream::send(const Status& status) {
  begin_event();
  pipe_.finish(status);
}

void Stream::forget_event() {
  SWEEPD_ASSERT(has_events());
  --events_under_way_;
}

void Stream::take(StreamEvent event, bool ok) {
  switch (event) {
    case StreamEvent::kRead:
      return on_read(ok);
    case StreamEvent::kWritten:
      return on_written(ok);
    case StreamEvent::kFinished:
      return;
    case StreamEvent::kDone:
      return on_done(ok);
  }
}

}  // namespace sweepd::session
