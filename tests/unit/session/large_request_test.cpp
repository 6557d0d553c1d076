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
  /// From here on no worker parses anything, until they are let go. A worker may begin with this only after
  /// that, or be told to drop it.
  void hold_workers() {
    const auto wait = [may_go_on = may_go_on_.get_future().share()] { may_go_on.wait(); };
    ASSERT_TRUE(loops_.backend.parsers.add({.run = wait, .drop = [] {}}));
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

  std::promise<void> may_go_on_;
  IdleLoops loops_;
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

/// So many moves of the object, of which the first takes it 7 to the right.
v1::PlayRequest moves_of(std::uint32_t object, int rows) {
  v1::PlayRequest request;
  v1::MoveColumns& moves = *request.mutable_frame()->mutable_moves();
  for (int row = 0; row < rows; ++row) {
    moves.add_id_delta(row == 0 ? object : 0);
    moves.add_dx(row == 0 ? 7 : 0);
    moves.add_dy(0);
  }
  return request;
}

TEST_F(LargeRequest, AFrameIsDecodedByAWorkerAndBuildsOnThoseBefore) {
  match::MatchConfig config;
  config.layers = {"ship"};
  config.clock = match::ClockKind::kManual;
  const auto place = loops_.backend.registry.add();
  ASSERT_TRUE(place);
  MatchLoop& home = loops_[place->loop];
  runtime::MatchHost& host = home.matches().add(place->id, std::move(match::Match::create(config).value()));
  FakePipe<PlayStream> pipe(home);
  pipe.stream().arrive(loops_.origin());
  v1::PlayRequest join = join_of(0);
  join.mutable_join()->set_match_id(place->id);
  read(pipe, join);
  ASSERT_EQ(pipe.written.size(), 1u);
  const std::uint32_t ship = pipe.written[0].joined().participant().first_id();
  pipe.stream().ended(StreamEvent::kWritten, true);

  v1::PlayRequest request;
  v1::Spawn& spawn = *request.mutable_frame()->add_spawns();
  spawn.set_object_id(ship);
  spawn.set_x(1'000);
  spawn.add_parts()->mutable_box()->set_max_x(1);
  read(pipe, request);
  EXPECT_EQ(host.match().frames_waiting(), 1u);
  hold_workers();
  read(pipe, moves_of(ship, 10'000));
  EXPECT_EQ(host.match().frames_waiting(), 1u);
  const int reads = pipe.reads;
  let_workers_go();
  run_until([&] { return pipe.reads > reads; });
  read(pipe, moves_of(ship, 1));
  EXPECT_EQ(host.match().frames_waiting(), 3u);
  host.step(1, {1, false}, [](const auto&) {});
  run_until([&] { return host.match().tick() == 1; });
  ASSERT_TRUE(host.match().find_object(ship));
  EXPECT_EQ(host.match().find_object(ship)->position.x, 1'014);

  pipe.stream().ended(StreamEvent::kDone, false);
  pipe.stream().ended(StreamEvent::kRead, false);
  if (pipe.closes == 0) pipe.stream().ended(StreamEvent::kWritten, false);
  EXPECT_EQ(pipe.closes, 1);
  host.end();
  loops_.run_all();
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

// Or what one client sends would all be parsed before any of it is freed.
TEST(GivenBackTest, IsFreedBeforeTheNextIsParsed) {
  IdleLoops loops;
  const runtime::Payers payers = caller_named(loops.backend, "a-client").payers;
  std::promise<void> go;
  ASSERT_TRUE(run_aside(loops.backend, payers, [wait = go.get_future().share()] { wait.wait(); }));
  auto what = std::make_shared<int>(1);
  const std::weak_ptr<int> held = what;
  std::promise<bool> is_freed;
  ASSERT_TRUE(run_aside(loops.backend, payers, [&] { is_freed.set_value(held.expired()); }));
  free_aside(loops.backend, payers, std::move(what));
  go.set_value();
  EXPECT_TRUE(is_freed.get_future().get());
}

}  // namespace
}  // namespace sweepd::session::large_request_test
