// SPDX-License-Identifier: MIT
//
// Protects the ticks of a loop from what its clients send: a request of more than kLargeRequestBytes is
// parsed, and a large config checked, by a worker; the loop has the rest, in the order in which it would have
// had it.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "session/methods.h"
#include "session/play_stream.h"
#include "session/replay_upload.h"
#include "unit/session/fake_pipe.h"

namespace sweepd::session::large_request_test {
namespace {

/// A call of CreateMatch that a test makes.
class CreateCall final : public CreateMatchCall {
 public:
  explicit CreateCall(MatchLoop& home) : UnaryCall(home) {}

  using UnaryCall::arrive;
  using UnaryCall::cancelled;

  bool is_answered() const { return answers + static_cast<int>(refusal.has_value()) > 0; }

  int answers = 0;
  std::optional<Status> refusal;

 private:
  void send(const v1::CreateMatchResponse&) override { ++answers; }
  void send(const Status& status) override { refusal = status; }
};

class LargeRequest : public ::testing::Test {
 protected:
  /// From here on no worker parses anything, until they are let go.
  void hold_workers() {
    ASSERT_TRUE(loops_.backend.parsers.add({.run = [this] { may_go_on_.get_future().wait(); }}));
  }
  void let_workers_go() { may_go_on_.set_value(); }

