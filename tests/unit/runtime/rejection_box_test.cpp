// SPDX-License-Identifier: MIT
//
// Protects what a participant is told of its rejections, whichever of its streams asks: each once, the newest
// in words, the others by number.
#include "runtime/feed/rejection_box.h"

#include <gtest/gtest.h>

namespace sweepd::runtime::rejection_box_test {
namespace {

constexpr match::ParticipantNumber kAnn = 3;

/// A tick with `own` rejections of Ann and others around them.
void add_tick(RejectionBox& box, match::Tick tick, std::size_t own, std::uint64_t not_listed = 0) {
  std::vector<match::Rejection> all(own + 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].participant = i == 0 ? kAnn - 1 : kAnn;
    all[i].tick = tick;
  }
  all.back().participant = kAnn + 1;
  const std::vector<match::UnlistedRejections> unlisted{{kAnn - 1, 100}, {kAnn, not_listed}};
  match::TickOutput output;
  output.tick = tick;
  output.rejections = all;
  output.rejections_not_listed = unlisted;
  box.take(output, kAnn);
}

TEST(RejectionBox, TellsEachOnce) {
  RejectionBox box;
  add_tick(box, 1, 2);
  add_tick(box, 2, 3, 10);
  EXPECT_EQ(box.after(0).listed.size(), 5u);
  EXPECT_EQ(box.after(0).not_listed, 10u);
  EXPECT_EQ(box.after(2).listed.size(), 3u);
  EXPECT_EQ(box.after(box.count()).listed.size() + box.after(box.count()).not_listed, 0u);
}

TEST(RejectionBox, KeepsTheNewestAndCountsTheRest) {
  RejectionBox box;
  for (match::Tick tick = 1; tick <= 10; ++tick) add_tick(box, tick, 64);
  EXPECT_EQ(box.after(0).listed.size(), RejectionBox::kKeptMax);
  EXPECT_EQ(box.after(0).not_listed, 640u - RejectionBox::kKeptMax);
  EXPECT_EQ(box.after(0).listed.front().tick, 7u);
  EXPECT_EQ(box.after(600).listed.size(), 40u);
  EXPECT_EQ(box.after(600).not_listed, 0u);
}

TEST(RejectionBox, GoesBackToWhatWasToldAndLostOnTheWay) {
  RejectionBox box;
  add_tick(box, 5, 2);
  add_tick(box, 6, 2);
  add_tick(box, 7, 2);
  EXPECT_EQ(box.told_up_to(5, 6), 2u);
  EXPECT_EQ(box.told_up_to(7, 6), 6u);
  EXPECT_EQ(box.told_up_to(9, 4), 4u) << "what was never told is not taken for told";
}

}  // namespace
}  // namespace sweepd::runtime::rejection_box_test
