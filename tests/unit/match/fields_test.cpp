// SPDX-License-Identifier: MIT
//
// Protects the table of fields: every member of a config has a row, every range that a row tells holds, and
// the digest has what its rows say, no more and no less. A member without a row does not compile here.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "match/config.h"
#include "match/digest.h"
#include "match/world_config.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::fields_test {
namespace {

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsStructure =
    std::is_class_v<T> && !kIsOptional<T> && !kIsList<T> && !std::is_same_v<T, std::string> &&
    !std::is_same_v<T, RoleSet> && !std::is_same_v<T, collision::Part>;

// Each becomes any member of its sort.
struct AnyObject {
  template <typename T>
  requires(std::is_class_v<T> && !kIsOptional<T>) operator T() const { return T(); }
};
struct AnyOptional {
  template <typename T>
  requires kIsOptional<T>
  operator T() const { return T(); }
};
struct AnyNumber {
  template <typename T>
  requires(!std::is_class_v<T>) operator T() const { return T(); }
};

/// How many members can be set at once. Objects are tried first: a structure among the members is one of
/// them.
template <typename Struct, typename... Values>
consteval std::size_t member_count() {
  if constexpr (requires { Struct{Values()..., AnyObject()}; }) {
    return member_count<Struct, Values..., AnyObject>();
  } else if constexpr (requires { Struct{Values()..., AnyOptional()}; }) {
    return member_count<Struct, Values..., AnyOptional>();
  } else if constexpr (requires { Struct{Values()..., AnyNumber()}; }) {
    return member_count<Struct, Values..., AnyNumber>();
  } else {
    return sizeof...(Values);
  }
}

/// Members that are no settings, and so have no row.
template <typename Struct>
constexpr std::size_t kMembersWithoutRow = 0;
template <>
constexpr std::size_t kMembersWithoutRow<Budgets> = 1;  // `filled_in` says of which rows a server spoke.

template <typename Struct>
consteval std::size_t row_count() {
  std::size_t count = 0;
  for_each_field(std::type_identity<Struct>(), [&](const auto&) { ++count; });
  return count;
}

/// Calls `visit(path, field, owner)` for every row at any depth, of the first entry of lists.
template <typename Struct>
void for_every_field(const std::string& path, Struct& owner, const auto& visit) {
  static_assert(row_count<Struct>() + kMembersWithoutRow<Struct> == member_count<Struct>(),
                "a member has no row in for_each_field");
  for_each_field(std::type_identity<Struct>(), [&](const auto& field) {
    const std::string field_path = path + field.name;
    visit(field_path, field, owner);
    auto& value = owner.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (kIsStructure<Value>) {
      for_every_field(field_path + ".", value, visit);
    } else if constexpr (kIsList<Value>) {
      if constexpr (kIsStructure<typename Value::value_type>)
        for_every_field(field_path + "[0].", value.at(0), visit);
    }
  });
}

/// Without error, with an entry in each list, and all that the digest may have in effect.
MatchConfig rich_config() {
  MatchConfig config = small_config();
  config.collides = {{.layer_a = "player", .layer_b = "enemy", .sensor = true, .claim_tolerance_max = 5}};
  config.clearable_layers = {"enemy"};
  config.playfield = {-10, -10, 10, 10};
  config.slots = {{"ann", Role::kStage, 5, 9}};
  config.scoring = {{.layer_a = "player",
                     .layer_b = "enemy",
                     .when = ScoringMoment::kExit,
                     .exit_reasons = {collision::ExitReason::kSwept}}};
  config.limits = {{Role::kPlayer, {{"enemy"}}, 5, 6, 7, 800, 900, false, {{"enemy"}}, 10, 11, 12}};
  config.layer_limits = {{"player", 5, 7, true}};
  config.claims.policy = ClaimPolicy::kEnforce;
  config.masks = {{.width = 8, .height = 1, .rows = "1"}};
  config.templates = {{.name = "item",
                       .shapes = {{{{{-1, -1, 1, 1}, 0}}}},
                       .speed_max = 5,
                       .acceleration_max = 5,
                       .disable_max_ticks = 5,
                       .disable_interval_ticks = 7,
                       .spawn = {.region = collision::Box{-9, -9, 9, 9}, .near = "item", .alive_max = 5}}};
  config.templates[0].claim_layers = {"enemy"};
  config.templates[0].spawn.velocity = collision::Box{-9, -9, 9, 9};
  config.visibility = {{.layer = "enemy", .sees = Sight::kNear, .near = "item"}};
  return config;
}

TEST(Fields, OfARichConfigAreWithoutError) {
  const auto error = find_error(rich_config());
  EXPECT_FALSE(error) << error->field << " " << error->description;
}

TEST(Fields, HaveOneRowAndOneNameEach) {
  MatchConfig config = rich_config();
  std::set<std::string> names;
  std::set<const void*> members;
  for_every_field("", config, [&](const std::string& path, const auto& field, auto& owner) {
    EXPECT_TRUE(names.insert(path).second) << path;
    // The first member of a structure is where the structure is.
    const bool is_structure = kIsStructure<std::remove_cvref_t<decltype(owner.*field.member)>>;
    EXPECT_TRUE(is_structure || members.insert(&(owner.*field.member)).second) << path;
  });
  EXPECT_GT(names.size(), 80u);
}

/// Sets a number, of a value that is one; whether it is.
template <typename Value>
bool set_number(Value& value, std::int64_t number) {
  if constexpr (kIsOptional<Value>) {
    typename Value::value_type given{};
    if (!set_number(given, number)) return false;
    value = given;
    return true;
  } else if constexpr (std::is_enum_v<Value> || (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)) {
    value = static_cast<Value>(number);
    return static_cast<std::int64_t>(value) == number;
  } else {
    return false;
  }
}

template <typename Value>
std::optional<Range> range_of(const std::optional<Range>& told, const Value& value) {
  if constexpr (std::is_enum_v<Value>) return told.value_or(numbers_of(value));
  return told;
}

TEST(Fields, AreRefusedPastTheRangesThatTheirRowsTell) {
  MatchConfig config = rich_config();
  int refused = 0;
  for_every_field("", config, [&](const std::string& path, const auto& field, auto& owner) {
    auto& value = owner.*field.member;
    const auto range = range_of(field.range, value);
    if (!range) return;
    const auto before = value;
    for (const std::int64_t number : {range->min - 1, range->max + 1}) {
      if (!set_number(value, number)) continue;
      const auto error = find_error(config);
      EXPECT_TRUE(error && error->field == path) << path << " may be " << number;
      ++refused;
    }
    value = before;
  });
  EXPECT_GT(refused, 60);
}

std::uint64_t digest_of(const MatchConfig& config) { return Digest(config, world_config_of(config)).value(); }

/// Gives the value another that it can have in a rich config.
template <typename Value>
void change(const std::string& path, Value& value) {
  if constexpr (kIsOptional<Value>) {
    change(path, *value);
  } else if constexpr (std::is_enum_v<Value>) {
    const auto first = static_cast<Value>(numbers_of(value).min);
    value = value == first ? static_cast<Value>(numbers_of(value).min + 1) : first;
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = !value;
  } else if constexpr (std::is_integral_v<Value>) {
    ++value;
  } else if constexpr (std::is_same_v<Value, std::string>) {
    // A layer that nothing is about.
    value = path.ends_with("rows") ? "2" : value == "item" ? "enemy" : "item";
  } else if constexpr (std::is_same_v<Value, RoleSet>) {
    value = value == RoleSet() ? RoleSet{Role::kStage} : RoleSet();
  } else if constexpr (std::is_same_v<Value, collision::Box>) {
    ++value.min_x;
  } else if constexpr (std::is_same_v<Value, collision::Part>) {
    ++value.layer;
  } else if constexpr (kIsList<Value>) {
    value.push_back({});
    if constexpr (!kIsStructure<typename Value::value_type>) change(path, value.back());
  }
}

TEST(Fields, AreInTheDigestIfTheirRowsSaySo) {
  MatchConfig config = rich_config();
  const std::uint64_t digest = digest_of(config);
  std::set<std::string> undigested;
  for_every_field("", config, [&](const std::string& path, const auto& field, auto& owner) {
    auto& value = owner.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    const bool is_part = std::ranges::any_of(undigested, [&](const std::string& outer) {
      return path.starts_with(outer + ".") || path.starts_with(outer + "[");
    });
    const bool is_digested = field.is_digested && !is_part;
    if (!is_digested) undigested.insert(path);
    if constexpr (kIsStructure<Value>) return;
    if constexpr (kIsList<Value>) {
      if constexpr (kIsStructure<typename Value::value_type>) return;
    }
    if constexpr (kIsOptional<Value>) {
      if (!value) value.emplace();
    }
    const auto before = value;
    const std::uint64_t digest_before = digest_of(config);
    change(path, value);
    EXPECT_EQ(digest_of(config) != digest_before, is_digested) << path;
    value = before;
  });
  EXPECT_EQ(digest_of(config), digest) << "what is optional and absent has no part in it";
}

TEST(Fields, ThatCameLaterHaveANumberOfTheirOwnInTheDigest) {
  MatchConfig config = rich_config();
  std::set<std::uint32_t> settings = {1, 2, 3, 4, 5, 7, 8, 21, 22};  // Those of Setting in digest.cpp.
  const std::size_t count = settings.size();
  for_every_field("", config, [&](const std::string& path, const auto& field, auto& owner) {
    if (field.setting == 0) return;
    EXPECT_TRUE(settings.insert(field.setting).second) << path;
    using Value = std::remove_cvref_t<decltype(owner.*field.member)>;
    EXPECT_FALSE(kIsStructure<Value>) << path << ": its fields have numbers, not the structure";
  });
  EXPECT_GT(settings.size(), count);
}

}  // namespace
}  // namespace sweepd::match::fields_test
