// SPDX-License-Identifier: MIT
#include "runtime/telemetry/health.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

Health::Watch::Watch(Watch&& other) noexcept
    : health_(std::exchange(other.health_, nullptr)), number_(other.number_) {}

Health::Watch& Health::Watch::operator=(Watch&& other) noexcept {
  std::swap(health_, other.health_);
  std::swap(number_, other.number_);
  return *this;
}

Health::Watch::~Watch() {
  if (health_ != nullptr) health_->end_watch(number_);
}

Health::Health(WallClock clock) : clock_(std::move(clock)) {}

Health::~Health() { SWEEPD_ASSERT(watches_.empty()); }

void Health::set_ok(const std::string& name) { set(name, {}, Impact::kDegraded); }

void Health::set_failing(const std::string& name, const std::string& failure, Impact impact) {
  SWEEPD_ASSERT(!failure.empty());
  set(name, failure, impact);
}

void Health::set(const std::string& name, const std::string& failure, Impact impact) {
  const std::scoped_lock lock(telling_);
  const auto changed = change(name, failure, impact);
  if (!changed) return;
  for (const auto& [number, on_change] : watches_) on_change(*changed);
}

std::optional<ComponentHealth> Health::change(const std::string& name, const std::string& failure,
                                              Impact impact) {
  const std::scoped_lock lock(mutex_);
  const auto [entry, is_new] = components_.try_emplace(name);
  ComponentHealth& component = entry->second;
  if (!is_new && component.failure == failure && component.impact == impact) return std::nullopt;
  const bool was_ok = component.is_ok();
  component.name = name;
  component.failure = failure;
  component.impact = impact;
  if (is_new || component.is_ok() != was_ok) component.since = clock_();
  return component;
}

bool Health::is_ready() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::none_of(components_,
                              [](const auto& entry) { return entry.second.fails_as(Impact::kNotReady); });
}

std::optional<ComponentHealth> Health::find(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = components_.find(name);
  if (entry == components_.end()) return std::nullopt;
  return entry->second;
}

std::vector<ComponentHealth> Health::components() const {
  const std::scoped_lock lock(mutex_);
  std::vector<ComponentHealth> components;
  for (const auto& [name, component] : components_) components.push_back(component);
  return components;
}

Health::Watch Health::watch(OnChange on_change) {
  const std::scoped_lock lock(telling_);
  const std::uint64_t number = next_watch_++;
  watches_.emplace(number, std::move(on_change));
  return Watch(*this, number);
}

void Health::end_watch(std::uint64_t number) {
  const std::scoped_lock lock(telling_);
  watches_.erase(number);
}

}  // namespace sweepd::runtime
