// SPDX-License-Identifier: MIT
//
// Protects what a load sends for all who share a stream: each frame has to be what it is alone, and to say
// whose it is.
#include "tools/load/shared_request.h"

#include <gtest/gtest.h>
#include <sweepd/v1/match_service.pb.h>

#include <string>
#include <vector>

#include "tools/load/frame_bytes.h"
#include "tools/load/frame_loop.h"

namespace sweepd::tools::load::shared_request_test {
namespace {

v1::Frames frames_in_it(const SharedRequest& shared) {
  v1::PlayRequest request;
  EXPECT_TRUE(request.ParseFromString(shared.bytes()));
  EXPECT_TRUE(request.has_frames());
  return request.frames();
}

/// Of one client.
v1::Frame frame_of(std::string bytes) {
  v1::PlayRequest request;
  EXPECT_TRUE(request.ParseFromString(bytes));
  return request.frame();
}

std::string acknowledged(std::string_view frame, std::uint64_t tick) {
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(tick, acknowledgement);
  return std::string(frame).append(acknowledgement, sizeof acknowledgement);
}

TEST(LoadSharedRequest, HasTheFrameOfEachAsItWouldBeAlone) {
  const Scene scene = gunbird();
  const auto loops = make_loops(scene, MotionKind::kExplicit, 4);
  SharedRequest request(70'000);
  for (std::uint32_t i = 0; i < 4; ++i) request.add(i, loops[i].frame(3));
  const v1::Frames frames = frames_in_it(request);
  ASSERT_EQ(frames.frames_size(), 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    v1::Frame expected = frame_of(acknowledged(loops[i].frame(3), 70'000));
    expected.set_participant(i);
    EXPECT_EQ(frames.frames(static_cast<int>(i)).SerializeAsString(), expected.SerializeAsString()) << i;
  }
}

TEST(LoadSharedRequest, AParticipantOfAnyNumberIsNamedAlsoTheOneOfNumberZero) {
  const std::string frame = play_request(v1::Frame());
  const std::vector<std::uint32_t> numbers = {0, 1, 127, 128, 0xFFFFFFFF};
  SharedRequest request(1);
  for (const std::uint32_t number : numbers) request.add(number, frame);
  const v1::Frames frames = frames_in_it(request);
  ASSERT_EQ(frames.frames_size(), static_cast<int>(numbers.size()));
  for (int i = 0; i < frames.frames_size(); ++i) {
    EXPECT_TRUE(frames.frames(i).has_participant());
    EXPECT_EQ(frames.frames(i).participant(), numbers[static_cast<std::size_t>(i)]);
  }
}

TEST(LoadSharedRequest, TheAcknowledgementOfAnOpeningIsReplaced) {
  const Scene scene = gunbird();
  const auto loops = make_loops(scene, MotionKind::kServer, 2);
  const std::string opening = loops[1].opening(10);
  SharedRequest request(300);
  request.add(7, opening);
  const v1::Frames frames = frames_in_it(request);
  ASSERT_EQ(frames.frames_size(), 1);
  EXPECT_EQ(frames.frames(0).acknowledged_tick(), 300u);
  EXPECT_EQ(frames.frames(0).spawns_size(), frame_of(opening).spawns_size());
  EXPECT_GT(frames.frames(0).spawns_size(), 0);
}

}  // namespace
}  // namespace sweepd::tools::load::shared_request_test
