// SPDX-License-Identifier: MIT
//
// Protects what the rules of visibility keep from subscribers: of random worlds, rules and viewers, what each
// is told is what an oracle filters from the full log, whenever it collects, and however often it resumes;
// whether objects change hands, seats have new holders, or the match is restored. The oracle knows the config
// and where everything was after each tick.
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
constexpr runtime::EventLogLimits kLogLimits{.retained_ticks = 600};

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
                                .transfer_roles = {Role::kPlayer, Role::kStage},
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
    EXPECT_FALSE(report.gap);
    EXPECT_TRUE(!report.snapshot || may_have_snapshot);
    if (report.snapshot) snapshot_tick = report.tick;
  }
  bool is_full() const override { return false; }
  std::vector<std::uint64_t> numbers;
  std::vector<std::pair<Tick, match::ObjectId>> destroyed;
  std::uint64_t first_number = 0;  ///< Of the last event before it began.
  Tick last_tick = 0;
  bool may_have_snapshot = false;
  Tick snapshot_tick = 0;  ///< What came before is in it.
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
      : random_(seed),
        match_(make(random_)),
        log_(std::in_place, kLogLimits, *match_),
        sight_(std::in_place, *match_) {
    for (std::size_t i = 0; i < kPlayers; ++i) join();
    stage_ = match_->apply(match::Join{"stage", Role::kStage})->number;
    add_follower(std::nullopt);
  }

  void run() {
    while (match_->tick() < kTicks) {
      if (random_.chance(3)) leave(random_.index(kPlayers + 1));
      while (players() < kPlayers && random_.chance(40)) join();
      if (random_.chance(3)) restore();
      for (const Follower& one : followers_) {
        if (one.seat) match_->apply(match::Submission{*one.seat, frame_of(*one.seat, true)});
      }
      match_->apply(match::Submission{stage_, frame_of(stage_, false)});
      take(match_->step());
      for (Follower& one : followers_) {
        if (random_.chance(30)) collect(one);
        if (random_.chance(5) && !one.told.may_have_snapshot) resume(one);
      }
    }
    take(match_->end());
    for (Follower& one : followers_) {
      one.subscription->collect(feed(), one.told, true);
      check(one, ~Tick{0});
    }
  }

  bool has_reused_a_seat() const { return has_reused_a_seat_; }
  std::size_t transferred() const { return transferred_; }
  std::size_t hidden() const { return hidden_; }
  std::size_t told() const { return told_; }

 private:
  static std::unique_ptr<match::Match> make(Random& random) {
    auto match = match::Match::create(random_config(random));
    EXPECT_TRUE(match.ok()) << (match.ok() ? "" : match.error().field + match.error().description);
    return std::move(*match);
  }

  runtime::Feed feed() {
    return {*match_, *log_, absences_, scores_, claims_, clock_, room_, 0, 0, nullptr, &*sight_};
  }

  std::size_t players() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(followers_, [](const Follower& one) { return one.seat.has_value(); }));
  }

  /// As its host does it. The seat may be one that another had: of that one's it is told nothing more.
  void join() {
    const auto seat = match_->apply(match::Join{"p" + std::to_string(++joined_), Role::kPlayer});
    if (!seat.ok()) return;  // The objects of who had the seat are there still.
    sight_->begin_seat(seat->number);
    has_reused_a_seat_ |= !blocks_.emplace(seat->number, seat->first_id).second;
    add_follower(seat->number);
    expect_open_to_be_known(followers_.back());
  }

  void leave(std::size_t index) {
    if (index >= followers_.size() || !followers_[index].seat) return;
    collect(followers_[index]);
    match_->apply(match::Leave{*followers_[index].seat});
    followers_.erase(followers_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  /// As a server does that was started again: all come back, and begin with what is open now.
  void restore() {
    for (Follower& one : followers_) collect(one);
    auto match = match::Match::restore(match_->config(), match_->save());
    ASSERT_TRUE(match.ok()) << match.error().description;
    const std::vector<Follower> before = std::exchange(followers_, {});
    sight_.reset();
    log_.reset();
    match_ = std::move(*match);
    log_.emplace(kLogLimits, *match_);
    sight_.emplace(*match_);
    for (const Follower& one : before) {
      add_follower(one.seat);
      followers_.back().told.may_have_snapshot = !one.seat;
      expect_open_to_be_known(followers_.back(), true);
    }
  }

  /// What is open when a follower comes, and it may see: of which it is told how it ends.
  void expect_open_to_be_known(Follower& one, bool is_anything_decided_anew = false) {
    for (const collision::Encounter& encounter : match_->open_encounters()) {
      const collision::EncounterKey& key = encounter.key;
      const auto owners = match::event_owners(match_->find_object(key.object_a)->owner,
                                              match_->find_object(key.object_b)->owner);
      const bool may = is_anything_decided_anew
                           ? may_see(one, key, owners)
                           : sees_all_of(one, key.layer_a) && sees_all_of(one, key.layer_b);
      if (may) one.open.insert(key);
    }
    if (!one.seat && match_->config().observer_delay_ticks > 0) return;
    std::set<collision::EncounterKey> told;
    for (const auto& encounter : one.subscription->open_encounters(*match_)) told.insert(encounter.key);
    EXPECT_EQ(told, one.open);
  }

  void add_follower(std::optional<ParticipantNumber> seat) {
    Follower& one = followers_.emplace_back();
    one.seat = seat;
    one.rejections = std::make_unique<runtime::RejectionBox>();
    one.told.first_number = log_->last_sequence_number();
    one.told.last_tick = log_->last_tick();
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
    const std::uint64_t last = one.told.numbers.empty() ? one.told.first_number : one.told.numbers.back();
    options.resume = {log_->epoch(), last, one.told.last_tick};
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
    } else if (random_.chance(10)) {
      frame.transfers = {{.objects = {id}, .to = static_cast<std::uint32_t>(random_.index(kPlayers + 1))}};
    } else {
      frame.teleports = {{id, place}};
    }
    return frame;
  }

  void take(const match::TickOutput& output) {
    log_->append(output);
    sight_->take(output);
    transferred_ += output.owner_changes.size();
    for (const Event& event : output.events) {
      for (Follower& one : followers_) judge(one, event);
    }
    for (Follower& one : followers_) judge_destructions(one, output);
    log_->trim(output.tick > 50 ? output.tick - 50 : 0);
    sight_->forget(log_->forgotten_sequence_number(), log_->forgotten_tick());
  }

  void judge(Follower& one, const Event& event) {
    if (event.kind == EventKind::kEnter) {
      if (may_see(one, event.key, event.owners)) one.open.insert(event.key);
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

  bool may_see(const Follower& one, const collision::EncounterKey& key,
               const collision::EventOwners& owners) const {
    if (one.seat && (owners.a == *one.seat || owners.b == *one.seat)) return true;
    auto a = match_->find_object(key.object_a);
    auto b = match_->find_object(key.object_b);
    std::optional<collision::Point> place_a;
    std::optional<collision::Point> place_b;
    if (a) place_a = a->position;
    if (b) place_b = b->position;
    if (!place_a) place_a = place_b;
    if (!place_b) place_b = place_a;
    return sees(one, key.layer_a, owners.a, place_a) && sees(one, key.layer_b, owners.b, place_b);
  }

  bool sees_all_of(const Follower& one, collision::LayerId layer) const {
    const Role role = one.seat ? Role::kPlayer : Role::kObserver;
    return std::ranges::none_of(match_->config().visibility, [&](const match::VisibilityRule& rule) {
      return rule.role == role && rule.layer == match_->config().layers[layer] && rule.sees != Sight::kAll;
    });
  }

  bool sees(const Follower& one, collision::LayerId layer, ParticipantNumber owner,
            std::optional<collision::Point> place) const {
    const Role role = one.seat ? Role::kPlayer : Role::kObserver;
    for (const match::VisibilityRule& rule : match_->config().visibility) {
      if (rule.role != role || rule.layer != match_->config().layers[layer]) continue;
      if (rule.sees == Sight::kAll) return true;
      if (!one.seat) return false;
      if (rule.sees == Sight::kTeam) return is_player(owner);
      return rule.sees == Sight::kNear && place && is_near(*one.seat, *place, rule.distance_max);
    }
    return true;
  }

  bool is_player(ParticipantNumber number) const {
    const auto who = match_->find_participant(number);
    return who && who->role == Role::kPlayer;
  }

  /// All ships that players have spawned are of the one template, and none of the stage's.
  bool is_near(ParticipantNumber seat, collision::Point place, double distance_max) const {
    for (const auto& [number, first] : blocks_) {
      for (match::ObjectId id = first; id < first + 8; ++id) {
        const auto ship = match_->find_object(id);
        if (!ship || ship->owner != seat || ship->parts[0].layer != kShip) continue;
        const double distance = std::hypot(ship->position.x - place.x, ship->position.y - place.y);
        if (distance <= distance_max + 1e-9) return true;
      }
    }
    return false;
  }

  void collect(Follower& one) {
    one.subscription->collect(feed(), one.told, false);
    const std::uint32_t delay = one.seat ? 0 : match_->config().observer_delay_ticks;
    check(one, match_->tick() - std::min<Tick>(delay, match_->tick()));
  }

  static void check(const Follower& one, Tick until) {
    const auto is_due = [&](Tick tick) { return tick > one.told.snapshot_tick && tick <= until; };
    std::vector<std::uint64_t> expected;
    for (const auto& [tick, number] : one.may)
      if (is_due(tick)) expected.push_back(number);
    std::vector<std::pair<Tick, match::ObjectId>> destroyed;
    for (const auto& [tick, object] : one.destroyed)
      if (is_due(tick)) destroyed.emplace_back(tick, object);
    EXPECT_EQ(one.told.destroyed, destroyed);
    ASSERT_EQ(one.told.numbers, expected) << (one.seat ? "player " + std::to_string(*one.seat) : "observer");
  }

  Random random_;
  std::unique_ptr<match::Match> match_;
  std::optional<runtime::EventLog> log_;
  std::optional<runtime::SightLog> sight_;
  runtime::Absences absences_;
  runtime::LatestScores scores_;
  runtime::ClaimLog claims_;
  runtime::ClockState clock_;
  runtime::ReportBuffers room_;
  std::map<ParticipantNumber, match::ObjectId> blocks_;  ///< Of all seats that players have had.
  ParticipantNumber stage_ = 0;
  std::vector<Follower> followers_;
  std::size_t joined_ = 0;
  bool has_reused_a_seat_ = false;
  std::size_t transferred_ = 0;
  std::size_t hidden_ = 0;
  std::size_t told_ = 0;
};

TEST(Visibility, TellsEachWhatAnOracleFiltersFromTheFullLog) {
  std::size_t hidden = 0;
  std::size_t told = 0;
  std::size_t transferred = 0;
  int with_reused_seats = 0;
  for (int seed = 1; seed <= kMatches && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(static_cast<std::uint64_t>(seed));
    world.run();
    hidden += world.hidden();
    told += world.told();
    transferred += world.transferred();
    with_reused_seats += world.has_reused_a_seat() ? 1 : 0;
  }
  EXPECT_GT(hidden, 1000u);
  EXPECT_GT(told, 1000u);
  EXPECT_GT(transferred, 100u);
  EXPECT_GT(with_reused_seats, kMatches / 4);
}

}  // namespace
}  // namespace sweepd::property::property_visibility
