// SPDX-License-Identifier: MIT
#include "clock_codec.h"

namespace sweepd::internal {

v1::Role encode(Role role) {
  switch (role) {
    case Role::kPlayer:
      return v1::ROLE_PLAYER;
    case Role::kStage:
      return v1::ROLE_STAGE;
    case Role::kObserver:
      return v1::ROLE_OBSERVER;
  }
  return v1::ROLE_UNSPECIFIED;
}

Role decode(v1::Role role) {
  switch (role) {
    case v1::ROLE_STAGE:
      return Role::kStage;
    case v1::ROLE_OBSERVER:
      return Role::kObserver;
    default:
      return Role::kPlayer;
  }
}

void encode(const std::vector<Role>& roles, v1::RoleSet* out) {
  for (const Role role : roles) out->add_roles(encode(role));
}

std::vector<Role> decode(const v1::RoleSet& roles) {
  std::vector<Role> out;
  for (const int role : roles.roles()) out.push_back(decode(static_cast<v1::Role>(role)));
  return out;
}

v1::ClockKind encode(ClockKind kind) {
  switch (kind) {
    case ClockKind::kRealtime:
      return v1::CLOCK_KIND_REALTIME;
    case ClockKind::kManual:
      return v1::CLOCK_KIND_MANUAL;
    case ClockKind::kLockstep:
      return v1::CLOCK_KIND_LOCKSTEP;
  }
  return v1::CLOCK_KIND_UNSPECIFIED;
}

ClockKind decode(v1::ClockKind kind) {
  switch (kind) {
    case v1::CLOCK_KIND_MANUAL:
      return ClockKind::kManual;
    case v1::CLOCK_KIND_LOCKSTEP:
      return ClockKind::kLockstep;
    default:
      return ClockKind::kRealtime;
  }
}

void encode(const Lockstep& lockstep, v1::Lockstep* out) {
  out->set_deadline_ms(lockstep.deadline_ms);
  if (lockstep.required_roles) encode(*lockstep.required_roles, out->mutable_required_roles());
}

Lockstep decode(const v1::Lockstep& lockstep) {
  return {.deadline_ms = lockstep.deadline_ms(), .required_roles = decode(lockstep.required_roles())};
}

void encode(const ClockControl& control, v1::ClockControl* out) {
  if (control.paused) out->set_paused(*control.paused);
  if (control.tick_rate_hz) out->set_tick_rate_hz(*control.tick_rate_hz);
}

ClockState decode(const v1::ClockState& clock) {
  return {.paused = clock.paused(), .tick_rate_hz = clock.tick_rate_hz()};
}

LateReport decode(const v1::LateParticipants& late) {
  return {.tick = late.tick(), .participants = {late.participants().begin(), late.participants().end()}};
}

}  // namespace sweepd::internal
