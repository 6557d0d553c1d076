// SPDX-License-Identifier: MIT
//
// Protects a game that plays without a server: what the SDK wrote down of its run, a verification plays as
// the game meant it, frame by frame.
#include "sweepd/input_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tools/sweepctl/replay_files.h"
#include "verification/input_log_verification.h"

namespace sweepd::tools::input_log_test {
namespace {

namespace fs = std::filesystem;
using replay::ReplayVerdict;
using ::testing::HasSubstr;

MatchConfig shooter() {
  MatchConfig config;
  config.layers = {"player", "shot", "enemy"};
  config.collides = {{.layer_a = "player", .layer_b = "enemy"}, {.layer_a = "shot", .layer_b = "enemy"}};
  config.scoring.push_back({.name = "hit", .layer_a = "shot", .layer_b = "enemy", .points = 100});
  config.seed = 42;
  return config;
}

ObjectSpec box_at(Vec2 position, std::uint32_t layer) {
  ObjectSpec spec;
  spec.position = position;
  spec.parts = {{centered_box(8, 8), layer}};
  return spec;
}

/// Two players; one shoots three enemies, which stand in a row, one each ten ticks.
Result<InputLog> run() {
  MatchConfig config = shooter();
  config.seed = 0;
  auto log = InputLog::create(config, "nonce");
  auto ann = log->join("ann");
  auto bob = log->join("bob");
  EXPECT_EQ(ann->number(), 0u);
  EXPECT_EQ(bob->number(), 1u);
  const auto ship = ann->spawn(box_at({0, 0}, 0));
  EXPECT_TRUE(ann->end_frame().ok());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bob->spawn(box_at({100.0 * (i + 1), 0}, 2)).ok());
  EXPECT_TRUE(bob->end_frame().ok());
  EXPECT_TRUE(log->end_tick().ok());
  ObjectSpec shot = box_at({0, 0}, 1);
  shot.motion = Motion{.velocity = {10, 0}};
  EXPECT_TRUE(ann->spawn(shot).ok());
  for (int tick = 0; tick < 40; ++tick) {
    EXPECT_TRUE(ann->move(*ship, {0, 1.0 * tick}).ok());
    EXPECT_TRUE(ann->end_frame().ok());
    EXPECT_TRUE(log->end_tick().ok());
  }
  return log;
}

replay::Verification verified(std::string_view bytes, const replay::VerificationOptions& options = {}) {
  return verification::verify_any(bytes, options);
}

TEST(InputLog, IsPlayedAsTheGamePlayedIt) {
  auto log = run();
  ASSERT_TRUE(log->finish({.claimed_scores = {{.participant = 0, .name = "ann", .score = 300}}}).ok());
  EXPECT_EQ(log->tick(), 41u);
  const auto result = verified(*log->bytes());
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.ticks_played, 41u);
  ASSERT_EQ(result.scores.size(), 2u);
  EXPECT_EQ(result.scores[0].score, 300);
  EXPECT_EQ(result.scores[1].score, 0);
}

TEST(InputLog, OfALiarIsNotBelieved) {
  auto log = run();
  ASSERT_TRUE(log->finish({.claimed_scores = {{.participant = 1, .name = "bob", .score = 1}}}).ok());
  EXPECT_EQ(verified(*log->bytes()).verdict, ReplayVerdict::kScoreMismatch);
}

TEST(InputLog, CanEndItsMatchAndKnowItsDigest) {
  auto ended = run();
  ASSERT_TRUE(ended->finish({.match_ended = true}).ok());
  const auto first = verified(*ended->bytes());
  EXPECT_EQ(first.verdict, ReplayVerdict::kVerified) << first.what;
  EXPECT_EQ(first.ticks_played, 42u);
  auto again = run();
  ASSERT_TRUE(again->finish({.match_ended = true, .final_digest = first.digest}).ok());
  EXPECT_EQ(verified(*again->bytes()).verdict, ReplayVerdict::kVerified);
  auto other = run();
  ASSERT_TRUE(other->finish({.match_ended = true, .final_digest = first.digest + 1}).ok());
  EXPECT_EQ(verified(*other->bytes()).verdict, ReplayVerdict::kDiverged);
}

TEST(InputLog, IsOfTheNonceThatItWasGiven) {
  auto log = run();
  ASSERT_TRUE(log->finish({}).ok());
  replay::VerificationOptions options;
  options.nonce = "nonce";
  EXPECT_EQ(verified(*log->bytes(), options).verdict, ReplayVerdict::kVerified);
  options.nonce = "later";
  EXPECT_EQ(verified(*log->bytes(), options).verdict, ReplayVerdict::kDiverged);
}