  void run_until(const std::function<bool()>& is_done) {
    while (!is_done()) {
      loops_.run_all();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  template <typename Pipe>
  void read(Pipe& pipe, const google::protobuf::Message& message) {
    pipe.bytes.text = message.SerializeAsString();
    pipe.stream().ended(StreamEvent::kRead, true);
    loops_.run_all();
  }

  template <typename Pipe>
  void end(Pipe& pipe) {
    pipe.stream().ended(StreamEvent::kDone, true);
    if (!pipe.finished.empty()) pipe.stream().ended(StreamEvent::kFinished, true);
    run_until([&pipe] { return pipe.closes == 1; });
  }

  IdleLoops loops_;
  std::promise<void> may_go_on_;
};

/// Of a match that does not exist.
v1::PlayRequest join_of(int object_ids) {
  v1::PlayRequest request;
  v1::Join& join = *request.mutable_join();
  join.set_match_id("no-such-match");
  join.set_name("ann");
  join.set_role(v1::ROLE_PLAYER);
  for (int i = 0; i < object_ids; ++i)
    join.mutable_filter()->add_object_ids(1'000'000u + static_cast<std::uint32_t>(i));
  return request;
}

TEST_F(LargeRequest, AConfigOfManyRulesIsReadAndRefusedByAWorker) {
  v1::CreateMatchRequest request;
  for (int i = 0; i < 20'000; ++i) request.mutable_config()->add_scoring()->set_layer_a("ship");
  TextBytes bytes;
  bytes.text = request.SerializeAsString();
  ASSERT_TRUE(bytes.is_large());
  hold_workers();
  CreateCall call(loops_[0]);
  call.arrive(loops_.origin(), bytes, UnaryMethod(create_match, false, true));
  loops_.run_all();
  EXPECT_EQ(call.request().config().scoring_size(), 0) << "the loop has read it";
  EXPECT_FALSE(call.is_answered());
  let_workers_go();
  run_until([&call] { return call.is_answered(); });
  ASSERT_TRUE(call.refusal);
  EXPECT_EQ(reason_of(*call.refusal), "INVALID_CONFIG");
  EXPECT_NE(call.refusal->message().find("scoring"), std::string::npos) << call.refusal->message();
}

TEST_F(LargeRequest, ThatItsClientGivesUpIsNotHandled) {
  v1::StepMatchRequest request;
  request.set_match_id(std::string(2 * kLargeRequestBytes, 'm'));
  class Call final : public StepMatchCall {
   public:
    explicit Call(MatchLoop& home) : UnaryCall(home) {}
    using UnaryCall::arrive;
    using UnaryCall::cancelled;
    std::optional<Status> refusal;

   private:
    void send(const v1::StepMatchResponse&) override {}
    void send(const Status& status) override { refusal = status; }
  };
  TextBytes bytes;
  bytes.text = request.SerializeAsString();
  hold_workers();
  Call call(loops_[0]);
  call.arrive(loops_.origin(), bytes, UnaryMethod(step_match));
  call.cancelled();
  let_workers_go();
  run_until([&call] { return call.refusal.has_value(); });
  EXPECT_EQ(call.refusal->code(), Code::kCancelled);
}

TEST_F(LargeRequest, AJoinIsReadByAWorkerAndAnsweredOnTheLoop) {
  FakePipe<PlayStream> pipe(loops_[0]);
  pipe.stream().arrive(loops_.origin());
  hold_workers();
  read(pipe, join_of(10'000));
  EXPECT_TRUE(pipe.finished.empty());
  EXPECT_EQ(pipe.reads, 1) << "what comes next waits";
  EXPECT_TRUE(pipe.bytes.text.empty()) << "the door has its memory back";
  let_workers_go();
  run_until([&pipe] { return !pipe.finished.empty(); });
  EXPECT_EQ(reason_of(pipe.finished[0]), "MATCH_NOT_FOUND");
  end(pipe);
}

TEST_F(LargeRequest, ASmallOneWaitsForNoWorker) {
  FakePipe<PlayStream> pipe(loops_[0]);
  pipe.stream().arrive(loops_.origin());
  hold_workers();
  read(pipe, join_of(10));
  EXPECT_EQ(pipe.finished.size(), 1u);
  let_workers_go();
  end(pipe);
}

TEST_F(LargeRequest, AStreamThatEndsMeanwhileGoesWhenTheWorkerHasRead) {
  FakePipe<PlayStream> pipe(loops_[0]);
  pipe.stream().arrive(loops_.origin());
  hold_workers();
  read(pipe, join_of(10'000));
  pipe.stream().ended(StreamEvent::kDone, false);
  loops_.run_all();
  EXPECT_EQ(pipe.closes, 0) << "the worker has it";
  let_workers_go();
  run_until([&pipe] { return pipe.closes == 1; });
  EXPECT_TRUE(pipe.finished.empty());
}

TEST_F(LargeRequest, AChunkOfAReplayIsReadAndCopiedByAWorker) {
  FakePipe<ReplayUpload> pipe(loops_[0]);
  pipe.stream().arrive(loops_.origin());
  ASSERT_EQ(pipe.reads, 1);
  v1::VerifyReplayRequest request;
  request.set_chunk(std::string(kRequestBytesMax - 64, 'r'));
  hold_workers();
  read(pipe, request);
  EXPECT_EQ(pipe.reads, 1) << "the loop has read or copied it";
  let_workers_go();
  run_until([&pipe] { return pipe.reads == 2; });
  EXPECT_TRUE(pipe.finished.empty());
  pipe.stream().ended(StreamEvent::kDone, false);
  pipe.stream().ended(StreamEvent::kRead, false);
  run_until([&pipe] { return pipe.closes == 1; });
}

TEST_F(LargeRequest, OptionsOfAVerificationAreReadByAWorker) {
  FakePipe<ReplayUpload> pipe(loops_[0]);
  pipe.stream().arrive(loops_.origin());
  v1::VerifyReplayRequest request;
  request.mutable_options()->set_nonce(std::string(2 * kLargeRequestBytes, 'n'));
  hold_workers();
  read(pipe, request);
  EXPECT_TRUE(pipe.finished.empty());
  let_workers_go();
  run_until([&pipe] { return !pipe.finished.empty(); });
  EXPECT_EQ(reason_of(pipe.finished[0]), "INVALID_VERIFICATION");
  end(pipe);
}

}  // namespace
}  // namespace sweepd::session::large_request_test
