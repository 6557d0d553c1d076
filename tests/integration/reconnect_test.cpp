// SPDX-License-Identifier: MIT
//
// Protects a participant's seat from a broken connection, and from all but that participant: a client
// that has the token comes back to the same seat, others do not; a participant that leaves is gone at once.
#include "integration/support/stream_match.h"

namespace sweepd::test::reconnect_test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class Reconnect : public StreamTest {
 protected:
  /// Joins as Ann; her stream is `ann_`.
  v1::Joined join_ann() {
    ann_.emplace(*stub_);
    return ann_->joined(join_as("ann"));
  }

  v1::Join back(const v1::Joined& joined) const {
    v1::Join join;
    join.set_match_id(match_id_);
    join.set_name("ann");
    join.set_reconnect_token(joined.reconnect_token());
    return resumed_after(join, joined.epoch(), joined.match().events());
  }

  /// A point on the layer of players.
  static v1::Frame spawn_point(std::uint32_t id, std::int32_t x) {
    v1::Frame frame;
    v1::Spawn& spawn = *frame.add_spawns();
    spawn.set_object_id(id);
    spawn.set_x(x);
    spawn.add_parts()->set_layer(0);
    return frame;
  }

  /// Breaks Ann's stream and waits until the server has seen it.
  void cut() {
    ann_->cut();
    ASSERT_TRUE(eventually([&] { return participant().is_away(); }));
  }

  v1::Participant participant() {
    const v1::Match match = get_match();
    for (const auto& participant : match.participants()) {
      if (participant.name() == "ann") return participant;
    }
    return {};
  }

  std::string refusal(const v1::Join& join) {
    RawStream stream(*stub_);
    stream.join(join);
    const grpc::Status status = stream.finish();
    return refusal_text(status);
  }

  /// Sequence numbers up to `tick`.
  static std::vector<std::uint64_t> numbers_through(RawStream& stream, Tick tick) {
    std::vector<std::uint64_t> numbers;
    while (const auto response = stream.read()) {
      for (const std::uint64_t number : numbers_of(response->update())) numbers.push_back(number);
      if (response->update().tick() >= tick) break;
    }
    return numbers;
  }

  /// Who is away, as a watcher is told first: with an update up to that of `tick`, at the latest. A stream
  /// that has just begun may be told before the next tick, or have an update before it that knows nothing
  /// yet.
  static std::optional<std::vector<std::uint32_t>> told_away(RawWatch& watch, Tick tick) {
    while (const auto response = watch.read()) {
      if (response->update().has_participants_away()) {
        const auto& numbers = response->update().participants_away().numbers();
        return std::vector<std::uint32_t>(numbers.begin(), numbers.end());
      }
      if (response->update().tick() >= tick) break;
    }
    return std::nullopt;
  }

  std::optional<RawStream> ann_;
};

TEST_F(Reconnect, WhoHasTheTokenComesBackToTheSameSeatAndMissesNothing) {
  begin();
  const v1::Joined first = join_ann();
  EXPECT_THAT(first.reconnect_token(), SizeIs(16));
  run(3);
  cut();
  run(5);
  RawStream again(*stub_);
  const v1::Joined second = again.joined(back(first));
  EXPECT_TRUE(second.resumed());
  EXPECT_EQ(second.epoch(), first.epoch());
  EXPECT_EQ(second.open_encounters_size(), 0);
  EXPECT_EQ(second.participant().number(), first.participant().number());
  EXPECT_EQ(second.participant().first_id(), first.participant().first_id());
  EXPECT_THAT(second.reconnect_token(), SizeIs(16));
  EXPECT_NE(second.reconnect_token(), first.reconnect_token());
  run(2);
  EXPECT_EQ(numbers_through(again, 11), numbers(1, 10));
  EXPECT_FALSE(participant().is_away());
}

TEST_F(Reconnect, TheOthersSeeWhoIsAwayAndWhoIsBack) {
  begin();
  const v1::Joined joined = join_ann();
  Watcher watcher = client_->watch(match_id_);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  RawWatch raw(*stub_, watch_request());
  raw.started();
  cut();
  run(1);
  const auto away = told_away(raw, 2);
  ASSERT_TRUE(away);
  EXPECT_THAT(*away, ElementsAre(joined.participant().number()));
  RawWatch late(*stub_, watch_request());
  EXPECT_TRUE(late.started().match().participants(1).is_away());
  RawStream again(*stub_);
  again.joined(back(joined));
  run(1);
  const auto still_away = told_away(raw, 3);
  ASSERT_TRUE(still_away);
  EXPECT_THAT(*still_away, ElementsAre());
}

