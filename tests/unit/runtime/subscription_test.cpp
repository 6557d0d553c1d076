// SPDX-License-Identifier: MIT
//
// Protects what one subscriber is told: everything once and in order, or else a mark where something is
// missing; only what its filter lets through; and what happens when it takes its updates slowly.
#include "runtime/feed/subscription.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace sweepd::runtime::subscription_test {
namespace {

using collision::EventKind;
using ::testing::ElementsAre;

constexpr std::uint32_t kHeartbeatTicks = 6;

/// What one collecting brought: an update, as it were.
struct Update final : ReportSink {
  explicit Update(std::size_t reports_most = 1000) : reports_max(reports_most) {}

  void add(const TickReport& report) override {
    ++reports;
    tick = report.tick;
    digest = report.digest;
    last_sequence_number = report.last_sequence_number;
    for (const auto& event : report.events) numbers.push_back(event.sequence_number);
    if (report.gap) gap = report.gap;
    if (report.snapshot) snapshot.emplace(report.snapshot->begin(), report.snapshot->end());
    if (report.stays) stays.emplace(report.stays->begin(), report.stays->end());
    for (const auto& score : report.scores) scores.emplace_back(score.participant, score.score);
    if (report.clock) clock = report.clock;
    owner_changes += report.owner_changes.size();
    if (report.absences) absences.emplace(report.absences->begin(), report.absences->end());
  }
  bool is_full() const override { return reports >= reports_max; }

  std::size_t reports_max;
  std::size_t reports = 0;
  match::Tick tick = 0;
  std::uint64_t digest = 0;
  std::uint64_t last_sequence_number = 0;
  std::vector<std::uint64_t> numbers;
  std::optional<SequenceRange> gap;
  std::optional<std::vector<collision::Encounter>> snapshot;
  std::optional<std::vector<collision::Encounter>> stays;
  std::optional<std::vector<match::ParticipantNumber>> absences;
  std::optional<ClockState> clock;
  std::size_t owner_changes = 0;
  std::vector<std::pair<match::ParticipantNumber, std::int64_t>> scores;
};

/// A match in which a ship and bullets on two layers meet and part as told.
class SubscriptionTest : public ::testing::Test {
 protected:
  static constexpr collision::LayerId kShip = 0;
  static constexpr collision::LayerId kBullet = 1;
  static constexpr collision::LayerId kItem = 2;

  void SetUp() override { begin(1000); }

  void begin(std::uint32_t retained_ticks, std::size_t events_max = 1u << 16) {
    match::MatchConfig config;
    config.layers = {"ship", "bullet", "item"};
    config.collides = {{"ship", "bullet"}, {"ship", "item"}};
    config.heartbeat_ticks = kHeartbeatTicks;
    match_ = std::move(*match::Match::create(config));
    participant_ = match_->apply(match::Join{"ann", match::Role::kPlayer})->number;
    log_ = std::make_unique<EventLog>(EventLogLimits{retained_ticks, events_max});
    is_touching_ = false;
    match::Frame frame;
    frame.spawns = {object(1, kShip, 0), object(2, kBullet, 1000), object(3, kItem, 1000)};
    match_->apply(match::Submission{participant_, frame});
    quiet_tick();
  }

  static collision::ObjectSpec object(collision::ObjectId id, collision::LayerId layer, int x) {
    collision::ObjectSpec spec;
    spec.id = id;
    spec.position = {x, 0};
    spec.parts = {{{0, 0, 10, 10}, layer}};
    return spec;
  }

  /// Bullet and item both enter contact with the ship, or both leave it: two events.
  void tick() {
    is_touching_ = !is_touching_;
    match::Frame frame;
    frame.moves = {{2, {is_touching_ ? 0 : 1000, 0}}, {3, {is_touching_ ? 0 : 1000, 0}}};
    match_->apply(match::Submission{participant_, frame});
    quiet_tick();
  }

  void ticks(int count) {
    for (int i = 0; i < count; ++i) tick();
  }

  void quiet_tick() {
    log_->append(match_->step());
    log_->trim(told_to_all_);
  }

