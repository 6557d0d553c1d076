// SPDX-License-Identifier: MIT
//
// Protects the world feed from end to end but for the transport: of random matches, rules, interests and
// policies, the SDK's mirror of each subscriber is the world that an oracle shows it, after every tick that
// it is told, but for what a budget of bytes has marked as late; and what the oracle hides is in none of its
// bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "property/world/random_match.h"
#include "rounds.h"
#include "runtime/feed/subscription.h"
#include "session/world_codec.h"
#include "world_mirror.h"

namespace sweepd::property::property_world {
namespace {

using collision::Point;
using match::ParticipantNumber;
using match::Role;
using match::Sight;
using match::Tick;
using runtime::Subscription;
using runtime::WorldInterest;

constexpr int kMatches = rounds(60);
constexpr Tick kTicks = 800;

struct Follower final : runtime::ReportSink {
  void add(const runtime::TickReport& report) override {
    for (const std::string_view bytes : report.world) arrived.emplace_back(bytes);
  }
  bool is_full() const override { return false; }

  std::optional<ParticipantNumber> seat;  ///< Absent: a watcher.
  WorldInterest interest = {};
  bool has_own_objects = false;
  runtime::WhenFull when_full = runtime::WhenFull::kGap;
  std::unique_ptr<runtime::RejectionBox> rejections = std::make_unique<runtime::RejectionBox>();
  std::unique_ptr<Subscription> subscription = {};
  std::vector<std::string> arrived = {};
  internal::WorldMirror mirror = {};
  std::uint64_t feed_id = 0;
  // By the oracle: what has to be in view, and what may be, at the edge of a region.
  std::map<Tick, std::set<match::ObjectId>> shown = {};
  std::map<Tick, std::set<match::ObjectId>> showable = {};
  std::set<std::uint64_t> tags_shown = {};
  std::optional<Point> anchor = {};  ///< Where the object is that the region follows, if that is known.
  Tick busy_until = 0;
  bool has_just_resumed = false;
};

class World {
 public:
  explicit World(std::uint64_t seed)
      : random_(seed + 1000),
        random_match_(seed),
        log_({.retained_ticks = 600}, match_),
        world_feed_(match_) {
    if (has_rules()) sight_.emplace(match_);
    match_.set_observer(&world_feed_);
    for (const ParticipantNumber number : random_match_.players()) add_follower(number);
    for (int i = 0; i < 3; ++i) add_follower(std::nullopt);
    // A snapshot may be of before the first tick.
    worlds_[0] = random_match_.world();
    for (Follower& one : followers_) show(one, 0);
  }

  void run() {
    while (match_.tick() < kTicks && !::testing::Test::HasFatalFailure()) {
      random_match_.play();
      take(match_.step());
      for (Follower& one : followers_) {
        if (one.seat && random_match_.has_left(*one.seat)) continue;
        if (one.busy_until > match_.tick()) continue;
        if (random_.chance(1)) one.busy_until = match_.tick() + static_cast<Tick>(random_.between(1, 300));
        if (random_.chance(60)) collect(one);
        if (random_.chance(4)) resume(one);
        if (random_.index(300) == 0) ask_for_more(one);
      }
    }
  }

  std::size_t compared() const { return compared_; }
  std::size_t hidden() const { return hidden_; }
  std::size_t resumed() const { return resumed_; }
  std::size_t begun_anew() const { return begun_anew_; }
  std::size_t late() const { return late_; }
  std::size_t exact() const { return exact_; }

 private:
  bool has_rules() const {
    return !match_.config().visibility.empty() || match_.config().observer_delay_ticks > 0;
  }

  runtime::Feed feed() {
    return {match_,
            log_,
            absences_,
            scores_,
            claims_,
            clock_,
            room_,
            0,
            0,
            nullptr,
            sight_ ? &*sight_ : nullptr,
            &world_feed_};
  }

  void add_follower(std::optional<ParticipantNumber> seat) {
    Follower& one = *followers_storage_.emplace_back(std::make_unique<Follower>());
    one.seat = seat;
    choose_interest(one);
    if (random_.chance(50)) one.when_full = runtime::WhenFull::kCoalesce;
    subscribe(one, {});
    followers_.push_back(std::ref(one));
  }

