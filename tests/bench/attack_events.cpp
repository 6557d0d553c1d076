// SPDX-License-Identifier: MIT
//
// Attacks by what a match tells: many events a tick, to many, by many rules.
#include <optional>

#include "bench/attack_client.h"

namespace sweepd::bench {
namespace {

constexpr int kTargets = 1'000;
constexpr int kWalls = 8;

/// Targets and walls, which meet each other only.
v1::MatchConfig flicker_config() {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  config.clear_layers();
  config.clear_clearable_layers();
  config.clear_collides();
  config.add_layers("target");
  config.add_layers("wall");
  v1::CollidingLayers& collides = *config.add_collides();
  collides.set_layer_a("target");
  collides.set_layer_b("wall");
  return config;
}

/// A few walls go on and off all targets, so that a small frame makes 8,000 events.
class Flicker {
 public:
  Flicker(const AttackTarget& target, const v1::MatchConfig& config) : match_(target, config) {
    if (!match_.is_created()) return;
    player_.emplace(match_, "flicker");
    player_->spawn(kTargets, on_one_spot);
    player_->spawn(kWalls, [](int) {
      v1::Spawn wall = on_one_spot(0);
      wall.mutable_parts(0)->set_layer(1);
      return wall;
    });
  }

  bool goes_on() const { return match_.target().goes_on() && player_ && !player_->is_over(); }
  HostileMatch& match() { return match_; }

  void flip() {
    is_on_ = !is_on_;
    v1::Frame frame;
    v1::AbsoluteMoveColumns& moves = *frame.mutable_absolute_moves();
    for (int i = 0; i < kWalls; ++i) {
      moves.add_object_id(player_->first_id() + static_cast<std::uint32_t>(kTargets + i));
      moves.add_x(is_on_ ? 0 : 1'000'000);
      moves.add_y(0);
    }
    player_->send(frame);
  }

 private:
  HostileMatch match_;
  std::optional<HostilePlayer> player_;
  bool is_on_ = true;
};

/// Where the server ends the match, another is made.
void flicker(const AttackTarget& target, const v1::MatchConfig& config, bool is_still = false) {
  while (target.goes_on()) {
    Flicker flicker(target, config);
    for (; flicker.goes_on(); AttackTarget::pause())
      if (!is_still) flicker.flip();
    AttackTarget::pause();
  }
}

void watch_while_it_flickers(const AttackTarget& target) {
  while (target.goes_on()) {
    Flicker flicker(target, flicker_config());
    const HostileWatchers watchers(flicker.match(), 200);
    for (; flicker.goes_on(); AttackTarget::pause()) flicker.flip();
  }
}

v1::MatchConfig scored(int rules, v1::ScoringMoment when, std::uint32_t cooldown_ticks) {
  v1::MatchConfig config = flicker_config();
  for (int i = 0; i < rules; ++i) {
    v1::ScoringRule& rule = *config.add_scoring();
    rule.set_layer_a("target");
    rule.set_layer_b("wall");
    rule.set_when(when);
    rule.set_points(1);
    rule.set_cooldown_ticks(cooldown_ticks);
  }
  return config;
}

void score_by_thousands_of_rules(const AttackTarget& target) {
  flicker(target, scored(20'000, v1::SCORING_MOMENT_ENTER, 0));
}

void score_every_contact(const AttackTarget& target) {
  flicker(target, scored(16, v1::SCORING_MOMENT_CONTACT, 1), true);
}

}  // namespace

std::vector<Attack> event_attacks() {
  return {
      {"3h", "200 watchers of 8,000 events a tick", watch_while_it_flickers},
      {"3i", "20,000 rules of scoring for 8,000 events a tick", score_by_thousands_of_rules},
      {"3j", "16 rules of scoring for 8,000 contacts each tick", score_every_contact},
  };
}

}  // namespace sweepd::bench
