// SPDX-License-Identifier: MIT
//
// Protects the person who describes a match in a file: everything arrives in the config, and every slip of
// the pen is answered with line, column, the key, what was found and what is allowed.
#include "tools/sweepctl/match_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/sweepctl/config_check.h"

namespace sweepd::tools::match_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kLayers = "layers = [\"player\", \"enemy\", \"bullet\"]\n";

MatchFile parse(const std::string& text) { return parse_match_file(text, "m.toml"); }

/// The one error of a text; "" and a failure if there are others, or none.
std::string error_of(const std::string& text) {
  const MatchFile file = parse(text);
  EXPECT_EQ(file.errors.size(), 1u) << text << ::testing::PrintToString(file.errors);
  return file.errors.empty() ? "" : file.errors.front();
}

TEST(MatchFile, OfLayersAloneIsAMatchWithDefaults) {
  const MatchFile file = parse(kLayers);
  EXPECT_THAT(file.errors, IsEmpty());
  EXPECT_THAT(file.config.layers, ElementsAre("player", "enemy", "bullet"));
  EXPECT_EQ(file.config.tick_rate_hz, MatchConfig().tick_rate_hz);
  EXPECT_FALSE(file.config.playfield);
  EXPECT_TRUE(check_config(file.config).ok());
}

TEST(MatchFile, WithoutLayersSaysThatTheyAreMissing) {
  EXPECT_EQ(error_of("name = \"x\"\n"), "m.toml:1:1: layers is missing; it is required");
}

TEST(MatchFile, GivesPairsInTheOrderOfTheFileAndEachOnce) {
  const MatchFile file =
      parse(std::string(kLayers) +
            "[collides]\nplayer = [\"enemy\", \"bullet\"]\nenemy = [\"player\", \"enemy\"]\n"
            "[[contacts]]\nlayers = [\"bullet\", \"player\"]\nsensor = true\n"
            "damage_interval_ticks = 7\n");
  EXPECT_THAT(file.errors, IsEmpty());
  EXPECT_THAT(file.config.collides,
              ElementsAre(CollidingLayers{"player", "enemy"}, CollidingLayers{"player", "bullet", true, 7},
                          CollidingLayers{"enemy", "enemy"}));
}

TEST(MatchFile, TellsRolesOfNobodyFromRolesNotGiven) {
  EXPECT_FALSE(parse(kLayers).config.clock_control_roles);
  const auto roles = parse(std::string(kLayers) + "clock_control_roles = []").config.clock_control_roles;
  ASSERT_TRUE(roles);
  EXPECT_THAT(*roles, IsEmpty());
}

TEST(MatchFile, TakesSeedsOfAllSizes) {
  const std::string layers = kLayers;
  EXPECT_EQ(parse(layers + "seed = 9223372036854775807").config.seed, 9223372036854775807u);
  EXPECT_EQ(parse(layers + "seed = \"18446744073709551615\"").config.seed, 18446744073709551615u);
  EXPECT_THAT(error_of(layers + "seed = -1"),
              StartsWith("m.toml:2:8: seed is -1; must be a whole number of at least 0"));
  EXPECT_THAT(error_of(layers + "seed = \"18446744073709551616\""), HasSubstr("0 to 18446744073709551615"));
  EXPECT_THAT(error_of(layers + "seed = \"12x\""), HasSubstr("the text \"12x\""));
}

struct Slip {
  const char* text;   ///< After the line of layers.
  const char* error;  ///< After "m.toml:".
};

