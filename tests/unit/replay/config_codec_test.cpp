// SPDX-License-Identifier: MIT
//
// Protects: no field of a config is lost on the way into a replay. A field that is new does not compile here:
// write it down in the codec first, then here and in `full_config`.
#include "replay/config_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "match/match.h"
#include "sweepd/replay/v1/config.pb.h"

namespace sweepd::replay {
namespace {

using match::MatchConfig;

auto fields_of(const collision::Box& value) {
  const auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}
auto fields_of(const match::CollidingLayers& value) {
  const auto& [a, b, c, d, e] = value;
  return std::tie(a, b, c, d, e);
}
auto fields_of(const match::ParticipantSlot& value) {
  const auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}
auto fields_of(const match::SectorGridConfig& value) {
  const auto& [a, b] = value;
  return std::tie(a, b);
}
auto fields_of(const match::ClaimRules& value) {
  const auto& [a, b, c, d, e] = value;
  return std::tie(a, b, c, d, e);
}
auto fields_of(const match::ScoringRule& value) {
  const auto& [a, b, c, d, e, f, g, h, i] = value;
  return std::tie(a, b, c, d, e, f, g, h, i);
}
auto fields_of(const match::Ruleset& value) {
  const auto& [a, b] = value;
  return std::tie(a, b);
}
auto fields_of(const match::MaskConfig& value) {
  const auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}
auto fields_of(const match::LockstepConfig& value) {
  const auto& [a, b] = value;
  return std::tie(a, b);
}
auto fields_of(const match::RoleLimits& value) {
  const auto& [a, b, c, d, e, f, g, h] = value;
  return std::tie(a, b, c, d, e, f, g, h);
}
auto fields_of(const match::LayerLimits& value) {
  const auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}
auto fields_of(const MatchConfig& value) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, c2, d2] =
      value;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, c2,
                  d2);
}

template <typename T>
concept HasFields = requires(const T& value) {
  fields_of(value);
};

template <typename T>
bool is_same(const T& a, const T& b);
template <typename T>
bool is_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& one, const T& other) { return is_same(one, other); });
}

template <typename Tuple, std::size_t... kIndices>
std::vector<std::size_t> differences(const Tuple& a, const Tuple& b, std::index_sequence<kIndices...>) {
  std::vector<std::size_t> indices;
  ((is_same(std::get<kIndices>(a), std::get<kIndices>(b)) ? void() : indices.push_back(kIndices)), ...);
  return indices;
}

/// Indices of the fields in which two of a kind differ.
template <typename T>
std::vector<std::size_t> differences(const T& a, const T& b) {
  using Tuple = decltype(fields_of(a));
  return differences(Tuple(fields_of(a)), Tuple(fields_of(b)),
                     std::make_index_sequence<std::tuple_size_v<Tuple>>());
}

template <typename T>
bool is_same(const T& a, const T& b) {
  if constexpr (HasFields<T>) {
    return differences(a, b).empty();
  } else {
    return a == b;
  }
}

/// No field as it is by default.
MatchConfig full_config() {
  MatchConfig config;
  config.name = "full \xff";
  config.layers = {"a", "b"};
  config.collides = {{"a", "b", true, 7, true}};
  config.clock = match::ClockKind::kLockstep;
  config.tick_rate_hz = 61;
  config.late_frames = match::LateFramePolicy::kDrop;
  config.max_lead_ticks = 121;
  config.max_late_ticks = 122;
  config.playfield = {-1, -2, 3, collision::kSubunitsMax};
  config.start_after_participants = 3;
  config.slots = {{"slot", match::Role::kStage, 5, ~0u}};
  config.ids_per_participant = 4'321;
  config.objects_per_participant_max = 77;
  config.heartbeat_ticks = 8;
  config.broadphase = collision::BroadphaseKind::kApproach;
  config.sector_grid = {match::SectorScheme::kVerticalStrips, 512};
  config.history_ticks = 119;
  config.claims = {match::ClaimPolicy::kEnforce, 31, 17, 5, 2};
  config.stage_handover = match::StageHandover::kLowestNumber;
  config.clearable_layers = {"b"};
  config.scoring = {{"rule",
                     "a",
                     "b",
                     match::ScoringMoment::kExit,
                     -100,
                     match::ScoringCredit::kOwnerOfB,
                     true,
                     9,
                     {collision::ExitReason::kSwept, collision::ExitReason::kDestroyed}}};
  config.ruleset = {"rules", "1.2"};
  config.seed = ~std::uint64_t{0};
  config.masks = {{9, 2, 255, std::string("\x01\0\xff\x7f", 4)}};
  config.lockstep = {251, {match::Role::kStage}};
  config.limits = {{match::Role::kStage, {{"a"}}, 0, 1, 2, 3, 4, false}};
  config.layer_limits = {{"b", 0, 5, true}};
  config.clock_control_roles = {match::Role::kPlayer, match::Role::kObserver};
  config.reconnect_ticks = 301;
  config.retained_ticks = 601;
  return config;
}

TEST(ConfigCodec, LosesNoField) {
  const MatchConfig config = full_config();
  const auto of_default = differences(config, MatchConfig());
  EXPECT_EQ(of_default.size(), std::tuple_size_v<decltype(fields_of(config))>) << "a field is as by default";
  const auto decoded = decode_config(encode_config(config));
  ASSERT_TRUE(decoded.ok()) << decoded.error().field;
  EXPECT_THAT(differences(config, *decoded), ::testing::IsEmpty()) << "indices of fields in their order";
}

TEST(ConfigCodec, TellsWhatIsAbsentFromWhatIsNone) {
  for (const MatchConfig& config : {MatchConfig(), [] {
                                      MatchConfig empty;
                                      empty.limits = {{}, {.spawn_layers = {{}}, .objects_max = 0}};
                                      empty.layer_limits = {{}};
                                      empty.lockstep.required_roles = {};
                                      empty.clock_control_roles = {};
                                      return empty;
                                    }()}) {
    const auto decoded = decode_config(encode_config(config));
    ASSERT_TRUE(decoded.ok());
    EXPECT_THAT(differences(config, *decoded), ::testing::IsEmpty());
  }
}

TEST(ConfigCodec, TellsApartConfigsThatDifferInOneFieldOnly) {
  const MatchConfig full = full_config();
  MatchConfig other = full;
  other.limits[0].may_teleport = std::nullopt;
  EXPECT_NE(encode_config(full), encode_config(other));
  EXPECT_EQ(encode_config(full), encode_config(full_config()));
}

TEST(ConfigCodec, RefusesNumbersThatAreNoneOfTheirKind) {
  const auto error_of = [](auto&& spoil) {
    v1::Config message;
    EXPECT_TRUE(message.ParseFromString(encode_config(full_config())));
    spoil(message);
    const auto decoded = decode_config(message.SerializeAsString());
    return decoded ? "none" : decoded.error().field + " " + decoded.error().description;
  };
  EXPECT_EQ(error_of([](v1::Config&) {}), "none");
  EXPECT_EQ(error_of([](v1::Config& m) { m.set_clock(257); }), "clock is 257; must be 1 to 3");
  EXPECT_EQ(error_of([](v1::Config& m) { m.mutable_slots(0)->set_role(0); }),
            "slots.role is 0; must be 1 to 3");
  EXPECT_EQ(error_of([](v1::Config& m) { m.add_required_roles(4); }), "required_roles is 4; must be 1 to 3");
  EXPECT_FALSE(decode_config("\x0a\x7f").ok());
}

}  // namespace
}  // namespace sweepd::replay
