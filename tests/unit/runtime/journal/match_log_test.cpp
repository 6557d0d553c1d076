// SPDX-License-Identifier: MIT
//
// Protects what a match is told to be durable: nothing before it is, and after the journal had to refuse
// something, nothing until the match can go on from a key frame of its own.
#include "runtime/journal/match_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/file_format.h"
#include "replay/stored.h"
#include "runtime/journal/match_key_frame.h"
#include "unit/runtime/journal/played_match.h"

namespace sweepd::runtime::match_log_test {
namespace {

/// Takes what it is told to take, and makes durable what it is told to.
class FakeJournal final : public Journal {
 public:
  Position append(JournalRecord record) override {
    if (refuses || (refuses_kind && record.kind == *refuses_kind)) return 0;
    records.push_back(std::move(record));
    return records.size();
  }
  Position durable_position() const override { return durable; }
  bool is_crowded() const override { return false; }
  bool has_room() const override { return room; }
  bool is_failing() const override { return false; }
  void when_settled(Position, std::function<void()> done) override { done(); }
  void settle_all() override {}
  std::size_t match_bytes_max() const override { return bytes_max; }

  std::vector<match::Tick> ticks_of(RecordKind kind) const {
    std::vector<match::Tick> ticks;
    for (const JournalRecord& record : records) {
      if (record.kind == kind) ticks.push_back(record.tick);
    }
    return ticks;
  }

