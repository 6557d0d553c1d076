// SPDX-License-Identifier: MIT
#include "match/templates/template_refusals.h"

#include <algorithm>

namespace sweepd::match {
namespace {

constexpr std::size_t kCountBytesMin = 5;

}  // namespace

void TemplateRefusals::save(base::ByteWriter& writer) const {
  writer.number(counts_.size());
  for (const auto& [rule, count] : counts_) {
    writer.number(rule.place);
    writer.byte(static_cast<std::uint8_t>(rule.rule));
    writer.number(count.count);
    writer.number(count.last.found);
    writer.number(count.last.limit);
  }
}

void TemplateRefusals::restore(base::ByteReader& reader, std::size_t templates) {
  for (std::size_t i = reader.count(kCountBytesMin); i > 0 && reader.ok(); --i) {
    TemplateRuleName name;
    name.place = static_cast<std::uint32_t>(reader.number(std::max<std::size_t>(templates, 1) - 1));
    name.rule = static_cast<TemplateRule>(reader.byte());
    const bool is_next = counts_.empty() || counts_.rbegin()->first < name;
    const bool is_known = name.rule > TemplateRule::kNone && name.rule < TemplateRule{kTemplateRulesEnd};
    if (!reader.require(is_next && is_known, "is no further rule of a template")) return;
    Count& count = counts_[name];
    count.count = reader.number();
    count.last.found = reader.number();
    count.last.limit = reader.number();
  }
}

}  // namespace sweepd::match
