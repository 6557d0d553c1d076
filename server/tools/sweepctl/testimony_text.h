// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "replay/reader.h"
#include "tools/sweepctl/json.h"

namespace sweepd::tools {

/// For people, in lines: who created the match and under which rules, who sat where, how its clock went, and
/// how frames came. Of a replay without a receipt this is what somebody has written into it.
std::string testimony_text(const replay::Reader& reader);

/// The same as fields of an object.
void add_testimony(JsonObject& object, const replay::Reader& reader);

}  // namespace sweepd::tools
