// SPDX-License-Identifier: MIT
//
// Protects the updates on the wire: several ticks become one update from which every event can be read back,
// and what is listed stays bounded.
#include "session/update_codec.h"

#include <gtest/gtest.h>

namespace sweepd::session::update_codec_test {
namespace {

using collision::Event;
using collision::EventKind;
using collision::ExitReason;

Event event(std::uint64_t sequence_number, match::Tick tick, EventKind kind) {
  Event result;
  result.sequence_number = sequence_number;
  result.tick = tick;
  result.kind = kind;
  result.reason = kind == EventKind::kExit ? ExitReason::kDespawned : ExitReason::kNone;
  result.key = {static_cast<std::uint32_t>(10 + sequence_number), 20, 1, 2};
  result.parts = {3, 4};
  return result;
}

/// What a tick brought.
runtime::TickReport report(match::Tick tick, std::uint64_t digest, std::span<const Event> events,
                           std::span<const match::Rejection> rejections = {},
                           std::uint64_t rejections_not_listed = 0) {
  runtime::TickReport result;
  result.tick = tick;
  result.digest = digest;
  result.events = events;
  result.rejections = rejections;
  result.rejections_not_listed = rejections_not_listed;
  if (!events.empty()) result.last_sequence_number = events.back().sequence_number;
  return result;
}

/// Where the column is empty, its usual value.
template <typename Column>
std::uint64_t at(const Column& column, int row, std::uint64_t usual = 0) {
  return column.empty() ? usual : static_cast<std::uint64_t>(column[row]);
}

/// As a client would.
std::vector<Event> read_back(const v1::TickUpdate& update) {
  const v1::EventColumns& columns = update.events();
  const int rows = columns.object_a_size();
  std::vector<Event> events;
  match::Tick tick = columns.first_tick() != 0 ? columns.first_tick() : update.tick();
  std::uint64_t sequence_number =
      update.last_sequence_number() - columns.events_after() - static_cast<std::uint64_t>(rows) + 1;
  for (const std::uint64_t gap : columns.sequence_gap()) sequence_number -= gap;
  for (int i = 0; i < rows; ++i) {
    tick += at(columns.tick_delta(), i);
    sequence_number += at(columns.sequence_gap(), i);
    Event result;
    result.sequence_number = sequence_number++;
    result.tick = tick;
    result.reason = static_cast<ExitReason>(at(columns.reason(), i));
    result.kind = result.reason == ExitReason::kNone ? EventKind::kEnter : EventKind::kExit;
    result.key = {columns.object_a(i), columns.object_b(i),
                  static_cast<collision::LayerId>(columns.layer_a(i)),
                  static_cast<collision::LayerId>(columns.layer_b(i))};
    result.parts = {static_cast<std::uint8_t>(at(columns.part_a(), i)),
                    static_cast<std::uint8_t>(at(columns.part_b(), i))};
    result.time_of_impact =
        static_cast<collision::TimeOfImpact>(at(columns.time_of_impact(), i, collision::kEndOfTick));
    events.push_back(result);
  }
  return events;
}

TEST(UpdateBuilder, SeveralTicksBecomeOneUpdate) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<Event> first{event(7, 100, EventKind::kExit), event(8, 100, EventKind::kEnter)};
  const std::vector<Event> third{event(9, 130, EventKind::kEnter)};
  EXPECT_TRUE(builder.empty());
  builder.add(report(100, 11, first), update);
  builder.add(report(120, 22, {}), update);
  builder.add(report(130, 33, third), update);
  EXPECT_FALSE(builder.empty());
  EXPECT_EQ(update.tick(), 130u);
  EXPECT_EQ(update.digest(), 33u);
  EXPECT_EQ(read_back(update), (std::vector<Event>{first[0], first[1], third[0]}));
}

TEST(UpdateBuilder, TheNextUpdateStartsAfresh) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<Event> first{event(1, 100, EventKind::kEnter)};
  builder.add(report(100, 11, first), update);
  builder.clear(update);
  EXPECT_TRUE(builder.empty());
  const std::vector<Event> second{event(2, 101, EventKind::kExit)};
  builder.add(report(101, 12, second), update);
  EXPECT_EQ(read_back(update), second);
}

TEST(UpdateBuilder, TimesOfImpactCostNothingWhereNobodyNeedsThem) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<Event> events{event(1, 1, EventKind::kEnter), event(2, 1, EventKind::kEnter)};
  builder.add(report(1, 1, events), update);
  EXPECT_EQ(update.events().time_of_impact_size(), 0);
}

TEST(UpdateBuilder, ColumnsThatWouldSayNothingAreNotSent) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  std::vector<Event> events{event(1, 9, EventKind::kEnter), event(2, 9, EventKind::kEnter)};
  for (Event& enter : events) enter.parts = {0, 0};
  builder.add(report(9, 1, events), update);
  builder.finish(update);
  const v1::EventColumns& columns = update.events();
  EXPECT_EQ(columns.first_tick(), 0u);
  EXPECT_EQ(columns.events_after(), 0u);
  EXPECT_EQ(columns.tick_delta_size() + columns.reason_size() + columns.part_a_size() +
                columns.part_b_size() + columns.time_of_impact_size() + columns.sequence_gap_size(),
            0);
  EXPECT_EQ(read_back(update), events);
  // Four columns of two rows and their heads, and the head of the columns: 18. Beside it tick, numbers,
  // digest.
  EXPECT_EQ(update.ByteSizeLong(), 18u + 2 + 2 + 9);
}

