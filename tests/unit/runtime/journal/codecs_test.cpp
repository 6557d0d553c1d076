// SPDX-License-Identifier: MIT
//
// Protects what the journal keeps of a match beside its ticks: it comes back as it was, and bytes that are
// something else are refused, whatever they are.
#include <gtest/gtest.h>

#include "property/random.h"
#include "recordings/random_match.h"
#include "runtime/journal/match_key_frame.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/stored_state.h"

namespace sweepd::runtime::codecs_test {
namespace {

StoredState some_state() {
  StoredState state{.tick = 700, .clock = {.is_paused = true, .tick_rate_hz = 59}};
  state.lives.begin({0x1234567890abcdef, 0, 0});
  state.lives.begin({7, 650, 1'000'000});
  state.tokens = {{1, {}}, {4000, {}}};
  state.tokens[1].digest.fill('\x7f');
  state.arrivals = {match::Join{"carla", match::Role::kStage, 3}, match::Leave{3}, match::Away{1},
                    match::Back{1}};
  return state;
}

MatchOrigin some_origin() {
  const auto match = std::move(match::Match::create(recordings::random_match_config(3)).value());
  return {"a-match", -5, replay::head_of(*match, "a-match", "a nonce")};
}

MatchKeyFrame some_key_frame() {
  recordings::RandomMatch match(4);
  MatchKeyFrame key_frame;
  for (int i = 0; i < 30; ++i) key_frame.cast.note(match.play_tick().inputs);
  key_frame.tick = match.match().tick();
  key_frame.digest = match.match().digest();
  key_frame.snapshot = match.match().save();
  return key_frame;
}

TEST(StoredStates, ComeBackAsTheyWere) {
  const StoredState state = some_state();
  const auto read = decode_state(encode(state));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tick, 700u);
  EXPECT_TRUE(read->clock.is_paused);
  EXPECT_EQ(read->clock.tick_rate_hz, 59u);
  EXPECT_EQ(read->lives.all(), state.lives.all());
  EXPECT_EQ(read->tokens, state.tokens);
  ASSERT_EQ(read->arrivals.size(), 4u);
  EXPECT_EQ(std::get<match::Join>(read->arrivals[0]), std::get<match::Join>(state.arrivals[0]));
  EXPECT_EQ(std::get<match::Leave>(read->arrivals[1]).number, 3u);
  EXPECT_EQ(std::get<match::Away>(read->arrivals[2]).number, 1u);
  EXPECT_EQ(std::get<match::Back>(read->arrivals[3]).number, 1u);
  EXPECT_EQ(encode(*read), encode(state));
}

TEST(StoredStates, KeepTheOwnersOfSeats) {
  StoredState state = some_state();
  state.owners = {{1, "ann"}, {3, std::string(512, 'b')}};
  const auto read = decode_state(encode(state));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->owners, state.owners);
  EXPECT_EQ(read->lives.all(), state.lives.all());
  EXPECT_EQ(encode(*read), encode(state));
}

TEST(StoredStates, KeepTheClocksHistoryAndWhoHeldSeats) {
  StoredState state = some_state();
  state.timeline = {.start_unix_ms = 5, .end_unix_ms = 9};
  state.timeline.note({300, 7, true, 30, false});
  state.timeline.changes_omitted = 2;
  const auto earlier = decode_state(encode(state));
  ASSERT_TRUE(earlier);
  EXPECT_EQ(earlier->timeline, state.timeline);
  state.holders = {{1, "ann", {"ann@example", "issuer", ""}}, {2, "bob", {"bob@example", "", "eu"}}};
  const auto read = decode_state(encode(state));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->timeline, state.timeline);
  EXPECT_EQ(read->holders, state.holders);
  EXPECT_EQ(encode(*read), encode(state));
  EXPECT_FALSE(decode_state(encode(state) + '\0'));
}

