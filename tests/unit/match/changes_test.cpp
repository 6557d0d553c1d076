// SPDX-License-Identifier: MIT
//
// Protects the tables of changes and of facts: all code that goes through them knows each kind. A new kind is
// in these tests by being in its table.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "match/digest.h"
#include "match/enum_range.h"
#include "match/first_change.h"
#include "match/frame_codec.h"
#include "match/tick_facts.h"
#include "match/world_config.h"
#include "unit/match/match_builders.h"
#include "unit/single_changes.h"

namespace sweepd::match::changes_test {
namespace {

std::uint64_t digest_of(const Frame& frame, std::uint32_t version, bool are_made) {
  MatchConfig config = small_config();
  config.app_messages_recorded = true;
  Digest digest(config, world_config_of(config), version);
  digest.begin_tick(1);
  digest.begin_frame(frame, 0);
  for_each_change(frame,
                  [&](auto kind, const auto& change) { digest.end_change(kind.kind, change, are_made); });
  digest.end_frame();
  digest.finish_tick({}, 0);
  return digest.value();
}

TEST(Changes, OfEachKindHaveANumberOfTheirOwnInTheDigest) {
  std::set<int> numbers = {1, 2, 11, 12, 20, 21, 22, 23};  // Digest::Entry.
  for_each_single_change([&](auto kind, const Frame&) {
    EXPECT_TRUE(numbers.insert(static_cast<int>(kind.kind)).second) << kind.list;
  });
}

void expect_each_kind_in_digests(std::uint32_t version, bool are_made) {
  std::map<std::uint64_t, std::string> digests = {{digest_of({}, version, are_made), "none"}};
  for_each_single_change([&](auto kind, const Frame& frame) {
    const auto [known, is_new] = digests.emplace(digest_of(frame, version, are_made), kind.list);
    EXPECT_TRUE(is_new) << kind.list << " as " << known->second;
  });
}

TEST(Changes, OfEachKindAreInTheDigestMadeOrRefused) {
  expect_each_kind_in_digests(kFirstDigestVersion, true);
  expect_each_kind_in_digests(kDigestVersion, true);
  expect_each_kind_in_digests(kDigestVersion, false);
}

TEST(Changes, OfEachKindAreCounted) {
  EXPECT_EQ(count_changes({}), 0u);
  for_each_single_change(
      [](auto kind, const Frame& frame) { EXPECT_EQ(count_changes(frame), 1u) << kind.list; });
}

TEST(Changes, OfEachKindComeBackFromASnapshot) {
  for_each_single_change([](auto kind, const Frame& frame) {
    base::ByteWriter writer;
    write(writer, frame);
    base::ByteReader reader(writer.bytes());
    EXPECT_EQ(count_of(kind.kind, read_frame(reader)), 1u) << kind.list;
    reader.finish();
    EXPECT_TRUE(reader.ok()) << kind.list;
  });
}

TEST(Changes, OfEachKindAreRefusedToAnObserverByName) {
  const auto match = make_match();
  const Participant observer = join(*match, "eve", Role::kObserver);
  for_each_single_change([&](auto kind, const Frame& frame) {
    const auto rejection = match->apply(Submission{observer.number, frame});
    ASSERT_TRUE(rejection.has_value()) << kind.list;
    const bool is_move = kind.kind == FrameChange::kMove;
    EXPECT_EQ(rejection->field, is_move ? "absolute_moves" : kind.list);
  });
}

TEST(Changes, OfTheContractsFirstVersionAreNamedBeforeThoseThatCameLater) {
  Frame frame;
  frame.teleports = {{1, {}}};
  frame.claims = {{}};
  EXPECT_STREQ(first_change(frame), "teleports");
  frame.despawns = {1};
  EXPECT_STREQ(first_change(frame), "despawns");
  frame.moves = {{1, {}}};
  EXPECT_STREQ(first_change(frame), "absolute_moves");
  frame.relative_moves = 1;
  EXPECT_STREQ(first_change(frame), "moves");
  EXPECT_EQ(first_change({}), nullptr);
}

TEST(TickFacts, OfAllListsAreInTheTable) {
  std::size_t bytes = 0;
  TickFacts facts;
  for_each_fact([&](const auto& list) { bytes += sizeof(list); }, facts);
  EXPECT_EQ(bytes, sizeof(TickFacts));
}

TEST(EnumRange, ReachesFromOneValueToTheLast) {
  enum class Kind : std::uint8_t { kNone, kOne, kTwo, kThree };
  EXPECT_EQ(range_from<Kind::kOne>().min, 1u);
  EXPECT_EQ(range_from<Kind::kOne>().max, 3u);
  EXPECT_EQ(range_from<Kind::kThree>().max, 3u);
  EXPECT_EQ(range_from<collision::ExitReason::kMoved>().max,
            static_cast<std::uint64_t>(collision::ExitReason::kDestroyed));
}

}  // namespace
}  // namespace sweepd::match::changes_test
