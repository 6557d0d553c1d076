// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace sweepd::match {

/// Which rule of a template a change breaks. Snapshots keep the numbers.
enum class TemplateRule : std::uint8_t {
  kNone = 0,      ///< It is refused for something else.
  kRequired = 1,  ///< The role spawns by templates only.
  kUnknown = 2,
  kRoles = 3,
  kOwnTraits = 4,
  kTimeToLive = 5,
  kAliveMax = 6,
  kRespawnDelay = 7,
  kSpawnInterval = 8,
  kRegion = 9,
  kNear = 10,
  kShapes = 11,
  kSpeed = 12,
  kAcceleration = 13,
  kTeleport = 14,
  kDisable = 15,
  kDisableTicks = 16,
  kDisableInterval = 17,
  kFreeze = 18,
  kTransfer = 19,
  kBallistic = 20,
  kVelocity = 21,
  kDisableWithin = 22,
  kTotalMax = 23,
};
inline constexpr std::uint8_t kTemplateRulesEnd = 24;

/// A rule and the template that has it, by its place in the config from 0 on; 0, too, where it is a rule of
/// none: kRequired, kUnknown.
struct TemplateRuleName {
  std::uint32_t place = 0;
  TemplateRule rule = TemplateRule::kNone;
  friend auto operator<=>(const TemplateRuleName&, const TemplateRuleName&) = default;
};

/// What was found against a limit. What is no number has neither.
struct FoundAndLimit {
  std::uint64_t found = 0;
  std::uint64_t limit = 0;
  friend bool operator==(const FoundAndLimit&, const FoundAndLimit&) = default;
};

}  // namespace sweepd::match
