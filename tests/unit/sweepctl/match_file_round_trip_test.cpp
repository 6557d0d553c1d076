// SPDX-License-Identifier: MIT
//
// Protects the completeness of match files: whatever a config says, a file can say, and is read as it was
// meant. Compared is the message that a server would get, so that no field can be forgotten.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "app/sweepctl/match_file.h"
#include "match_codec.h"
#include "unit/sweepctl/match_file_writer.h"

namespace sweepd::app {
namespace {

constexpr int kConfigs = 300;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t up_to(std::uint64_t max) {
    return std::uniform_int_distribution<std::uint64_t>(0, max)(engine_);
  }
  std::uint32_t number(std::uint32_t min, std::uint32_t max) {
    return min + static_cast<std::uint32_t>(up_to(max - min));
  }
  bool flag() { return up_to(1) == 1; }
  double length() {
    return static_cast<double>(static_cast<std::int64_t>(up_to(1u << 30)) - (1 << 29)) / 256;
  }
  template <typename Enum>
  Enum word(Enum last) {
    return static_cast<Enum>(up_to(static_cast<std::uint64_t>(last)));
  }
  template <typename Value>
  const Value& any_of(const std::vector<Value>& values) {
    return values[up_to(values.size() - 1)];
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<Role> roles(Dice& dice) {
  std::vector<Role> roles(dice.up_to(3));
  for (Role& role : roles) role = dice.word(Role::kObserver);
  return roles;
}

void add_layers(Dice& dice, MatchConfig& config) {
  const char* const kOdd[] = {"a b", "\"quoted\"", "back\\slash", "größe", "a.b"};
  const std::size_t count = 1 + dice.up_to(7);
  for (std::size_t i = 0; i < count; ++i) config.layers.push_back(kOdd[dice.up_to(4)] + std::to_string(i));
  // A file has the pairs by their first layers.
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a; b < count; ++b) {
      if (dice.flag()) continue;
      config.collides.push_back({config.layers[a], config.layers[b], dice.flag(), dice.number(0, 3600)});
    }
  }
  for (std::size_t i = dice.up_to(3); i > 0; --i)
    config.clearable_layers.push_back(dice.any_of(config.layers));
}

void add_scoring(Dice& dice, MatchConfig& config) {
  for (std::size_t i = dice.up_to(3); i > 0; --i) {
    ScoringRule rule{.name = "rule " + std::to_string(i),
                     .layer_a = dice.any_of(config.layers),
                     .layer_b = dice.any_of(config.layers),
                     .when = dice.word(ScoringMoment::kContact),
                     .points = static_cast<std::int32_t>(dice.number(0, 2'000'000'000)) - 1'000'000'000,
                     .credit = dice.word(ScoringCredit::kOwnerOfB),
                     .once_per_object = dice.flag(),
                     .cooldown_ticks = dice.number(0, 36'000)};
    for (std::size_t j = dice.up_to(3); j > 0; --j) {
      const auto reason =
          static_cast<ExitReason>(dice.number(1, static_cast<std::uint32_t>(ExitReason::kDestroyed)));
      if (reason != ExitReason::kMatchEnded) rule.exit_reasons.push_back(reason);
    }
    config.scoring.push_back(rule);
  }
}

void choose(Dice& dice, std::uint32_t min, std::uint32_t max, std::optional<std::uint32_t>& limit) {
  if (dice.flag()) limit = dice.number(min, max);
}

void add_limits(Dice& dice, MatchConfig& config) {
  for (std::size_t i = dice.up_to(2); i > 0; --i) {
    RoleLimits& limits = config.limits.emplace_back();
    limits.role = dice.word(Role::kStage);
    if (dice.flag()) limits.spawn_layers.emplace();
    if (limits.spawn_layers && dice.flag()) limits.spawn_layers->push_back(dice.any_of(config.layers));
    choose(dice, 0, 100'000, limits.objects_max);
    choose(dice, 0, 3'200'000, limits.parts_max);
    choose(dice, 1, 1024, limits.frames_max);
    choose(dice, 64, 1 << 30, limits.frame_bytes_max);
    choose(dice, 64, 1 << 30, limits.bytes_per_second_max);
    if (dice.flag()) limits.may_teleport = dice.flag();
  }
  for (std::size_t i = dice.up_to(2); i > 0; --i) {
    LayerLimits& limits = config.layer_limits.emplace_back();
    limits.layer = dice.any_of(config.layers);
    if (dice.flag()) limits.speed_max = dice.number(0, 1 << 30) / 256.0;
    limits.speed_budget_ticks = dice.number(0, 3600);
    limits.stay_in_playfield = dice.flag();
  }
}

void add_claims(Dice& dice, MatchConfig& config) {
  config.claims.policy = dice.word(ClaimPolicy::kEnforce);
  config.claims.rewind_ticks_max = dice.number(0, 3600);
  config.claims.tolerance_max = dice.number(0, 1 << 24) / 256.0;
  config.claims.delay_allowance_ticks = dice.number(0, 3600);
  config.claims.hits_per_shot_max = dice.number(0, 65'535);
}

void add_masks(Dice& dice, MatchConfig& config) {
  for (std::size_t i = dice.up_to(2); i > 0; --i) {
    BitMask mask(dice.number(1, 20), dice.number(1, 20), dice.number(1, 1 << 20) / 256.0);
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
      for (std::uint32_t x = 0; x < mask.width(); ++x) mask.set(x, y, dice.flag());
    }
    config.masks.push_back(mask);
  }
}

void add_participants(Dice& dice, MatchConfig& config) {
  for (std::size_t i = dice.up_to(3); i > 0; --i) {
    config.slots.push_back({"slot " + std::to_string(i), dice.word(Role::kObserver),
                            dice.number(0, 0xffffffff), dice.number(0, 0xffffffff)});
  }
  config.start_after_participants = dice.number(0, 64);
  config.ids_per_participant = dice.number(16, 1 << 24);
  config.objects_per_participant_max = dice.number(1, 100'000);
  config.stage_handover = dice.word(StageHandover::kLowestNumber);
}

void add_time(Dice& dice, MatchConfig& config) {
  config.clock = dice.word(ClockKind::kLockstep);
  config.tick_rate_hz = dice.number(1, 240);
  config.late_frames = dice.word(LateFramePolicy::kDrop);
  config.max_lead_ticks = dice.number(0, 3600);
  config.max_late_ticks = dice.number(0, 3600);
  config.reconnect_ticks = dice.number(0, 36'000);
  config.retained_ticks = dice.number(0, 36'000);
  config.history_ticks = dice.number(0, 3600);
  config.heartbeat_ticks = dice.number(0, 3600);
  config.lockstep.deadline_ms = dice.number(1, 60'000);
  if (dice.flag()) config.lockstep.required_roles = roles(dice);
  if (dice.flag()) config.clock_control_roles = roles(dice);
}

MatchConfig random_config(std::uint64_t seed) {
  Dice dice(seed);
  MatchConfig config;
  config.name = "match " + std::to_string(seed);
  add_layers(dice, config);
  add_time(dice, config);
  add_participants(dice, config);
  add_scoring(dice, config);
  add_limits(dice, config);
  add_claims(dice, config);
  add_masks(dice, config);
  config.broadphase = dice.word(BroadphaseKind::kApproach);
  config.sector_grid = {dice.word(SectorScheme::kVerticalStrips), dice.number(0, 1 << 20) / 256.0};
  if (dice.flag()) {
    const auto [min_x, max_x] = std::minmax({dice.length(), dice.length()});
    const auto [min_y, max_y] = std::minmax({dice.length(), dice.length()});
    config.playfield = Box{min_x, min_y, max_x, max_y};
  }
  config.ruleset = {"rules", std::to_string(dice.up_to(99))};
  config.seed = dice.up_to(~std::uint64_t{0});
  return config;
}

v1::MatchConfig message_of(const MatchConfig& config) {
  v1::MatchConfig message;
  const auto error = internal::encode(config, &message);
  EXPECT_FALSE(error) << error->field << " " << error->what;
  return message;
}

TEST(MatchFileRoundTrip, ReadsWhatARandomConfigIsInAFile) {
  for (std::uint64_t seed = 1; seed <= kConfigs; ++seed) {
    const MatchConfig config = random_config(seed);
    const std::string text = match_file_of(config);
    const MatchFile file = parse_match_file(text, "random.toml");
    ASSERT_TRUE(file.errors.empty()) << "seed " << seed << ": " << file.errors.front() << "\n" << text;
    ASSERT_EQ(message_of(file.config).DebugString(), message_of(config).DebugString())
        << "seed " << seed << "\n"
        << text;
  }
}

// A field that is set in no random config would be one that the test above overlooks.
TEST(MatchFileRoundTrip, LeavesNoFieldOfAConfigOut) {
  std::vector<const google::protobuf::FieldDescriptor*> seen;
  for (std::uint64_t seed = 1; seed <= kConfigs; ++seed) {
    const v1::MatchConfig message = message_of(random_config(seed));
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    seen.insert(seen.end(), fields.begin(), fields.end());
  }
  const google::protobuf::Descriptor* descriptor = v1::MatchConfig::descriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    EXPECT_NE(std::find(seen.begin(), seen.end(), descriptor->field(i)), seen.end())
        << descriptor->field(i)->name();
  }
}

}  // namespace
}  // namespace sweepd::app