TEST(InputLog, HasTheSeedOfItsNonce) {
  // printf nonce | sha256sum: 78377b525757b494...
  constexpr std::uint64_t kSeed = 0x94b45757527b3778;
  MatchConfig config = shooter();
  EXPECT_EQ(InputLog::create(config)->seed(), 42u);
  const auto refused = InputLog::create(config, "nonce").status();
  EXPECT_EQ(refused.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.field(), "config.seed");
  EXPECT_THAT(refused.message(), HasSubstr("is 42; with this nonce it has to be " + std::to_string(kSeed)));
  config.seed = 0;
  auto log = InputLog::create(config, "nonce");
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(log->seed(), kSeed);
  EXPECT_NE(InputLog::create(config, "other")->seed(), kSeed);
  config.seed = kSeed;
  EXPECT_TRUE(InputLog::create(config, "nonce").ok());
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_EQ(verified(*log->bytes()).verdict, ReplayVerdict::kVerified) << verified(*log->bytes()).what;
}

TEST(InputLog, GivesTheNumbersThatAServerGives) {
  auto log = InputLog::create(shooter());
  auto ann = log->join("ann");
  auto bob = log->join("bob", Role::kStage);
  auto eve = log->join("eve", Role::kObserver);
  EXPECT_EQ(eve->number(), 64u);
  EXPECT_EQ(log->join("ann").status().code(), ErrorCode::kAlreadyExists);
  EXPECT_EQ(log->join("").status().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(eve->spawn(box_at({0, 0}, 0)).status().code(), ErrorCode::kFailedPrecondition);
  ASSERT_TRUE(ann->spawn(box_at({0, 0}, 0)).ok());
  ASSERT_TRUE(ann->end_frame().ok());
  ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(ann->leave().ok());
  EXPECT_EQ(ann->move(1, {0, 0}).code(), ErrorCode::kNotJoined);
  EXPECT_EQ(log->join("cid").status().code(), ErrorCode::kFailedPrecondition);
  ASSERT_TRUE(log->end_tick().ok());
  const auto cid = log->join("cid");
  EXPECT_EQ(cid->number(), 0u);
  EXPECT_EQ(cid->first_id(), 1u);
  EXPECT_EQ(bob->first_id(), 1u + (1u << 20));
  ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_EQ(verified(*log->bytes()).verdict, ReplayVerdict::kVerified) << verified(*log->bytes()).what;
}

TEST(InputLog, KeepsTheSlotsOfItsConfig) {
  MatchConfig config = shooter();
  config.slots = {{.name = "left", .role = Role::kPlayer, .first_id = 500, .last_id = 599},
                  {.name = "right", .role = Role::kPlayer, .first_id = 600, .last_id = 699}};
  auto log = InputLog::create(config);
  EXPECT_EQ(log->join("nobody").status().code(), ErrorCode::kNotFound);
  EXPECT_EQ(log->join("left", Role::kStage).status().code(), ErrorCode::kNotFound);
  auto right = log->join("right");
  EXPECT_EQ(right->number(), 1u);
  EXPECT_EQ(*right->spawn(box_at({0, 0}, 0)), 600u);
  ASSERT_TRUE(right->end_frame().ok());
  ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_EQ(verified(*log->bytes()).verdict, ReplayVerdict::kVerified) << verified(*log->bytes()).what;
}

TEST(InputLog, SaysWhatItCannotTake) {
  EXPECT_EQ(InputLog::create(shooter(), std::string(65, 'n')).status().field(), "nonce");
  auto log = InputLog::create(shooter());
  auto ann = log->join("ann");
  ASSERT_TRUE(ann->spawn(box_at({0, 0}, 0)).ok());
  EXPECT_FALSE(ann->spawn(box_at({0, 0}, 9)).ok());
  EXPECT_EQ(ann->despawn(0).code(), ErrorCode::kUnknownObject);
  EXPECT_EQ(log->finish({}).code(), ErrorCode::kFailedPrecondition);  // The tick is not over.
  ASSERT_TRUE(log->end_tick().ok());
  std::vector<Score> claims(4097, Score{.name = "ann"});
  EXPECT_EQ(log->finish({.claimed_scores = claims}).field(), "claimed_scores");
  const Status nameless = log->finish({.claimed_scores = {Score{.name = "ann"}, Score{}}});
  EXPECT_EQ(nameless.field(), "claimed_scores[1].name");
  EXPECT_THAT(nameless.message(), HasSubstr("has 0 bytes; 1 to 64 are allowed"));
  const Status long_name = log->finish({.claimed_scores = {Score{.name = std::string(65, 'n')}}});
  EXPECT_EQ(long_name.field(), "claimed_scores[0].name");
  EXPECT_THAT(long_name.message(), HasSubstr("has 65 bytes; 1 to 64 are allowed"));
  EXPECT_FALSE(log->is_finished());
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_TRUE(log->is_finished());
  EXPECT_EQ(log->finish({}).code(), ErrorCode::kFailedPrecondition);
  EXPECT_EQ(log->end_tick().code(), ErrorCode::kFailedPrecondition);
  EXPECT_EQ(ann->end_frame().code(), ErrorCode::kNotJoined);
}

TEST(InputLog, HasATicksWorthOfFramesInATick) {
  auto log = InputLog::create(shooter());
  auto ann = log->join("ann");
  for (int i = 0; i < 200'000; ++i) (void)ann->move(static_cast<ObjectId>(i + 1), {1.0 * i, 0}).ok();
  EXPECT_EQ(ann->end_frame().code(), ErrorCode::kResourceExhausted);
  ASSERT_TRUE(ann->spawn(box_at({0, 0}, 0)).ok());
  EXPECT_TRUE(ann->end_frame().ok());
  ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_EQ(verified(*log->bytes()).verdict, ReplayVerdict::kVerified);
}

TEST(InputLog, GivesObserversTheLowestFreeNumbersAsTheServerDoes) {
  auto log = InputLog::create(shooter());
  std::vector<InputSeat> seats;
  const auto join = [&](const std::string& name) {
    auto seat = log->join(name, Role::kObserver);
    ASSERT_TRUE(seat.ok()) << seat.status().message();
    seats.push_back(*std::move(seat));
  };
  for (const char* name : {"a", "b", "c", "d"}) join(name);
  ASSERT_TRUE(seats[2].leave().ok() && seats[0].leave().ok());
  ASSERT_TRUE(log->end_tick().ok());
  for (const char* name : {"a", "c", "e"}) join(name);
  EXPECT_EQ(log->join("c", Role::kObserver).status().code(), ErrorCode::kAlreadyExists);
  ASSERT_TRUE(log->end_tick().ok());
  std::vector<ParticipantNumber> numbers;
  for (const InputSeat& seat : seats) numbers.push_back(seat.number());
  EXPECT_EQ(numbers, (std::vector<ParticipantNumber>{64, 65, 66, 67, 64, 66, 68}));
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_EQ(verified(*log->bytes()).verdict, ReplayVerdict::kVerified) << verified(*log->bytes()).what;
}

TEST(InputLog, HasNoMoreSlotsThanAMatch) {
  MatchConfig config = shooter();
  config.slots.resize(65);
  EXPECT_EQ(InputLog::create(config).status().field(), "config.slots");
}

TEST(InputLog, CountsJoinsAndLeavesAmongWhatComesInInATick) {
  auto log = InputLog::create(shooter());
  auto ann = log->join("ann");
  int joined = 0;
  Status refused;
  for (; refused.ok() && joined < 20'000; ++joined) {
    refused = log->join(std::string(50, 'o') + std::to_string(joined), Role::kObserver).status();
  }
  EXPECT_EQ(refused.code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(refused.field(), "inputs");
  EXPECT_THAT(refused.message(), HasSubstr("at most 1048576 are allowed"));
  EXPECT_GT(joined, 5'000);
  const auto despawns_are_taken = [&ann](int count) {
    for (int i = 0; i < count; ++i) {
      if (!ann->despawn(1).ok()) return false;
    }
    return ann->end_frame().ok();
  };
  while (despawns_are_taken(1'000)) {
  }
  while (despawns_are_taken(1)) {
  }
  EXPECT_EQ(ann->leave().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(ann->first_id(), 1u);  // It still plays.
  ASSERT_TRUE(log->end_tick().ok());
  EXPECT_TRUE(ann->leave().ok());
  ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_NE(verified(*log->bytes()).verdict, ReplayVerdict::kMalformed) << verified(*log->bytes()).what;
}

TEST(InputLog, ThatIsFullEndsWithTheTickBefore) {
  auto log = InputLog::create(shooter());
  auto ann = log->join("ann");
  while (log->tick() < (1u << 20) - 1) ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(ann->spawn(box_at({0, 0}, 0)).ok());
  ASSERT_TRUE(ann->end_frame().ok());
  EXPECT_EQ(log->end_tick().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(log->end_tick().code(), ErrorCode::kResourceExhausted);
  ASSERT_TRUE(ann->spawn(box_at({0, 0}, 0)).ok());
  EXPECT_EQ(ann->end_frame().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(log->join("bob").status().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(ann->leave().code(), ErrorCode::kResourceExhausted);
  const Status ended = log->finish({.match_ended = true});
  EXPECT_EQ(ended.code(), ErrorCode::kFailedPrecondition);
  EXPECT_EQ(ended.field(), "match_ended");
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_EQ(log->tick(), (1u << 20) - 1);
  const auto result = verified(*log->bytes());
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.ticks_played, (1u << 20) - 1);
}

TEST(InputLog, IsShownToNobodyBeforeItIsFinished) {
  auto log = run();
  EXPECT_EQ(log->bytes().status().code(), ErrorCode::kFailedPrecondition);
  const fs::path path = fs::temp_directory_path() / ("unfinished_" + std::to_string(::getpid()) + ".swpi");
  EXPECT_EQ(log->write(path.string()).code(), ErrorCode::kFailedPrecondition);
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(log->finish({}).ok());
  EXPECT_TRUE(log->bytes().ok());
}

TEST(InputLog, IsWrittenWhole) {
  auto log = run();
  ASSERT_TRUE(log->finish({}).ok());
  const fs::path path = fs::temp_directory_path() / ("input_log_" + std::to_string(::getpid()) + ".swpi");
  ASSERT_TRUE(log->write(path.string()).ok());
  EXPECT_EQ(*read_replay(path.string()), *log->bytes());
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
  fs::remove(path);
  EXPECT_FALSE(log->write("/nowhere/at/all").ok());
}

}  // namespace
}  // namespace sweepd::tools::input_log_test
