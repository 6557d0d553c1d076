// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "replay/reader.h"
#include "replay/testimony.h"
#include "tools/sweepctl/json.h"

namespace sweepd::tools {

/// A name in quotes, in which it cannot end: so no name passes for more than a name.
std::string name_text(const std::string& name);

/// "\"studio\" by \"https://tickets.example\" of \"eu\"".
std::string subject_text(const replay::TicketSubject& subject);

/// For people, in lines: who created the match and under which rules, who sat where, how its clock went, and
/// how frames came. Of a replay without a receipt this is its writer's word.
std::string testimony_text(const replay::Reader& reader);

/// The same as fields of an object.
void add_testimony(JsonObject& object, const replay::Reader& reader);

}  // namespace sweepd::tools
