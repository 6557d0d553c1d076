// SPDX-License-Identifier: MIT
//
// Protects streams that several participants share: each of them has a seat of its own and its own right and
// wrong, one that is refused, leaves or goes elsewhere takes no other along, and a stream that breaks takes
// all of them away and brings them back one by one.
#include "integration/support/stream_match.h"

namespace sweepd::test::shared_stream_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// "CODE REASON" of a refusal.
std::string text_of(const v1::JoinRefused& refused) {
  std::string text = std::to_string(refused.code());
  text += ' ';
  text += refused.reason();
  return text;
}

v1::PlayRequest in_one_message(const std::vector<v1::Frame>& frames) {
  v1::PlayRequest request;
  for (const v1::Frame& frame : frames) *request.mutable_frames()->add_frames() = frame;
  return request;
}

class SharedStream : public ManualMatchTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    stub_ = v1::MatchService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  }

  v1::Join join_of(const std::string& name) const {
    v1::Join join;
    join.set_match_id(match_id_);
    join.set_name(name);
    join.set_role(v1::ROLE_PLAYER);
    join.set_is_shared(true);
    return join;
  }

  static v1::Join further(const std::string& name) {
    v1::Join join;
    join.set_name(name);
    join.set_role(v1::ROLE_PLAYER);
    return join;
  }

  static v1::Join back(const v1::Joined& joined) {
    v1::Join join;
    join.set_name(joined.participant().name());
    join.set_reconnect_token(joined.reconnect_token());
    return join;
  }

  /// Reads until a join is answered.
  static v1::PlayResponse answer(RawStream& stream) {
    while (auto response = stream.read()) {
      if (response->has_joined() || response->has_join_refused()) return *response;
    }
    ADD_FAILURE() << "the stream ended";
    return {};
  }

  static v1::Joined join_also(RawStream& stream, const v1::Join& join) {
    stream.join(join);
    const v1::PlayResponse response = answer(stream);
    EXPECT_TRUE(response.has_joined()) << response.join_refused().message();
    return response.joined();
  }

  static std::string refusal(RawStream& stream, const v1::Join& join) {
    stream.join(join);
    const v1::PlayResponse response = answer(stream);
    EXPECT_TRUE(response.has_join_refused());
    EXPECT_EQ(response.join_refused().name(), join.name());
    return text_of(response.join_refused());
  }

  static v1::Frame spawn_of(const v1::Participant& participant, std::uint32_t nth = 0, std::int32_t x = 0) {
    v1::Frame frame;
    frame.set_participant(participant.number());
    v1::Spawn& spawn = *frame.add_spawns();
    spawn.set_object_id(participant.first_id() + nth);
    spawn.set_x(x);
    v1::Part& part = *spawn.add_parts();
    part.mutable_box()->set_max_x(256);
    part.mutable_box()->set_max_y(256);
    return frame;
  }

  v1::Match get_match() {
    grpc::ClientContext context;
    v1::GetMatchRequest request;
    v1::GetMatchResponse response;
    request.set_match_id(match_id_);
    EXPECT_TRUE(stub_->GetMatch(&context, request, &response).ok());
    return response.match();
  }

  v1::Participant participant(const std::string& name) {
    const v1::Match match = get_match();
    for (const auto& one : match.participants()) {
      if (one.name() == name) return one;
    }
    return {};
  }

  bool is_here(const std::string& name) { return !participant(name).name().empty(); }
  bool is_away(const std::string& name) { return participant(name).is_away(); }

  /// What has been sent on the stream before is with the server: the answer to this join is.
  static void settle(RawStream& stream) { EXPECT_EQ(refusal(stream, v1::Join()), "3 INVALID_JOIN"); }

  /// Steps and reads until the tick has been told; the rejections that came.
  std::vector<v1::Rejection> rejections_of_a_tick(RawStream& stream) {
    const auto stepped = client_->step_match(match_id_, 6);  // A heartbeat is due by then.
    EXPECT_TRUE(stepped.ok());
    std::vector<v1::Rejection> rejections;
    while (const auto response = stream.read()) {
      for (const auto& rejection : response->update().rejections()) rejections.push_back(rejection);
      if (response->update().tick() >= stepped->tick) break;
    }
    return rejections;
  }

  std::unique_ptr<v1::MatchService::Stub> stub_;
};

