// SPDX-License-Identifier: MIT
//
// Protects the question whether a snapshot is of a match: it is of itself and of one of which all recorded
// calls were equal, whatever else they were told; and one that says anything else is told by its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/snapshot_sections.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::snapshot_comparison_test {
namespace {

using testing::HasSubstr;

MatchConfig config_with(std::uint32_t history_ticks, ClaimPolicy policy = ClaimPolicy::kObserve) {
  MatchConfig config = small_config();
  config.history_ticks = history_ticks;
  config.claims.policy = policy;
  config.max_lead_ticks = 10;
  config.scoring = {
      {.name = "hit", .layer_a = "player", .layer_b = "enemy", .when = ScoringMoment::kEnter, .points = 3}};
  return config;
}

/// A player and a stage that meet at `x`, with a frame that waits.
std::unique_ptr<Match> played_match(const MatchConfig& config, std::int32_t x = 0, std::int32_t later = 7) {
  auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  const Participant boss = join(*match, "boss", Role::kStage);
  submit(*match, ann, spawn_frame(object_at(ann.first_id, {x, 0})));
  submit(*match, boss, spawn_frame(object_at(boss.first_id, {}, kEnemyLayer)));
  Frame frame = move_frame(ann.first_id, {later, 0});
  frame.tick = 5;
  submit(*match, ann, std::move(frame));
  match->step();
  match->step();
  return match;
}

TEST(SnapshotComparison, FindsNothingInAMatchItself) {
  for (const std::uint32_t history_ticks : {0u, 60u}) {
    const auto match = played_match(config_with(history_ticks));
    EXPECT_FALSE(match->compare(match->save()));
  }
}

TEST(SnapshotComparison, IsOfOneThatKeepsNoPastAndHasAnotherBroadphase) {
  const auto recorded = played_match(config_with(60));
  MatchConfig config = config_with(0);
  config.broadphase = collision::BroadphaseKind::kBruteForce;
  EXPECT_FALSE(played_match(config)->compare(recorded->save()));
}

TEST(SnapshotComparison, IsOfOneThatHasHeardNothingOfWhatWasRefused) {
  const auto recorded = make_match(config_with(60));
  const auto other = make_match(config_with(0));
  for (Match* match : {recorded.get(), other.get()}) {
    const Participant ann = join(*match, "ann");
    Frame frame = spawn_frame(object_at(ann.first_id, {}));
    frame.tick = 3;
    if (match == recorded.get()) {
      frame.acknowledged_tick = 1;
      Frame early = spawn_frame(object_at(ann.first_id, {}));
      early.tick = 100;
      EXPECT_TRUE(match->apply(Submission{ann.number, early}));
      match->apply(RefusedMessage{ann.number, RejectionReason::kTooManyBytes, 1, "", "is too large"});
    }
    submit(*match, ann, std::move(frame));
    match->step();
  }
  EXPECT_FALSE(other->compare(recorded->save()));
}

std::string place_in(const Match& match, std::string_view snapshot) {
  const auto error = match.compare(snapshot);
  return error ? error->place : "";
}

TEST(SnapshotComparison, NamesWhatDiffers) {
  const auto match = played_match(config_with(0));
  EXPECT_THAT(place_in(*match, played_match(config_with(0), 1)->save()), HasSubstr("world, byte "));
  EXPECT_EQ(match->compare(played_match(config_with(0), 1)->save())->description,
            "is not what the match has");
  EXPECT_THAT(place_in(*match, played_match(config_with(0), 0, 8)->save()), HasSubstr("seats, byte "));
  const auto later = played_match(config_with(0));
  later->step();
  EXPECT_THAT(place_in(*match, later->save()), HasSubstr("world, byte "));
}

TEST(SnapshotComparison, TellsTheDigestThatDiffers) {
  const auto match = played_match(config_with(0));
  const auto other = played_match(config_with(0));
  submit(*match, *match->find_participant(0), move_frame(77, {}));
  Frame teleport;
  teleport.teleports = {{77, {}}};
  submit(*other, *other->find_participant(0), teleport);
  for (Match* any : {match.get(), other.get()}) any->step();
  EXPECT_THAT(place_in(*match, other->save()), HasSubstr("digest, byte ")) << "refused, and yet an input";
}

/// With the last byte of a section another, as by somebody who knows the format.
std::string forged(std::string_view snapshot, Section victim) {
  base::ByteReader reader(snapshot);
  base::ByteWriter writer;
  writer.raw(reader.raw(13));
  while (reader.ok() && reader.remaining() > 0) {
    const auto section = static_cast<Section>(reader.byte());
    writer.byte(static_cast<std::uint8_t>(section));
    std::string content(reader.raw(reader.count()));
    reader.word();
    if (section == victim && !content.empty()) content.back() ^= 1;
    writer.text(content);
    writer.word(hash_of(section, content));
  }
  EXPECT_TRUE(reader.ok() && reader.remaining() == 0);
  return writer.take();
}

TEST(SnapshotComparison, TellsWhateverIsForgedByItsSection) {
  MatchConfig config = config_with(60);
  config.templates = {{.name = "any", .roles = {Role::kStage}, .shapes = {{{{{0, 0, 1, 1}, kEnemyLayer}}}}}};
  config.limits = {{.role = Role::kPlayer, .selection_interval_ticks = 20}};
  const auto match = played_match(config);
  const std::string snapshot = match->save();
  for (const auto& [section, name] : kSections) {
    if (section == Section::kRecords) continue;  // Counts are not compared.
    const std::string other = forged(snapshot, section);
    ASSERT_NE(other, snapshot);
    EXPECT_THAT(place_in(*match, other), HasSubstr(std::string(name) + ", byte "));
  }
}

TEST(SnapshotComparison, ComparesThePastWhereThereIsOne) {
  const auto match = played_match(config_with(60));
  MatchConfig longer = config_with(61);
  EXPECT_THAT(place_in(*match, played_match(longer)->save()), HasSubstr("history, byte "));
  EXPECT_THAT(place_in(*match, played_match(config_with(0))->save()), HasSubstr("history, byte "));
}

TEST(SnapshotComparison, RefusesWhatCannotBeRead) {
  const auto match = played_match(config_with(60));
  const std::string snapshot = match->save();
  for (std::size_t size = 0; size < snapshot.size(); ++size) {
    EXPECT_TRUE(match->compare(snapshot.substr(0, size))) << size;
  }
  EXPECT_THAT(place_in(*match, snapshot + "x"), HasSubstr("end, byte "));
  EXPECT_EQ(place_in(*match, "not a snapshot"), "header, byte 4");
}

TEST(Snapshot, IsRestoredWithoutItsPast) {
  const auto recorded = played_match(config_with(60));
  auto present = Match::restore_without_past(config_with(0), recorded->save());
  ASSERT_TRUE(present.ok()) << present.error().place << " " << present.error().description;
  EXPECT_EQ((*present)->known_ticks().first, 2u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ((*present)->step().digest, recorded->step().digest);
  EXPECT_FALSE((*present)->compare(recorded->save()));
  const auto forged = Match::restore_without_past(config_with(0), recorded->save() + "x");
  EXPECT_FALSE(forged.ok());
}

}  // namespace
}  // namespace sweepd::match::snapshot_comparison_test