TEST_F(Reconnect, ASeatIsKeptForItsTicksAndNotOneMore) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.reconnect_ticks = 7;
  for (const std::uint32_t ticks : {7u, 8u}) {
    begin(config);
    const v1::Joined joined = join_ann();
    cut();
    run(ticks);
    if (ticks == 7) {
      RawStream again(*stub_);
      EXPECT_EQ(again.joined(back(joined)).participant().number(), joined.participant().number());
    } else {
      EXPECT_EQ(refusal(back(joined)), "7 INVALID_TOKEN");
      EXPECT_EQ(get_match().participants_size(), 1);
    }
  }
}

TEST_F(Reconnect, WithoutReconnectTicksTheSeatIsGoneAtOnce) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.reconnect_ticks = 0;
  begin(config);
  const v1::Joined joined = join_ann();
  ann_->cut();
  ASSERT_TRUE(eventually([&] { return get_match().participants_size() == 1; }));
  EXPECT_EQ(refusal(back(joined)), "7 INVALID_TOKEN");
}

TEST_F(Reconnect, NobodyElseGetsIn) {
  begin();
  const v1::Joined joined = join_ann();
  v1::Join wrong = back(joined);
  wrong.mutable_reconnect_token()->back() ^= 1;
  EXPECT_EQ(refusal(wrong), "7 INVALID_TOKEN");
  wrong = back(joined);
  wrong.set_name("driver");
  EXPECT_EQ(refusal(wrong), "7 INVALID_TOKEN") << "a token is for its own seat";
  wrong.set_name("nobody");
  EXPECT_EQ(refusal(wrong), "7 INVALID_TOKEN");
  wrong.set_match_id("aaaaaaaaaaaaaaaa");
  EXPECT_EQ(refusal(wrong), "5 MATCH_NOT_FOUND");
  EXPECT_EQ(refusal(join_as("ann")), "6 NAME_TAKEN") << "without a token her name is taken, here or away";
  cut();
  EXPECT_EQ(refusal(join_as("ann")), "6 NAME_TAKEN");
  EXPECT_EQ(get_match().participants_size(), 2);
}

TEST_F(Reconnect, AStreamThatStillHangsOnTheSeatIsReplaced) {
  begin();
  const v1::Joined joined = join_ann();
  RawStream second(*stub_);
  second.joined(back(joined));
  const grpc::Status status = ann_->finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_EQ(describe(status), "REPLACED");
  run(1);
  EXPECT_EQ(numbers_through(second, 2), numbers(1, 1));
  EXPECT_FALSE(participant().is_away()) << "the end of the old stream is nothing to the new one";
}

TEST_F(Reconnect, ATokenIsGoodUntilTheNextHasArrived) {
  begin();
  const v1::Joined first = join_ann();
  {
    RawStream lost(*stub_);
    lost.join(back(first));
    ASSERT_TRUE(lost.read());
  }
  RawStream again(*stub_);
  const v1::Joined next = again.joined(back(first));
  v1::Frame frame;
  frame.set_acknowledged_tick(1);
  again.send(frame);
  ASSERT_TRUE(eventually([&] { return participant().acknowledged_tick() == 1; }));
  EXPECT_EQ(refusal(back(first)), "7 INVALID_TOKEN") << "its frame says that it has the next";
  RawStream last(*stub_);
  EXPECT_EQ(last.joined(back(next)).participant().number(), first.participant().number());
}

TEST_F(Reconnect, LeavingAndHalfClosingGiveUpTheSeat) {
  begin();
  for (const bool says_so : {true, false}) {
    const v1::Joined joined = join_ann();
    if (says_so) {
      v1::PlayRequest leave;
      leave.mutable_leave();
      ann_->send(leave);
    } else {
      ann_->half_close();
    }
    EXPECT_TRUE(ann_->finish().ok());
    ASSERT_TRUE(eventually([&] { return get_match().participants_size() == 1; }));
    EXPECT_EQ(refusal(back(joined)), "7 INVALID_TOKEN");
  }
}