TEST_F(SharedStream, EachParticipantHasASeatAndFramesOfItsOwn) {
  begin();
  RawStream stream(*stub_);
  std::vector<v1::Participant> all = {stream.joined(join_of("ann")).participant()};
  for (const char* name : {"bob", "cy"}) all.push_back(join_also(stream, further(name)).participant());
  // Without a number: of who joined first.
  v1::Frame anns = spawn_of(all[0]);
  anns.clear_participant();
  stream.send(in_one_message({anns, spawn_of(all[1]), spawn_of(all[2]), spawn_of(all[2], 1)}));
  settle(stream);
  run();
  EXPECT_EQ(participant("ann").objects(), 1u);
  EXPECT_EQ(participant("bob").objects(), 1u);
  EXPECT_EQ(participant("cy").objects(), 2u);
}

TEST_F(SharedStream, ARefusedJoinLeavesTheOthersWhereTheyAre) {
  begin();
  RawStream other(*stub_);
  other.joined(join_of("dan"));
  RawStream stream(*stub_);
  stream.joined(join_of("ann"));
  EXPECT_EQ(refusal(stream, further("dan")), "6 NAME_TAKEN");
  EXPECT_EQ(refusal(stream, further("ann")), "9 ALREADY_JOINED");
  v1::Join join = further("bob");
  join.set_match_id("another");
  EXPECT_EQ(refusal(stream, join), "3 INVALID_JOIN");
  join = further("bob");
  join.mutable_filter()->set_own_objects(true);
  EXPECT_EQ(refusal(stream, join), "3 INVALID_JOIN");
  join = further("bob");
  join.mutable_queue_policy()->set_events_max(1);
  EXPECT_EQ(refusal(stream, join), "3 INVALID_JOIN");
  join = further("bob");
  join.mutable_resume()->set_epoch(1);
  EXPECT_EQ(refusal(stream, join), "3 INVALID_JOIN");
  join = further("bob");
  join.clear_role();
  EXPECT_EQ(refusal(stream, join), "3 INVALID_JOIN");
  join = further("dan");
  join.set_reconnect_token(std::string(16, 'x'));
  EXPECT_EQ(refusal(stream, join), "7 INVALID_TOKEN");
  EXPECT_EQ(join_also(stream, further("bob")).participant().name(), "bob");
  EXPECT_EQ(get_match().participants_size(), 3);
}

TEST_F(SharedStream, AStreamThatDoesNotSayThatItIsSharedJoinsOnce) {
  begin();
  RawStream stream(*stub_);
  v1::Join join = join_of("ann");
  join.set_is_shared(false);
  stream.joined(join);
  stream.join(further("bob"));
  const grpc::Status status = stream.finish();
  EXPECT_THAT(describe(status), HasSubstr("ALREADY_JOINED"));
  EXPECT_FALSE(is_here("bob"));
}

TEST_F(SharedStream, FramesOfWhoIsNotOnTheStreamAreRejectedAndTheRestApplies) {
  begin();
  RawStream other(*stub_);
  const v1::Participant eve = other.joined(join_of("eve")).participant();
  RawStream stream(*stub_);
  const v1::Participant ann = stream.joined(join_of("ann")).participant();
  stream.send(in_one_message({spawn_of(eve), spawn_of(ann)}));
  settle(stream);
  const auto rejections = rejections_of_a_tick(stream);
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].reason(), v1::REJECTION_REASON_MALFORMED);
  EXPECT_EQ(rejections[0].field(), "participant");
  EXPECT_EQ(participant("eve").objects(), 0u);
  EXPECT_EQ(participant("ann").objects(), 1u);
}

