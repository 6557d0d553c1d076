// SPDX-License-Identifier: MIT
#include "session/viewer.h"

#include <algorithm>

#include "session/permission.h"
#include "session/subject_key.h"

namespace sweepd::session {

match::Viewer watcher_of(const identity::Principal& principal, const runtime::MatchHost& host) {
  using identity::PrincipalKind;
  const bool is_player = principal.kind == PrincipalKind::kPlayer;
  const bool has_rules =
      is_player || principal.kind == PrincipalKind::kObserver || principal.kind == PrincipalKind::kAnonymous;
  const match::Role role = is_player ? match::Role::kPlayer : match::Role::kObserver;
  const runtime::SightLog* const sight = host.sight();
  return {.sees_all = !has_rules || sight == nullptr || !sight->rules().is_limited(role), .role = role};
}

match::Viewer viewer_of(const identity::Principal& principal, const runtime::MatchHost& host) {
  match::Viewer viewer = watcher_of(principal, host);
  if (viewer.sees_all || viewer.role != match::Role::kPlayer) return viewer;
  const runtime::BudgetKey own = key_of(principal.subject);
  std::vector<match::ParticipantNumber> numbers;
  for (const match::Participant& one : host.match().participants())
    if (host.owner_of(one.number) == own) numbers.push_back(one.number);
  match::Viewer seated = match::viewer_of(host.match(), numbers);
  seated.role = viewer.role;
  return seated;
}

bool is_limited(const match::Viewer& viewer, const runtime::MatchHost& host) {
  const runtime::SightLog* const sight = host.sight();
  if (sight == nullptr || host.match().ended()) return false;
  return !viewer.sees_all && sight->rules().is_limited(viewer.role);
}

void leave_out_hidden(const match::Viewer& viewer, const runtime::MatchHost& host, v1::Match& message) {
  if (!is_limited(viewer, host)) return;
  message.clear_digest();
  for (v1::Participant& participant : *message.mutable_participants()) participant.clear_claims();
  for (v1::Participant& participant : *message.mutable_former_participants()) participant.clear_claims();
}

void encode_joined(const runtime::MatchHost& host, const Endpoint& endpoint,
                   const identity::Principal& principal, const match::Participant& participant,
                   v1::Joined& joined) {
  const match::Viewer viewer = match::viewer_of(host.match(), {participant.number});
  encode_participant(participant, host.match().config().templates, *joined.mutable_participant());
  if (is_limited(viewer, host)) joined.mutable_participant()->clear_claims();
  encode_match(host, endpoint, *joined.mutable_match());
  leave_out_secrets(principal, host, *joined.mutable_match());
  leave_out_hidden(viewer, host, *joined.mutable_match());
}

std::optional<match::Tick> last_tick_of(const match::Viewer& viewer, const runtime::MatchHost& host) {
  const match::Tick tick = host.match().tick();
  const match::Tick late = viewer.sees_all ? 0 : host.sight()->rules().delay_ticks(viewer.role);
  if (late == 0) return tick;
  if (tick <= late) return std::nullopt;
  return tick - late;
}

SeenWorld::SeenWorld(const match::Viewer& viewer, const runtime::MatchHost& host, match::Tick tick,
                     std::uint32_t tests_max)
    : viewer_(viewer),
      match_(host.match()),
      rules_(host.sight()->rules()),
      world_(host.match().world_at(tick)),
      lookout_(
          match_, rules_, viewer.role, viewer.bits(),
          [this](match::ParticipantNumber own, match::ObjectId anchor) { return position_of(own, anchor); },
          tests_max) {}

match::PastWorld SeenWorld::objects() {
  return world_.only([this](const match::PastObject& object) {
    return viewer_.owns(object.owner) || std::ranges::all_of(object.parts, [&](const collision::Part& part) {
             return sees(object, part.layer);
           });
  });
}

bool SeenWorld::sees(const collision::EncounterKey& key) {
  if (rules_.sees_all_of(viewer_.role, key.layer_a) && rules_.sees_all_of(viewer_.role, key.layer_b))
    return true;
  const match::PastObject* const a = world_.find(key.object_a);
  const match::PastObject* const b = world_.find(key.object_b);
  if (a == nullptr || b == nullptr) return false;
  if (viewer_.owns(a->owner) || viewer_.owns(b->owner)) return true;
  return sees(*a, key.layer_a) && sees(*b, key.layer_b);
}

bool SeenWorld::sees(const match::PastObject& object, collision::LayerId layer) {
  if (rules_.sees_all_of(viewer_.role, layer)) return true;
  const auto owner = match_.find_participant(object.owner);
  return lookout_.seats_that_see({.owner = object.owner,
                                  .owner_role = owner ? std::optional(owner->role) : std::nullopt,
                                  .position = object.trajectory.position,
                                  .layer = layer}) != 0;
}

// Its anchors of today, as they were then: which others it had is not known.
std::optional<collision::Point> SeenWorld::position_of(match::ParticipantNumber own,
                                                       match::ObjectId anchor) const {
  const match::PastObject* const object = world_.find(anchor);
  if (object == nullptr || object->owner != own) return std::nullopt;
  return object->trajectory.position;
}

}  // namespace sweepd::session
