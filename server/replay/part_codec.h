// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collision/object.h"
#include "sweepd/replay/v1/config.pb.h"

namespace sweepd::replay {

void encode_box(const collision::Box& box, v1::Box& message);
collision::Box decode_box(const v1::Box& message);

using PartMessages = google::protobuf::RepeatedPtrField<v1::Part>;
void encode_parts(const std::vector<collision::Part>& parts, PartMessages& messages);
/// What no part can be, or nothing. What a match would refuse is for the match to refuse.
std::optional<std::string> decode_parts(const PartMessages& messages, std::vector<collision::Part>& parts);

}  // namespace sweepd::replay
