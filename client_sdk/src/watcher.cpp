// SPDX-License-Identifier: MIT
#include "sweepd/session.h"
#include "watcher_impl.h"

namespace sweepd {
Watcher::Impl::~Impl() {
  stream_->subscription().leave();
  stream_->cancel();
}

Watcher::Watcher(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Watcher::Watcher(Watcher&&) noexcept = default;
Watcher& Watcher::operator=(Watcher&&) noexcept = default;
Watcher::~Watcher() = default;

SessionState Watcher::state() const { return impl_->subscription().state(); }
Status Watcher::error() const { return impl_->subscription().error(); }
std::optional<MatchInfo> Watcher::match() const { return impl_->subscription().match(); }
std::vector<Encounter> Watcher::encounters_at_start() const { return impl_->subscription().encounters(); }
Tick Watcher::tick() const { return impl_->subscription().tick(); }
std::uint64_t Watcher::digest() const { return impl_->subscription().digest(); }

Tick Watcher::digest_tick() const { return impl_->subscription().digest_tick(); }
Tick Watcher::durable_tick() const { return impl_->subscription().durable_tick(); }
ClockState Watcher::clock() const { return impl_->subscription().clock(); }
std::optional<LateReport> Watcher::poll_late() { return impl_->subscription().take_late(); }
std::vector<Score> Watcher::scores() const { return impl_->subscription().scores(); }
std::optional<Event> Watcher::poll_event() { return impl_->subscription().inbox().take_event(); }
std::optional<OwnerChange> Watcher::poll_owner_change() { return impl_->subscription().take_owner_change(); }

std::optional<Destruction> Watcher::poll_destruction() { return impl_->subscription().take_destruction(); }

std::optional<Reconnection> Watcher::poll_reconnection() { return impl_->subscription().take_reconnection(); }

std::optional<EncounterSnapshot> Watcher::poll_snapshot() { return impl_->subscription().take_snapshot(); }
std::optional<EventGap> Watcher::poll_gap() { return impl_->subscription().take_gap(); }
std::optional<Stays> Watcher::poll_stays() { return impl_->subscription().take_stays(); }

std::vector<ParticipantNumber> Watcher::participants_away() const {
  return impl_->subscription().participants_away();
}
std::optional<ClaimVerdict> Watcher::poll_claim_warning() { return impl_->subscription().take_warning(); }

}  // namespace sweepd
