// SPDX-License-Identifier: MIT
#include "replay/rules_digest.h"

#include <algorithm>
#include <cstdint>

#include "match/rules.h"
#include "replay/little_endian.h"
#include "replay/sha256.h"

namespace sweepd::replay {
namespace {

void append_rule_text(std::string& bytes, const std::string& text) {
  append_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

}  // namespace

std::string rules_digest(const match::MatchConfig& config) {
  std::vector<match::Rule> rules = match::rules_of(config);
  std::ranges::sort(rules, {}, &match::Rule::field);
  std::string bytes = "sweepd rules 1\n";
  for (const match::Rule& rule : rules) {
    append_rule_text(bytes, rule.field);
    append_rule_text(bytes, rule.value);
  }
  return sha256({bytes});
}

}  // namespace sweepd::replay
