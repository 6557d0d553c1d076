// SPDX-License-Identifier: MIT
// Protects that a match goes on from a snapshot as if nothing had happened: whatever a random match is in,
// one restored from it, with any broadphase, says the same of every tick to come and of the past, and makes
// the same snapshots, byte for byte. Protects, too, that damaged snapshots are told, and that made-up ones do
// no harm.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"
#include "property/snapshot/random_match.h"

namespace sweepd::property::property_snapshot {
namespace {

using collision::BroadphaseKind;
using match::Match;
using match::MatchConfig;

std::unique_ptr<Match> make(const MatchConfig& config) {
  auto made = Match::create(config);
  if (!made) ADD_FAILURE() << made.error().field << ": " << made.error().description;
  return std::move(*made);
}

std::unique_ptr<Match> restored(const MatchConfig& config, std::string_view snapshot) {
  auto made = Match::restore(config, snapshot);
  if (!made) {
    ADD_FAILURE() << made.error().place << ": " << made.error().description;
    return nullptr;
  }
  return std::move(*made);
}

/// Others with --gtest_random_seed=1, 2, …
std::uint64_t first_seed() { return 1 + 1000 * static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)); }

/// After so many ticks, with frames that wait for the next.
std::unique_ptr<Match> played(const MatchConfig& config, std::uint64_t seed, int ticks) {
  auto match = make(config);
  RandomMatch script(seed);
  for (int tick = 0; tick <= ticks; ++tick) {
    for (const auto& call : script.next_calls(*match)) call(*match);
    if (tick < ticks) match->step();
  }
  return match;
}

/// What happened in all plays: what never happens is protected by none.
struct Seen {
  std::set<collision::ExitReason> exits;
  std::set<match::Verdict> verdicts;
  std::set<match::RejectionReason> rejections;
  std::set<collision::Excess> excesses;
  int sweeps = 0, strikes = 0, destructions = 0, handovers = 0, scores = 0, late = 0, away = 0, unlisted = 0;

  void note(const match::TickOutput& output) {
    for (const auto& event : output.events) {
      exits.insert(event.reason);
      if (event.time_of_impact != collision::kEndOfTick) ++sweeps;
    }
    for (const auto& verdict : output.claim_verdicts) {
      verdicts.insert(verdict.verdict);
      if (verdict.has_struck) ++strikes;
    }
    for (const auto& rejection : output.rejections) rejections.insert(rejection.reason);
    for (const auto& change : output.owner_changes) handovers += change.with_stage ? 1 : 0;
    destructions += static_cast<int>(output.destructions.size());
    scores += static_cast<int>(output.scores.size());
    late += static_cast<int>(output.late_participants.size());
    unlisted += static_cast<int>(output.rejections_not_listed.size());
  }
};

std::string excess_text(collision::Excess excess) { return std::to_string(static_cast<int>(excess)); }

/// One match that is never interrupted, and one that is saved and restored now and then.
class Play {
 public:
  explicit Play(std::uint64_t seed) : script_(seed), config_(random_config(seed)) {
    config_.broadphase =
        collision::kBroadphaseKinds[script_.random().index(collision::kBroadphaseKinds.size())];
    config_.budgets = random_budgets(seed);
    original_ = make(config_);
    other_ = make(config_);
  }

  void run(int ticks, Seen& seen) {
    for (int i = 0; i < ticks && !testing::Test::HasFailure(); ++i) {
      for (const auto& call : script_.next_calls(*original_)) {
        expect_equal(call);
        if (script_.random().chance(3)) save_and_restore();
      }
      expect_equal([&](Match& match) {
        const match::TickOutput& output = match.step();
        seen.note(output);
        return text_of(output);
      });
      seen.excesses.insert(original_->excess());
      if (original_->ended()) return expect_equal([](Match& match) { return excess_text(match.excess()); });
      for (const auto& participant : original_->participants()) seen.away += participant.is_away ? 1 : 0;
      for (const auto& call : script_.questions(*original_)) expect_equal(call);
      if (script_.random().chance(15)) save_and_restore();
    }
    if (testing::Test::HasFailure()) return;
    save_and_restore();
    expect_equal([&](Match& match) {
      const match::TickOutput& output = match.end();
      seen.note(output);
      return text_of(output);
    });
  }

 private:
  void expect_equal(const RandomMatch::Call& call) {
    if (testing::Test::HasFailure()) return;
    const std::string expected = call(*original_);
    ASSERT_EQ(call(*other_), expected) << "in tick " << original_->tick();
  }

  void save_and_restore() {
    if (testing::Test::HasFailure()) return;
    const std::string snapshot = original_->save();
    ASSERT_EQ(other_->save(), snapshot) << "in tick " << original_->tick();
    config_.broadphase =
        collision::kBroadphaseKinds[script_.random().index(collision::kBroadphaseKinds.size())];
    other_ = restored(config_, snapshot);
    ASSERT_NE(other_, nullptr);
    ASSERT_EQ(other_->save(), snapshot) << "in tick " << original_->tick();
  }

  RandomMatch script_;
  MatchConfig config_;
  std::unique_ptr<Match> original_;
  std::unique_ptr<Match> other_;
};

