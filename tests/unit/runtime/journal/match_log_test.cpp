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

// Else a crash before the next key frame takes out of the receipt whose ticket it was.
TEST(MatchLog, KeepsWhoHeldASeatWhoeverLeftIt) {
  FakeJournal journal;
  const auto config = recordings::random_match_config(1);
  replay::Recorder recorder(std::move(match::Match::create(config).value()), replay::Recorder::Keeps::kTicks);
  MatchLog log(recorder, PlayedMatch::options(journal, 1, recorder.match()));
  const auto ann = recorder.apply(match::Join{"ann", match::Role::kPlayer});
  ASSERT_TRUE(ann.ok());
  const BudgetKey ticket(std::string("ann@example\x1fissuer\x1f"));
  const ClockState clock{.tick_rate_hz = 60};
  log.write_state({.clock = clock, .owners = {{ann->number, ticket}}});
  recorder.apply(match::Leave{ann->number});
  log.write_state({.clock = clock});
  const std::vector<replay::SeatHolder> holders = {{ann->number, "ann", {"ann@example", "issuer", ""}}};
  EXPECT_EQ(decode_state(last_of(journal, RecordKind::kState))->holders, holders);
  for (match::Tick tick = 0; tick < kKeyFrameTicks; ++tick) {
    recorder.step();
    log.write_tick();
  }
  log.write_state({.clock = clock});
  EXPECT_TRUE(decode_state(last_of(journal, RecordKind::kState))->holders.empty());
  EXPECT_EQ(decode_key_frame(last_of(journal, RecordKind::kKeyFrame))->cast.holders, holders);
  EXPECT_EQ(log.ending(replay::EndReason::kMatchEnded).cast.holders, holders);
}

// A seat that is away expires without a state being written. Else its ticket takes its number again under the
// name of another, whose run it then seems to be.
TEST(MatchLog, NotesATicketThatTakesItsNumberAgainUnderAnotherName) {
  FakeJournal journal;
  replay::Recorder recorder(std::move(match::Match::create(recordings::random_match_config(1)).value()),
                            replay::Recorder::Keeps::kTicks);
  MatchLog log(recorder, PlayedMatch::options(journal, 1, recorder.match()));
  const ClockState clock{.tick_rate_hz = 60};
  const BudgetKey mallory(std::string("mallory@example\x1fissuer\x1f"));
  const auto join = [&](const std::string& name) {
    const auto joined = recorder.apply(match::Join{name, match::Role::kPlayer});
    EXPECT_TRUE(joined.ok());
    log.write_state({.clock = clock, .owners = {{joined->number, mallory}}});
    return joined->number;
  };
  const auto number = join("x");
  recorder.apply(match::Leave{number});
  ASSERT_EQ(join("ann"), number);
  const replay::TicketSubject subject{"mallory@example", "issuer", ""};
  EXPECT_THAT(log.ending(replay::EndReason::kMatchEnded).cast.holders,
              ::testing::ElementsAre(replay::SeatHolder{number, "x", subject},
                                     replay::SeatHolder{number, "ann", subject}));
}

// Else a receipt tells nothing of who scored, after a thousand joins under other names.
TEST(MatchLog, KeepsTheHoldersOfScoresHoweverManyOthersJoin) {
  FakeJournal journal;
  replay::Recorder recorder(std::move(match::Match::create(recordings::random_match_config(1)).value()),
                            replay::Recorder::Keeps::kTicks);
  MatchLog log(recorder, PlayedMatch::options(journal, 1, recorder.match()));
  const ClockState clock{.tick_rate_hz = 60};
  const BudgetKey ann(std::string("ann@example\x1fissuer\x1f"));
  const BudgetKey mallory(std::string("mallory@example\x1fissuer\x1f"));
  const auto join = [&](const std::string& name, const BudgetKey& owner) {
    const auto joined = recorder.apply(match::Join{name, match::Role::kPlayer});
    EXPECT_TRUE(joined.ok());
    log.write_state({.clock = clock, .owners = {{joined->number, owner}}});
    return joined->number;
  };
  const auto holders = [&] { return log.ending(replay::EndReason::kMatchEnded).cast.holders; };
  const replay::SeatHolder stays{join("stays", ann), "stays", {"ann@example", "issuer", ""}};
  for (std::size_t i = 0; i < replay::kSeatHoldersListedMax + 50; ++i)
    recorder.apply(match::Leave{join("x" + std::to_string(i), mallory)});
  const replay::SeatHolder late{join("ann", mallory), "ann", {"mallory@example", "issuer", ""}};
  EXPECT_EQ(holders().size(), replay::kSeatHoldersListedMax);
  EXPECT_THAT(holders(), ::testing::AllOf(::testing::Contains(stays), ::testing::Contains(late)));
  EXPECT_EQ(log.ending(replay::EndReason::kMatchEnded).cast.holders_omitted, 0u);
}

// Else one ticket that joins and leaves under new names has the journal write half a megabyte every time.
TEST(MatchLog, WritesAKeyFrameBeforeStatesGrowWithFormerHolders) {
  FakeJournal journal;
  replay::Recorder recorder(std::move(match::Match::create(recordings::random_match_config(1)).value()),
                            replay::Recorder::Keeps::kTicks);
  MatchLog log(recorder, PlayedMatch::options(journal, 1, recorder.match()));
  const ClockState clock{.tick_rate_hz = 60};
  const auto join_and_leave = [&](std::size_t number) {
    const auto joined = recorder.apply(match::Join{"ann" + std::to_string(number), match::Role::kPlayer});
    ASSERT_TRUE(joined.ok());
    log.write_state(
        {.clock = clock, .owners = {{joined->number, BudgetKey(std::string("ann@example\x1fissuer\x1f"))}}});
    recorder.apply(match::Leave{joined->number});
    log.write_state({.clock = clock});
    EXPECT_LE(decode_state(last_of(journal, RecordKind::kState))->holders.size(), kNewHoldersMax);
  };
  for (std::size_t i = 0; i < 2 * kNewHoldersMax; ++i) join_and_leave(i);
  EXPECT_EQ(journal.ticks_of(RecordKind::kKeyFrame).size(), 0u);
  recorder.step();
  log.write_tick();
  EXPECT_EQ(journal.ticks_of(RecordKind::kKeyFrame).size(), 1u);
  EXPECT_EQ(decode_key_frame(last_of(journal, RecordKind::kKeyFrame))->cast.holders.size(),
            2 * kNewHoldersMax);
  join_and_leave(2 * kNewHoldersMax);
  EXPECT_EQ(decode_state(last_of(journal, RecordKind::kState))->holders.size(), 1u);
}

}  // namespace
}  // namespace sweepd::runtime::match_log_test