TEST_F(Reconnect, ObjectsStayAndWaitingFramesApplyWhileItsOwnerIsAway) {
  begin();
  const v1::Joined joined = join_ann();
  const std::uint32_t id = joined.participant().first_id();
  ann_->send(spawn_point(id, 100 * 256));
  v1::Frame later;
  later.set_tick(4);
  later.mutable_moves()->add_id_delta(id);
  later.mutable_moves()->add_dx(-99 * 256);
  later.mutable_moves()->add_dy(0);
  ann_->send(later);
  later.set_tick(5);
  later.add_despawns(4'000'000'000u);  // Not hers: a rejection that comes while she is away.
  later.clear_moves();
  ann_->send(later);
  ASSERT_TRUE(eventually([&] {
    run(1);
    return participant().objects() == 1;
  }));
  cut();
  const Tick tick = get_match().tick();
  run(6);
  EXPECT_EQ(participant().objects(), 1u);
  EXPECT_EQ(participant().rejections(), 1u);
  EXPECT_LT(tick, 4u);

  RawStream again(*stub_);
  again.joined(back(joined));
  bool has_met = false;
  v1::Rejection rejection;
  while (const auto response = again.read()) {
    for (const std::uint32_t object : response->update().events().object_b()) has_met |= object == id;
    if (response->update().rejections_size() > 0) rejection = response->update().rejections(0);
    if (response->update().tick() >= tick + 6) break;
  }
  EXPECT_TRUE(has_met) << "the frame for tick 4 moved her onto the enemy";
  EXPECT_EQ(rejection.field(), "despawns[0]");
}

TEST_F(Reconnect, RelativeMovesBeginAnewWithANewStream) {
  begin();
  const v1::Joined joined = join_ann();
  const std::uint32_t id = joined.participant().first_id();
  ann_->send(spawn_point(id, 500));  // The enemy's right edge is at 1024.
  ASSERT_TRUE(eventually([&] {
    run(1);
    return participant().objects() == 1;
  }));
  cut();
  RawStream again(*stub_);
  again.joined(back(joined));
  const auto move = [&](std::int32_t dx) {
    v1::Frame relative;
    relative.mutable_moves()->add_id_delta(id);
    relative.mutable_moves()->add_dx(dx);
    relative.mutable_moves()->add_dy(0);
    relative.set_acknowledged_tick(get_match().tick());
    again.send(relative);
    ASSERT_TRUE(
        eventually([&] { return participant().acknowledged_tick() == relative.acknowledged_tick(); }));
    run(1);
  };
  move(1024);
  EXPECT_EQ(client_->list_encounters(match_id_, id)->size(), 1u) << "its base is 0, not where it was";
  move(1);
  EXPECT_EQ(client_->list_encounters(match_id_, id)->size(), 0u) << "and then what this stream sent";
}

TEST_F(Reconnect, ComesBackToAMatchOnAnotherLoop) {
  stopped_by_test_ = true;
  start({"--loops", "2"});
  client_.emplace(client());
  stub_ =
      v1::MatchService::NewStub(grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  for (int i = 0; i < 6; ++i) {  // Connections and matches spread over the loops: some pairs are apart.
    begin();
    const v1::Joined joined = join_ann();
    cut();
    run(4);
    RawStream again(*stub_);
    EXPECT_TRUE(again.joined(back(joined)).resumed());
    EXPECT_EQ(numbers_through(again, 5), numbers(1, 4));
  }
}

TEST_F(Reconnect, WhatAJoinAsksWronglyIsNamed) {
  begin();
  const auto fault = [&](const std::function<void(v1::Join&)>& spoil) {
    v1::Join join = join_as("ann");
    spoil(join);
    return refusal(join);
  };
  EXPECT_EQ(fault([](v1::Join& join) { join.mutable_filter()->add_layers(4); }),
            "3 INVALID_JOIN join.filter.layers[0]");
  EXPECT_EQ(fault([](v1::Join& join) { join.mutable_filter()->add_object_ids(0); }),
            "3 INVALID_JOIN join.filter.object_ids[0]");
  EXPECT_EQ(fault([](v1::Join& join) { join.mutable_queue_policy()->set_events_max(32769); }),
            "3 INVALID_JOIN join.queue_policy.events_max");
  EXPECT_EQ(fault([&](v1::Join& join) { join = resumed_after(join, get_match().epoch(), 99); }),
            "3 INVALID_JOIN join.resume.last_sequence_number");
  EXPECT_EQ(get_match().participants_size(), 1) << "no seat was taken";
}

}  // namespace
}  // namespace sweepd::test::reconnect_test
