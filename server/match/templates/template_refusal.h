// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "match/refusal.h"
#include "match/templates/template_config.h"

namespace sweepd::match {

/// What was found and the limit, with the rule's place in the config, of a refusal that has a `rule`.
std::string describe_template(const Refusal& refusal, std::span<const ObjectTemplate> templates);

}  // namespace sweepd::match