  std::vector<JournalRecord> records;
  Position durable = 0;
  bool refuses = false;
  std::optional<RecordKind> refuses_kind;
  bool room = true;
  std::size_t bytes_max = std::size_t{1} << 30;
};

TEST(MatchLog, WithoutAJournalWritesNothing) {
  replay::Recorder recorder(std::move(match::Match::create(recordings::random_match_config(1)).value()),
                            replay::Recorder::Keeps::kNothing);
  MatchLog log(recorder, {});
  ASSERT_TRUE(recorder.apply(match::Join{"a", match::Role::kPlayer}).ok());
  EXPECT_EQ(recorder.step().tick, 1u);
  log.write_tick();
  log.write_state({});
  EXPECT_EQ(log.durable_tick(), 0u);
  EXPECT_EQ(log.position(), 0u);
  EXPECT_FALSE(log.has_lost_ticks());
}

TEST(MatchLog, WritesItsBeginningFirstEachTickOnceAndKeyFramesAfterSoMany) {
  FakeJournal journal;
  PlayedMatch match(journal, 5, 5, 2'500);
  match.play(2 * kKeyFrameTicks + 3);
  EXPECT_EQ(journal.records[0].kind, RecordKind::kCreated);
  EXPECT_EQ(journal.records[1].kind, RecordKind::kState);
  const auto ticks = journal.ticks_of(RecordKind::kTick);
  ASSERT_EQ(ticks.size(), 2 * kKeyFrameTicks + 3);
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_EQ(ticks[i], i + 1);
  EXPECT_EQ(journal.ticks_of(RecordKind::kKeyFrame),
            (std::vector<match::Tick>{kKeyFrameTicks, 2 * kKeyFrameTicks}));
  for (const JournalRecord& record : journal.records) EXPECT_EQ(record.match, 5u);
}

TEST(MatchLog, ItsDurableTickIsThatOfTheLastDurablePosition) {
  FakeJournal journal;
  PlayedMatch match(journal, 5, 5, 100);
  match.play(20);
  EXPECT_EQ(match.log().durable_tick(), 0u);
  journal.durable = 2;  // Beginning and state.
  EXPECT_EQ(match.log().durable_tick(), 0u);
  journal.durable = 3;
  EXPECT_EQ(match.log().durable_tick(), 1u);
  journal.durable = 12;
  EXPECT_EQ(match.log().durable_tick(), 10u);
  EXPECT_EQ(match.log().durable_tick(), 10u);
  journal.durable = match.log().position();
  EXPECT_EQ(match.log().durable_tick(), 20u);
}

TEST(MatchLog, StandsInAHoleAndGoesOnFromAKeyFrameWhenThereIsRoom) {
  FakeJournal journal;
  PlayedMatch match(journal, 5, 5, 100);
  match.play(10);
  journal.durable = match.log().position();
  journal.refuses = true;
  journal.room = false;
  match.play(15);
  EXPECT_TRUE(match.log().has_lost_ticks());
  EXPECT_EQ(match.log().position(), 0u);
  EXPECT_EQ(match.log().durable_tick(), 10u);
  journal.refuses = false;
  match.play(18);  // No room yet: a few records fit, and it waits for more.
  EXPECT_EQ(journal.ticks_of(RecordKind::kTick).back(), 10u);
  journal.room = true;
  match.play(25);
  EXPECT_EQ(journal.ticks_of(RecordKind::kKeyFrame), std::vector<match::Tick>{19});
  EXPECT_EQ(match.log().durable_tick(), 10u);
  journal.durable = match.log().position();
  EXPECT_EQ(match.log().durable_tick(), 25u);
  EXPECT_TRUE(match.log().has_lost_ticks());
  const auto ticks = journal.ticks_of(RecordKind::kTick);
  EXPECT_EQ((std::vector<match::Tick>(ticks.begin() + 10, ticks.end())),
            (std::vector<match::Tick>{20, 21, 22, 23, 24, 25}));
  EXPECT_EQ(journal.ticks_of(RecordKind::kState).back(), 19u);
  for (const JournalRecord& record : journal.records) {
    if (record.kind != RecordKind::kKeyFrame) continue;
    const auto key_frame = decode_key_frame(record.content);
    ASSERT_TRUE(key_frame);
    EXPECT_EQ(key_frame->digest, match.digest(19));
  }
}

TEST(MatchLog, AKeyFrameThatIsRefusedLeavesTheHoleOpen) {
  FakeJournal journal;
  PlayedMatch match(journal, 5, 5, 100);
  journal.refuses_kind = RecordKind::kTick;
  match.play(1);
  journal.refuses_kind = RecordKind::kKeyFrame;
  match.play(5);
  EXPECT_EQ(match.log().position(), 0u);
  journal.refuses_kind.reset();
  match.play(7);
  EXPECT_EQ(journal.ticks_of(RecordKind::kKeyFrame), std::vector<match::Tick>{6});
  EXPECT_EQ(journal.ticks_of(RecordKind::kTick), std::vector<match::Tick>{7});
}

TEST(MatchLog, ItsBeginningIsWrittenWhenThereIsRoomAndOnce) {
  FakeJournal journal;
  journal.refuses = true;
  PlayedMatch match(journal, 5, 5, 100);
  match.play(3);
  journal.refuses = false;
  match.play(6);
  EXPECT_EQ(journal.ticks_of(RecordKind::kCreated).size(), 1u);
  EXPECT_EQ(journal.records[0].kind, RecordKind::kCreated);
  EXPECT_EQ(journal.records[1].kind, RecordKind::kKeyFrame);
  EXPECT_EQ(journal.records[2].kind, RecordKind::kState);
}

TEST(MatchLog, EndsWithTheEnding) {
  FakeJournal journal;
  PlayedMatch match(journal, 5, 5, 30);
  while (!match.match().ended()) match.play_tick();
  EXPECT_EQ(journal.records.back().kind, RecordKind::kEnded);
  const auto ending = replay::decode_ending(journal.records.back().content);
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->tick_count, match.match().tick());
  EXPECT_EQ(ending->final_digest, match.match().digest());
  EXPECT_EQ(ending->reason, replay::EndReason::kMatchEnded);
}

TEST(MatchLog, EndsInAHoleTooIfThereIsRoomAgain) {
  for (const bool has_room : {false, true}) {
    FakeJournal journal;
    PlayedMatch match(journal, 5, 5, 30);
    match.play(10);
    journal.refuses = true;
    match.play(20);
    journal.refuses = false;
    journal.room = has_room;
    journal.durable = journal.records.size();
    while (!match.match().ended()) {
      journal.room = has_room && match.match().tick() + 1 == match.tick_count();
      match.play_tick();
    }
    EXPECT_EQ(journal.records.back().kind == RecordKind::kEnded, has_room);
    EXPECT_EQ(match.log().durable_tick(), 10u);
  }
}

/// What the last record of a kind holds.
std::string last_of(const FakeJournal& journal, RecordKind kind) {
  std::string content;
  for (const JournalRecord& record : journal.records) {
    if (record.kind == kind) content = record.content;
  }
  return content;
}

const ClockState kClock{.tick_rate_hz = 60};

/// A match and its log, in which tickets take seats.
struct SeatedMatch {
  FakeJournal journal;
  replay::Recorder recorder{std::move(match::Match::create(recordings::random_match_config(1)).value()),
                            replay::Recorder::Keeps::kTicks};
  MatchLog log{recorder, PlayedMatch::options(journal, 1, recorder.match())};

