// SPDX-License-Identifier: MIT
#include "session/moving_stream.h"

#include "session/with_match.h"

namespace sweepd::session {

void MovingStream::ended(StreamEvent event, bool ok) {
  MatchLoop* const home = home_;
  if (home == &accepting() || home->loop().is_current()) return handle(event, ok);
  post_home([this, event, ok] { handle(event, ok); });
}

void MovingStream::end_event_at_home(std::function<void()> work) {
  post_home([this, work = std::move(work)] { end_event_here(work); });
}

void MovingStream::handle(StreamEvent event, bool ok) {
  end_event_here([this, event, ok] { take(event, ok); });
}

// If it has gone to look for its match, it is its new home's business from then on, and may be gone by now.
template <typename Work>
void MovingStream::end_event_here(const Work& work) {
  const runtime::LogScope scope = trace_.scope();
  bool has_left = false;
  has_left_ = &has_left;
  forget_event();
  work();
  if (has_left) return;
  has_left_ = nullptr;
  release();
}

// On the thread of its home, while the target's stands still.
void MovingStream::match_moved(std::size_t loop) {
  MatchLoop& target = *backend().loops[loop];
  home().remove_stream(*this);
  pipe_.depart();
  home_ = &target;
  target.add_stream(*this);
  pipe_.settle(target);
}

// Whether the call is on its way to another loop: then it is not this thread's any more.
bool MovingStream::look_for_match(const runtime::MatchId& id, int looks) {
  const auto place = place_of(backend(), id, looks);
  if (!place.ok()) {
    finish(place.error());
    return false;
  }
  MatchLoop* const here = home_;
  runtime::MatchHost* const host = *place == here ? here->matches().find(id) : nullptr;
  if (host != nullptr) {
    is_long_to_attach() ? attach_in_slice(id, looks) : attach_if_allowed(*host);
    return false;
  }
  leave_thread(**place, id, looks);
  return true;
}

void MovingStream::leave_thread(MatchLoop& target, const runtime::MatchId& id, int looks) {
  begin_event();  // Or it could end, and be gone, before it arrives.
  home().remove_stream(*this);
  pipe_.depart();
  if (has_left_ != nullptr) *std::exchange(has_left_, nullptr) = true;
  home_ = &target;
  target.loop().post([this, &id, looks] { come_to_match(id, looks); });
}

void MovingStream::attach_if_allowed(runtime::MatchHost& host) {
  const Status refusal = find_refusal_of(host);
  if (!refusal.ok()) return finish(refusal);
  trace_.note_status(Status{});
  attach(host);
}

// The match may move or end before.
void MovingStream::attach_in_slice(const runtime::MatchId& id, int looks) {
  begin_event();
  home().loop().post_slice([this, &id, looks] {
    const runtime::LogScope scope = trace_.scope();
    forget_event();
    runtime::MatchHost* const host = is_over() ? nullptr : home().matches().find(id);
    if (host != nullptr) attach_if_allowed(*host);
    const bool goes_on = host == nullptr && !is_over() && look_for_match(id, looks + 1);
    if (!goes_on) release();
  });
}

void MovingStream::come_to_match(const runtime::MatchId& id, int looks) {
  const runtime::LogScope scope = trace_.scope();
  forget_event();
  home().add_stream(*this);
  pipe_.settle(home());
  if (!is_over() && backend().is_shutting_down) shut_down();
  const bool goes_on = !is_over() && look_for_match(id, looks + 1);
  if (!goes_on) release();
}

void MovingStream::release() {
  if (has_events()) return;
  home().remove_stream(*this);
  pipe_.close();
}

}  // namespace sweepd::session
