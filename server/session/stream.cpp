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

bool Stream::parse(google::protobuf::Message& request) {
  if (const auto refusal = refuse_too_large(pipe_.incoming())) {
    finish(*refusal);
  } else if (const auto fault = parse_request(pipe_.incoming(), request)) {
    finish(invalid_request(*fault));
  } else {
    name_match(request);
    return true;
  }
  return false;
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
