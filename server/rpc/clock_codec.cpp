// SPDX-License-Identifier: MIT
#include "rpc/clock_codec.h"

#include "match/field_check.h"

namespace sweepd::rpc {

static_assert(static_cast<int>(match::ClockKind::kLockstep) == v1::CLOCK_KIND_LOCKSTEP);
static_assert(static_cast<int>(match::Role::kObserver) == v1::ROLE_OBSERVER);

base::Result<match::RoleSet, match::FieldError> decode_roles(const v1::RoleSet& message,
                                                             const std::string& field) {
  match::RoleSet roles;
  for (int i = 0; i < message.roles_size(); ++i) {
    if (message.roles(i) < v1::ROLE_PLAYER || message.roles(i) > v1::ROLE_OBSERVER) {
      return match::FieldError{
          field + ".roles[" + std::to_string(i) + "]",
          "PLAYER, STAGE or OBSERVER is required, not " + std::to_string(message.roles(i))};
    }
    roles.add(static_cast<match::Role>(message.roles(i)));
  }
  return roles;
}

void encode_roles(match::RoleSet roles, v1::RoleSet& message) {
  for (const auto role : {match::Role::kPlayer, match::Role::kStage, match::Role::kObserver}) {
    if (roles.contains(role)) message.add_roles(static_cast<v1::Role>(role));
  }
}

base::Result<match::LockstepConfig, match::FieldError> decode_lockstep(const v1::Lockstep& message) {
  match::LockstepConfig config;
  if (message.deadline_ms() != 0) config.deadline_ms = message.deadline_ms();
  if (!message.has_required_roles()) return config;
  const auto roles = decode_roles(message.required_roles(), "lockstep.required_roles");
  if (!roles.ok()) return roles.error();
  config.required_roles = *roles;
  return config;
}

void encode_lockstep(const match::LockstepConfig& config, v1::Lockstep& message) {
  message.set_deadline_ms(config.deadline_ms);
  encode_roles(config.required_roles, *message.mutable_required_roles());
}

base::Result<runtime::ClockControl, match::FieldError> decode_clock_control(const v1::ClockControl& message) {
  if (!message.has_paused() && !message.has_tick_rate_hz()) {
    return match::FieldError{"", "asks for nothing; paused or tick_rate_hz is needed"};
  }
  runtime::ClockControl control;
  if (message.has_paused()) control.is_paused = message.paused();
  if (message.has_tick_rate_hz()) {
    const auto error = match::check_number("tick_rate_hz", message.tick_rate_hz(), match::kTickRateRangeHz);
    if (error) return *error;
    control.tick_rate_hz = message.tick_rate_hz();
  }
  return control;
}

void encode_clock_state(const runtime::ClockState& clock, v1::ClockState& message) {
  message.set_paused(clock.is_paused);
  message.set_tick_rate_hz(clock.tick_rate_hz);
}

}  // namespace sweepd::rpc
