// SPDX-License-Identifier: MIT
//
// Protects what the rules of visibility keep from subscribers: of random worlds, rules and viewers, what each
// is told is what an oracle filters from the full log, whenever it collects, and however often it resumes.
// The oracle knows the config and where everything was after each tick.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "property/random.h"
#include "runtime/feed/subscription.h"

namespace sweepd::property::property_visibility {
namespace {

using collision::Event;
using collision::EventKind;
using match::ParticipantNumber;
using match::Role;
using match::Sight;
using match::Tick;
using runtime::Subscription;

constexpr int kMatches = 150;
constexpr Tick kTicks = 120;
constexpr std::size_t kPlayers = 3;
constexpr collision::LayerId kShip = 0;

match::MatchConfig random_config(Random& random) {
  match::MatchConfig config;
  config.layers = {"ship", "shot", "item"};
  config.collides = {{"ship", "shot"}, {"ship", "item"}, {"shot", "item"}, {"ship", "ship"}};
  config.history_ticks = 40;
  for (collision::LayerId layer = 0; layer < 3; ++layer) {
    const collision::Part part{.box = {-20, -20, 20, 20}, .layer = layer};
    config.templates.push_back({.name = config.layers[layer],
                                .shapes = {{{part}}},
                                .hit_points = layer == kShip ? 6u : 0u,
                                .damage = layer == kShip ? 0u : 1u,
                                .may_teleport = true,
                                .spawn = {.alive_max = 4}});
    for (const Role role : {Role::kPlayer, Role::kObserver}) {
      if (random.chance(40)) continue;
      match::VisibilityRule rule{.role = role, .layer = config.layers[layer]};
      rule.sees = static_cast<Sight>(random.between(1, 4));
      if (rule.sees == Sight::kNear) rule.near = "ship";
      if (rule.sees == Sight::kNear) rule.distance_max = static_cast<std::uint32_t>(random.between(0, 90));
      config.visibility.push_back(rule);
    }
  }
  if (random.chance(50)) config.observer_delay_ticks = static_cast<std::uint32_t>(random.between(1, 40));
  return config;
}

/// What a subscriber was told.
struct Told final : runtime::ReportSink {
  void add(const runtime::TickReport& report) override {
    for (const Event& event : report.events) numbers.push_back(event.sequence_number);
    for (const match::Destruction& one : report.destructions)
      destroyed.emplace_back(report.tick, one.what.object);
    last_tick = report.tick;
    EXPECT_FALSE(report.gap || report.snapshot);
  }
  bool is_full() const override { return false; }
  std::vector<std::uint64_t> numbers;
  std::vector<std::pair<Tick, match::ObjectId>> destroyed;
  Tick last_tick = 0;
};

struct Follower {
  std::optional<ParticipantNumber> seat;  ///< Absent: an observer who watches.
  std::unique_ptr<Subscription> subscription = {};
  std::unique_ptr<runtime::RejectionBox> rejections = {};
  Told told = {};
  std::set<collision::EncounterKey> open = {};  ///< By the oracle: of which it knows.
  std::vector<std::pair<Tick, std::uint64_t>> destroyed = {};
  std::vector<collision::EncounterKey> closed = {};      ///< In this tick.
  std::vector<std::pair<Tick, std::uint64_t>> may = {};  ///< By the oracle: what it is told.
};

class World {
 public:
  explicit World(std::uint64_t seed)
      : random_(seed), match_(make(random_)), log_({.retained_ticks = 600}, *match_), sight_(*match_) {
    for (std::size_t i = 0; i < kPlayers; ++i) {
      numbers_.push_back(match_->apply(match::Join{"p" + std::to_string(i), Role::kPlayer})->number);
      add_follower(numbers_.back());
    }
    stage_ = match_->apply(match::Join{"stage", Role::kStage})->number;
    add_follower(std::nullopt);
  }