TEST_F(SharedStream, RejectionsSayOfWhoseFrameTheyAre) {
  begin();
  RawStream stream(*stub_);
  const v1::Participant ann = stream.joined(join_of("ann")).participant();
  const v1::Participant bob = join_also(stream, further("bob")).participant();
  v1::Frame bobs = spawn_of(bob);
  bobs.mutable_spawns(0)->set_object_id(ann.first_id());  // Not his to use.
  stream.send(in_one_message({spawn_of(ann), bobs}));
  settle(stream);
  const auto rejections = rejections_of_a_tick(stream);
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].participant(), bob.number());
  EXPECT_EQ(rejections[0].field(), "spawns[0].object_id");
  EXPECT_EQ(participant("bob").rejections(), 1u);
  EXPECT_EQ(participant("ann").rejections(), 0u);
}

TEST_F(SharedStream, RelativeMovesBuildOnWhatTheirOwnParticipantHasSent) {
  begin();
  RawStream stream(*stub_);
  const v1::Participant ann = stream.joined(join_of("ann")).participant();
  const v1::Participant bob = join_also(stream, further("bob")).participant();
  const auto move_of = [](const v1::Participant& who) {
    v1::Frame frame;
    frame.set_participant(who.number());
    frame.mutable_moves()->add_id_delta(who.first_id());
    frame.mutable_moves()->add_dx(256);
    frame.mutable_moves()->add_dy(0);
    return frame;
  };
  stream.send(in_one_message({spawn_of(ann, 0, 1024), spawn_of(bob, 0, 2048)}));
  // Empty frames of one do not make the other's positions older.
  v1::Frame idle;
  idle.set_participant(ann.number());
  stream.send(in_one_message(std::vector<v1::Frame>(64, idle)));
  stream.send(in_one_message({move_of(bob)}));
  settle(stream);
  run();
  const auto world = client_->get_world(match_id_);
  ASSERT_EQ(world->objects.size(), 2u);
  EXPECT_EQ(world->objects[0].position.x, 4);
  EXPECT_EQ(world->objects[1].position.x, 9);
}

TEST_F(SharedStream, OfAMessageWithMoreThan64FramesNoneApplies) {
  begin();
  RawStream stream(*stub_);
  const v1::Participant ann = stream.joined(join_of("ann")).participant();
  std::vector<v1::Frame> frames;
  for (std::uint32_t i = 0; i < 65; ++i) frames.push_back(spawn_of(ann, i));
  stream.send(in_one_message(frames));
  settle(stream);
  const auto rejections = rejections_of_a_tick(stream);
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].reason(), v1::REJECTION_REASON_MALFORMED);
  EXPECT_EQ(rejections[0].field(), "frames");
  EXPECT_EQ(participant("ann").objects(), 0u);
  frames.pop_back();
  stream.send(in_one_message(frames));
  settle(stream);
  run();
  EXPECT_EQ(participant("ann").objects(), 64u);
}

TEST_F(SharedStream, HasRoomFor64Participants) {
  begin();
  RawStream stream(*stub_);
  stream.joined(join_of("0"));
  for (int i = 1; i < 64; ++i) {
    v1::Join join = further(std::to_string(i));
    if (i % 2 == 0) join.set_role(v1::ROLE_OBSERVER);  // Or the match is full before the stream is.
    join_also(stream, join);
  }
  EXPECT_EQ(refusal(stream, further("64")), "8 STREAM_FULL");
  v1::PlayRequest leave;
  leave.mutable_leave()->set_participant(participant("7").number());
  stream.send(leave);
  EXPECT_EQ(join_also(stream, further("64")).participant().name(), "64");
}

