// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/match_host.h"

namespace sweepd::runtime {

struct RegistryOptions {
  std::size_t matches_max = 10'000;  ///< Beyond it, creation is refused: running matches come first.
  std::chrono::seconds idle_timeout{300};
};

/// Which match lives on which loop. Thread-safe; used to create and find matches, never within a tick.
class MatchRegistry {
 public:
  MatchRegistry(std::vector<Loop*> loops, RegistryOptions options);

  enum class CreateError { kTooManyMatches, kStopping };

  /// Puts the match on the loop with the fewest and opens it there. `then` runs on that loop with the open host.
  std::optional<CreateError> create(std::unique_ptr<match::Match> match,
                                    std::function<void(const std::shared_ptr<MatchHost>&)> then);

  /// Null: there is no such match (any more).
  std::shared_ptr<MatchHost> find(const std::string& match_id) const;

  /// Up to `limit` matches with ids after `after`, by id.
  std::vector<std::shared_ptr<MatchHost>> list_after(const std::string& after, std::size_t limit) const;

  /// From now on nothing can be created.
  void stop();

  std::size_t matches_max() const { return options_.matches_max; }

 private:
  Loop& least_loaded() const;
  void remove(const std::string& match_id, const Loop& loop);

  const std::vector<Loop*> loops_;
  const RegistryOptions options_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<MatchHost>> hosts_;
  std::vector<std::size_t> matches_per_loop_;
  bool stopping_ = false;
};

}  // namespace sweepd::runtime