TEST(PropertySnapshot, AMatchGoesOnFromASnapshotAsIfNothingHadHappened) {
  Seen seen;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Play(seed).run(150, seen);
    if (HasFailure()) return;
  }
  for (int reason = 1; reason <= 12; ++reason) {
    EXPECT_TRUE(seen.exits.contains(static_cast<collision::ExitReason>(reason))) << reason;
  }
  for (int verdict = 1; verdict < 10; ++verdict) {
    EXPECT_TRUE(seen.verdicts.contains(static_cast<match::Verdict>(verdict))) << verdict;
  }
  for (const auto reason : {match::RejectionReason::kTooFast, match::RejectionReason::kTooManyFrames,
                            match::RejectionReason::kOutsidePlayfield, match::RejectionReason::kTooLate}) {
    EXPECT_TRUE(seen.rejections.contains(reason)) << static_cast<int>(reason);
  }
  for (int excess = 0; excess <= 3; ++excess) {
    EXPECT_TRUE(seen.excesses.contains(static_cast<collision::Excess>(excess))) << excess;
  }
  const std::map<std::string, int> counts = {
      {"sweeps", seen.sweeps},       {"strikes", seen.strikes},  {"destructions", seen.destructions},
      {"handovers", seen.handovers}, {"scores", seen.scores},    {"late", seen.late},
      {"away", seen.away},           {"unlisted", seen.unlisted}};
  for (const auto& [what, count] : counts) EXPECT_GT(count, 10) << what;
}

/// The content of each section, by its number, and the bytes before the first.
struct Taken {
  std::string header;
  std::vector<std::pair<std::uint8_t, std::string>> sections;
};

Taken take_apart(std::string_view snapshot) {
  base::ByteReader reader(snapshot);
  Taken taken{.header = std::string(reader.raw(13)), .sections = {}};
  while (reader.ok() && reader.remaining() > 0) {
    const std::uint8_t number = reader.byte();
    taken.sections.emplace_back(number, reader.raw(reader.count()));
    reader.word();
  }
  EXPECT_TRUE(reader.ok());
  return taken;
}

std::string put_together(const Taken& taken) {
  base::ByteWriter writer;
  writer.raw(taken.header);
  for (const auto& [number, content] : taken.sections) {
    writer.byte(number);
    writer.text(content);
    writer.word(base::hash_bytes(content, number));
  }
  return writer.take();
}

/// Something is changed; `bytes` are not empty.
void damage(std::string& bytes, Random& random) {
  const std::size_t at = random.index(bytes.size());
  const auto byte = static_cast<char>(random.between(0, 255));
  switch (random.index(6)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.erase(at, 1 + random.index(3));
      break;
    case 2:
      bytes.insert(at, 1 + random.index(3), byte);
      break;
    case 3:
      bytes[at] = static_cast<char>(bytes[at] + (random.chance(50) ? 1 : -1));
      break;
    default:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.index(8));
  }
}

TEST(PropertySnapshot, EverySnapshotThatIsNotAsItWasWrittenIsRefused) {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 4; ++seed) {
    const MatchConfig config = random_config(seed);
    const std::string snapshot = played(config, seed, 30)->save();
    Random random(seed);
    for (int i = 0; i < 500; ++i) {
      std::string damaged = snapshot;
      damage(damaged, random);
      if (damaged == snapshot) continue;
      const auto made = Match::restore(config, damaged);
      ASSERT_FALSE(made.ok());
      EXPECT_FALSE(made.error().place.empty());
      EXPECT_FALSE(made.error().description.empty());
    }
  }
}

/// Who makes a snapshot up can make its checksums up, too.
TEST(PropertySnapshot, FromASnapshotThatWasMadeUpComesAnErrorOrASoundMatch) {
  int sound = 0;
  std::map<std::string, int> refused;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 30; ++seed) {
    const MatchConfig config = random_config(seed);
    const Taken whole = take_apart(played(config, seed, 40)->save());
    RandomMatch script(seed);
    for (int i = 0; i < 150; ++i) {
      Taken damaged = whole;
      std::string& content = damaged.sections[script.random().index(damaged.sections.size())].second;
      for (std::size_t times = script.random().index(3) + 1; times > 0 && !content.empty(); --times) {
        damage(content, script.random());
      }
      auto made = Match::restore(config, put_together(damaged));
      if (!made) {
        ++refused[made.error().place.substr(0, made.error().place.find(','))];
        continue;
      }
      ++sound;
      Match& other = **made;
      ASSERT_TRUE(Match::restore(config, other.save()).ok());
      for (int tick = 0; tick < 12; ++tick) {
        for (const auto& call : script.next_calls(other)) call(other);
        other.step();
        for (const auto& call : script.questions(other)) call(other);
      }
      other.end();
    }
  }
  EXPECT_GT(sound, 100);
  for (const char* place : {"world", "owners", "seats", "history", "claims", "scoring", "scores"}) {
    EXPECT_GT(refused[place], 0) << place;
  }
}

}  // namespace
}  // namespace sweepd::property::property_snapshot