TEST_F(SharedStream, OneLeavesAndTheOthersGoOnUntilTheLastEndsTheStream) {
  begin();
  RawStream stream(*stub_);
  const v1::Participant ann = stream.joined(join_of("ann")).participant();
  const v1::Participant bob = join_also(stream, further("bob")).participant();
  stream.send(in_one_message({spawn_of(ann), spawn_of(bob)}));
  v1::PlayRequest leave;
  leave.mutable_leave()->set_participant(77);
  stream.send(leave);
  settle(stream);
  const auto rejections = rejections_of_a_tick(stream);
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].field(), "leave.participant");
  leave.mutable_leave()->set_participant(ann.number());
  stream.send(leave);
  settle(stream);
  run();
  EXPECT_FALSE(is_here("ann"));
  EXPECT_EQ(get_match().objects(), 1u) << "hers went with her";
  // Without a number it is of who has been there longest now.
  v1::Frame nobodys = spawn_of(bob, 1);
  nobodys.clear_participant();
  stream.send(in_one_message({nobodys, spawn_of(bob, 2)}));
  settle(stream);
  run();
  EXPECT_EQ(participant("bob").objects(), 3u);
  leave.mutable_leave()->set_participant(bob.number());
  stream.send(leave);
  EXPECT_TRUE(stream.finish().ok());
  EXPECT_FALSE(is_here("bob"));
}

TEST_F(SharedStream, HalfClosingItGivesUpAllSeats) {
  begin();
  RawStream stream(*stub_);
  stream.joined(join_of("ann"));
  join_also(stream, further("bob"));
  stream.half_close();
  EXPECT_TRUE(stream.finish().ok());
  EXPECT_TRUE(eventually([&] { return get_match().participants_size() == 0; }));
}

TEST_F(SharedStream, WhenItBreaksAllAreAwayAndComeBackOneByOne) {
  begin();
  std::optional<RawStream> stream(std::in_place, *stub_);
  const v1::Joined ann = stream->joined(join_of("ann"));
  const v1::Joined bob = join_also(*stream, further("bob"));
  const v1::Joined cy = join_also(*stream, further("cy"));
  stream->send(in_one_message({spawn_of(ann.participant()), spawn_of(bob.participant())}));
  settle(*stream);
  run();
  stream->cut();
  ASSERT_TRUE(eventually([&] { return is_away("ann") && is_away("bob") && is_away("cy"); }));
  run();
  RawStream again(*stub_);
  v1::Join first = back(ann);
  first.set_match_id(match_id_);
  first.set_is_shared(true);
  first.mutable_resume()->set_epoch(ann.epoch());
  EXPECT_TRUE(again.joined(first).resumed());
  EXPECT_EQ(join_also(again, back(bob)).participant().number(), bob.participant().number());
  EXPECT_FALSE(is_away("ann") || is_away("bob"));
  EXPECT_TRUE(is_away("cy"));
  v1::Frame frame;
  frame.set_participant(bob.participant().number());
  frame.add_despawns(bob.participant().first_id());
  again.send(in_one_message({frame}));
  settle(again);
  run();
  EXPECT_EQ(participant("ann").objects(), 1u);
  EXPECT_EQ(participant("bob").objects(), 0u);
}

TEST_F(SharedStream, WhoComesBackElsewhereLeavesItAndTheOthersGoOn) {
  begin();
  RawStream stream(*stub_);
  const v1::Joined ann = stream.joined(join_of("ann"));
  const v1::Joined bob = join_also(stream, further("bob"));
  RawStream elsewhere(*stub_);
  v1::Join join = back(ann);
  join.set_match_id(match_id_);
  elsewhere.joined(join);
  const v1::PlayResponse told = answer(stream);
  EXPECT_EQ(text_of(told.join_refused()), "10 REPLACED");
  EXPECT_EQ(told.join_refused().name(), "ann");
  stream.send(in_one_message({spawn_of(ann.participant()), spawn_of(bob.participant())}));
  settle(stream);
  run();
  EXPECT_EQ(participant("ann").objects(), 0u) << "no frames of hers from here any more";
  EXPECT_EQ(participant("bob").objects(), 1u);
  RawStream last(*stub_);
  join = back(bob);
  join.set_match_id(match_id_);
  last.joined(join);
  const grpc::Status status = stream.finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_EQ(describe(status), "REPLACED");
}

