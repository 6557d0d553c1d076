// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/feed/world/world_tick.h"

namespace sweepd::runtime {

/// The kinds of objects that a channel has told, by their numbers. A number is never given twice. When there
/// are too many the channel forgets all of them, and tells those that it still needs again.
class WorldKinds {
 public:
  static constexpr std::size_t kKindsMax = 1024;
  static constexpr std::size_t kPartsMax = 8192;  ///< Of all kinds.

  /// The number of the kind. One that is new is added to `tick`.
  std::uint32_t number_of(match::ParticipantNumber owner, match::TemplateNumber template_number,
                          std::span<const collision::Part> parts, WorldTick& tick);

  /// `objects`: that are told of now, each of one kind. So kinds are seldom forgotten, however many there
  /// are.
  bool is_crowded(std::size_t objects) const {
    return kinds_.size() >= kKindsMax + 2 * objects || parts_ >= kPartsMax + 64 * objects;
  }
  /// Before anything of `tick` is told: what was told is void.
  void forget(WorldTick& tick);
  /// Those of `used` with their numbers, for a subscriber that knows none. The others it may not know: they
  /// are void, and get another number when they are told again.
  void tell(std::vector<std::uint32_t> used, WorldTick& tick);

 private:
  static std::string key_of(const WorldKind& kind);

  std::uint32_t first_ = 1;
  std::vector<WorldKind> kinds_;  ///< From `first_` on. One that is void has no parts.
  std::map<std::string, std::uint32_t> numbers_;
  std::size_t parts_ = 0;
};

}  // namespace sweepd::runtime