TEST(MatchFile, AnswersEverySlipWithLineColumnKeyAndWhatIsAllowed) {
  const Slip slips[] = {
      {"name = 5", "2:8: name is 5; must be a text in quotes"},
      {"layer = [\"a\"]", "2:1: layer is no key that is known here; did you mean \"layers\"?"},
      {"tick_rate = 60", "2:1: tick_rate is no key that is known here; did you mean \"tick_rate_hz\"?"},
      {"clock = \"realtme\"",
       "2:9: clock is the text \"realtme\"; must be realtime, manual or lockstep (did you mean "
       "\"realtime\"?)"},
      {"clock = true", "2:9: clock is true; must be one of the texts realtime, manual or lockstep"},
      {"tick_rate_hz = 60.5", "2:16: tick_rate_hz is the number 60.5; must be a whole number, 1 to 240"},
      {"tick_rate_hz = 241", "2:16: tick_rate_hz is 241; must be a whole number, 1 to 240"},
      {"tick_rate_hz = 1979-05-27",
       "2:16: tick_rate_hz is a date or a time; must be a whole number, 1 to 240"},
      {"playfield = 5", "2:13: playfield is 5; must be a table"},
      {"playfield = { min_x = 0, min_y = 0, max_x = 9 }", "2:13: playfield.max_y is missing; it is required"},
      {"[playfield]\nmin_x = \"0\"\nmin_y = 0\nmax_x = 1\nmax_y = 1",
       "3:9: playfield.min_x is the text \"0\"; must be a number of playfield units"},
      {"[lockstep]\nrequired_roles = [\"player\", \"stge\"]",
       "3:29: lockstep.required_roles[1] is the text \"stge\"; must be player, stage or observer (did you "
       "mean "
       "\"stage\"?)"},
      {"[lockstep]\nseed = 5",
       "3:1: lockstep.seed is no key that is known here; \"seed\" belongs above the file's "
       "first [table]"},
      {"[ruleset]\nverzion = \"1\"",
       "3:1: ruleset.verzion is no key that is known here; did you mean \"version\"?"},
      {"[ruleset]\nxyz = \"1\"", "3:1: ruleset.xyz is no key that is known here; known are name and version"},
      {"[collides]\nplayr = [\"enemy\"]",
       "3:1: collides.playr is no key that is known here; did you mean \"player\"?"},
      {"[collides]\nplayer = [\"enemi\"]",
       "3:11: collides.player[0] is \"enemi\", which is no layer; did you mean \"enemy\"?"},
      {"[collides]\nplayer = \"enemy\"",
       "3:10: collides.player is the text \"enemy\"; must be a list in brackets"},
      {"[collides]\nplayer = [1]", "3:11: collides.player[0] is 1; must be a name from layers"},
      {"[[contacts]]\nlayers = [\"player\", \"enemy\"]",
       "3:10: contacts[0].layers are \"player\" and \"enemy\", which do not collide; must be a pair from "
       "[collides]"},
      {"[[contacts]]\nlayers = [\"player\"]",
       "3:10: contacts[0].layers has 1 entries; must have two names from layers"},
      {"[[contacts]]\nsensor = true", "2:1: contacts[0].layers is missing; it is required"},
      {"clearable_layers = [\"bullets\"]",
       "2:21: clearable_layers[0] is \"bullets\", which is no layer; did you mean \"bullet\"?"},
      {"[[scoring]]\nlayer_a = \"ghost\"\nlayer_b = \"enemy\"\npoints = 1",
       "3:11: scoring[0].layer_a is \"ghost\", which is no layer; known are player, enemy and bullet"},
      {"[[scoring]]\nlayer_a = \"player\"\nlayer_b = \"enemy\"",
       "2:1: scoring[0].points is missing; it is required"},
      {"[[limits]]\nrole = \"player\"\nspawn_layers = [\"ship\"]",
       "4:17: limits[0].spawn_layers[0] is \"ship\", which is no layer; known are player, enemy and bullet"},
      {"[[limits]]\nobjects_max = 5", "2:1: limits[0].role is missing; it is required"},
      {"[[limits]]\nrole = \"player\"\nframes_max = 0",
       "4:14: limits[0].frames_max is 0; must be a whole number, 1 to 1024"},
      {"[[layer_limits]]\nlayer = \"player\"\nspeed = 5",
       "4:1: layer_limits[0].speed is no key that is known here; known are layer, speed_max, "
       "speed_budget_ticks "
       "and stay_in_playfield"},
      {"[claims]\npolicy = \"enforced\"",
       "3:10: claims.policy is the text \"enforced\"; must be observe, warn or enforce (did you mean "
       "\"enforce\"?)"},
      {"[claims]\nrewind_ticks_max = 3601",
       "3:20: claims.rewind_ticks_max is 3601; must be a whole number, 0 to 3600"},
      {"[[slots]]\nrole = \"stage\"", "2:1: slots[0].name is missing; it is required"},
      {"slots = [ { name = \"ann\", id = 1 } ]",
       "2:27: slots[0].id is no key that is known here; known are name, role, "
       "first_id and last_id"},
      {"slots = { name = \"ann\" }", "2:9: slots is a table; must be a list in brackets"},
      {"[[masks]]\npixel_size = 1", "2:1: masks[0] has no picture; must have file (a PNG) or rows"},
      {"[[masks]]\nfile = \"a\"\nrows = [\"#\"]",
       "2:1: masks[0] has both file and rows; must have one of them"},
      {"[[masks]]\nrows = [\"#\"]\nthreshold = 5",
       "4:13: masks[0].threshold is for pictures in a file; must not be given with rows"},
      {"[[masks]]\nfile = \"no.png\"",
       "3:8: masks[0].file is the text \"no.png\": no.png cannot be read: No such file or directory"},
  };
  for (const Slip& slip : slips) {
    EXPECT_EQ(error_of(std::string(kLayers) + slip.text), std::string("m.toml:") + slip.error);
  }
}

