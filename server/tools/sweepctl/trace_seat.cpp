// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_seat.h"

#include "tools/sweepctl/trace_match.h"

namespace sweepd::tools {
namespace {

JoinOptions join_options_of(const TraceSeatOptions& options) {
  JoinOptions join;
  join.match_id = options.match_id;
  join.name = options.name;
  // Frames that are lost with a connection would make other events: better none.
  join.reconnect.timeout = std::chrono::milliseconds(0);
  return join;
}

std::string text_of(const Rejection& rejection) {
  std::string text = "the server refused ";
  text += rejection.object == 0 ? "the frame" : "a change of object " + std::to_string(rejection.object);
  text += " for tick " + std::to_string(rejection.frame_tick) + " in tick " + std::to_string(rejection.tick) +
          ": " + rejection.reason;
  if (!rejection.field.empty()) text += ", " + rejection.field;
  if (!rejection.message.empty()) text += ": " + rejection.message;
  return text + "; the events are not exact";
}

}  // namespace

TraceSeat::TraceSeat(const Trace& trace, std::size_t number, const TraceSeatOptions& options)
    : trace_(trace),
      participant_(trace.participants[number]),
      name_(options.name),
      every_tick_(options.every_tick),
      client_(options.client),
      session_(client_.join(join_options_of(options))) {
  for (const TraceFrame& frame : participant_.frames) commands_ += frame.commands.size();
}

Status TraceSeat::named(const Status& status) const {
  return Status(status.code(), name_ + ": " + status.message(), status.reason(), status.field());
}

Status TraceSeat::check() {
  if (const auto rejection = session_.poll_rejection()) {
    return named(Status(ErrorCode::kFailedPrecondition, text_of(*rejection), rejection->reason));
  }
  if (session_.state() == SessionState::kFailed) return named(session_.error());
  if (session_.state() == SessionState::kEnded && received_tick_ < trace_.last_tick) {
    return named(Status(ErrorCode::kFailedPrecondition, "the match ended at tick " +
                                                            std::to_string(session_.tick()) + " of " +
                                                            std::to_string(trace_.last_tick)));
  }
  return {};
}

Status TraceSeat::send_until(Tick tick) {
  while (sent_tick_ < tick) {
    const Tick next = sent_tick_ + 1;
    const bool has_commands =
        next_frame_ < participant_.frames.size() && participant_.frames[next_frame_].tick == next;
    if (has_commands && !composed_) {
      if (Status status = compose(participant_.frames[next_frame_]); !status.ok()) return status;
      composed_ = true;
    }
    if (has_commands || every_tick_ || next == 1) {
      const Status status = session_.end_frame(next);
      if (status.code() == ErrorCode::kQueueFull) return {};
      if (!status.ok()) return named(status);
    }
    if (has_commands) ++next_frame_;
    composed_ = false;
    sent_tick_ = next;
  }
  return {};
}

void TraceSeat::receive(Tick last_tick, const std::function<void(const Event&)>& on_event) {
  // The tick is read before its events are polled: whatever it promises is then among them.
  const Tick tick = session_.tick();
  if (tick == last_tick) {
    // A digest and its tick are read one after the other: it counts only if no tick came in between.
    const std::uint64_t digest = session_.digest();
    if (digest != 0 && session_.tick() == tick) last_digest_ = digest;
  }
  while (const auto event = session_.poll_event()) {
    if (event->tick > last_tick) continue;
    ++event_count_;
    on_event(*event);
  }
  received_tick_ = tick;
}

Status TraceSeat::compose(const TraceFrame& frame) {
  for (const TraceCommand& command : frame.commands) {
    if (const Status status = apply(command); !status.ok()) {
      return Status(status.code(), "trace line " + std::to_string(command.line) + ": " + status.message());
    }
  }
  return {};
}

Status TraceSeat::apply(const TraceCommand& command) {
  switch (command.kind) {
    case TraceCommandKind::kSpawn:
      return spawn(command);
    case TraceCommandKind::kMove:
      return session_.move(command.object, {to_units(command.x), to_units(command.y)});
    case TraceCommandKind::kDespawn:
      return session_.despawn(command.object);
  }
  return {};
}

Status TraceSeat::spawn(const TraceCommand& command) {
  ObjectSpec spec;
  spec.id = command.object;
  spec.position = {to_units(command.x), to_units(command.y)};
  for (const TraceBox& box : trace_.boxes_of(command)) spec.parts.push_back({to_units(box), command.layer});
  return session_.spawn(spec).status();
}

}  // namespace sweepd::tools
