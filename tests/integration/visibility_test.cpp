// SPDX-License-Identifier: MIT
//
// Protects what a match's rules of visibility keep from a modified client: by no stream, question, replay or
// reconnection does it get what its player may not know.
#include "integration/support/server_fixture.h"
#include "integration/support/ticket_fixture.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::test::visibility_test {
namespace {

using identity::PrincipalKind;

constexpr std::uint32_t kDelay = 3;

/// Ann's ship is alone; Bob's touches an enemy of the stage. Players see only their own ships, observers see
/// all, late.
class VisibilityTest : public SecureTicketServerTest {
 protected:
  void SetUp() override {
    SecureTicketServerTest::SetUp();
    MatchConfig config = SecureTicketServerTest::config();
    config.visibility = {{Role::kPlayer, "player", Sight::kOwn}};
    config.observer_delay_ticks = kDelay;
    const std::vector<Role> all = {Role::kPlayer, Role::kObserver};
    config.permissions = {.query_roles = all, .watch_roles = all, .replay_roles = all};
    config.permissions.step_roles = config.clock_control_roles = all;
    match_id_ = create_match(config);
    ann_ = token_of(player_ticket("ann", match_id_));
    observer_ = token_of(seat_ticket(PrincipalKind::kObserver, "olga", match_id_));
    queries_ = v1::QueryService::NewStub(channel_);
    replays_ = v1::ReplayService::NewStub(channel_);
    stream_ = play(ann_);
    joined_ = stream_->joined(join_as(match_id_, "ann"));
    ship_ = joined_.participant().first_id();
    spawn(*stream_, ship_, 0, 0);
    bob_ = play(token_of(player_ticket("bob", match_id_)));
    bob_joined_ = bob_->joined(join_as(match_id_, "bob"));
    spawn(*bob_, bob_joined_.participant().first_id(), 50'000, 0);
    stage_ = play(token_of(seat_ticket(PrincipalKind::kStage, "stage", match_id_)));
    const v1::Joined stage = stage_->joined(join_as(match_id_, "stage", v1::ROLE_STAGE));
    enemy_ = stage.participant().first_id();
    spawn(*stage_, enemy_, 50'000, 2);
    ASSERT_TRUE(eventually([&] { return frames_have_come(); }));
  }

  static void spawn(RawStream& stream, std::uint32_t id, std::int32_t x, std::uint32_t layer) {
    v1::Frame frame;
    v1::Spawn& spawn = *frame.add_spawns();
    spawn.set_object_id(id);
    spawn.set_x(x);
    v1::Part& part = *spawn.add_parts();
    part.set_layer(layer);
    part.mutable_box()->set_max_x(1000);
    part.mutable_box()->set_max_y(1000);
    stream.send(frame);
  }

  /// The frames of three have been applied.
  bool frames_have_come() {
    step();
    v1::GetMatchResponse response;
    EXPECT_TRUE(get_match(studio_, match_id_, &response).ok());
    return response.match().objects() == 3 && response.match().open_encounters() == 1;
  }

  void step() {
    ASSERT_TRUE(client_with(studio_).step_match(match_id_).ok());
    ++ticks_;
  }

  /// The events of the stream's updates up to now.
  int events_of(RawStream& stream) {
    int events = 0;
    while (const auto response = stream.read()) {
      if (!response->has_update()) continue;
      events += response->update().events().object_a_size();
      if (response->update().tick() >= ticks_) break;
    }
    return events;
  }

  v1::GetWorldResponse world(const std::string& token, std::uint64_t at_tick,
                             grpc::Status* status = nullptr) {
    grpc::ClientContext context;
    show(token, context);
    v1::GetWorldRequest request;
    request.set_match_id(match_id_);
    request.set_at_tick(at_tick);
    v1::GetWorldResponse response;
    const grpc::Status got = queries_->GetWorld(&context, request, &response);
    if (status != nullptr) *status = got;
    EXPECT_TRUE(status != nullptr || got.ok()) << got.error_message();
    return response;
  }
  static std::set<std::uint32_t> ids_of(const v1::GetWorldResponse& response) {
    std::set<std::uint32_t> ids;
    for (const auto& object : response.objects()) ids.insert(object.object_id());
    return ids;
  }
  int encounters(const std::string& token) {
    grpc::ClientContext context;
    show(token, context);
    v1::ListEncountersRequest request;
    request.set_match_id(match_id_);
    v1::ListEncountersResponse response;
    EXPECT_TRUE(queries_->ListEncounters(&context, request, &response).ok());
    return response.encounters_size();
  }

  std::string match_id_, ann_, observer_;
  std::unique_ptr<v1::QueryService::Stub> queries_;
  std::unique_ptr<v1::ReplayService::Stub> replays_;
  std::unique_ptr<RawStream> stream_, bob_, stage_;
  v1::Joined joined_, bob_joined_;
  std::uint32_t ship_ = 0;
  std::uint32_t enemy_ = 0;
  std::uint64_t ticks_ = 0;
};

TEST_F(VisibilityTest, StreamsTellWhatTheirSeatsSee) {
  EXPECT_EQ(events_of(*stream_), 0);
  EXPECT_EQ(events_of(*bob_), 1) << "what has hit one's own is told";
  EXPECT_EQ(events_of(*stage_), 1) << "stages see all";
  // She asks for everything again, from the beginning, and comes back.
  v1::Join back = join_as(match_id_, "ann");
  back.set_reconnect_token(joined_.reconnect_token());
  back.mutable_resume()->set_epoch(joined_.epoch());
  const auto again = play(ann_);
  const v1::Joined rejoined = again->joined(back);
  EXPECT_EQ(rejoined.open_encounters_size(), 0);
  step();
  EXPECT_EQ(events_of(*again), 0);
}

TEST_F(VisibilityTest, QuestionsAreAnsweredWithWhatTheCallerSees) {
  EXPECT_EQ(ids_of(world(ann_, 0)), (std::set<std::uint32_t>{ship_, enemy_}));
  EXPECT_EQ(ids_of(world(ann_, ticks_)), (std::set<std::uint32_t>{ship_, enemy_}));
  EXPECT_EQ(ids_of(world(studio_, 0)).size(), 3u);
  EXPECT_EQ(encounters(ann_), 0);
  EXPECT_EQ(encounters(studio_), 1);
  grpc::ClientContext context;
  show(ann_, context);
  v1::FindNearestRequest request;
  request.set_match_id(match_id_);
  request.set_x(50'000);
  request.add_layers(0);
  v1::FindNearestResponse response;
  ASSERT_TRUE(queries_->FindNearest(&context, request, &response).ok());
  EXPECT_EQ(response.part().object_id(), ship_) << "her own is the nearest ship that she sees";
}

TEST_F(VisibilityTest, CandidateClaimsAreNotJudgedForThoseWhoMayNotSeeAll) {
  grpc::ClientContext context;
  show(ann_, context);
  v1::ValidateHitsRequest request;
  request.set_match_id(match_id_);
  request.set_participant(bob_joined_.participant().number());
  request.add_claims();
  v1::ValidateHitsResponse response;
  EXPECT_EQ(describe(queries_->ValidateHits(&context, request, &response)), "NOT_VISIBLE");
}

TEST_F(VisibilityTest, AWatchOfAPlayerHasTheRulesOfPlayers) {
  for (const std::string& token : {ann_, studio_}) {
    grpc::ClientContext context;
    show(token, context);
    v1::WatchRequest request;
    request.set_match_id(match_id_);
    const auto stream = stub_->Watch(&context, request);
    v1::WatchResponse response;
    ASSERT_TRUE(stream->Read(&response));
    EXPECT_EQ(response.started().open_encounters_size(), token == ann_ ? 0 : 1);
    context.TryCancel();
  }
}

TEST_F(VisibilityTest, ReplaysOfRunningMatchesAreForThoseWhoSeeAll) {
  grpc::ClientContext context;
  show(ann_, context);
  v1::GetReplayRequest request;
  request.set_match_id(match_id_);
  const auto stream = replays_->GetReplay(&context, request);
  v1::GetReplayResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(describe(stream->Finish()), "NOT_VISIBLE");
}

/// Whoever replays the match with each guess at what is hidden would know by it which one is right.
TEST_F(VisibilityTest, DigestsOfARunningMatchAreForThoseWhoSeeAll) {
  EXPECT_EQ(joined_.match().digest(), 0u);
  v1::GetMatchResponse hers, theirs;
  ASSERT_TRUE(get_match(ann_, match_id_, &hers).ok());
  ASSERT_TRUE(get_match(studio_, match_id_, &theirs).ok());
  EXPECT_EQ(hers.match().digest(), 0u);
  EXPECT_NE(theirs.match().digest(), 0u);
  grpc::ClientContext step_context;
  show(ann_, step_context);
  v1::StepMatchRequest step_request;
  step_request.set_match_id(match_id_);
  v1::StepMatchResponse stepped;
  ASSERT_TRUE(stub_->StepMatch(&step_context, step_request, &stepped).ok());
  EXPECT_EQ(stepped.digest(), 0u);
  grpc::ClientContext clock_context;
  show(ann_, clock_context);
  v1::ControlClockRequest control;
  control.set_match_id(match_id_);
  control.mutable_control()->set_paused(true);
  v1::ControlClockResponse controlled;
  ASSERT_TRUE(stub_->ControlClock(&clock_context, control, &controlled).ok());
  EXPECT_EQ(controlled.match().digest(), 0u);
  grpc::ClientContext end_context;
  show(studio_, end_context);
  v1::EndMatchRequest end;
  end.set_match_id(match_id_);
  v1::EndMatchResponse ended;
  ASSERT_TRUE(stub_->EndMatch(&end_context, end, &ended).ok());
  std::uint64_t told_at_the_end = 0;
  while (const auto response = stream_->read()) {
    if (response->has_ended()) told_at_the_end = response->ended().match().digest();
    if (response->update().tick() < ended.match().tick()) {
      EXPECT_EQ(response->update().digest(), 0u);
    }
  }
  EXPECT_EQ(told_at_the_end, ended.match().digest());
  EXPECT_NE(told_at_the_end, 0u);
}

/// Ann claims that her ship has hit Bob's, which she does not see, and one that never was.
TEST_F(VisibilityTest, ClaimsDoNotTellWhatIsThere) {
  const std::uint32_t hidden = bob_joined_.participant().first_id();
  v1::Frame frame;
  for (const std::uint32_t target : {hidden, hidden + 99}) {
    v1::HitClaim& claim = *frame.add_claims();
    claim.set_shot_id(ship_);
    claim.set_target_id(target);
    claim.set_tick_seen(ticks_);
  }
  stream_->send(frame);
  std::vector<v1::ClaimVerdict> verdicts;
  for (int i = 0; i < 50 && verdicts.empty(); ++i) {
    step();
    while (const auto response = stream_->read()) {
      for (const v1::ClaimVerdict& verdict : response->update().claim_verdicts()) verdicts.push_back(verdict);
      if (response->update().tick() >= ticks_) break;
    }
  }
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].verdict(), v1::VERDICT_UNKNOWN_OBJECT);
  for (v1::ClaimVerdict& verdict : verdicts) verdict.clear_target_id();
  EXPECT_EQ(verdicts[0].SerializeAsString(), verdicts[1].SerializeAsString());
  v1::GetMatchResponse response;
  ASSERT_TRUE(get_match(ann_, match_id_, &response).ok());
  for (const v1::Participant& one : response.match().participants()) EXPECT_EQ(one.claims_size(), 0);
  ASSERT_TRUE(get_match(studio_, match_id_, &response).ok());
  EXPECT_GT(response.match().participants(0).claims_size(), 0);
}

TEST_F(VisibilityTest, ObserversAreToldAndAnsweredLateAndAllAtTheEnd) {
  const auto observer = play(observer_);
  EXPECT_EQ(observer->joined(join_as(match_id_, "olga", v1::ROLE_OBSERVER)).open_encounters_size(), 0);
  const std::uint64_t met = ticks_;
  while (ticks_ < met + kDelay - 1) step();
  grpc::Status status;
  world(observer_, ticks_ - kDelay + 1, &status);
  EXPECT_EQ(describe(status), "TICK_NOT_KNOWN at_tick");
  step();
  EXPECT_EQ(world(observer_, 0).tick(), ticks_ - kDelay);
  EXPECT_EQ(ids_of(world(observer_, ticks_ - kDelay)).size(), 3u);
  grpc::ClientContext context;
  show(studio_, context);
  v1::EndMatchRequest request;
  request.set_match_id(match_id_);
  v1::EndMatchResponse response;
  ASSERT_TRUE(stub_->EndMatch(&context, request, &response).ok());
  int events = 0;
  while (const auto answer = observer->read()) events += answer->update().events().object_a_size();
  EXPECT_EQ(events, 2) << "the beginning of the encounter and its end";
}

}  // namespace
}  // namespace sweepd::test::visibility_test