TEST(MatchFile, NamesBothPlacesOfALayerGivenTwice) {
  EXPECT_EQ(
      error_of("layers = [\n  \"a\",\n  \"b\",\n  \"a\"]\n"),
      "m.toml:4:3: layers[2] is \"a\", the name of another layer (line 2, column 3); names must be unique");
}

TEST(MatchFile, HoldsNoNameAgainstAnybodyWhereLayersAreUnreadable) {
  EXPECT_THAT(
      error_of("layers = \"player\"\nclearable_layers = [\"bullet\"]\n[collides]\nplayer = [\"enemy\"]\n"),
      StartsWith("m.toml:1:10: layers is the text"));
}

TEST(MatchFile, TellsAllErrorsInTheOrderOfTheFile) {
  const MatchFile file = parse("seed = true\nlayers = [1]\nname = 2\n[ruleset]\nname = 3\n");
  ASSERT_EQ(file.errors.size(), 4u);
  EXPECT_THAT(file.errors[0], StartsWith("m.toml:1:8: seed is true"));
  EXPECT_THAT(file.errors[1], StartsWith("m.toml:2:11: layers[0] is 1"));
  EXPECT_THAT(file.errors[2], StartsWith("m.toml:3:8: name is 2"));
  EXPECT_THAT(file.errors[3], StartsWith("m.toml:5:8: ruleset.name is 3"));
}

TEST(MatchFile, SaysWhereItIsNoToml) {
  EXPECT_THAT(error_of("layers = [\"a\"\nname = \"x\"\n"), StartsWith("m.toml:2:"));
  EXPECT_THAT(error_of("layers = [\"a\"]\nname = \"x\"\nname = \"y\"\n"), StartsWith("m.toml:3:"));
  EXPECT_THAT(error_of("name = \"\xff\"\n"), StartsWith("m.toml:1:"));
}

