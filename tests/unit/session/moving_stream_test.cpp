// SPDX-License-Identifier: MIT
//
// Protects a stream that leaves a loop for that of its match: the other loop may end it and destroy it before
// the event in which it left has returned. AddressSanitizer tells of what is touched then.
#include "session/moving_stream.h"

#include <gtest/gtest.h>

#include "session/play_stream.h"
#include "unit/session/fake_pipe.h"

namespace sweepd::session::moving_stream_test {
namespace {

TEST(MovingStream, IsNotTouchedByTheLoopThatItHasLeft) {
  IdleLoops loops;
  const auto place = loops.backend.registry.add();
  MatchLoop& home = loops[place->loop];
  FakePipe<PlayStream> pipe{loops[1 - place->loop]};
  PlayStream& stream = pipe.stream();
  stream.arrive(loops.origin());
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(place->id);
  request.mutable_join()->set_name("a-player");
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  pipe.bytes.text = request.SerializeAsString();

  bool is_running = false;
  loops.on_wake([&] {
    if (std::exchange(is_running, true)) return;
    home.loop().run_round();
    ASSERT_EQ(pipe.finished.size(), 1u) << "the match is not there: the stream has to be refused";
    stream.ended(StreamEvent::kFinished, true);
    stream.ended(StreamEvent::kDone, true);
    home.loop().run_round();
    EXPECT_EQ(pipe.closes, 1);
  });
  stream.ended(StreamEvent::kRead, true);
  loops.on_wake({});
  EXPECT_TRUE(is_running) << "the stream has not left its loop";
  EXPECT_FALSE(pipe.finished[0].ok());
  EXPECT_EQ(pipe.closes, 1);
}

}  // namespace
}  // namespace sweepd::session::moving_stream_test
