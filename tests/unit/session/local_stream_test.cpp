// SPDX-License-Identifier: MIT
//
// Protects what streams have in common with their doors: however events and answers come, the status goes out
// once and after what was being written, and the pipe is closed once, when nothing is under way any more.
#include "session/local_stream.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "sweepd/v1/replay_service.pb.h"
#include "unit/session/fake_pipe.h"

namespace sweepd::session::local_stream_test {
namespace {

class Probe final : public LocalStream<v1::GetReplayResponse> {
 public:
  Probe(MatchLoop& home, StreamPipe<Response>& pipe) : LocalStream(home, pipe, "Probe") {}

  using LocalStream::answer;
  using LocalStream::expect_answer;
  using LocalStream::finish;
  using LocalStream::finish_with;
  using LocalStream::limit_patience;
  using LocalStream::write;

  int admissions = 0;
  int nexts = 0;

 private:
  void admit() override { ++admissions; }
  void write_next() override { ++nexts; }
};

Status refusal(const char* reason) {
  return make_status(Code::kFailedPrecondition, {.reason = reason, .message = "as the test says"});
}

class LocalStreamTest : public ::testing::Test {
 protected:
  void arrive() { stream().arrive(loops_.origin()); }
  Probe& stream() { return pipe_.stream(); }

  void expect_closed() {
    EXPECT_EQ(pipe_.closes, 1);
    EXPECT_EQ(loops_[0].calls(), 0u);
  }

  IdleLoops loops_;
  FakePipe<Probe> pipe_{loops_[0]};
};

TEST_F(LocalStreamTest, IsClosedOnceWhenAllItsEventsHaveCome) {
  arrive();
  EXPECT_EQ(stream().admissions, 1);
  stream().finish({});
  ASSERT_EQ(pipe_.finished.size(), 1u);
  stream().ended(StreamEvent::kFinished, true);
  EXPECT_EQ(pipe_.closes, 0);
  stream().ended(StreamEvent::kDone, true);
  expect_closed();
}

TEST_F(LocalStreamTest, MayHearThatItIsDoneBeforeItsStatusIsOut) {
  arrive();
  stream().finish({});
  stream().ended(StreamEvent::kDone, true);
  EXPECT_EQ(pipe_.closes, 0);
  stream().ended(StreamEvent::kFinished, true);
  expect_closed();
}

TEST_F(LocalStreamTest, TellsItsFirstStatusOnceTheWriteIsBack) {
  arrive();
  stream().write({});
  stream().finish(refusal("FIRST"));
  stream().finish(refusal("SECOND"));
  EXPECT_TRUE(pipe_.finished.empty());
  stream().ended(StreamEvent::kWritten, true);
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(reason_of(pipe_.finished[0]), "FIRST");
  EXPECT_EQ(stream().nexts, 0);
  stream().ended(StreamEvent::kFinished, true);
  stream().ended(StreamEvent::kDone, true);
  expect_closed();
}

TEST_F(LocalStreamTest, AsksForTheNextMessageWhereMoreIsWanted) {
  arrive();
  stream().write({});
  stream().ended(StreamEvent::kWritten, true);
  EXPECT_EQ(stream().nexts, 1);
  stream().finish_with({});
  stream().finish(refusal("TOO_LATE"));
  EXPECT_EQ(pipe_.answers.size(), 1u);
  EXPECT_TRUE(pipe_.finished.empty());
  stream().ended(StreamEvent::kDone, true);
  stream().ended(StreamEvent::kFinished, true);
  expect_closed();
}

TEST_F(LocalStreamTest, BeginsNothingAfterItsEndForAnyResultOfTheWrite) {
  for (const bool ok : {false, true}) {
    FakePipe<Probe> pipe(loops_[0]);
    Probe& probe = pipe.stream();
    probe.arrive(loops_.origin());
    probe.write({});
    probe.ended(StreamEvent::kDone, false);
    probe.finish(refusal("TOO_LATE"));
    EXPECT_EQ(pipe.closes, 0);
    EXPECT_EQ(probe.nexts, 0);
    probe.ended(StreamEvent::kWritten, ok);
    EXPECT_EQ(pipe.closes, 1);
    EXPECT_EQ(pipe.written.size(), 1u);
    EXPECT_TRUE(pipe.finished.empty());
  }
}

TEST_F(LocalStreamTest, SendsNoStatusAfterAWriteThatFailed) {
  arrive();
  stream().write({});
  stream().finish(refusal("NOT_HEARD"));
  stream().ended(StreamEvent::kWritten, false);
  EXPECT_TRUE(pipe_.finished.empty());
  stream().ended(StreamEvent::kDone, false);
  expect_closed();
}

TEST_F(LocalStreamTest, ThatArrivesAtAServerThatShutsDownIsRefused) {
  loops_.backend.is_shutting_down = true;
  arrive();
  EXPECT_EQ(stream().admissions, 0);
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(pipe_.finished[0].code(), Code::kUnavailable);
  stream().ended(StreamEvent::kDone, true);
  stream().ended(StreamEvent::kFinished, true);
  expect_closed();
}

TEST_F(LocalStreamTest, StaysUntilWhatItHasAskedForIsAnswered) {
  arrive();
  bool is_answered = false;
  stream().expect_answer();
  stream().ended(StreamEvent::kDone, false);
  std::thread([&] { stream().answer([&is_answered] { is_answered = true; }); }).join();
  EXPECT_EQ(pipe_.closes, 0);
  loops_.run_all();
  EXPECT_TRUE(is_answered);
  expect_closed();
}

TEST_F(LocalStreamTest, IsCutOffWhereItsClientTakesTooLong) {
  arrive();
  stream().write({});
  stream().limit_patience(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  loops_.run_all();
  EXPECT_EQ(pipe_.cancels, 1);
  stream().ended(StreamEvent::kWritten, false);
  stream().ended(StreamEvent::kDone, false);
  expect_closed();
}

TEST_F(LocalStreamTest, IsNotCutOffAfterItsMessageWasTaken) {
  arrive();
  stream().write({});
  stream().limit_patience(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  stream().ended(StreamEvent::kWritten, true);  // The time is over; its turn has not come.
  loops_.run_all();
  EXPECT_EQ(pipe_.cancels, 0);
  stream().finish({});
  stream().ended(StreamEvent::kFinished, true);
  stream().ended(StreamEvent::kDone, true);
  expect_closed();
}

TEST_F(LocalStreamTest, ThatNeverArrivesIsClosedByItsDoor) {
  EXPECT_EQ(loops_[0].calls(), 1u);
  pipe_.close();
  expect_closed();
}

}  // namespace
}  // namespace sweepd::session::local_stream_test
