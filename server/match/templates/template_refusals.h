// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/templates/template_rule.h"

namespace sweepd::match {

/// How often a participant was refused something by each rule of each template, and what the last time was
/// found. Of the rules that it has broken: at most as many as the config has.
class TemplateRefusals {
 public:
  struct Count {
    std::uint64_t count = 0;
    FoundAndLimit last;
    friend bool operator==(const Count&, const Count&) = default;
  };
  using ByRule = std::map<TemplateRuleName, Count>;

  void add(const TemplateRuleName& rule, const FoundAndLimit& what) {
    Count& count = counts_[rule];
    ++count.count;
    count.last = what;
  }
  const ByRule& by_rule() const { return counts_; }

  void save(base::ByteWriter& writer) const;
  /// Of a config of so many templates.
  void restore(base::ByteReader& reader, std::size_t templates);

  friend bool operator==(const TemplateRefusals&, const TemplateRefusals&) = default;

 private:
  ByRule counts_;
};

}  // namespace sweepd::match
