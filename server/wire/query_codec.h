// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/result.h"
#include "collision/geometry.h"
#include "match/field_check.h"
#include "match/history/past_world.h"
#include "sweepd/v1/query_service.pb.h"

namespace sweepd::wire {

/// The most that one answer holds.
inline constexpr std::uint32_t kAnswersMax = 10'000;

/// Bit i: layer i. No layers: all.
base::Result<std::uint64_t, match::FieldError> decode_layers(
    const google::protobuf::RepeatedField<std::uint32_t>& layers, std::size_t layer_count);

/// Objects of up to 32 parts: the largest answer is far below what one message may have.
inline constexpr std::uint32_t kObjectsMax = 2'000;

struct AnswerCount {
  std::uint32_t by_default;
  std::uint32_t most;
};

/// How many answers are asked for: 0 is the default.
base::Result<int, match::FieldError> decode_limit(const char* field, std::uint32_t count, AnswerCount limits);

void encode_object(const match::PastObject& object, v1::ObjectState& message);

base::Result<collision::Box, match::FieldError> decode_region(const v1::QueryRegionRequest& request);

}  // namespace sweepd::wire