  void run() {
    while (match_->tick() < kTicks) {
      for (const ParticipantNumber number : numbers_)
        match_->apply(match::Submission{number, frame_of(number, true)});
      match_->apply(match::Submission{stage_, frame_of(stage_, false)});
      take(match_->step());
      for (Follower& one : followers_) {
        if (random_.chance(30)) collect(one);
        if (random_.chance(5)) resume(one);
      }
    }
    take(match_->end());
    for (Follower& one : followers_) {
      one.subscription->collect(feed(), one.told, true);
      check(one, ~Tick{0});
    }
  }

  std::size_t hidden() const { return hidden_; }
  std::size_t told() const { return told_; }

 private:
  static std::unique_ptr<match::Match> make(Random& random) {
    auto match = match::Match::create(random_config(random));
    EXPECT_TRUE(match.ok()) << (match.ok() ? "" : match.error().field + match.error().description);
    return std::move(*match);
  }

  runtime::Feed feed() {
    return {*match_, log_, absences_, scores_, claims_, clock_, room_, 0, 0, nullptr, &sight_};
  }

  void add_follower(std::optional<ParticipantNumber> seat) {
    Follower& one = followers_.emplace_back();
    one.seat = seat;
    one.rejections = std::make_unique<runtime::RejectionBox>();
    subscribe(one, {});
  }

  void subscribe(Follower& one, runtime::SubscriptionOptions options) {
    if (!one.seat) options.viewer = {.sees_all = false, .role = Role::kObserver};
    Subscription::Own own;
    if (one.seat) own.seats = {{.number = *one.seat, .rejections = one.rejections.get()}};
    one.subscription = std::make_unique<Subscription>(std::move(options), feed(), std::move(own));
  }

  void resume(Follower& one) {
    runtime::SubscriptionOptions options;
    const std::uint64_t last = one.told.numbers.empty() ? 0 : one.told.numbers.back();
    options.resume = {log_.epoch(), last, one.told.last_tick};
    subscribe(one, std::move(options));
    EXPECT_TRUE(one.subscription->is_resumed());
  }

  match::Frame frame_of(ParticipantNumber number, bool is_player) {
    match::Frame frame;
    const match::ObjectId first = match_->find_participant(number)->first_id;
    const match::ObjectId id = first + static_cast<match::ObjectId>(random_.index(8));
    const collision::Point place{static_cast<int>(random_.between(-90, 90)),
                                 static_cast<int>(random_.between(-90, 90))};
    if (!match_->find_object(id)) {
      const auto layer = static_cast<collision::LayerId>(random_.index(3));
      collision::ObjectSpec spec;
      spec.id = id;
      spec.position = place;
      if (is_player) spec.kind = layer + 1u;
      if (!is_player) spec.parts = {{.box = {-20, -20, 20, 20}, .layer = layer}};
      if (!is_player) spec.damage = 1;
      frame.spawns = {spec};
    } else if (random_.chance(15)) {
      frame.despawns = {id};
    } else {
      frame.teleports = {{id, place}};
    }
    return frame;
  }

  void take(const match::TickOutput& output) {
    log_.append(output);
    sight_.take(output);
    for (const Event& event : output.events) {
      for (Follower& one : followers_) judge(one, event);
    }
    for (Follower& one : followers_) judge_destructions(one, output);
    log_.trim(output.tick > 50 ? output.tick - 50 : 0);
    sight_.forget(log_.forgotten_sequence_number(), log_.forgotten_tick());
  }

  void judge(Follower& one, const Event& event) {
    if (event.kind == EventKind::kEnter) {
      if (may_see(one, event)) one.open.insert(event.key);
    }
    const bool knows = one.open.contains(event.key);
    if (event.kind == EventKind::kExit) one.closed.push_back(event.key);
    if (knows) one.may.emplace_back(event.tick, event.sequence_number);
    ++(knows ? told_ : hidden_);
  }

  /// All contacts are of encounters: who was told of one is told of what it has destroyed.
  static void judge_destructions(Follower& one, const match::TickOutput& output) {
    for (const match::Destruction& destruction : output.destructions) {
      const collision::Destruction& what = destruction.what;
      const bool is_first = what.object < what.by;
      const collision::EncounterKey key =
          is_first ? collision::EncounterKey{what.object, what.by, what.layer, what.by_layer}
                   : collision::EncounterKey{what.by, what.object, what.by_layer, what.layer};
      if (one.open.contains(key)) one.destroyed.emplace_back(output.tick, what.object);
    }
    for (const collision::EncounterKey& key : std::exchange(one.closed, {})) one.open.erase(key);
  }