  void choose_interest(Follower& one) {
    one.interest = {};
    if (random_.chance(30)) one.interest.layers = static_cast<std::uint64_t>(random_.between(1, 7));
    if (random_.chance(30)) one.interest.region = collision::Box{-1000, -1500, 800, 1200};
    if (one.interest.region && random_.chance(50)) one.interest.leave_margin = 300;
    if (one.interest.region && one.seat && random_.chance(50)) {
      one.interest.follow = match_.find_participant(*one.seat)->first_id;
    }
    if (random_.chance(40)) {
      one.interest.bytes_per_second = static_cast<std::uint32_t>(random_.between(256, 4000));
    }
    if (random_.chance(20)) one.interest.owners = {random_match_.players()[1], random_match_.stage()};
    one.has_own_objects = one.seat && random_.chance(20);
    one.interest.has_owners = !one.interest.owners.empty() || one.has_own_objects;
    if (random_.chance(40)) one.interest.every_ticks = static_cast<std::uint32_t>(random_.between(2, 6));
    if (random_.chance(40)) one.interest.step = static_cast<std::uint32_t>(random_.between(2, 300));
  }

  runtime::SubscriptionOptions::World asked_of(const Follower& one) const {
    return {.interest = one.interest,
            .has_own_objects = one.has_own_objects,
            .encode = session::encode_world_tick};
  }

  /// On the same subscription; by a step or a budget that no other has, so that the snapshot is of this
  /// tick.
  void ask_for_more(Follower& one) {
    choose_interest(one);
    ++asked_again_;
    if (random_.chance(30)) {
      one.interest.step = 300 + asked_again_;
    } else {
      one.interest.bytes_per_second = 1'000'000 + asked_again_;
    }
    one.shown.erase(match_.tick());
    one.showable.erase(match_.tick());
    show(one, match_.tick());
    one.subscription->ask_for_world(asked_of(one));
    one.has_just_resumed = false;
  }

  void subscribe(Follower& one, runtime::SubscriptionOptions options) {
    if (!one.seat && has_rules()) options.viewer = {.sees_all = false, .role = Role::kObserver};
    options.world = asked_of(one);
    options.when_full = one.when_full;
    Subscription::Own own;
    if (one.seat) own.seats = {{.number = *one.seat, .rejections = one.rejections.get()}};
    one.subscription = std::make_unique<Subscription>(std::move(options), feed(), std::move(own));
  }

  void resume(Follower& one) {
    runtime::SubscriptionOptions options;
    options.resume = {log_.epoch(), 0, 0, {one.feed_id, one.mirror.tick()}};
    subscribe(one, std::move(options));
    one.has_just_resumed = true;
  }

  void take(const match::TickOutput& output) {
    log_.append(output);
    if (sight_) sight_->take(output);
    world_feed_.tick_has_run();
    worlds_[output.tick] = random_match_.world();
    for (Follower& one : followers_) show(one, output.tick);
  }

  void show(Follower& one, Tick tick) {
    const TrueWorld& world = worlds_.at(tick);
    bool is_anchored = true;
    if (one.interest.follow != 0) {
      const auto followed = world.find(one.interest.follow);
      is_anchored =
          followed != world.end() && may_see(one, followed->second) && tick % one.interest.every_ticks == 0;
      // Else the region is where it was when the channel was opened or told something: anywhere.
      one.anchor = is_anchored ? std::optional(followed->second.position) : std::nullopt;
    }
    std::set<match::ObjectId>& shown = one.shown[tick];
    std::set<match::ObjectId>& showable = one.showable[tick];
    for (const auto& [id, object] : world) {
      if (!is_shown(one, object, one.interest.leave_margin)) continue;
      showable.insert(id);
      one.tags_shown.insert(object.tag);
      if (is_anchored && is_shown(one, object, 0)) shown.insert(id);
    }
  }

  bool is_shown(const Follower& one, const TrueObject& object, int margin) const {
    bool has_layer = false;
    collision::Box bounds{collision::kSubunitsMax, collision::kSubunitsMax, collision::kSubunitsMin,
                          collision::kSubunitsMin};
    for (const collision::Part& part : object.parts) {
      has_layer = has_layer || (one.interest.layers >> part.layer & 1) != 0;
      bounds = {std::min(bounds.min_x, part.box.min_x), std::min(bounds.min_y, part.box.min_y),
                std::max(bounds.max_x, part.box.max_x), std::max(bounds.max_y, part.box.max_y)};
    }
    if (!has_layer) return false;
    const bool is_own = one.has_own_objects && object.owner == *one.seat;
    const auto& owners = one.interest.owners;
    if (one.interest.has_owners && !is_own && std::ranges::find(owners, object.owner) == owners.end())
      return false;
    if (one.interest.region && (one.interest.follow == 0 || one.anchor)) {
      const collision::Box& box = *one.interest.region;
      const Point by = one.interest.follow != 0 ? *one.anchor : Point{};
      const auto [x, y] = object.position;
      if (x + bounds.max_x < box.min_x + by.x - margin || x + bounds.min_x > box.max_x + by.x + margin ||
          y + bounds.max_y < box.min_y + by.y - margin || y + bounds.min_y > box.max_y + by.y + margin)
        return false;
    }
    return may_see(one, object);
  }

