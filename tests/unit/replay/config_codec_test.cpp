// SPDX-License-Identifier: MIT
//
// Protects: no field of a config is lost on the way into a replay, and a replay is of no lower version of the
// format than its config needs.
#include "replay/config_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/match.h"
#include "replay/file_format.h"
#include "sweepd/replay/v1/config.pb.h"
#include "unit/match/unusual_config.h"

namespace sweepd::replay::config_codec_test {
namespace {

using match::MatchConfig;

/// No field as it is by default.
MatchConfig full_config() {
  MatchConfig config = match::unusual_config();
  config.name = "full \xff";
  config.masks[0].rows = std::string("\x01\0\xff\x7f", 4);
  return config;
}

/// The names of the fields in which two configs differ.
std::vector<std::string> differences(const MatchConfig& a, const MatchConfig& b) {
  std::vector<std::string> names;
  for_each_field(std::type_identity<MatchConfig>(), [&](const auto& field) {
    if (!(a.*field.member == b.*field.member)) names.emplace_back(field.name);
  });
  return names;
}

TEST(ConfigCodec, LosesNoField) {
  const MatchConfig config = full_config();
  const auto decoded = decode_config(encode_config(config));
  ASSERT_TRUE(decoded.ok()) << decoded.error().field;
  EXPECT_THAT(differences(config, *decoded), ::testing::IsEmpty());
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

TEST(ConfigCodec, NeedsTheVersionOfTheFormatThatItsFieldsCameWith) {
  const auto version_after = [](auto&& use) {
    MatchConfig config;
    config.collides = {{}};
    config.limits = {{}};
    use(config);
    return format_version_of(encode_config(config));
  };
  EXPECT_EQ(version_after([](MatchConfig&) {}), kFormatVersionOfAnyConfig);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.templates = {{}}; }), 3u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.claims.window_rise_ticks = 1; }), 4u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.collides.back().claim_tolerance_max = 0; }), 4u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.limits[0].selection_layers.emplace(); }), 4u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.limits[0].selection_size_max = 0; }), 4u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.limits[0].selection_interval_ticks = 0; }), 4u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.object_tags = true; }), 10u);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.app_messages_per_second = 9; }),
            kFormatVersionOfAnyConfig);
  EXPECT_EQ(version_after([](MatchConfig& config) { config.app_messages_recorded = true; }), 10u);
  EXPECT_EQ(format_version_of(full_config()), kFormatVersion);
}

}  // namespace
}  // namespace sweepd::replay::config_codec_test
