// SPDX-License-Identifier: MIT
//
// Protects the way from columns to events: numbers and ticks count on from the first row, and columns that
// make no sense are an error instead of half a log.
#include "event_decoder.h"

#include <gtest/gtest.h>

namespace sweepd::internal::event_decoder_test {
namespace {

void add_row(v1::EventColumns* columns, std::uint32_t tick_delta, v1::ExitReason reason) {
  const auto row = static_cast<std::uint32_t>(columns->object_a_size());
  columns->add_tick_delta(tick_delta);
  columns->add_reason(reason);
  columns->add_object_a(10 + row);
  columns->add_object_b(20 + row);
  columns->add_layer_a(row);
  columns->add_layer_b(1 + row);
  columns->add_part_a(2 + row);
  columns->add_part_b(3 + row);
}

v1::EventColumns three_rows() {
  v1::EventColumns columns;
  columns.set_events_after(47);  // Of an update whose last number is 90.
  columns.set_first_tick(1'000);
  add_row(&columns, 0, v1::EXIT_REASON_UNSPECIFIED);
  add_row(&columns, 0, v1::EXIT_REASON_UNSPECIFIED);
  add_row(&columns, 3, v1::EXIT_REASON_DISABLED);
  return columns;
}

Status decode_columns(const v1::EventColumns& columns, std::vector<Event>* events) {
  v1::TickUpdate update;
  update.set_tick(2'000);
  update.set_last_sequence_number(90);
  *update.mutable_events() = columns;
  return decode_events(update, events);
}

TEST(EventDecoder, NumbersAndTicksCountOnFromTheFirstRow) {
  std::vector<Event> events;
  ASSERT_TRUE(decode_columns(three_rows(), &events).ok());
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].sequence_number, 41u);
  EXPECT_EQ(events[2].sequence_number, 43u);
  EXPECT_EQ(events[0].tick, 1'000u);
  EXPECT_EQ(events[1].tick, 1'000u);
  EXPECT_EQ(events[2].tick, 1'003u);
  EXPECT_EQ(events[1].kind, EventKind::kEnter);
  EXPECT_EQ(events[1].reason, ExitReason::kNone);
  EXPECT_EQ(events[2].kind, EventKind::kExit);
  EXPECT_EQ(events[2].reason, ExitReason::kDisabled);
  EXPECT_EQ(events[2].object_a, 12u);
  EXPECT_EQ(events[2].object_b, 22u);
  EXPECT_EQ(events[2].layer_a, 2u);
  EXPECT_EQ(events[2].layer_b, 3u);
  EXPECT_EQ(events[2].part_a, 4u);
  EXPECT_EQ(events[2].part_b, 5u);
  EXPECT_EQ(events[2].time_of_impact, kEndOfTick) << "an empty column";
}

TEST(EventDecoder, TimesOfImpactAreThoseOfTheirRows) {
  v1::EventColumns columns = three_rows();
  for (const std::uint32_t time : {256u, 0u, 17u}) columns.add_time_of_impact(time);
  std::vector<Event> events;
  ASSERT_TRUE(decode_columns(columns, &events).ok());
  EXPECT_EQ(events[0].time_of_impact, 256u);
  EXPECT_EQ(events[1].time_of_impact, 0u);
  EXPECT_EQ(events[2].time_of_impact, 17u);
  columns.mutable_time_of_impact()->RemoveLast();
  EXPECT_EQ(decode_columns(columns, &events).code(), ErrorCode::kInternal);
}

TEST(EventDecoder, NoRowsAreNoEvents) {
  std::vector<Event> events;
  EXPECT_TRUE(decode_columns(v1::EventColumns(), &events).ok());
  EXPECT_TRUE(events.empty());
}

TEST(EventDecoder, ColumnsOfUnequalLengthAreRefusedWhole) {
  v1::EventColumns columns = three_rows();
  columns.mutable_part_b()->RemoveLast();
  std::vector<Event> events;
  EXPECT_EQ(decode_columns(columns, &events).code(), ErrorCode::kInternal);
  EXPECT_TRUE(events.empty());
}

TEST(EventDecoder, ColumnsThatSayNothingMayBeLeftOut) {
  v1::EventColumns columns;
  for (std::uint32_t row = 0; row < 2; ++row) {
    columns.add_object_a(10 + row);
    columns.add_object_b(20);
    columns.add_layer_a(0);
    columns.add_layer_b(1);
  }
  std::vector<Event> events;
  ASSERT_TRUE(decode_columns(columns, &events).ok());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].sequence_number, 89u);
  EXPECT_EQ(events[1].sequence_number, 90u) << "that of the update";
  EXPECT_EQ(events[1].tick, 2'000u) << "that of the update";
  EXPECT_EQ(events[1].kind, EventKind::kEnter);
  EXPECT_EQ(events[1].object_a, 11u);
  EXPECT_EQ(events[1].part_b, 0u);
  EXPECT_EQ(events[1].time_of_impact, kEndOfTick);
}

TEST(EventDecoder, MoreRowsThanTheLogHasEventsAreRefusedWhole) {
  v1::EventColumns columns = three_rows();
  columns.clear_events_after();
  v1::TickUpdate update;
  update.set_last_sequence_number(2);
  *update.mutable_events() = columns;
  std::vector<Event> events;
  EXPECT_EQ(decode_events(update, &events).code(), ErrorCode::kInternal);
  EXPECT_TRUE(events.empty());
}

TEST(EventDecoder, NumbersThatNoLogComesToAreRefusedWhole) {
  v1::EventColumns columns = three_rows();
  for (const std::uint64_t gap : {0ull, ~0ull, ~0ull}) columns.add_sequence_gap(gap);
  v1::TickUpdate update;
  update.set_tick(2'000);
  update.set_last_sequence_number(~0ull);
  *update.mutable_events() = columns;
  std::vector<Event> events;
  EXPECT_EQ(decode_events(update, &events).code(), ErrorCode::kInternal);
  EXPECT_TRUE(events.empty());
}

TEST(EventDecoder, EventsOfTicksThatHaveNotRunAreRefusedWhole) {
  v1::EventColumns columns = three_rows();
  std::vector<Event> events;
  columns.set_first_tick(1'998);
  EXPECT_EQ(decode_columns(columns, &events).code(), ErrorCode::kInternal);
  columns.set_first_tick(2'001);
  columns.clear_tick_delta();
  EXPECT_EQ(decode_columns(columns, &events).code(), ErrorCode::kInternal);
  EXPECT_TRUE(events.empty());
  columns.set_first_tick(2'000);
  EXPECT_TRUE(decode_columns(columns, &events).ok());
}

TEST(EventDecoder, EveryReasonOfTheContractHasItsName) {
  for (int number = v1::ExitReason_MIN; number <= v1::ExitReason_MAX; ++number) {
    v1::EventColumns columns;
    add_row(&columns, 0, static_cast<v1::ExitReason>(number));
    std::vector<Event> events;
    ASSERT_TRUE(decode_columns(columns, &events).ok());
    const std::string name = v1::ExitReason_Name(static_cast<v1::ExitReason>(number));
    const std::string expected = number == 0 ? "" : name.substr(std::string("EXIT_REASON_").size());
    EXPECT_EQ(to_string(events[0].reason), expected);
  }
}

TEST(EventDecoder, ARejectionCarriesTheNameOfItsReason) {
  v1::Rejection rejection;
  rejection.set_tick(5);
  rejection.set_frame_tick(4);
  rejection.set_reason(v1::REJECTION_REASON_NOT_OWNER);
  rejection.set_field("moves[0]");
  rejection.set_object_id(7);
  rejection.set_message("object 7 belongs to participant 2");
  const Rejection decoded = decode(rejection);
  EXPECT_EQ(decoded.tick, 5u);
  EXPECT_EQ(decoded.frame_tick, 4u);
  EXPECT_EQ(decoded.reason, "NOT_OWNER");
  EXPECT_EQ(decoded.field, "moves[0]");
  EXPECT_EQ(decoded.object, 7u);
  EXPECT_EQ(decoded.message, "object 7 belongs to participant 2");
}

TEST(EventDecoder, AReasonOfANewerServerKeepsItsNumber) {
  v1::Rejection rejection;
  rejection.set_reason(static_cast<v1::RejectionReason>(1'000));
  EXPECT_EQ(decode(rejection).reason, "REASON_1000");
}

}  // namespace
}  // namespace sweepd::internal::event_decoder_test
