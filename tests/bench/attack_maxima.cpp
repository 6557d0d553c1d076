// SPDX-License-Identifier: MIT
//
// Attacks by matches that have what any match may have on a server that is told nothing, and, where a row
// says so, by more: what the defaults of its maxima (match/budget_maxima.h) cost a neighbour.
#include <deque>
#include <iostream>
#include <vector>

#include "bench/attack_client.h"
#include "match/budget_maxima.h"

namespace sweepd::bench {
namespace {

constexpr match::BudgetMaxima kMaxima;
constexpr int kObjectsAtMost = static_cast<int>(kMaxima.objects_max);
constexpr int kRowsAtMost = kObjectsAtMost + static_cast<int>(kMaxima.parts_max);  // See runtime::TickRows.
constexpr std::int32_t kSubunits = 256;

/// What its players send from then on, about as often as there are ticks.
using FrameOf = std::function<v1::Frame(const HostilePlayer& player, int turn)>;

struct LargestMatch {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  int players = 1;
  std::vector<int> objects = {kObjectsAtMost};  ///< Of the first player, in one tick after another.
  Placement place = side_by_side;
  FrameOf frame = {};  ///< Empty: they send nothing.
};

/// 181 boxes on one spot have 16,290 pairs, about as many as may overlap; no tick brings more than 8,192.
constexpr int kPileSize = 181;
const std::vector<int> kPile = {128, kPileSize - 128};

void spawn_in_ticks(HostilePlayer& player, const std::vector<int>& counts, const Placement& place) {
  for (const int count : counts) {
    player.spawn(count, place);
    for (int i = 0; i < 4; ++i) AttackTarget::pause();
  }
}

/// Where the server ends the match, another is made; how many it were is said, as a row that is to be of a
/// match that lasts shows something else then.
void play_at_the_maxima(const AttackTarget& target, const LargestMatch& largest) {
  int matches = 0;
  while (target.goes_on()) {
    AttackTarget::pause();
    HostileMatch match(target, largest.config);
    if (!match.is_created()) continue;
    ++matches;
    std::deque<HostilePlayer> players;
    for (int i = 0; i < largest.players; ++i) players.emplace_back(match, "largest " + std::to_string(i));
    spawn_in_ticks(players.front(), largest.objects, largest.place);
    for (int turn = 0; target.goes_on() && !players.front().is_over(); ++turn) {
      if (largest.frame)
        for (HostilePlayer& player : players) player.send(largest.frame(player, turn));
      AttackTarget::pause();
    }
  }
  std::cerr << "matches: " << matches << "\n";
}

v1::MatchConfig without_contacts() {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  config.clear_collides();
  return config;
}

/// Of the first player's objects; the others have none.
v1::Frame moves_of(const HostilePlayer& player, int rows, const std::function<std::int32_t(int)>& x_of) {
  v1::Frame frame;
  const auto objects = static_cast<int>(player.spawned());
  if (objects == 0) return frame;
  v1::AbsoluteMoveColumns& moves = *frame.mutable_absolute_moves();
  for (int i = 0; i < rows; ++i) {
    const int object = i % objects;
    moves.add_object_id(player.first_id() + static_cast<std::uint32_t>(object));
    moves.add_x(x_of(object));
    moves.add_y(object / 300 * 40 * kSubunits);
  }
  return frame;
}

void fly_as_many_objects(const AttackTarget& target) { play_at_the_maxima(target, {.place = flying}); }

void move_as_many_objects(const AttackTarget& target) {
  const auto frame = [](const HostilePlayer& player, int turn) {
    return moves_of(player, kObjectsAtMost,
                    [turn](int object) { return (object % 300 * 40 + turn % 2) * kSubunits; });
  };
  play_at_the_maxima(target, {.place = flying, .frame = frame});
}

void fly_as_many_parts(const AttackTarget& target) {
  constexpr int kPartsOfEach = 32;
  const auto place = [](int index) {
    v1::Spawn spawn = flying(index);
    while (spawn.parts_size() < kPartsOfEach) *spawn.add_parts() = spawn.parts(0);
    return spawn;
  };
  play_at_the_maxima(target,
                     {.objects = {static_cast<int>(kMaxima.parts_max) / kPartsOfEach}, .place = place});
}

/// All move in each tick.
void pile_up_as_many_pairs(const AttackTarget& target) {
  const auto frame = [](const HostilePlayer& player, int turn) {
    return moves_of(player, static_cast<int>(player.spawned()), [turn](int) { return turn % 2; });
  };
  play_at_the_maxima(target, {.objects = kPile, .place = on_one_spot, .frame = frame});
}

/// The tick is the match's last, and another match is made.
void exceed_the_events(const AttackTarget& target) {
  play_at_the_maxima(target, {.objects = {kPileSize}, .place = on_one_spot});
}

void exceed_the_pairs(const AttackTarget& target) {
  play_at_the_maxima(target, {.objects = {640}, .place = on_one_spot});
}

/// All objects at y = 0, a few units apart, and moved in each tick: so that their boxes overlap.
struct Row {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  int objects = kPileSize;
  int distance = 8;  ///< Subunits.
  v1::Spawn spawn = {};
};

void test_row(const AttackTarget& target, const Row& row) {
  const auto place = [&row](int index) {
    v1::Spawn spawn = row.spawn;
    spawn.set_x(row.distance * index);
    return spawn;
  };
  const auto frame = [&row](const HostilePlayer& player, int turn) {
    v1::Frame frame = moves_of(player, static_cast<int>(player.spawned()),
                               [&](int object) { return row.distance * object + turn % 2; });
    for (std::int32_t& y : *frame.mutable_absolute_moves()->mutable_y()) y = 0;
    return frame;
  };
  play_at_the_maxima(target,
                     {.config = row.config, .objects = {row.objects}, .place = place, .frame = frame});
}

v1::Spawn slanting_capsule() {
  v1::Spawn spawn;
  v1::Capsule& capsule = *spawn.add_parts()->mutable_capsule();
  capsule.set_b_x(64 * kSubunits);
  capsule.set_b_y(64 * kSubunits);
  capsule.set_radius(1);
  return spawn;
}

void test_as_many_shapes(const AttackTarget& target) { test_row(target, {.spawn = slanting_capsule()}); }

/// The ways of all overlap, too. 106 objects have 5,565 pairs, each of which costs 34 tests.
void sweep_as_many_shapes(const AttackTarget& target) {
  Row row{.objects = 106, .spawn = slanting_capsule()};
  row.spawn.set_continuous(true);
  test_row(target, row);
}

/// Of each row of pixels the first and the last are set. 62 objects, four pixels apart, have 1,891 pairs,
/// none of which touches; each costs 97 tests. That is 183,427 of the 196,608 of tests_per_tick_max.
void test_as_many_pixels(const AttackTarget& target) {
  constexpr int kHeight = 12;
  Row row{.objects = 62, .distance = 4 * kSubunits};
  v1::BitMask& mask = *row.config.add_masks();
  mask.set_width(255);
  mask.set_height(kHeight);
  for (int y = 0; y < kHeight; ++y) mask.mutable_rows()->append('\1' + std::string(30, '\0') + '\x40');
  row.spawn.add_parts()->mutable_mask()->set_mask(0);
  test_row(target, row);
}

/// As 3h, but those who are told have seats.
void tell_players_of_as_many_events(const AttackTarget& target) {
  const auto frame = [](const HostilePlayer& player, int turn) {
    return moves_of(player, static_cast<int>(player.spawned()),
                    [turn](int object) { return turn % 2 == 0 || object < 128 ? 0 : 100 * kSubunits; });
  };
  play_at_the_maxima(target, {.players = 16, .objects = kPile, .place = on_one_spot, .frame = frame});
}

/// Four participants may look at as many objects in a tick as one may, each.
void select_as_many_objects(const AttackTarget& target) {
  const auto frame = [](const HostilePlayer&, int) {
    v1::Frame frame;
    for (int i = 0; i < static_cast<int>(kMaxima.selected_objects_max) / kObjectsAtMost; ++i)
      frame.add_freezes();
    return frame;
  };
  play_at_the_maxima(target, {.config = without_contacts(), .players = 4, .place = flying, .frame = frame});
}

/// Each frame has as many changes as a tick may bring; where two are for the same, one is refused.
void bring_as_many_rows(const AttackTarget& target) {
  const auto frame = [](const HostilePlayer& player, int turn) {
    return moves_of(player, kRowsAtMost,
                    [turn](int object) { return (object % 300 * 40 + turn % 2) * kSubunits; });
  };
  play_at_the_maxima(target, {.config = without_contacts(), .place = flying, .frame = frame});
}

/// As many encounters as a match may have open, and each watcher is told the end of all.
void end_before_many_watchers(const AttackTarget& target) {
  while (target.goes_on()) {
    AttackTarget::pause();
    HostileMatch match(target, hostile_config(v1::CLOCK_KIND_REALTIME));
    if (!match.is_created()) continue;
    HostilePlayer player(match, "ends");
    spawn_in_ticks(player, kPile, on_one_spot);
    const HostileWatchers watchers(match, 200);
    AttackTarget::pause();
    match.end();
  }
}

}  // namespace

std::vector<Attack> maxima_attacks() {
  return {
      {"8 objects", "as many objects as a match may have, in flight", fly_as_many_objects},
      {"8 moves", "the same, all of them moved in each tick", move_as_many_objects},
      {"8 parts", "as many parts", fly_as_many_parts},
      {"8 pairs", "as many pairs that overlap, all of them moved", pile_up_as_many_pairs},
      {"8 tests", "the same, of shapes that do not overlap", test_as_many_shapes},
      {"8 tests of pixels", "as many tests in each tick, of masks", test_as_many_pixels},
      {"8 tests of ways", "the same, of shapes that pass each other", sweep_as_many_shapes},
      {"8 events", "as many events in each tick, told to 16 players", tell_players_of_as_many_events},
      {"8 excess of events", "more events in a tick, match after match", exceed_the_events},
      {"8 excess of pairs", "more pairs that overlap, match after match", exceed_the_pairs},
      {"8 selected", "as many objects selected in each tick, by 4 players", select_as_many_objects},
      {"8 end", "as many encounters, and the match ended before 200 watchers", end_before_many_watchers},
      {"8 rows", "as many changes in each tick, and more", bring_as_many_rows},
  };
}

}  // namespace sweepd::bench
