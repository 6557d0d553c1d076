// SPDX-License-Identifier: MIT
//
// Protects what a filter lets through: either side counts, all that is given has to hold, and layer 63 is a
// layer.
#include "runtime/feed/event_filter.h"

#include <gtest/gtest.h>

namespace sweepd::runtime::event_filter_test {
namespace {

using collision::Event;
using collision::EventKind;

Event event(EventKind kind, collision::EncounterKey key) {
  Event result;
  result.kind = kind;
  result.key = key;
  return result;
}

constexpr collision::EventOwners kNoOwners{};

TEST(EventFilter, WithoutSettingsEverythingPasses) {
  const EventFilter filter;
  EXPECT_TRUE(filter.passes_everything());
  EXPECT_TRUE(filter.passes(event(EventKind::kEnter, {1, 2, 0, 63})));
  EXPECT_TRUE(filter.passes(event(EventKind::kExit, {1, 2, 0, 63})));
}

TEST(EventFilter, EitherSidesLayerCounts) {
  EventFilter filter;
  filter.layers = std::uint64_t{1} << 63 | 1u << 2;
  EXPECT_TRUE(filter.passes(collision::EncounterKey{1, 2, 2, 5}, kNoOwners));
  EXPECT_TRUE(filter.passes(collision::EncounterKey{1, 2, 5, 2}, kNoOwners));
  EXPECT_TRUE(filter.passes(collision::EncounterKey{1, 2, 5, 63}, kNoOwners));
  EXPECT_FALSE(filter.passes(collision::EncounterKey{1, 2, 5, 62}, kNoOwners));
  EXPECT_FALSE(filter.passes_everything());
}

TEST(EventFilter, EitherSidesObjectCounts) {
  EventFilter filter;
  filter.objects = {3, 7};
  EXPECT_TRUE(filter.passes(collision::EncounterKey{3, 9, 0, 1}, kNoOwners));
  EXPECT_TRUE(filter.passes(collision::EncounterKey{1, 7, 0, 1}, kNoOwners));
  EXPECT_FALSE(filter.passes(collision::EncounterKey{4, 6, 0, 1}, kNoOwners));
}

TEST(EventFilter, KindsAreAskedOfEventsOnly) {
  EventFilter filter;
  filter.exits = false;
  EXPECT_TRUE(filter.passes(event(EventKind::kEnter, {1, 2, 0, 1})));
  EXPECT_FALSE(filter.passes(event(EventKind::kExit, {1, 2, 0, 1})));
  EXPECT_TRUE(filter.passes(collision::EncounterKey{1, 2, 0, 1}, kNoOwners));
}

TEST(EventFilter, EitherSidesOwnerCounts) {
  EventFilter filter;
  filter.owners = {3, 5};
  const collision::EncounterKey key{1, 2, 0, 1};
  EXPECT_TRUE(filter.passes(key, {3, 0}));
  EXPECT_TRUE(filter.passes(key, {0, 3}));
  EXPECT_TRUE(filter.passes(key, {4, 5}));
  EXPECT_FALSE(filter.passes(key, {0, 1}));
  EXPECT_FALSE(filter.passes(key, {4, 6}));
  EXPECT_FALSE(filter.passes_everything());
}

TEST(EventFilter, AllThatIsGivenHasToHold) {
  EventFilter filter;
  filter.layers = 1u << 4;
  filter.objects = {3};
  EXPECT_TRUE(filter.passes(collision::EncounterKey{3, 9, 0, 4}, kNoOwners));
  EXPECT_FALSE(filter.passes(collision::EncounterKey{3, 9, 0, 1}, kNoOwners));
  EXPECT_FALSE(filter.passes(collision::EncounterKey{2, 9, 0, 4}, kNoOwners));
}

}  // namespace
}  // namespace sweepd::runtime::event_filter_test