TEST(StoredStates, KeepWhatDamageHasCostEachLife) {
  StoredState state = some_state();
  state.durable_tick_before = 1'300;
  state.lives.begin({99, 1'000, 500, 434});
  const auto read = decode_state(encode(state));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->durable_tick_before, 1'300u);
  EXPECT_EQ(read->lives.all(), state.lives.all());
  EXPECT_EQ(read->lives.lost_ticks(), 434u);
}

TEST(StoredStates, OfARateThatNoMatchCanHaveAreRefused) {
  for (const std::uint32_t rate : {0u, 241u}) {
    StoredState state = some_state();
    state.clock.tick_rate_hz = rate;
    EXPECT_FALSE(decode_state(encode(state))) << rate;
  }
}

TEST(StoredStates, OfARoleThatNobodyHasAreRefused) {
  for (const std::uint8_t role : {std::uint8_t{0}, std::uint8_t{4}}) {
    StoredState state = some_state();
    state.arrivals = {match::Join{"carla", static_cast<match::Role>(role), 3}};
    EXPECT_FALSE(decode_state(encode(state))) << int{role};
  }
}

TEST(MatchOrigins, ComeBackAsTheyWere) {
  const MatchOrigin origin = some_origin();
  const auto read = decode_origin(encode(origin));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, origin.id);
  EXPECT_EQ(read->create_time_unix_ms, -5);
  EXPECT_EQ(read->head.config_bytes, origin.head.config_bytes);
  EXPECT_EQ(read->head.initial_digest, origin.head.initial_digest);
  EXPECT_EQ(read->head.nonce, "a nonce");
  EXPECT_EQ(encode(*read), encode(origin));
}

TEST(MatchOrigins, KeepWhoseTheyAre) {
  MatchOrigin origin = some_origin();
  origin.budget_key = "ipv4:10.0.0.1";
  EXPECT_EQ(decode_origin(encode(origin))->budget_key, "ipv4:10.0.0.1");
  origin.budget_key = std::string(1'000, 'x');
  EXPECT_FALSE(decode_origin(encode(origin)));
}

TEST(MatchKeyFrames, ComeBackAsTheyWere) {
  const MatchKeyFrame key_frame = some_key_frame();
  const auto read = decode_key_frame(encode(key_frame));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tick, 30u);
  EXPECT_EQ(read->digest, key_frame.digest);
  EXPECT_EQ(read->cast, key_frame.cast);
  EXPECT_EQ(read->snapshot, key_frame.snapshot);
  EXPECT_EQ(read->version, match::kSnapshotVersion);
  const auto match = match::Match::restore(recordings::random_match_config(4), read->snapshot);
  ASSERT_TRUE(match.ok());
  EXPECT_EQ(match.value()->digest(), key_frame.digest);
}

TEST(MatchKeyFrames, KeepWhenTheirTickRan) {
  MatchKeyFrame key_frame = some_key_frame();
  key_frame.unix_ms = 1'700'000'000'000;
  EXPECT_EQ(decode_key_frame(encode(key_frame))->unix_ms, key_frame.unix_ms);
}

template <typename Decode>
void expect_prefixes_refused(const std::string& bytes, Decode decode) {
  EXPECT_TRUE(decode(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) ASSERT_FALSE(decode(bytes.substr(0, size))) << size;
  EXPECT_FALSE(decode(bytes + '\0'));
}

TEST(PartsOfTheJournal, AreRefusedWhereTheyAreCutOffOrHaveMore) {
  expect_prefixes_refused(encode(some_state()), decode_state);
  expect_prefixes_refused(encode(some_origin()), decode_origin);
  expect_prefixes_refused(encode(some_key_frame()), decode_key_frame);
}

/// Nothing but that it returns: what changes a meaning and not the form is for the sums to find.
TEST(PartsOfTheJournal, OfAnyBytesDoNoHarm) {
  property::Random random(7);
  const std::string wholes[] = {encode(some_state()), encode(some_origin()), encode(some_key_frame())};
  std::size_t refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = wholes[i % 3];
    for (std::int64_t n = random.between(1, 8); n > 0; --n)
      bytes[random.index(bytes.size())] = static_cast<char>(random.between(0, 255));
    if (random.chance(30)) bytes = bytes.substr(random.index(bytes.size()));
    refused += decode_state(bytes) ? 0 : 1;
    refused += decode_origin(bytes) ? 0 : 1;
    refused += decode_key_frame(bytes) ? 0 : 1;
  }
  EXPECT_GT(refused, 20'000u);
}

}  // namespace
}  // namespace sweepd::runtime::codecs_test