TEST(MatchFile, RefusesAKeyThatNestsTablesWithoutEnd) {
  std::string key = "a";
  for (int i = 0; i < 400'000; ++i) key += i % 2 == 0 ? ".a" : ". \"b.\\\"c\"";
  EXPECT_EQ(error_of(kLayers + key + " = 1"), "m.toml:2:81: a key has at most 16 parts");
  EXPECT_THAT(error_of(kLayers + ("[" + key) + "]"), HasSubstr("a key has at most 16 parts"));
  EXPECT_THAT(error_of(kLayers + ("x = [{ y = { " + key) + " = 1 } }]"), HasSubstr("at most 16 parts"));
}

TEST(MatchFile, TakesDotsInTextsAndCommentsForNoKeys) {
  const std::string dots(100, '.');
  const std::string layers = kLayers + ("# \"" + dots + " '\n");
  EXPECT_THAT(parse(layers + "name = \"" + dots + "\\\"" + dots + "\" # " + dots).errors, IsEmpty());
  EXPECT_THAT(parse(layers + "name = '" + dots + "\\' # " + dots).errors, IsEmpty());
  EXPECT_THAT(parse(layers + "name = \"\"\"\n" + dots + "\n\\\"\"\" " + dots + "\"\"\"").errors, IsEmpty());
}

TEST(MatchFile, CountsColumnsInCharacters) {
  EXPECT_THAT(error_of("layers = [\"schöne Größe\", 5]\n"), StartsWith("m.toml:1:27: layers[1] is 5"));
}

TEST(MatchFile, ThatCannotBeReadSaysWhy) {
  EXPECT_THAT(read_match_file("/no/such/file.toml").errors,
              ElementsAre("/no/such/file.toml cannot be read: No such file or directory"));
  EXPECT_THAT(read_match_file("/").errors, ElementsAre("/ cannot be read: Is a directory"));
}

/// What the rules of a match say to a text without errors of its own.
std::string refusal_of(const std::string& text) {
  const MatchFile file = parse(std::string(kLayers) + text);
  EXPECT_THAT(file.errors, IsEmpty()) << text;
  const Status status = check_config(file.config);
  EXPECT_FALSE(status.ok()) << text;
  return file.located(status);
}

TEST(MatchFile, FindsThePlaceOfWhatARuleOfTheMatchForbids) {
  EXPECT_THAT(refusal_of("[[scoring]]\nlayer_a = \"player\"\nlayer_b = \"enemy\"\npoints = 1\n"),
              StartsWith("m.toml:3:11: scoring[0].layer_a \"player\" and layer_b \"enemy\" do not collide"));
  EXPECT_THAT(refusal_of("start_after_participants = 2\nslots = [{ name = \"a\" }]"),
              StartsWith("m.toml:2:28: start_after_participants is 2; must be 0 to 1"));
  EXPECT_THAT(refusal_of("[[slots]]\nname = \"a\"\n[[slots]]\nname = \"a\"\n"),
              StartsWith("m.toml:5:8: slots[1].name is \"a\""));
  EXPECT_THAT(refusal_of("[[slots]]\nname = \"a\"\nfirst_id = 9\n"), StartsWith("m.toml:2:1: slots[0] "));
  EXPECT_THAT(refusal_of("[[limits]]\nrole = \"observer\"\n"), StartsWith("m.toml:3:8: limits[0].role"));
  EXPECT_THAT(refusal_of("[[layer_limits]]\nlayer = \"enemy\"\nspeed_max = -1\n"),
              StartsWith("m.toml:4:13: layer_limits[0].speed_max"));
  EXPECT_THAT(refusal_of("[claims]\ntolerance_max = 65537\n"),
              StartsWith("m.toml:3:17: claims.tolerance_max"));
  EXPECT_THAT(refusal_of("[lockstep]\nrequired_roles = [\"observer\"]"),
              StartsWith("m.toml:3:18: lockstep.required_roles"));
  EXPECT_THAT(refusal_of("[playfield]\nmin_x = nan\nmin_y = 0\nmax_x = 1\nmax_y = 1\n"),
              StartsWith("m.toml:3:9: playfield.min_x is not a finite number"));
  EXPECT_THAT(refusal_of("[playfield]\nmin_x = 2\nmin_y = 0\nmax_x = 1\nmax_y = 1\n"),
              StartsWith("m.toml:3:9: playfield.min_x"));
  EXPECT_THAT(refusal_of("[sector_grid]\nsector_size = 0.5\n"),
              StartsWith("m.toml:3:15: sector_grid.sector_size"));
  EXPECT_THAT(refusal_of("[[masks]]\nrows = [\"#\"]\npixel_size = 5000\n"),
              StartsWith("m.toml:4:14: masks[0].pixel_size"));
  EXPECT_THAT(refusal_of("[[masks]]\nrows = []\n"), HasSubstr("m.toml:2:1: masks[0]"));
}

TEST(MatchFile, NamesTheFileAloneForWhatItDoesNotGive) {
  MatchFile file = parse(kLayers);
  file.config.tick_rate_hz = 500;
  EXPECT_THAT(file.located(check_config(file.config)), StartsWith("m.toml: config.tick_rate_hz"));
  EXPECT_EQ(file.located(Status(ErrorCode::kUnavailable, "gone")), "gone");
}

struct Limit {
  const char* key;
  std::int64_t min;
  std::int64_t max;
};

TEST(MatchFile, HasTheLimitsOfTheMatchItself) {
  const Limit limits[] = {{"tick_rate_hz", 1, 240},
                          {"heartbeat_ticks", 0, 3600},
                          {"max_lead_ticks", 0, 3600},
                          {"max_late_ticks", 0, 3600},
                          {"history_ticks", 0, 3600},
                          {"reconnect_ticks", 0, 36'000},
                          {"retained_ticks", 0, 36'000},
                          {"start_after_participants", 0, 64},
                          {"ids_per_participant", 16, 16'777'216},
                          {"objects_per_participant_max", 1, 100'000}};
  for (const Limit& limit : limits) {
    for (const std::int64_t value : {limit.min, limit.max}) {
      const MatchFile file = parse(kLayers + std::string(limit.key) + " = " + std::to_string(value));
      EXPECT_THAT(file.errors, IsEmpty());
      EXPECT_EQ(check_config(file.config).message(), "") << limit.key;
    }
    for (const std::int64_t value : {limit.min - 1, limit.max + 1}) {
      EXPECT_THAT(error_of(kLayers + std::string(limit.key) + " = " + std::to_string(value)),
                  HasSubstr("must be a whole number, " + std::to_string(limit.min) + " to " +
                            std::to_string(limit.max)));
    }
  }
}

}  // namespace
}  // namespace sweepd::tools::match_file_test
