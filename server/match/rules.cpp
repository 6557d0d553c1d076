// SPDX-License-Identifier: MIT
#include "match/rules.h"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "base/visible_text.h"
#include "match/budget_maxima.h"

namespace sweepd::match {
namespace {

/// Walks the rows of a structure at any depth.
class RuleList {
 public:
  template <typename Struct>
  requires requires {
    for_each_field(std::type_identity<Struct>(), [](const auto&) {});
  }
  void add(const std::string& path, const Struct& from) {
    for_each_field(std::type_identity<Struct>(), [&](const auto& field) {
      if (!field.is_rule) return;
      add(path.empty() ? field.name : path + "." + field.name, from.*field.member);
    });
  }

  void add(const std::string& path, std::integral auto value) {
    add_value(path, std::to_string(static_cast<std::int64_t>(value)));
  }
  template <typename Kind>
  requires std::is_enum_v<Kind>
  void add(const std::string& path, Kind kind) { add(path, static_cast<std::uint8_t>(kind)); }
  void add(const std::string& path, const std::string& text) {
    std::string value = "\"";
    value += text;
    value += '"';
    add_value(path, std::move(value));
  }
  void add(const std::string& path, RoleSet roles) { add(path, roles.list()); }
  void add(const std::string& path, const collision::Part& part) {
    const collision::Box& box = part.box;
    std::string value;
    for (const std::int64_t number :
         {std::int64_t{part.layer}, static_cast<std::int64_t>(part.kind), std::int64_t{box.min_x},
          std::int64_t{box.min_y}, std::int64_t{box.max_x}, std::int64_t{box.max_y},
          std::int64_t{part.is_rising}, std::int64_t{part.mask}, std::int64_t{part.radius}}) {
      if (!value.empty()) value += ' ';
      value += std::to_string(number);
    }
    add_value(path, std::move(value));
  }
  template <typename Value>
  void add(const std::string& path, const std::optional<Value>& value) {
    constexpr bool kHasRows = requires {
      for_each_field(std::type_identity<Value>(), [](const auto&) {});
    };
    if (!value) return add_value(path, "none");
    if constexpr (kHasRows) add_value(path, "given");
    add(path, *value);
  }
  template <typename Entry>
  void add(const std::string& path, const std::vector<Entry>& entries) {
    add(path, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) add(indexed(path, i), entries[i]);
  }

  std::vector<Rule> take() { return std::move(rules_); }

 private:
  void add_value(const std::string& path, std::string value) { rules_.push_back({path, std::move(value)}); }

  std::vector<Rule> rules_;
};

std::string shown(const std::string& value) {
  constexpr std::size_t kShownMax = 96;  // Longer ones are the rows of masks.
  return value.size() > kShownMax ? std::to_string(value.size()) + " bytes" : base::visible(value);
}

}  // namespace

std::vector<Rule> rules_of(const MatchConfig& config) {
  RuleList rules;
  for_each_field(std::type_identity<MatchConfig>(), [&](const auto& field) {
    if (!field.is_rule) return;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(config.*field.member)>, Budgets>) {
      rules.add(field.name, given_budgets(config.budgets));
    } else {
      rules.add(field.name, config.*field.member);
    }
  });
  return rules.take();
}

// Lists tell their lengths first, so the fields are the same up to the first value that differs.
std::optional<RulesDifference> first_difference(const std::vector<Rule>& first,
                                                const std::vector<Rule>& second) {
  const auto [one, other] =
      std::mismatch(first.begin(), first.end(), second.begin(), second.end(),
                    [](const Rule& a, const Rule& b) { return a.field == b.field && a.value == b.value; });
  if (one == first.end() && other == second.end()) return std::nullopt;
  SWEEPD_ASSERT(one != first.end() && other != second.end() && one->field == other->field);
  return RulesDifference{one->field, shown(one->value), shown(other->value)};
}

}  // namespace sweepd::match
