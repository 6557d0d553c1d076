// SPDX-License-Identifier: MIT
#include "facts.h"

namespace sweepd::internal {
namespace {

Destruction decode(const v1::Destruction& destruction) {
  return {.object = destruction.object_id(),
          .by_object = destruction.by_object_id(),
          .owner = destruction.owner(),
          .by_owner = destruction.by_owner(),
          .layer = destruction.layer(),
          .by_layer = destruction.by_layer(),
          .tick = destruction.tick()};
}

OwnerChange decode(const v1::OwnerChange& change) {
  return {.from = change.from_participant(),
          .to = change.to_participant(),
          .with_stage = change.with_stage(),
          .objects = {change.object_ids().begin(), change.object_ids().end()},
          .tick = change.tick()};
}

AppMessage decode(const v1::ToldMessage& told) {
  return {.from = told.from_participant(), .content = told.message().content(), .tick = told.tick()};
}

LateReport decode(const v1::LateParticipants& late) {
  return {.tick = late.tick(), .participants = {late.participants().begin(), late.participants().end()}};
}

}  // namespace

template <typename Messages>
void Facts::put_all(const Messages& messages) {
  for (const auto& message : messages) {
    auto fact = decode(message);
    std::get<Recent<decltype(fact)>>(recent_).put(std::move(fact));
  }
}

void Facts::put(const v1::TickUpdate& update) {
  put_all(update.destructions());
  put_all(update.owner_changes());
  put_all(update.late_participants());
  put_all(update.messages());
}

void Facts::undo(Tick after_tick) {
  const auto is_later = [after_tick](const auto& fact) { return fact.tick > after_tick; };
  std::apply([&](auto&... recent) { (recent.undo(is_later), ...); }, recent_);
}

}  // namespace sweepd::internal