TEST(UpdateBuilder, SeveralTicksOfAFilteredStreamStayReadableWhenFinished) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<Event> first{event(4, 1, EventKind::kEnter)};
  const std::vector<Event> second{event(6, 3, EventKind::kExit)};
  builder.add(report(1, 1, first), update);
  builder.add(report(3, 1, second), update);
  builder.finish(update);
  EXPECT_EQ(read_back(update), (std::vector<Event>{first[0], second[0]}));
  builder.clear(update);
  builder.add(report(3, 1, second), update);
  update.set_last_sequence_number(8);  // The filter held back what came after it.
  builder.finish(update);
  EXPECT_EQ(read_back(update), second);
}

TEST(UpdateBuilder, TimesOfImpactStayWithTheirRowsAcrossTicks) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  std::vector<Event> first{event(1, 1, EventKind::kEnter), event(2, 1, EventKind::kEnter)};
  std::vector<Event> second{event(3, 2, EventKind::kEnter), event(4, 2, EventKind::kEnter),
                            event(5, 2, EventKind::kExit)};
  second[1].time_of_impact = 0;
  second[2].time_of_impact = 255;
  second[2].reason = ExitReason::kSwept;
  std::vector<Event> third{event(6, 3, EventKind::kExit)};
  builder.add(report(1, 1, first), update);
  builder.add(report(2, 1, second), update);
  builder.add(report(3, 1, third), update);
  EXPECT_EQ(read_back(update),
            (std::vector<Event>{first[0], first[1], second[0], second[1], second[2], third[0]}));
}

TEST(UpdateBuilder, SequenceNumbersKeepTheGapsThatAFilterLeft) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<Event> first{event(4, 1, EventKind::kEnter), event(5, 1, EventKind::kEnter)};
  const std::vector<Event> second{event(9, 2, EventKind::kEnter), event(11, 2, EventKind::kEnter)};
  builder.add(report(1, 1, first), update);
  EXPECT_EQ(update.events().sequence_gap_size(), 0) << "costs nothing where nobody needs it";
  builder.add(report(2, 1, second), update);
  EXPECT_EQ(read_back(update), (std::vector<Event>{first[0], first[1], second[0], second[1]}));
  EXPECT_EQ(update.last_sequence_number(), 11u);
}

TEST(UpdateBuilder, MarksAndStateArriveWhole) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<collision::Encounter> open{{{1, 2, 0, 1}, {0, 3}, 7}};
  const std::vector<match::ParticipantNumber> away{0, 5};
  runtime::TickReport told = report(9, 1, {});
  told.gap = runtime::SequenceRange{3, 8};
  told.snapshot = open;
  told.stays = open;
  told.absences = away;
  builder.add(told, update);
  EXPECT_EQ(update.gap().first(), 3u);
  EXPECT_EQ(update.gap().last(), 8u);
  ASSERT_EQ(update.snapshot().open_encounters_size(), 1);
  EXPECT_EQ(update.snapshot().open_encounters(0).object_b(), 2u);
  EXPECT_EQ(update.stays().tick(), 9u);
  EXPECT_EQ(update.stays().encounters(0).since_tick(), 7u);
  EXPECT_EQ(update.participants_away().numbers(1), 5u);
}

TEST(UpdateBuilder, AHeartbeatHasNoEventColumns) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  builder.add(report(5, 1, {}), update);
  EXPECT_FALSE(update.has_events());
  EXPECT_FALSE(builder.empty());
}

TEST(UpdateBuilder, ARejectionArrivesWhole) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<match::Rejection> rejections{
      {3, 10, 9, match::RejectionReason::kNotOwner, "despawns[1]", 77, "object 77 is not yours"}};
  builder.add(report(10, 1, {}, rejections), update);
  ASSERT_EQ(update.rejections_size(), 1);
  EXPECT_EQ(update.rejections(0).tick(), 10u);
  EXPECT_EQ(update.rejections(0).frame_tick(), 9u);
  EXPECT_EQ(update.rejections(0).reason(), v1::REJECTION_REASON_NOT_OWNER);
  EXPECT_EQ(update.rejections(0).field(), "despawns[1]");
  EXPECT_EQ(update.rejections(0).object_id(), 77u);
  EXPECT_EQ(update.rejections(0).message(), "object 77 is not yours");
}

TEST(UpdateBuilder, RejectionsPastTheBoundAreCountedOnly) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  const std::vector<match::Rejection> rejections(200);
  builder.add(report(1, 1, {}, rejections, 5), update);
  builder.add(report(2, 1, {}, rejections, 6), update);
  EXPECT_EQ(update.rejections_size(), UpdateBuilder::kRejectionsListedMax);
  EXPECT_EQ(update.rejections_not_listed(), 400u - UpdateBuilder::kRejectionsListedMax + 11u);
}

TEST(UpdateBuilder, CountsNoFewerBytesThanEventsOfUsualIdsTake) {
  UpdateBuilder builder;
  v1::TickUpdate update;
  std::vector<Event> events;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    events.push_back(event(i + 1, 1, EventKind::kEnter));
    events.back().key = {2'000'000'000u, 2'000'000'001u, 1, 2};
  }
  builder.add(report(1, ~std::uint64_t{0}, events), update);
  EXPECT_GE(builder.bytes() + 64, update.ByteSizeLong());
  EXPECT_LE(builder.bytes(), 2 * update.ByteSizeLong());
}

}  // namespace
}  // namespace sweepd::session::update_codec_test