  bool may_see(const Follower& one, const Event& event) const {
    if (one.seat && (event.owners.a == *one.seat || event.owners.b == *one.seat)) return true;
    auto a = match_->find_object(event.key.object_a);
    auto b = match_->find_object(event.key.object_b);
    std::optional<collision::Point> place_a;
    std::optional<collision::Point> place_b;
    if (a) place_a = a->position;
    if (b) place_b = b->position;
    if (!place_a) place_a = place_b;
    if (!place_b) place_b = place_a;
    return sees(one, event.key.layer_a, event.owners.a, place_a) &&
           sees(one, event.key.layer_b, event.owners.b, place_b);
  }

  bool sees(const Follower& one, collision::LayerId layer, ParticipantNumber owner,
            std::optional<collision::Point> place) const {
    const Role role = one.seat ? Role::kPlayer : Role::kObserver;
    for (const match::VisibilityRule& rule : match_->config().visibility) {
      if (rule.role != role || rule.layer != match_->config().layers[layer]) continue;
      if (rule.sees == Sight::kAll) return true;
      if (!one.seat) return false;
      if (rule.sees == Sight::kTeam) return owner != stage_;
      return rule.sees == Sight::kNear && place && is_near(*one.seat, *place, rule.distance_max);
    }
    return true;
  }

  /// All ships of players are of the one template.
  bool is_near(ParticipantNumber seat, collision::Point place, double distance_max) const {
    const auto first = match_->find_participant(seat)->first_id;
    for (match::ObjectId id = first; id < first + 8; ++id) {
      const auto ship = match_->find_object(id);
      if (!ship || ship->parts[0].layer != kShip) continue;
      const double distance = std::hypot(ship->position.x - place.x, ship->position.y - place.y);
      if (distance <= distance_max + 1e-9) return true;
    }
    return false;
  }

  void collect(Follower& one) {
    one.subscription->collect(feed(), one.told, false);
    const std::uint32_t delay = one.seat ? 0 : match_->config().observer_delay_ticks;
    check(one, match_->tick() - std::min<Tick>(delay, match_->tick()));
  }

  static void check(const Follower& one, Tick until) {
    std::vector<std::uint64_t> expected;
    for (const auto& [tick, number] : one.may)
      if (tick <= until) expected.push_back(number);
    std::vector<std::pair<Tick, match::ObjectId>> destroyed;
    for (const auto& [tick, object] : one.destroyed)
      if (tick <= until) destroyed.emplace_back(tick, object);
    EXPECT_EQ(one.told.destroyed, destroyed);
    ASSERT_EQ(one.told.numbers, expected) << (one.seat ? "player " + std::to_string(*one.seat) : "observer");
  }

  Random random_;
  std::unique_ptr<match::Match> match_;
  runtime::EventLog log_;
  runtime::SightLog sight_;
  runtime::Absences absences_;
  runtime::LatestScores scores_;
  runtime::ClaimLog claims_;
  runtime::ClockState clock_;
  runtime::TellingRoom room_;
  std::vector<ParticipantNumber> numbers_;
  ParticipantNumber stage_ = 0;
  std::vector<Follower> followers_;
  std::size_t hidden_ = 0;
  std::size_t told_ = 0;
};

TEST(Visibility, TellsEachWhatAnOracleFiltersFromTheFullLog) {
  std::size_t hidden = 0;
  std::size_t told = 0;
  for (int seed = 1; seed <= kMatches && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(static_cast<std::uint64_t>(seed));
    world.run();
    hidden += world.hidden();
    told += world.told();
  }
  EXPECT_GT(hidden, 1000u);
  EXPECT_GT(told, 1000u);
}

}  // namespace
}  // namespace sweepd::property::property_visibility
