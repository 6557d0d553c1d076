// SPDX-License-Identifier: MIT
//
// Protects: a replay keeps changes of each kind; a new one is in this test by being in the table of them.
#include <gtest/gtest.h>

#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "unit/replay/frame_fields.h"
#include "unit/single_changes.h"

namespace sweepd::replay::changes_test {
namespace {

TEST(RecordedChanges, OfEachKindComeBack) {
  match::for_each_single_change([](auto kind, const match::Frame& frame) {
    TickEncoder encoder;
    encoder.add({.tick = 1, .inputs = {Submission{2, frame}}});
    const auto records = decode_ticks(encoder.take());
    ASSERT_TRUE(records.ok()) << kind.list << ": " << records.error().what;
    const match::Frame& decoded = std::get<Submission>(records->at(0).inputs.at(0)).frame;
    EXPECT_TRUE(is_equal(decoded, frame)) << kind.list;
    EXPECT_EQ(match::count_of(kind.kind, decoded), 1u) << kind.list;
  });
}

}  // namespace
}  // namespace sweepd::replay::changes_test
