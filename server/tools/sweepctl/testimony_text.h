// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/visible_text.h"
#include "replay/reader.h"
#include "replay/testimony.h"
#include "tools/sweepctl/json.h"

namespace sweepd::tools {

/// So no name passes for more than a name.
inline std::string name_text(std::string_view name) { return base::quoted(name); }
/// Of a match: as it is where it is one that a server gives, else as a name, so that it cannot go on as text.
std::string id_text(std::string_view id);

/// "\"studio\" by \"https://tickets.example\" of \"eu\"".
std::string subject_text(const replay::TicketSubject& subject);

/// An object, or null.
std::string subject_json(const replay::TicketSubject& subject);

/// For people, in lines: who created the match and under which rules, who sat where and how its clock went.
/// Of a replay without a receipt this is its writer's word.
std::string testimony_text(const replay::Reader& reader);

/// The same as fields of an object.
void add_testimony(JsonObject& object, const replay::Reader& reader);

/// How frames came, in lines and as a field: all ticks are read for it.
std::string pace_text(const replay::Reader& reader);
void add_pace(JsonObject& object, const replay::Reader& reader);

}  // namespace sweepd::tools