TEST_F(SharedStream, AFilterOfOwnObjectsIsForThoseOfAll) {
  begin();
  RawStream others(*stub_);
  const v1::Participant eve = others.joined(join_of("eve")).participant();
  std::optional<RawStream> stream(std::in_place, *stub_);
  v1::Join join = join_of("ann");
  join.mutable_filter()->set_own_objects(true);
  const v1::Joined ann = stream->joined(join);
  const v1::Joined bob = join_also(*stream, further("bob"));
  const auto meet = [](v1::Frame frame, std::int32_t x) {  // A bullet meets the ship of the frame.
    v1::Spawn bullet = frame.spawns(0);
    bullet.set_object_id(bullet.object_id() + 1);
    bullet.mutable_parts(0)->set_layer(2);
    *frame.add_spawns() = bullet;
    for (v1::Spawn& spawn : *frame.mutable_spawns()) spawn.set_x(x);
    return frame;
  };
  others.send(in_one_message({meet(spawn_of(eve), 0)}));
  settle(others);
  stream->send(in_one_message({meet(spawn_of(bob.participant()), 9999)}));
  settle(*stream);
  run();
  v1::TickUpdate update;
  while (update.events().object_a_size() == 0) update = stream->read()->update();
  EXPECT_THAT(update.events().object_a(), ElementsAre(bob.participant().first_id()));

  // Come back: what is in contact is told as soon as he is there, whose it is.
  stream->cut();
  ASSERT_TRUE(eventually([&] { return is_away("ann") && is_away("bob"); }));
  stream.emplace(*stub_);
  join = back(ann);
  join.set_match_id(match_id_);
  join.set_is_shared(true);
  join.mutable_filter()->set_own_objects(true);
  EXPECT_EQ(stream->joined(join).open_encounters_size(), 0);
  join_also(*stream, back(bob));
  while (!update.has_snapshot()) update = stream->read()->update();
  ASSERT_EQ(update.snapshot().open_encounters_size(), 1);
  EXPECT_EQ(update.snapshot().open_encounters(0).object_a(), bob.participant().first_id());
}

TEST_F(SharedStream, LimitsAreEachParticipantsOwn) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.limits = {{.role = Role::kPlayer, .objects_max = 1}};
  begin(config);
  RawStream stream(*stub_);
  const v1::Participant ann = stream.joined(join_of("ann")).participant();
  const v1::Participant bob = join_also(stream, further("bob")).participant();
  stream.send(in_one_message({spawn_of(ann), spawn_of(bob), spawn_of(ann, 1), spawn_of(bob, 1)}));
  settle(stream);
  const auto rejections = rejections_of_a_tick(stream);
  ASSERT_EQ(rejections.size(), 2u);
  EXPECT_EQ(rejections[0].participant(), ann.number());
  EXPECT_EQ(rejections[1].participant(), bob.number());
  EXPECT_EQ(get_match().objects(), 2u);
}

TEST_F(SharedStream, AnyOfItsParticipantsGivesItTheRightToControlTheClock) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.clock_control_roles = {Role::kStage};
  begin(config);
  RawStream stream(*stub_);
  stream.joined(join_of("ann"));
  v1::PlayRequest pause;
  pause.mutable_clock_control()->set_paused(true);
  stream.send(pause);
  settle(stream);
  const auto rejections = rejections_of_a_tick(stream);
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_EQ(rejections[0].reason(), v1::REJECTION_REASON_MAY_NOT_CONTROL);
  EXPECT_EQ(rejections[0].broken_rule().rule(), "clock_control_roles");
  v1::Join stage = further("stage");
  stage.set_role(v1::ROLE_STAGE);
  join_also(stream, stage);
  stream.send(pause);
  settle(stream);
  EXPECT_EQ(get_match().state(), v1::MATCH_STATE_PAUSED);
}

TEST_F(SharedStream, EndsOnceForAll) {
  begin();
  RawStream stream(*stub_);
  stream.joined(join_of("ann"));
  join_also(stream, further("bob"));
  ASSERT_TRUE(client_->end_match(match_id_).ok());
  int ends = 0;
  while (const auto response = stream.read()) ends += response->has_ended() ? 1 : 0;
  EXPECT_EQ(ends, 1);
  EXPECT_TRUE(stream.finish().ok());
}

}  // namespace
}  // namespace sweepd::test::shared_stream_test
