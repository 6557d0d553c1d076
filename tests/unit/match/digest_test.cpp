// SPDX-License-Identifier: MIT
//
// Protects: equal matches have equal digests, whatever the broadphase; a difference in any input shows in the
// digest.
#include "match/digest.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "match/world_config.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::digest_test {
namespace {

/// Every kind of input once, some of it refused, over a few ticks; what a test varies is in these fields.
struct Script {
  MatchConfig config = small_config();
  collision::ObjectSpec ship = object_at(1, {0, 0});
  collision::ObjectSpec enemy = object_at((1u << 20) + 1, {40, 0}, kEnemyLayer);
  Frame changes;
  bool stage_leaves = false;
  std::uint32_t digest_version = kDigestVersion;

  Script() {
    ship.parts.push_back({{-20, -20, 20, 20}, kItemLayer});
    ship.motion.velocity = {1, 0};
    changes.reshapes.push_back({1, {{{-12, -10, 10, 10}, kPlayerLayer}, {{-9, -9, 9, 9}, kPlayerLayer}}});
    changes.layer_changes.push_back({1, 1, kItemLayer});
    changes.moves.push_back({1, {20, 0}});
    changes.motions.push_back({1, {{2, 0}, {1, 0}}});
    changes.disables.push_back({1, 3});
    changes.enables.push_back(1);
    changes.despawns.push_back(99);
  }
};

std::vector<std::uint64_t> digests_of(const Script& script) {
  const auto match = make_match(script.config, script.digest_version);
  std::vector<std::uint64_t> digests = {match->digest()};
  const Participant player = join(*match, "player");
  const Participant stage = join(*match, "stage", Role::kStage);
  submit(*match, player, spawn_frame(script.ship));
  submit(*match, stage, spawn_frame(script.enemy));
  digests.push_back(match->step().digest);
  submit(*match, player, script.changes);
  digests.push_back(match->step().digest);
  if (script.stage_leaves) match->apply(Leave{stage.number});
  digests.push_back(match->step().digest);
  digests.push_back(match->end().digest);
  return digests;
}

/// Index of the first digest that differs; the number of digests where none does.
std::size_t first_difference(const Script& a, const Script& b) {
  const auto digests_a = digests_of(a);
  const auto digests_b = digests_of(b);
  std::size_t i = 0;
  while (i < digests_a.size() && digests_a[i] == digests_b[i]) ++i;
  return i;
}

TEST(Digest, IsEqualForEqualInputs) { EXPECT_EQ(digests_of({}), digests_of({})); }

TEST(Digest, ChangesWithEveryTick) {
  const auto match = make_match();
  std::uint64_t before = match->digest();
  for (int i = 0; i < 3; ++i) {
    const TickOutput& output = match->step();
    EXPECT_EQ(output.digest, match->digest());
    EXPECT_NE(output.digest, before);
    before = output.digest;
  }
}

TEST(Digest, DoesNotDependOnWhatDoesNotChangeTheOutcome) {
  Script other;
  other.config.broadphase = collision::BroadphaseKind::kBruteForce;
  other.config.sector_grid = {SectorScheme::kPlain, 512};
  other.config.name = "another name";
  other.config.layers = {"hero", "foe", "coin"};
  other.config.collides = {{"foe", "hero"}};
  other.config.clock = ClockKind::kManual;
  other.config.tick_rate_hz = 30;
  other.config.heartbeat_ticks = 1;
  other.config.reconnect_ticks = 1;
  other.config.retained_ticks = 1;
  other.config.start_after_participants = 2;
  other.config.waits = {1'000, StartTimeout::kEndMatch, 0};
  EXPECT_EQ(digests_of({}), digests_of(other));
}

TEST(Digest, OfTheConfigCoversAllThatChangesTheOutcome) {
  const std::map<std::string, std::function<void(MatchConfig&)>> kVariations = {
      {"layers", [](MatchConfig& c) { c.layers.push_back("boss"); }},
      {"collides",
       [](MatchConfig& c) {
         c.collides.push_back({"item", "player"});
       }},
      {"late_frames", [](MatchConfig& c) { c.late_frames = LateFramePolicy::kDrop; }},
      {"max_lead_ticks", [](MatchConfig& c) { ++c.max_lead_ticks; }},
      {"max_late_ticks", [](MatchConfig& c) { ++c.max_late_ticks; }},
      {"playfield.min_x", [](MatchConfig& c) { ++c.playfield.min_x; }},
      {"playfield.min_y", [](MatchConfig& c) { ++c.playfield.min_y; }},
      {"playfield.max_x", [](MatchConfig& c) { --c.playfield.max_x; }},
      {"playfield.max_y", [](MatchConfig& c) { --c.playfield.max_y; }},
      {"ids_per_participant", [](MatchConfig& c) { ++c.ids_per_participant; }},
      {"objects_per_participant_max", [](MatchConfig& c) { ++c.objects_per_participant_max; }},
      {"slots",
       [](MatchConfig& c) {
         c.slots = {{"a", Role::kPlayer, 0, 0}};
       }},
      {"masks",
       [](MatchConfig& c) {
         c.masks = {{1, 1, 256, std::string(1, 0)}};
       }},
      {"masks: two",
       [](MatchConfig& c) {
         c.masks.assign(2, {1, 1, 256, std::string(1, 0)});
       }},
      {"masks.width",
       [](MatchConfig& c) {
         c.masks = {{2, 1, 256, std::string(1, 0)}};
       }},
      {"masks.height",
       [](MatchConfig& c) {
         c.masks = {{1, 2, 256, std::string(2, 0)}};
       }},
      {"masks.pixel_size",
       [](MatchConfig& c) {
         c.masks = {{1, 1, 1, std::string(1, 0)}};
       }},
      {"masks.rows",
       [](MatchConfig& c) {
         c.masks = {{1, 1, 256, std::string(1, 1)}};
       }},
      {"masks.rows, the ninth",
       [](MatchConfig& c) {
         c.masks = {{1, 9, 256, std::string(8, 0) + '\1'}};
       }},
      {"slots.role",
       [](MatchConfig& c) {
         c.slots = {{"a", Role::kStage, 0, 0}};
       }},
      {"slots.first_id",
       [](MatchConfig& c) {
         c.slots = {{"a", Role::kPlayer, 1, 9}};
       }},
      {"slots.last_id",
       [](MatchConfig& c) {
         c.slots = {{"a", Role::kPlayer, 1, 8}};
       }},
  };
  std::map<std::uint64_t, std::string> seen = {{make_match()->digest(), "nothing"}};
  for (const auto& [name, vary] : kVariations) {
    MatchConfig config = small_config();
    vary(config);
    const auto [first, is_new] = seen.emplace(make_match(config)->digest(), name);
    EXPECT_TRUE(is_new) << name << " has the digest of " << first->second;
  }
}

TEST(Digest, OfATickCoversEveryFieldOfASpawn) {
  const std::map<std::string, std::function<void(collision::ObjectSpec&)>> kVariations = {
      {"id", [](auto& s) { s.id = 2; }},
      {"x", [](auto& s) { ++s.position.x; }},
      {"y", [](auto& s) { ++s.position.y; }},
      {"velocity_x", [](auto& s) { ++s.motion.velocity.x; }},
      {"velocity_y", [](auto& s) { ++s.motion.velocity.y; }},
      {"acceleration_x", [](auto& s) { ++s.motion.acceleration.x; }},
      {"acceleration_y", [](auto& s) { ++s.motion.acceleration.y; }},
      {"time_to_live_ticks", [](auto& s) { s.time_to_live_ticks = 100; }},
      {"despawn_outside_playfield", [](auto& s) { s.despawn_outside_playfield = true; }},
      {"parts", [](auto& s) { s.parts.pop_back(); }},
      {"min_x", [](auto& s) { ++s.parts[1].box.min_x; }},
      {"min_y", [](auto& s) { ++s.parts[1].box.min_y; }},
      {"max_x", [](auto& s) { ++s.parts[1].box.max_x; }},
      {"max_y", [](auto& s) { ++s.parts[1].box.max_y; }},
      {"layer", [](auto& s) { s.parts[1].layer = kEnemyLayer; }},
      {"continuous", [](auto& s) { s.continuous = true; }},
      {"kind", [](auto& s) { s.parts[1].kind = collision::ShapeKind::kCapsule; }},
  };
  for (const auto& [name, vary] : kVariations) {
    Script other;
    vary(other.ship);
    EXPECT_EQ(first_difference({}, other), 1u) << name;
  }
}

TEST(Digest, OfATickTellsShapesInTheSameBoxApart) {
  collision::Part base;
  base.box = {-20, -20, 20, 20};
  std::vector<collision::Part> variations(7, base);
  variations[1].kind = collision::ShapeKind::kCircle;
  for (std::size_t i = 2; i < 6; ++i) variations[i].kind = collision::ShapeKind::kCapsule;
  variations[3].is_rising = true;
  variations[4].radius = 5;
  variations[5].radius = 6;
  variations[6].kind = collision::ShapeKind::kMask;
  std::map<std::uint64_t, std::size_t> seen;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    Digest digest(small_config(), world_config_of(small_config()));
    digest.begin_tick(1);
    Frame frame;
    frame.reshapes = {{1, {variations[i]}}};
    digest.begin_frame(frame, 0);
    digest.end_change(FrameChange::kReshape, frame.reshapes[0], true);
    digest.end_frame();
    digest.finish_tick({}, 0);
    EXPECT_TRUE(seen.emplace(digest.value(), i).second) << i;
  }
}

TEST(Digest, OfATickCoversEveryChangeMadeOrRefused) {
  const std::map<std::string, std::function<void(Frame&)>> kVariations = {
      {"reshapes.parts", [](Frame& f) { f.reshapes[0].parts.pop_back(); }},
      {"reshapes.object", [](Frame& f) { f.reshapes[0].object = 50; }},
      {"layer_changes.part", [](Frame& f) { f.layer_changes[0].part = 0; }},
      {"layer_changes.part: all", [](Frame& f) { f.layer_changes[0].part.reset(); }},
      {"layer_changes.layer", [](Frame& f) { f.layer_changes[0].layer = kEnemyLayer; }},
      {"moves.x", [](Frame& f) { ++f.moves[0].position.x; }},
      {"moves.y", [](Frame& f) { ++f.moves[0].position.y; }},
      {"motions.velocity", [](Frame& f) { ++f.motions[0].motion.velocity.y; }},
      {"motions.acceleration", [](Frame& f) { ++f.motions[0].motion.acceleration.x; }},
      {"disables.until_tick", [](Frame& f) { ++f.disables[0].until_tick; }},
      {"enables", [](Frame& f) { f.enables.clear(); }},
      {"enables, refused", [](Frame& f) { f.enables.push_back(98); }},
      {"despawns, refused", [](Frame& f) { f.despawns.push_back(98); }},
      {"despawns instead of enables", [](Frame& f) { f.enables.swap(f.despawns); }},
  };
  for (const std::uint32_t version : {kFirstDigestVersion, kDigestVersion}) {
    Script script;
    script.digest_version = version;
    for (const auto& [name, vary] : kVariations) {
      Script other = script;
      vary(other.changes);
      EXPECT_EQ(first_difference(script, other), 2u) << name << " in version " << version;
    }
  }
}

// Who chooses words of a hash of 64 bits solves for the one he wants.
TEST(Digest, GivesNoWordToThoseWhoAreRefused) {
  const std::map<std::string, std::function<void(Frame&, std::uint32_t)>> kRefused = {
      {"spawns",
       [](Frame& f, std::uint32_t n) {
         f.spawns = {object_at(1u << 30, {int(n), int(n)})};
       }},
      {"reshapes",
       [](Frame& f, std::uint32_t n) {
         f.reshapes = {{n, {{{0, 0, int(n), 1}, 0}}}};
       }},
      {"layer_changes",
       [](Frame& f, std::uint32_t n) {
         f.layer_changes = {{n, n, 0}};
       }},
      {"moves",
       [](Frame& f, std::uint32_t n) {
         f.moves = {{n, {int(n), int(n)}}};
       }},
      {"teleports",
       [](Frame& f, std::uint32_t n) {
         f.teleports = {{n, {int(n), int(n)}}};
       }},
      {"motions",
       [](Frame& f, std::uint32_t n) {
         f.motions = {{n, {{int(n), 1}, {}}}};
       }},
      {"disables",
       [](Frame& f, std::uint32_t n) {
         f.disables = {{n, n}};
       }},
      {"enables", [](Frame& f, std::uint32_t n) { f.enables = {n}; }},
      {"transfers",
       [](Frame& f, std::uint32_t n) {
         f.transfers = {{{n}, 63}};
       }},
      {"despawns", [](Frame& f, std::uint32_t n) { f.despawns = {n}; }},
      {"scroll",
       [](Frame& f, std::uint32_t n) {
         f.scroll = collision::Point{int(n), int(n)};
       }},
      {"claims", [](Frame& f, std::uint32_t n) { f.claims = {{.shot = n, .target = n, .tick_seen = n}}; }},
  };
  for (const auto& [name, add] : kRefused) {
    Script some;
    Script others;
    Script more;
    some.changes = others.changes = more.changes = Frame();
    add(some.changes, 5'000'000);
    add(others.changes, 6'000'000);
    EXPECT_EQ(digests_of(some), digests_of(others)) << name;
    EXPECT_NE(digests_of(some), digests_of(more)) << name << " are not counted";
    some.digest_version = others.digest_version = kFirstDigestVersion;
    EXPECT_NE(digests_of(some), digests_of(others)) << name << ": recorded digests have them";
  }
}

TEST(Digest, CoversWhoLeftWithOrWithoutObjects) {
  Script other;
  other.stage_leaves = true;
  EXPECT_EQ(first_difference({}, other), 3u);
  const auto digest_when = [](bool leaves) {
    const auto match = make_match();
    const Participant ann = join(*match, "ann");
    match->step();
    if (leaves) match->apply(Leave{ann.number});
    return match->step().digest;
  };
  EXPECT_NE(digest_when(true), digest_when(false));
}

TEST(Digest, DoesNotDependOnTheOrderInWhichParticipantsLeft) {
  const auto digest_when = [](ParticipantNumber first, ParticipantNumber second) {
    const auto match = make_match();
    join(*match, "ann");
    join(*match, "bob");
    match->step();
    match->apply(Leave{first});
    match->apply(Leave{second});
    return match->step().digest;
  };
  EXPECT_EQ(digest_when(0, 1), digest_when(1, 0));
}

TEST(Digest, CoversWhoJoinedButNotObservers) {
  const auto digest_after = [](const std::vector<Join>& requests) {
    const auto match = make_match();
    for (const Join& request : requests) join(*match, request.name, request.role);
    return match->step().digest;
  };
  const std::uint64_t nobody = digest_after({});
  EXPECT_NE(nobody, digest_after({{"ann", Role::kPlayer}}));
  EXPECT_NE(digest_after({{"ann", Role::kStage}}), digest_after({{"ann", Role::kPlayer}}));
  EXPECT_EQ(digest_after({{"bob", Role::kPlayer}}), digest_after({{"ann", Role::kPlayer}}));
  EXPECT_EQ(nobody, digest_after({{"judge", Role::kObserver}}));
}

TEST(Digest, DoesNotDependOnTheOrderInWhichSlotsWereTakenNorOnWhoCameAndWent) {
  MatchConfig config = small_config();
  config.slots = {{"ann", Role::kPlayer, 0, 0}, {"bob", Role::kPlayer, 0, 0}};
  const auto first = make_match(config);
  join(*first, "ann");
  join(*first, "bob");
  const auto second = make_match(config);
  join(*second, "bob");
  second->apply(Leave{join(*second, "ann").number});
  join(*second, "ann");
  EXPECT_EQ(first->step().digest, second->step().digest);
}

TEST(Digest, DoesNotDependOnTheParticipantThatWaitsButOnTheOneThatChanges) {
  const auto digest_when = [](std::size_t sender) {
    MatchConfig config = small_config();
    config.slots = {{"ann", Role::kPlayer, 1, 9}, {"bob", Role::kPlayer, 1, 9}};
    const auto match = make_match(config);
    const std::vector<Participant> participants = {join(*match, "ann"), join(*match, "bob")};
    for (const Participant& participant : participants) submit(*match, participant, {});
    submit(*match, participants[sender], spawn_frame(object_at(5, {0, 0})));
    return match->step().digest;
  };
  EXPECT_NE(digest_when(0), digest_when(1));
}

TEST(Digest, CoversTheEventsAndTheStateOfTheWorld) {
  const MatchConfig config = small_config();
  const auto digest_with = [&](std::span<const collision::Event> events, std::uint64_t state_hash) {
    Digest digest(config, world_config_of(config));
    digest.begin_tick(1);
    digest.finish_tick(events, state_hash);
    return digest.value();
  };
  const collision::Event event{
      1, 1, collision::EventKind::kEnter, collision::ExitReason::kNone, {1, 2, 0, 1}, {0, 0}};
  std::map<std::uint64_t, int> seen = {{digest_with({}, 0), -2}, {digest_with({}, 1), -1}};
  EXPECT_EQ(seen.size(), 2u);
  std::vector<collision::Event> variations(11, event);
  variations[1].sequence_number = 2;
  variations[2].tick = 2;
  variations[3].kind = collision::EventKind::kExit;
  variations[4].reason = collision::ExitReason::kMoved;
  variations[5].key.object_a = 7;
  variations[6].key.object_b = 7;
  variations[7].key.layer_a = 7;
  variations[8].key.layer_b = 7;
  variations[9].parts.part_a = 7;
  variations[10].parts.part_b = 7;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    EXPECT_TRUE(seen.emplace(digest_with({&variations[i], 1}, 0), static_cast<int>(i)).second) << i;
  }
}

}  // namespace
}  // namespace sweepd::match::digest_test
