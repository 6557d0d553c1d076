// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "match/config.h"
#include "sweepd/replay/v1/config.pb.h"

namespace sweepd::replay {

/// Reads enumerations and remembers the first whose number is none of its range.
class KindReader {
 public:
  template <typename Kind>
  Kind read(const char* field, std::uint32_t value, match::Range range) {
    if (!is_known(field, value, range)) value = static_cast<std::uint32_t>(range.min);
    return static_cast<Kind>(value);
  }

  const match::Found& error() const { return error_; }

 private:
  bool is_known(const char* field, std::uint32_t value, match::Range range);

  match::Found error_;
};

using Numbers = google::protobuf::RepeatedField<std::uint32_t>;

void encode(const collision::Box& box, v1::Box& message);
void encode(const match::CollidingLayers& pair, v1::CollidingLayers& message);
void encode(const match::ParticipantSlot& slot, v1::Slot& message);
void encode(const match::ClaimRules& rules, v1::ClaimRules& message);
void encode(const match::ScoringRule& rule, v1::ScoringRule& message);
void encode(const match::MaskConfig& mask, v1::Mask& message);
void encode(const match::RoleLimits& limits, v1::RoleLimits& message);
void encode(const match::LayerLimits& limits, v1::LayerLimits& message);
void encode(match::RoleSet roles, Numbers& numbers);

collision::Box decode(const v1::Box& message);
match::CollidingLayers decode(const v1::CollidingLayers& message);
match::ParticipantSlot decode(const v1::Slot& message, KindReader& kinds);
match::ClaimRules decode(const v1::ClaimRules& message, KindReader& kinds);
match::ScoringRule decode(const v1::ScoringRule& message, KindReader& kinds);
match::MaskConfig decode(const v1::Mask& message);
match::RoleLimits decode(const v1::RoleLimits& message, KindReader& kinds);
match::LayerLimits decode(const v1::LayerLimits& message);
match::RoleSet decode_roles(const char* field, const Numbers& numbers, KindReader& kinds);

}  // namespace sweepd::replay
