// SPDX-License-Identifier: MIT
//
// Protects the heartbeats of streams: each stream is looked at once in a round of slots, however many there
// are, and they are spread over the slots, so that no instant has them all.
#include "session/live_streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace sweepd::session::live_streams_test {
namespace {

class CountingStream final : public LiveStream {
 public:
  void shut_down() override {}
  void beat() override { ++beats; }
  int beats = 0;
  char rest[2000] = {};  // Streams are large, and so are the steps between their addresses.
};

TEST(LiveStreams, EachIsLookedAtTwiceInAnInterval) {
  LiveStreams streams;
  std::vector<std::unique_ptr<CountingStream>> all;
  for (int i = 0; i < 1'000; ++i) streams.add(*all.emplace_back(std::make_unique<CountingStream>()));
  EXPECT_EQ(2 * LiveStreams::kSlots * LiveStreams::kSlotTime, kHeartbeatInterval);
  for (std::size_t slot = 0; slot < 2 * LiveStreams::kSlots; ++slot) streams.beat_next_slot();
  EXPECT_TRUE(std::ranges::all_of(all, [](const auto& stream) { return stream->beats == 2; }));
}

TEST(LiveStreams, AreSpreadOverTheSlots) {
  LiveStreams streams;
  std::vector<std::unique_ptr<CountingStream>> all;
  for (int i = 0; i < 1'600; ++i) streams.add(*all.emplace_back(std::make_unique<CountingStream>()));
  int before = 0;
  for (std::size_t slot = 0; slot < LiveStreams::kSlots; ++slot) {
    streams.beat_next_slot();
    int beats = 0;
    for (const auto& stream : all) beats += stream->beats;
    EXPECT_LT(beats - before, 300) << "of 100 on average, in slot " << slot;
    before = beats;
  }
}

TEST(LiveStreams, WhatHasGoneIsNotLookedAt) {
  LiveStreams streams;
  CountingStream stays;
  CountingStream goes;
  streams.add(stays);
  streams.add(goes);
  EXPECT_EQ(streams.all().size(), 2u);
  streams.remove(goes);
  EXPECT_EQ(streams.all(), (std::vector<LiveStream*>{&stays}));
  for (std::size_t slot = 0; slot < LiveStreams::kSlots; ++slot) streams.beat_next_slot();
  EXPECT_EQ(stays.beats, 1);
  EXPECT_EQ(goes.beats, 0);
}

}  // namespace
}  // namespace sweepd::session::live_streams_test
