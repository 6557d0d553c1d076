// SPDX-License-Identifier: MIT
//
// Protects who looks into a dispute: a tick of a replay is shown as it was when the match was played, with
// the verdicts that its claims then had, wherever in the replay it is looked for.
#include "replay/moment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "property/random.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/player.h"

namespace sweepd::replay::moment_test {
namespace {

constexpr std::uint32_t kTicks = 120;

/// All of a moment that can be told apart, as text.
std::string text_of(const Moment& moment) {
  std::string text = std::to_string(moment.tick) + " " + digest_text(moment.digest);
  for (const MomentObject& object : moment.objects) {
    text += " o" + std::to_string(object.id) + "," + std::to_string(object.owner) + "," +
            std::to_string(object.trajectory.position.x) + "," +
            std::to_string(object.trajectory.motion.velocity.y) + "," + std::to_string(object.is_disabled) +
            "," + std::to_string(object.parts.size());
  }
  for (const collision::Encounter& encounter : moment.encounters) {
    text += " n" + std::to_string(encounter.key.object_a) + "," + std::to_string(encounter.since_tick);
  }
  for (const collision::Event& event : moment.events) text += " e" + std::to_string(event.sequence_number);
  for (const match::ClaimVerdict& claim : moment.claims) {
    text += " c" + std::to_string(claim.claim.number) + "," +
            std::to_string(static_cast<int>(claim.verdict)) + "," + std::to_string(claim.tick_judged) + "," +
            std::to_string(claim.evidence ? claim.evidence->margin : -1);
  }
  for (const match::Score& score : moment.scores) text += " s" + score.name + std::to_string(score.score);
  return text;
}

/// The moments of a match as it was played when it was recorded, from its first tick and with its own config.
std::vector<std::string> played(std::uint64_t seed) {
  auto match = match::Match::create(recordings::random_match_config(seed));
  Player player(std::move(*match));
  std::vector<std::string> moments;
  for (const TickRecord& record : recordings::record_random_match(seed, kTicks)) {
    EXPECT_FALSE(player.play(record));
    moments.push_back(text_of(moment_of(player.match(), *player.output())));
  }
  return moments;
}

class MomentsOf : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(MomentsOf, AReplayAreThoseOfTheMatchFromWhereverTheyAreLookedFor) {
  const auto expected = played(GetParam());
  const std::string bytes = recordings::random_replay(GetParam(), kTicks, {.key_frame_ticks = 30});
  const auto reader = Reader::open(bytes);
  ASSERT_TRUE(reader.ok());
  property::Random random(GetParam());
  std::size_t claims = 0;
  for (int i = 0; i < 20; ++i) {
    const Tick first = 1 + random.index(reader->tick_count());
    const Tick last = first + random.index(reader->tick_count() - first + 1);
    Tick tick = first;
    const auto fault = visit_moments(*reader, first, last, [&](const Moment& moment) {
      ASSERT_EQ(moment.tick, tick++);
      ASSERT_EQ(text_of(moment), expected[moment.tick - 1]);
      claims += moment.claims.size();
    });
    ASSERT_FALSE(fault) << replay::text_of(*fault);
    EXPECT_EQ(tick, last + 1);
  }
  EXPECT_GT(claims, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MomentsOf, ::testing::Range(std::uint64_t{1}, std::uint64_t{9}));

TEST(Moments, OfAReplayThatIsNotWhatItSaysEndWithTheFault) {
  auto records = recordings::record_random_match(3, 40);
  const std::string honest = recordings::write_replay(recordings::random_match_config(3), records);
  Writer writer(Reader::open(honest)->head());
  records[20].digest ^= 1;
  for (const TickRecord& record : records) ASSERT_TRUE(writer.add(record));
  writer.finish(EndReason::kMatchEnded, {}, nullptr);
  const std::string forged = writer.take_bytes();
  const auto reader = Reader::open(forged);
  ASSERT_TRUE(reader.ok());
  std::size_t seen = 0;
  const auto fault = visit_moments(*reader, 1, 40, [&seen](const Moment&) { ++seen; });
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->tick, 21u);
  EXPECT_EQ(seen, 20u);
}

}  // namespace
}  // namespace sweepd::replay::moment_test