  bool may_see(const Follower& one, const TrueObject& object) const {
    if (one.seat) {
      const auto who = match_.find_participant(*one.seat);
      if (!who || who->acts_as_stage || object.owner == *one.seat) return true;
    }
    for (const collision::Part& part : object.parts)
      if (!sees(one, part.layer, object)) return false;
    return true;
  }

  bool sees(const Follower& one, collision::LayerId layer, const TrueObject& object) const {
    const Role role = one.seat ? Role::kPlayer : Role::kObserver;
    for (const match::VisibilityRule& rule : match_.config().visibility) {
      if (rule.role != role || rule.layer != match_.config().layers[layer]) continue;
      if (rule.sees == Sight::kAll) return true;
      if (!one.seat) return false;
      const auto owner = match_.find_participant(object.owner);
      if (rule.sees == Sight::kTeam) return owner && owner->role == Role::kPlayer;
      return rule.sees == Sight::kNear && is_near(*one.seat, object.position, rule.distance_max);
    }
    return true;
  }

  bool is_near(ParticipantNumber seat, Point place, double distance_max) const {
    for (const auto& [id, ship] : worlds_.rbegin()->second) {
      if (ship.owner != seat || ship.template_number != RandomMatch::kShip + 1u) continue;
      const double distance = std::hypot(ship.position.x - place.x, ship.position.y - place.y);
      if (distance <= distance_max + 1e-9) return true;
    }
    return false;
  }

  void collect(Follower& one) {
    one.subscription->collect(feed(), one, false);
    for (const std::string& bytes : std::exchange(one.arrived, {})) {
      v1::WorldTick tick;
      ASSERT_TRUE(tick.ParseFromString(bytes));
      const Tick told = internal::tick_of(tick, one.mirror.tick());
      look_for_hidden(one, bytes, told);
      note_snapshot(one, tick);
      check_ids(one, tick, told);
      const Status status = one.mirror.apply(tick);
      ASSERT_TRUE(status.ok()) << status.message();
      compare(one);
    }
  }

  /// The tag of what it was never shown is nowhere in the bytes: large enough not to be there by chance.
  void look_for_hidden(const Follower& one, const std::string& bytes, Tick tick) {
    for (const auto& [id, object] : worlds_.at(tick)) {
      if (object.tag < std::uint64_t{1} << 35 || one.tags_shown.contains(object.tag)) continue;
      std::string tag;
      for (std::uint64_t rest = object.tag; rest != 0; rest >>= 7)
        tag.push_back(static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80 : 0)));
      EXPECT_EQ(bytes.find(tag), std::string::npos) << "object " << id;
    }
  }

  void note_snapshot(Follower& one, const v1::WorldTick& tick) {
    if (!tick.is_snapshot() && std::exchange(one.has_just_resumed, false)) ++resumed_;
    if (!tick.is_snapshot()) return;
    one.has_just_resumed = false;
    ++begun_anew_;
    one.feed_id = tick.feed_id();
  }

  /// Of what is told to appear or to change nothing was hidden in all of the ticks since the last.
  void check_ids(const Follower& one, const v1::WorldTick& tick, Tick told) {
    const std::set<match::ObjectId>& shown = one.showable.at(told);
    const auto check = [&](const auto& columns) {
      match::ObjectId id = 0;
      for (const std::uint32_t delta : columns.id_delta()) EXPECT_TRUE(shown.contains(id += delta)) << id;
    };
    check(tick.appearances());
    check(tick.moves());
    check(tick.teleports());
    check(tick.motions());
    check(tick.recasts());
    check(tick.hit_points());
    check(tick.states());
    // Of what is late the kind is still the one that it had.
    for (const v1::ObjectKind& kind : tick.kinds())
      EXPECT_TRUE(one.interest.bytes_per_second != 0 || has_shown(kind, shown, worlds_.at(told)));
    for (const v1::DepartureColumns& departures : tick.departures()) {
      match::ObjectId gone = 0;
      for (const std::uint32_t delta : departures.id_delta())
        EXPECT_NE(one.mirror.find(gone += delta), nullptr) << gone;
    }
  }

  /// Whether an object that it may see is of that kind.
  static bool has_shown(const v1::ObjectKind& kind, const std::set<match::ObjectId>& shown,
                        const TrueWorld& world) {
    if (kind.parts().empty()) return true;
    return std::ranges::any_of(shown, [&](match::ObjectId id) {
      const auto found = world.find(id);
      if (found == world.end()) return false;
      const TrueObject& object = found->second;
      return object.owner == kind.owner() && object.template_number == kind.template_number() &&
             object.parts.size() == static_cast<std::size_t>(kind.parts_size()) &&
             object.parts.front().layer == kind.parts(0).layer();
    });
  }

