// SPDX-License-Identifier: MIT
//
// Protects messages between participants: told with the tick of their frame, in the order of frames, and to
// no receiver that is absent; a log and snapshots have them only where the config says so.
#include <gtest/gtest.h>

#include "match/input.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::app_message_test {
namespace {

using To = AppMessage::To;

AppMessage to_all(std::string bytes) { return {.bytes = std::move(bytes)}; }
AppMessage to_participant(ParticipantNumber number, std::string bytes) {
  return {.to = To::kParticipant, .number = number, .bytes = std::move(bytes)};
}

Frame frame_of(std::vector<AppMessage> messages, Tick tick = 0) {
  Frame frame;
  frame.tick = tick;
  frame.messages = std::move(messages);
  return frame;
}

/// "from bytes" of each.
std::vector<std::string> told(const TickOutput& output) {
  std::vector<std::string> texts;
  for (const ToldMessage& one : output.messages)
    texts.push_back(std::to_string(one.from) + " " + one.message.bytes);
  return texts;
}

using Texts = std::vector<std::string>;

class AppMessageTest : public ::testing::Test {
 protected:
  explicit AppMessageTest(bool is_recorded = false) {
    config_.app_messages_per_second = 10;
    config_.app_messages_recorded = is_recorded;
    match_ = make_match(config_);
    ann_ = join(*match_, "ann");
    ben_ = join(*match_, "ben");
  }

  MatchConfig config_ = small_config();
  std::unique_ptr<Match> match_;
  Participant ann_, ben_;
};

TEST_F(AppMessageTest, AreToldWithTheTickOfTheirFrameInTheOrderOfFrames) {
  submit(*match_, ben_, frame_of({to_all("third")}));
  submit(*match_, ann_, frame_of({to_all("first"), to_participant(ben_.number, "second")}));
  submit(*match_, ann_, frame_of({to_all("later")}, 2));
  EXPECT_EQ(told(match_->step()), (Texts{"0 first", "0 second", "1 third"}));
  EXPECT_EQ(told(match_->step()), (Texts{"0 later"}));
  EXPECT_EQ(told(match_->step()), Texts());
}

TEST_F(AppMessageTest, ToNoOneWhoIsThereAreRefusedAndNotTold) {
  const AppMessage to_role{.to = To::kRole, .number = 9, .bytes = "role"};
  submit(*match_, ann_, frame_of({to_participant(7, "number"), to_role, to_all("all")}));
  const TickOutput& output = match_->step();
  EXPECT_EQ(told(output), (Texts{"0 all"}));
  ASSERT_EQ(output.rejections.size(), 2u);
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kNotAParticipant);
  EXPECT_EQ(output.rejections[0].field, "messages[0].to_participant");
  EXPECT_EQ(output.rejections[1].field, "messages[1].to_role");
}

TEST_F(AppMessageTest, AreForWhomTheyNameAndNeverForTheirSender) {
  const ToldMessage all{.from = 1, .message = to_all("")};
  EXPECT_TRUE(all.is_for(0, Role::kPlayer));
  EXPECT_FALSE(all.is_for(1, Role::kPlayer));
  EXPECT_TRUE(all.is_for(Role::kObserver));
  const ToldMessage stage{.from = 1, .message = {.to = To::kRole, .number = 2}};
  EXPECT_TRUE(stage.is_for(0, Role::kStage));
  EXPECT_FALSE(stage.is_for(0, Role::kPlayer));
  EXPECT_FALSE(stage.is_for(Role::kObserver));
  const ToldMessage one{.from = 1, .message = to_participant(3, "")};
  EXPECT_TRUE(one.is_for(3, Role::kObserver));
  EXPECT_FALSE(one.is_for(2, Role::kObserver));
  EXPECT_FALSE(one.is_for(Role::kObserver)) << "a watcher has no number";
}

TEST_F(AppMessageTest, ThatAreInNoLogAreInNoSnapshot) {
  const std::string secret = "ahead of its tick";
  submit(*match_, ann_, frame_of({to_all(secret)}, 3));
  match_->step();
  const std::string saved = match_->save();
  EXPECT_EQ(saved.find(secret), std::string::npos);
  match_->step();
  EXPECT_EQ(told(match_->step()), (Texts{"0 " + secret}));
  auto restored = Match::restore(config_, saved);
  ASSERT_TRUE(restored.ok());
  (*restored)->step();
  EXPECT_EQ(told((*restored)->step()), Texts());
  EXPECT_EQ((*restored)->digest(), match_->digest());
}

TEST_F(AppMessageTest, ThatAreInNoLogDoNotMatterToWhomComparesWithASnapshot) {
  const auto other = make_match(config_);
  join(*other, "ann");
  join(*other, "ben");
  submit(*match_, ann_, frame_of({to_all("ahead")}, 3));
  submit(*other, ann_, frame_of({}, 3));
  match_->step();
  other->step();
  EXPECT_FALSE(other->compare(match_->save()).has_value());
  EXPECT_EQ(other->digest(), match_->digest());
}

/// Keeps the messages of the frames that it is told.
struct MessageLog final : InputLog {
  void took(const SeatChange&) override {}
  void took(const Submission& submission) override {
    for (const AppMessage& message : submission.frame.messages) messages.push_back(message.bytes);
  }
  Texts messages;
};

TEST_F(AppMessageTest, AreToldButInNoLogUnlessTheConfigSaysSo) {
  MessageLog log;
  match_->set_log(&log);
  submit(*match_, ann_, frame_of({to_all("hello")}));
  EXPECT_EQ(log.messages, Texts());
  EXPECT_EQ(told(match_->step()), (Texts{"0 hello"}));
  match_->set_log(nullptr);
}

struct RecordedMessageTest : AppMessageTest {
  RecordedMessageTest() : AppMessageTest(true) {}
};

TEST_F(RecordedMessageTest, AreInTheLogAndInTheDigest) {
  MessageLog log;
  const auto other = make_match(config_);
  join(*other, "ann");
  join(*other, "ben");
  match_->set_log(&log);
  submit(*match_, ann_, frame_of({to_all("hello")}));
  submit(*other, ann_, frame_of({to_all("hallo")}));
  match_->step();
  other->step();
  EXPECT_EQ(log.messages, (Texts{"hello"}));
  EXPECT_NE(match_->digest(), other->digest());
  match_->set_log(nullptr);
}

TEST_F(RecordedMessageTest, OfFramesAheadOutliveASnapshot) {
  submit(*match_, ann_, frame_of({to_participant(ben_.number, std::string("\0two", 4))}, 3));
  match_->step();
  const std::string saved = match_->save();
  auto restored = Match::restore(config_, saved);
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ((*restored)->save(), saved);
  (*restored)->step();
  EXPECT_EQ(told((*restored)->step()), (Texts{std::string("0 \0two", 6)}));
}

TEST_F(RecordedMessageTest, MatterToWhomComparesWithASnapshot) {
  const auto other = make_match(config_);
  join(*other, "ann");
  join(*other, "ben");
  submit(*match_, ann_, frame_of({to_all("ahead")}, 3));
  submit(*other, ann_, frame_of({}, 3));
  match_->step();
  other->step();
  EXPECT_TRUE(other->compare(match_->save()).has_value());
}

}  // namespace
}  // namespace sweepd::match::app_message_test
