// SPDX-License-Identifier: MIT
#include "runtime/match_registry.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "runtime/match_id.h"

namespace sweepd::runtime {
namespace {

std::int64_t unix_time_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

MatchRegistry::MatchRegistry(std::vector<Loop*> loops, RegistryOptions options)
    : loops_(std::move(loops)), options_(options), matches_per_loop_(loops_.size()) {
  SWEEPD_ASSERT(!loops_.empty());
}

std::optional<MatchRegistry::CreateError> MatchRegistry::create(
    std::unique_ptr<match::Match> match, std::function<void(const std::shared_ptr<MatchHost>&)> then) {
  std::shared_ptr<MatchHost> host;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return CreateError::kStopping;
    if (hosts_.size() >= options_.matches_max) return CreateError::kTooManyMatches;
    Loop& loop = least_loaded();
    std::string match_id = make_match_id();
    host = std::make_shared<MatchHost>(
        loop, std::move(match), MatchHost::Options{match_id, unix_time_ms(), options_.idle_timeout},
        [this, match_id, &loop] { remove(match_id, loop); });
    hosts_.emplace(std::move(match_id), host);
    ++matches_per_loop_[loop.index()];
  }
  host->loop().post([host, then = std::move(then)] {
    host->open();
    then(host);
  });
  return std::nullopt;
}

Loop& MatchRegistry::least_loaded() const {
  const auto fewest = std::min_element(matches_per_loop_.begin(), matches_per_loop_.end());
  return *loops_[static_cast<std::size_t>(fewest - matches_per_loop_.begin())];
}

void MatchRegistry::remove(const std::string& match_id, const Loop& loop) {
  const std::lock_guard lock(mutex_);
  const auto erased = hosts_.erase(match_id);
  SWEEPD_ASSERT(erased == 1);
  --matches_per_loop_[loop.index()];
}

std::shared_ptr<MatchHost> MatchRegistry::find(const std::string& match_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = hosts_.find(match_id);
  return found == hosts_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<MatchHost>> MatchRegistry::list_after(const std::string& after, std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<MatchHost>> hosts;
  for (auto each = hosts_.upper_bound(after); each != hosts_.end() && hosts.size() < limit; ++each) {
    hosts.push_back(each->second);
  }
  return hosts;
}

void MatchRegistry::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
}

}  // namespace sweepd::runtime
