// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "match/refusal.h"
#include "match/templates/template_config.h"

namespace sweepd::match {

/// The rule that a refusal with a `rule` is for.
BrokenRule broken_rule_of_template(const Refusal& refusal, std::span<const ObjectTemplate> templates);
/// The same of one that was counted.
BrokenRule broken_rule_of(const TemplateRuleName& name, const FoundAndLimit& last,
                          std::span<const ObjectTemplate> templates);

/// What was found and the limit, with the rule's place in the config, of a refusal that has a `rule`.
std::string describe_template(const Refusal& refusal, std::span<const ObjectTemplate> templates);

}  // namespace sweepd::match