  match::ParticipantNumber join(const std::string& name, const std::string& subject) {
    const auto joined = recorder.apply(match::Join{name, match::Role::kPlayer});
    EXPECT_TRUE(joined.ok());
    log.write_state(
        {.clock = kClock, .owners = {{joined->number, BudgetKey(subject + std::string("\x1fissuer\x1f"))}}});
    return joined->number;
  }
  /// A seat that is away expires without a state being written.
  void expire(match::ParticipantNumber number) { recorder.apply(match::Leave{number}); }
  void leave(match::ParticipantNumber number) {
    expire(number);
    log.write_state({.clock = kClock});
  }

  std::vector<replay::SeatHolder> holders() const {
    return log.ending(replay::EndReason::kMatchEnded).cast.holders;
  }
};

replay::SeatHolder holder(match::ParticipantNumber number, const std::string& name,
                          const std::string& subject) {
  return {number, name, {subject, "issuer", ""}};
}

// Else a crash before the next key frame takes out of the receipt whose ticket it was.
TEST(MatchLog, KeepsTheHolderOfASeatThatWasLeft) {
  SeatedMatch match;
  const auto number = match.join("ann", "ann@example");
  match.leave(number);
  const std::vector<replay::SeatHolder> holders = {holder(number, "ann", "ann@example")};
  EXPECT_EQ(decode_state(last_of(match.journal, RecordKind::kState))->holders, holders);
  for (match::Tick tick = 0; tick < kKeyFrameTicks; ++tick) {
    match.recorder.step();
    match.log.write_tick();
  }
  match.log.write_state({.clock = kClock});
  EXPECT_TRUE(decode_state(last_of(match.journal, RecordKind::kState))->holders.empty());
  EXPECT_EQ(decode_key_frame(last_of(match.journal, RecordKind::kKeyFrame))->cast.holders, holders);
  EXPECT_EQ(match.holders(), holders);
}

// Else a ticket takes its number again under the name of another, whose run it then seems to be.
TEST(MatchLog, NotesATicketThatTakesItsNumberAgainUnderAnotherName) {
  SeatedMatch match;
  const auto number = match.join("x", "mallory@example");
  match.expire(number);
  ASSERT_EQ(match.join("ann", "mallory@example"), number);
  EXPECT_THAT(match.holders(), ::testing::ElementsAre(holder(number, "x", "mallory@example"),
                                                      holder(number, "ann", "mallory@example")));
}

// Else a receipt tells nothing of who scored, after a thousand joins under other names.
TEST(MatchLog, KeepsTheHoldersOfScoresHoweverManyOthersJoin) {
  SeatedMatch match;
  const auto stays = holder(match.join("stays", "ann@example"), "stays", "ann@example");
  for (std::size_t i = 0; i < replay::kSeatHoldersListedMax + 50; ++i)
    match.expire(match.join("x" + std::to_string(i), "mallory@example"));
  const auto late = holder(match.join("ann", "mallory@example"), "ann", "mallory@example");
  EXPECT_EQ(match.holders().size(), replay::kSeatHoldersListedMax);
  EXPECT_THAT(match.holders(), ::testing::AllOf(::testing::Contains(stays), ::testing::Contains(late)));
  EXPECT_EQ(match.log.ending(replay::EndReason::kMatchEnded).cast.holders_omitted, 0u);
}

// Else one ticket that joins and leaves under new names has the journal write half a megabyte every time.
TEST(MatchLog, WritesAKeyFrameBeforeStatesGrowWithFormerHolders) {
  SeatedMatch match;
  const auto join_and_leave = [&](std::size_t number) {
    match.leave(match.join("ann" + std::to_string(number), "ann@example"));
    EXPECT_LE(decode_state(last_of(match.journal, RecordKind::kState))->holders.size(), kNewHoldersMax);
  };
  for (std::size_t i = 0; i < 2 * kNewHoldersMax; ++i) join_and_leave(i);
  EXPECT_EQ(match.journal.ticks_of(RecordKind::kKeyFrame).size(), 0u);
  match.recorder.step();
  match.log.write_tick();
  EXPECT_EQ(match.journal.ticks_of(RecordKind::kKeyFrame).size(), 1u);
  EXPECT_EQ(decode_key_frame(last_of(match.journal, RecordKind::kKeyFrame))->cast.holders.size(),
            2 * kNewHoldersMax);
  join_and_leave(2 * kNewHoldersMax);
  EXPECT_EQ(decode_state(last_of(match.journal, RecordKind::kState))->holders.size(), 1u);
}

}  // namespace
}  // namespace sweepd::runtime::match_log_test
