// SPDX-License-Identifier: MIT
#include "tools/load/load_seat.h"

namespace sweepd::tools::load {

LoadSeat::LoadSeat(const Part& part, EventsAsked events, Measurements& measurements)
    : loop_(part.loop),
      name_(part.name),
      events_(events),
      // Of ENTERs alone no two may wait.
      probe_(measurements, events == EventsAsked::kOwnEnters ? 1 : 2) {}

void LoadSeat::name_itself(v1::Join& join) const {
  join.set_name(name_);
  join.set_role(v1::ROLE_PLAYER);
  join.set_reconnect_token(token_);
}

void LoadSeat::sit_down(const v1::Joined& joined) {
  number_ = joined.participant().number();
  next_token_ = joined.reconnect_token();
}

std::string LoadSeat::open(std::uint32_t tick) {
  const bool is_back = !token_.empty();
  token_ = next_token_;
  return is_back ? loop_->restart(tick) : loop_->opening(tick);
}

void LoadSeat::await_event(std::uint32_t tick, TimePoint sent) {
  const bool is_told = events_ != EventsAsked::kOwnEnters || loop_->in_contact_after(tick);
  if (is_told && loop_->probes_in(tick)) probe_.sent(loop_->in_contact_after(tick), sent);
}

}  // namespace sweepd::tools::load
