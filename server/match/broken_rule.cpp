// SPDX-License-Identifier: MIT
#include "match/broken_rule.h"

#include "match/limit_refusal.h"
#include "match/templates/template_refusal.h"

namespace sweepd::match {

std::optional<BrokenRule> broken_rule_of(const Refusal& refusal, const RefusalContext& context) {
  if (refusal.rule != TemplateRule::kNone) return broken_rule_of_template(refusal, context.templates);
  BrokenRule broken{.rule = {}, .template_name = {}, .found = refusal.found, .limit = refusal.limit};
  if (refusal.reason == RejectionReason::kTooManyObjects) {
    broken.rule = rule_of_object_count(refusal, context);
    broken.found = refusal.limit + 1;
    return broken;
  }
  if (!is_of_a_limit(refusal)) return std::nullopt;
  broken.rule = rule_of_limit(refusal);
  return broken;
}

}  // namespace sweepd::match