  /// A tick without an event that is told all the same.
  void hand_stage_to_player(match::ParticipantNumber stage) {
    match::Frame frame;
    frame.transfers = {{.to = participant_, .with_stage = true}};
    match_->apply(match::Submission{stage, frame});
    quiet_tick();
  }

  Subscription subscribe(SubscriptionOptions options = {}) { return {std::move(options), feed(), {}}; }
  SubscriptionOptions from(std::uint64_t number, match::Tick tick = 0) const {
    SubscriptionOptions options;
    options.resume = {log_->epoch(), number, tick};
    return options;
  }
  Feed feed() { return {*match_, *log_, absences_, scores_, claims_, clock_, telling_room_, clock_version_}; }
  Update collect(Subscription& subscription, std::size_t reports_max = 1000) {
    Update update(reports_max);
    subscription.collect(feed(), update, false);
    return update;
  }

  Subscription::Own own_of(match::ParticipantNumber number) const {
    return {.seats = {{.number = number, .rejections = &no_rejections_}}};
  }

  std::unique_ptr<match::Match> match_;
  std::unique_ptr<EventLog> log_;
  ReportBuffers telling_room_;
  Absences absences_;
  LatestScores scores_;
  ClaimLog claims_;
  ClockState clock_;
  std::uint64_t clock_version_ = 0;
  match::ParticipantNumber participant_ = 0;
  RejectionBox no_rejections_;
  match::Tick told_to_all_ = 0;  ///< Somebody waits for everything.
  bool is_touching_ = false;
};

TEST_F(SubscriptionTest, TellsEverythingOnceFromItsStartOn) {
  ticks(2);
  Subscription subscription = subscribe();
  EXPECT_FALSE(subscription.is_resumed());
  ticks(2);
  const Update first = collect(subscription);
  EXPECT_THAT(first.numbers, ElementsAre(5, 6, 7, 8));
  EXPECT_EQ(first.tick, match_->tick());
  EXPECT_EQ(first.digest, match_->digest());
  EXPECT_EQ(first.last_sequence_number, 8u);
  EXPECT_EQ(collect(subscription).reports, 0u);
  tick();
  EXPECT_THAT(collect(subscription).numbers, ElementsAre(9, 10));
}

TEST_F(SubscriptionTest, WhatDoesNotFitAnUpdateGoesIntoTheNextByWholeTicks) {
  Subscription subscription = subscribe();
  ticks(3);
  const Update first = collect(subscription, 2);
  EXPECT_THAT(first.numbers, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(first.tick, match_->tick() - 1);
  EXPECT_NE(first.digest, match_->digest()) << "the digest is that of the tick";
  const Update second = collect(subscription, 2);
  EXPECT_THAT(second.numbers, ElementsAre(5, 6));
  EXPECT_EQ(second.digest, match_->digest());
}

TEST_F(SubscriptionTest, ResumesExactlyAfterTheNumberEvenWithinATick) {
  ticks(4);
  for (std::uint64_t number = 0; number <= 8; ++number) {
    Subscription subscription = subscribe(from(number));
    EXPECT_TRUE(subscription.is_resumed());
    const Update update = collect(subscription);
    ASSERT_EQ(update.numbers.size(), 8 - number);
    for (std::size_t i = 0; i < update.numbers.size(); ++i) EXPECT_EQ(update.numbers[i], number + 1 + i);
  }
}

TEST_F(SubscriptionTest, ResumesAtTheRetainedLimitAndNotOneTickPastIt) {
  told_to_all_ = ~match::Tick{0};
  begin(5);
  ticks(10);
  EXPECT_TRUE(subscribe(from(10)).is_resumed());
  EXPECT_FALSE(subscribe(from(8)).is_resumed());
  Subscription late = subscribe(from(9));
  EXPECT_FALSE(late.is_resumed()) << "half a tick is missing";
  tick();
  EXPECT_THAT(collect(late).numbers, ElementsAre(21, 22)) << "it goes on from now";
}

TEST_F(SubscriptionTest, WhoResumesIsToldOfTicksWithoutEventsToo) {
  const match::ParticipantNumber stage = match_->apply(match::Join{"stage", match::Role::kStage})->number;
  tick();
  const match::Tick seen = match_->tick();
  hand_stage_to_player(stage);
  Subscription subscription = subscribe(from(2, seen));
  EXPECT_TRUE(subscription.is_resumed());
  EXPECT_EQ(collect(subscription).owner_changes, 1u);
  Subscription knowing = subscribe(from(2, match_->tick()));
  EXPECT_TRUE(knowing.is_resumed());
  EXPECT_EQ(collect(knowing).owner_changes, 0u);
}

TEST_F(SubscriptionTest, WhoMissedATickThatIsForgottenIsNotResumedEvenIfItBroughtNoEvents) {
  told_to_all_ = ~match::Tick{0};
  begin(5);
  const match::ParticipantNumber stage = match_->apply(match::Join{"stage", match::Role::kStage})->number;
  tick();
  const match::Tick seen = match_->tick();
  hand_stage_to_player(stage);
  const match::Tick handed_over = match_->tick();
  for (int i = 0; i < 5; ++i) quiet_tick();
  EXPECT_FALSE(subscribe(from(2, seen)).is_resumed());
  EXPECT_TRUE(subscribe(from(2, handed_over)).is_resumed());
}

TEST_F(SubscriptionTest, AnotherEpochIsNotResumed) {
  ticks(3);
  SubscriptionOptions options = from(2);
  options.resume->epoch ^= 1;
  EXPECT_FALSE(subscribe(options).is_resumed());
}

TEST_F(SubscriptionTest, AFilterLeavesGapsInTheNumbersButNotInWhatIsCovered) {
  SubscriptionOptions options;
  options.filter.layers = 1u << kItem;
  options.filter.exits = false;
  Subscription subscription = subscribe(options);
  ticks(4);
  const Update update = collect(subscription);
  EXPECT_THAT(update.numbers, ElementsAre(2, 6));
  EXPECT_EQ(update.last_sequence_number, 8u);
  tick();
  tick();
  SubscriptionOptions again = from(update.last_sequence_number, update.tick);
  again.filter = options.filter;
  Subscription resumed = subscribe(again);
  EXPECT_THAT(collect(resumed).numbers, ElementsAre(10));
}

TEST_F(SubscriptionTest, TicksWhoseEventsAllAreHeldBackSendNothingUntilAHeartbeat) {
  SubscriptionOptions options;
  options.filter.objects = {99};
  Subscription subscription = subscribe(options);
  for (std::uint32_t i = 1; i < kHeartbeatTicks; ++i) {
    tick();
    EXPECT_EQ(collect(subscription).reports, 0u);
  }
  tick();
  const Update heartbeat = collect(subscription);
  EXPECT_EQ(heartbeat.reports, 1u);
  EXPECT_EQ(heartbeat.last_sequence_number, 2 * kHeartbeatTicks);
}

TEST_F(SubscriptionTest, AQueueIsFullWhenMoreThanItsBoundWaitsBesideTheNewestTick) {
  SubscriptionOptions options;
  options.events_max = 4;
  Subscription subscription = subscribe(options);
  ticks(3);
  EXPECT_FALSE(subscription.is_full(*log_)) << "four, and the newest tick";
  tick();
  EXPECT_TRUE(subscription.is_full(*log_));
}

TEST_F(SubscriptionTest, GapDropsTheOldestAndSaysWhich) {
  SubscriptionOptions options;
  options.events_max = 4;
  options.when_full = WhenFull::kGap;
  Subscription subscription = subscribe(options);
  ticks(3);
  const Update fits = collect(subscription);
  EXPECT_FALSE(fits.gap);
  EXPECT_THAT(fits.numbers, ElementsAre(1, 2, 3, 4, 5, 6));
  ticks(5);
  const Update update = collect(subscription);
  EXPECT_EQ(update.gap, (SequenceRange{7, 12}));
  EXPECT_THAT(update.numbers, ElementsAre(13, 14, 15, 16));
  Subscription fetch = subscribe(from(update.gap->first - 1));
  EXPECT_THAT(collect(fetch).numbers, ElementsAre(7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      << "it can be fetched";
  tick();
  EXPECT_FALSE(collect(subscription).gap) << "told once";
}

TEST_F(SubscriptionTest, CoalesceReplacesWhatWaitsByTheEncountersAsTheyAre) {
  SubscriptionOptions options;
  options.events_max = 4;
  options.when_full = WhenFull::kCoalesce;
  options.filter.layers = 1u << kItem;
  Subscription subscription = subscribe(options);
  ticks(7);
  const Update update = collect(subscription);
  ASSERT_TRUE(update.snapshot);
  ASSERT_EQ(update.snapshot->size(), 1u) << "the filter holds for snapshots, too";
  EXPECT_EQ(update.snapshot->at(0).key.object_b, 3u);
  EXPECT_THAT(update.numbers, ElementsAre());
  EXPECT_EQ(update.tick, match_->tick());
  EXPECT_EQ(update.last_sequence_number, 14u);
  tick();
  EXPECT_THAT(collect(subscription).numbers, ElementsAre(16));
}

TEST_F(SubscriptionTest, WhatWasMissedBeforeItsStartDoesNotFillAQueue) {
  ticks(50);
  for (const WhenFull when_full : {WhenFull::kDisconnect, WhenFull::kGap, WhenFull::kCoalesce}) {
    SubscriptionOptions options = from(0);
    options.events_max = 4;
    options.when_full = when_full;
    Subscription subscription = subscribe(options);
    EXPECT_FALSE(subscription.is_full(*log_));
    const Update update = collect(subscription);
    EXPECT_EQ(update.numbers.size(), 100u);
    EXPECT_FALSE(update.gap || update.snapshot);
  }
}

TEST_F(SubscriptionTest, WhoFallsOffTheLogIsFullWhateverItsQueue) {
  begin(1000, 10);
  Subscription slow = subscribe();
  SubscriptionOptions options;
  options.when_full = WhenFull::kGap;
  Subscription with_gap = subscribe(options);
  ticks(5);
  EXPECT_FALSE(slow.is_full(*log_));
  tick();
  EXPECT_TRUE(slow.is_full(*log_));
  const Update update = collect(with_gap);
  EXPECT_EQ(update.gap, (SequenceRange{1, 2}));
  EXPECT_EQ(update.numbers.front(), 3u);
}

TEST_F(SubscriptionTest, StaysComeEverySoManyTicksWithoutWhatEnteredInThatVeryTick) {
  SubscriptionOptions options;
  options.stay_every_ticks = 2;
  options.filter.layers = 1u << kBullet;
  Subscription subscription = subscribe(options);
  tick();
  EXPECT_FALSE(collect(subscription).stays);
  quiet_tick();
  const Update update = collect(subscription);
  ASSERT_TRUE(update.stays);
  ASSERT_EQ(update.stays->size(), 1u);
  EXPECT_EQ(update.stays->at(0).key.object_b, 2u);
  quiet_tick();
  EXPECT_FALSE(collect(subscription).stays);
  tick();  // They part.
  const Update none = collect(subscription);
  ASSERT_TRUE(none.stays) << "that there are none any more is told, once";
  EXPECT_TRUE(none.stays->empty());
  quiet_tick();
  tick();  // They meet again.
  EXPECT_FALSE(collect(subscription).stays) << "entered in this very tick";
  quiet_tick();
  quiet_tick();
  EXPECT_TRUE(collect(subscription).stays);
}

TEST_F(SubscriptionTest, WhoAsksForItsOwnObjectsHearsOfThoseAlone) {
  const auto stranger = match_->apply(match::Join{"bob", match::Role::kPlayer})->number;
  SubscriptionOptions options;
  options.own_objects_only = true;
  Subscription own(options, feed(), own_of(participant_));
  Subscription of_nothing(options, feed(), own_of(stranger));
  tick();
  EXPECT_EQ(collect(own).numbers.size(), 2u);
  const Update none = collect(of_nothing);
  EXPECT_TRUE(none.numbers.empty());
  EXPECT_EQ(none.reports, 0u) << "and nothing is sent";
  EXPECT_EQ(own.open_encounters(*match_).size(), 2u);
  EXPECT_TRUE(of_nothing.open_encounters(*match_).empty());
}

TEST_F(SubscriptionTest, AnObjectThatLeavesIsStillItsOwnersInTheEventThatTellsIt) {
  tick();
  SubscriptionOptions options;
  options.own_objects_only = true;
  Subscription own(options, feed(), own_of(participant_));
  match_->apply(match::Leave{participant_});
  quiet_tick();
  EXPECT_EQ(collect(own).numbers.size(), 2u);
}

TEST_F(SubscriptionTest, TheDigestComesOnlyAsOftenAsAskedForAndWithTheLastReport) {
  SubscriptionOptions options;
  options.digest_every_ticks = 3;
  Subscription subscription = subscribe(options);
  std::vector<bool> is_told;
  for (int i = 0; i < 7; ++i) {
    tick();
    const Update update = collect(subscription);
    ASSERT_EQ(update.tick, match_->tick());
    is_told.push_back(update.digest != 0);
    EXPECT_EQ(update.digest, is_told.back() ? match_->digest() : 0);
  }
  EXPECT_THAT(is_told, ElementsAre(false, false, true, false, false, true, false));
  Update last;
  subscription.collect(feed(), last, true);
  EXPECT_EQ(last.digest, match_->digest());
}

TEST_F(SubscriptionTest, ScoresAreToldAsTheyAreHoweverMuchWasMissed) {
  const auto score = [this](match::ParticipantNumber number, std::int64_t value) {
    const std::vector<match::Score> changed{{number, "", value, false}};
    match::TickOutput output;
    output.tick = match_->tick() + 1;
    output.scores = changed;
    scores_.take(output);
    tick();
  };
  SubscriptionOptions options;
  options.events_max = 1;
  options.when_full = WhenFull::kCoalesce;
  score(4, 1);
  Subscription subscription = subscribe(options);
  const match::Tick start = match_->tick();
  score(7, 10);
  score(5, 20);
  score(7, 30);
  const Update update = collect(subscription);
  EXPECT_TRUE(update.snapshot);
  EXPECT_THAT(update.scores, ElementsAre(std::pair(5u, 20), std::pair(7u, 30)));
  tick();
  EXPECT_THAT(collect(subscription).scores, ElementsAre());
  Subscription resumed = subscribe(from(4, start + 1));
  EXPECT_THAT(collect(resumed).scores, ElementsAre(std::pair(5u, 20), std::pair(7u, 30)));
}

TEST_F(SubscriptionTest, TheClockIsToldWhenItChangesEvenWithoutATick) {
  Subscription subscription = subscribe();
  clock_.is_paused = true;
  ++clock_version_;
  const Update update = collect(subscription);
  ASSERT_TRUE(update.clock);
  EXPECT_TRUE(update.clock->is_paused);
  EXPECT_EQ(update.tick, match_->tick());
  EXPECT_EQ(collect(subscription).reports, 0u);
}

TEST_F(SubscriptionTest, WhoIsAwayIsToldWholeWhenItChangesAndAtTheStart) {
  Subscription early = subscribe();
  absences_ = {{3, 5}, 1};
  tick();
  EXPECT_THAT(*collect(early).absences, ElementsAre(3, 5));
  quiet_tick();
  EXPECT_EQ(collect(early).reports, 0u);
  Subscription late = subscribe();
  quiet_tick();
  EXPECT_THAT(*collect(late).absences, ElementsAre(3, 5));
  absences_ = {{}, 2};
  quiet_tick();
  EXPECT_THAT(*collect(late).absences, ElementsAre());
  Subscription later = subscribe();
  quiet_tick();
  EXPECT_FALSE(collect(later).absences);
}

}  // namespace
}  // namespace sweepd::runtime::subscription_test