  void compare(const Follower& one) {
    const Tick tick = one.mirror.tick();
    const TrueWorld& world = worlds_.at(tick);
    std::size_t missing = 0;
    for (const match::ObjectId id : one.shown.at(tick)) missing += one.mirror.find(id) == nullptr ? 1u : 0u;
    ASSERT_LE(missing, one.mirror.waiting()) << "tick " << tick;
    for (const auto& [id, told] : one.mirror.objects()) {
      SCOPED_TRACE("object " + std::to_string(id) + ", tick " + std::to_string(tick));
      ASSERT_TRUE(one.showable.at(tick).contains(id));
      late_ += told.object.is_late ? 1u : 0u;
      if (!told.object.is_late) compare(told, world.at(id), one.interest.step, tick);
    }
    exact_ += one.mirror.is_exact() ? 1u : 0u;
    if (one.interest.bytes_per_second == 0) {
      EXPECT_TRUE(one.mirror.is_exact());
    }
    compared_ += one.mirror.objects().size();
    hidden_ += world.size() - one.showable.at(tick).size();
  }

  static void compare(const internal::MirrorObject& told, const TrueObject& is, std::int64_t step,
                      Tick tick) {
    const internal::Spot spot = told.at(tick);
    EXPECT_LE(std::abs(std::int64_t{spot.x} - is.position.x) * 2, step == 1 ? 0 : step);
    EXPECT_LE(std::abs(std::int64_t{spot.y} - is.position.y) * 2, step == 1 ? 0 : step);
    const internal::Course course = sped_up(told.course, tick - told.since);
    const internal::Course expected{{is.motion.velocity.x, is.motion.velocity.y},
                                    {is.motion.acceleration.x, is.motion.acceleration.y}};
    EXPECT_EQ(course, expected);
    EXPECT_EQ(told.object.owner, is.owner);
    EXPECT_EQ(told.object.template_number, is.template_number);
    EXPECT_EQ(told.object.tag, is.tag);
    EXPECT_EQ(told.object.hit_points, is.hit_points);
    EXPECT_EQ(told.object.is_disabled, is.is_disabled);
    EXPECT_EQ(told.object.is_frozen, is.is_frozen);
    ASSERT_EQ(told.object.parts->size(), is.parts.size());
    for (std::size_t i = 0; i < is.parts.size(); ++i) {
      EXPECT_EQ((*told.object.parts)[i].layer, is.parts[i].layer);
      EXPECT_EQ(std::get<Box>((*told.object.parts)[i].shape).max_x, is.parts[i].box.max_x / 256.0);
    }
  }

  Random random_;
  RandomMatch random_match_;
  match::Match& match_ = random_match_.match();
  runtime::EventLog log_;
  std::optional<runtime::SightLog> sight_;
  runtime::WorldFeed world_feed_;
  runtime::Absences absences_;
  runtime::LatestScores scores_;
  runtime::ClaimLog claims_;
  runtime::ClockState clock_;
  runtime::ReportBuffers room_;
  std::map<Tick, TrueWorld> worlds_;
  std::vector<std::unique_ptr<Follower>> followers_storage_;
  std::vector<std::reference_wrapper<Follower>> followers_;
  std::size_t compared_ = 0;
  std::size_t hidden_ = 0;
  std::size_t resumed_ = 0;
  std::size_t begun_anew_ = 0;
  std::uint32_t asked_again_ = 0;
  std::size_t late_ = 0;   ///< Objects, in all ticks that were told.
  std::size_t exact_ = 0;  ///< Ticks.
};

TEST(WorldFeed, AMirrorIsTheWorldThatAnOracleShowsAfterEveryTickThatIsTold) {
  std::size_t compared = 0;
  std::size_t hidden = 0;
  std::size_t begun_anew = 0;
  std::size_t resumed = 0;
  std::size_t late = 0;
  std::size_t exact = 0;
  for (int seed = 1; seed <= kMatches && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(static_cast<std::uint64_t>(seed));
    world.run();
    compared += world.compared();
    hidden += world.hidden();
    begun_anew += world.begun_anew();
    resumed += world.resumed();
    late += world.late();
    exact += world.exact();
  }
  EXPECT_GT(compared, rounds(100'000u));
  EXPECT_GT(hidden, rounds(100'000u));
  EXPECT_GT(begun_anew, kMatches * 12u);
  EXPECT_GT(resumed, kMatches * 6u);
  EXPECT_GT(late, rounds(1'000u));
  EXPECT_GT(exact, rounds(10'000u));
}

}  // namespace
}  // namespace sweepd::property::property_world
