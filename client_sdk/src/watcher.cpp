// SPDX-License-Identifier: MIT
#include "sweepd/session.h"
#include "watcher_impl.h"

namespace sweepd {
Watcher::Impl::~Impl() {
  stream_->subscription().leave();
  stream_->cancel();
}

Watcher::Watcher(std::shared_ptr<Impl> impl)
    : MatchFeed({impl, &impl->subscription()}), impl_(std::move(impl)) {}
Watcher::Watcher(Watcher&&) noexcept = default;
Watcher& Watcher::operator=(Watcher&&) noexcept = default;
Watcher::~Watcher() = default;

SessionState Watcher::state() const { return impl_->subscription().state(); }
Status Watcher::error() const { return impl_->subscription().error(); }
std::vector<Encounter> Watcher::encounters_at_start() const { return impl_->subscription().encounters(); }
std::optional<Reconnection> Watcher::poll_reconnection() { return impl_->subscription().take_reconnection(); }

}  // namespace sweepd
