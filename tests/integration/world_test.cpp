// SPDX-License-Identifier: MIT
//
// Protects what a game is drawn from: the view of the world that a session and a watcher have, over a real
// server and connections that break, is the world of the server, or says what is late of it; messages reach
// those they are for; and a bad interest is refused by its field.
#include "integration/support/fault_proxy.h"
#include "integration/support/stream_match.h"
#include "sweepd/world_view.h"

namespace sweepd::test::world_test {
namespace {

MatchConfig tagged_config() {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.object_tags = true;
  return config;
}

class WorldTest : public ManualMatchTest {
 protected:
  Session join_with_world(Client& client, const std::string& name, WorldInterest interest = {}) {
    JoinOptions options{.match_id = match_id_, .name = name};
    options.world = std::move(interest);
    options.reconnect.first_pause = std::chrono::milliseconds(5);
    Session session = client.join(options);
    EXPECT_TRUE(eventually([&] { return session.state() == SessionState::kJoined; }))
        << session.error().message();
    return session;
  }

  /// A ship that is moved, a bullet that flies, and an enemy that does neither.
  void spawn_all(Session& session) {
    ship_ = *session.spawn(object_at({10, 20}, 0));
    ObjectSpec bullet = object_at({0, 0}, 3);
    bullet.motion = Motion{{1.5, -0.25}, {0.0625, 0}};
    bullet.tag = 0xABCDEF0123456789;
    bullet_ = *session.spawn(bullet);
    ObjectSpec enemy = object_at({-50, 7}, 2, 16);
    enemy.hit_points = 9;
    enemy_ = *session.spawn(enemy);
    ASSERT_TRUE(session.end_frame().ok());
  }

  void expect_world(const WorldView& view) {
    const auto world = client_->get_world(match_id_, view.tick());
    ASSERT_TRUE(world.ok()) << world.status().message();
    ASSERT_EQ(view.objects().size(), world->objects.size());
    for (const ObjectState& object : world->objects) {
      ASSERT_NE(view.find(object.id), nullptr) << object.id;
      const auto position = view.position_at(object.id, view.tick());
      EXPECT_EQ(position->x, object.position.x) << object.id;
      EXPECT_EQ(position->y, object.position.y) << object.id;
      EXPECT_EQ(view.motion_at(object.id, view.tick())->velocity.x, object.motion.velocity.x);
      EXPECT_EQ(view.find(object.id)->owner, object.owner);
    }
  }

  static bool come_to(WorldView& view, Tick tick) {
    return eventually([&] {
      view.update();
      return view.tick() >= tick;
    });
  }

  ObjectId ship_ = 0, bullet_ = 0, enemy_ = 0;
};

TEST_F(WorldTest, AViewIsTheWorldOfTheServerAndTellsWhatFlies) {
  begin(tagged_config());
  Session session = join_with_world(*client_, "ann");
  WatchOptions watch{.match_id = match_id_};
  watch.world = WorldInterest{.layers = {0, 2, 3}};
  Watcher watcher = client_->watch(watch);
  ASSERT_TRUE(eventually([&] { return watcher.state() == SessionState::kJoined; }));
  WorldView own(session);
  WorldView other(watcher);
  spawn_all(session);
  step();
  for (Tick tick = 2; tick <= 30; ++tick) {
    ASSERT_TRUE(session.move(ship_, {10.0 + static_cast<double>(tick), 20}).ok());
    ASSERT_TRUE(session.end_frame().ok());
    step();
    ASSERT_TRUE(come_to(own, tick) && come_to(other, tick));
    expect_world(own);
    expect_world(other);
  }
  EXPECT_EQ(other.find(bullet_)->tag, 0xABCDEF0123456789);
  EXPECT_EQ(other.find(enemy_)->hit_points, 9u);
  EXPECT_EQ(other.participants(), (std::vector<WorldParticipant>{{0, "ann", Role::kPlayer}}));
  const auto later = client_->step_match(match_id_, 5);
  ASSERT_TRUE(later.ok());
  const auto world = client_->get_world(match_id_);
  ASSERT_TRUE(world.ok());
  EXPECT_EQ(own.position_at(bullet_, 35)->x, world->objects[1].position.x) << "nothing has been told of it";
}

TEST_F(WorldTest, WhatDepartsSaysWhyAndWhatIsOutOfTheRegionIsNotThere) {
  begin(tagged_config());
  Session session = join_with_world(*client_, "ann", {.region = Box{-20, -20, 100, 100}});
  WorldView view(session);
  spawn_all(session);
  step();
  ASSERT_TRUE(come_to(view, 1));
  EXPECT_EQ(view.objects().size(), 2u) << "the enemy is far off";
  ASSERT_TRUE(session.move(ship_, {-1000, 0}).ok());
  ASSERT_TRUE(session.despawn(bullet_).ok());
  ASSERT_TRUE(session.end_frame().ok());
  step();
  WorldNews news;
  ASSERT_TRUE(eventually([&] {
    news = view.update();
    return view.tick() >= 2;
  }));
  ASSERT_EQ(news.departed.size(), 2u);
  EXPECT_EQ(news.departed[0].reason, DepartureReason::kLeftView);
  EXPECT_EQ(news.departed[1].reason, DepartureReason::kDespawned);
  EXPECT_TRUE(view.objects().empty());
}

TEST_F(WorldTest, ASnapshotOnRequestIsOfWhatIsAskedForThen) {
  begin(tagged_config());
  Session session = join_with_world(*client_, "ann", {.layers = {0}});
  WorldView view(session);
  spawn_all(session);
  step();
  ASSERT_TRUE(come_to(view, 1));
  EXPECT_EQ(view.objects().size(), 1u);
  ASSERT_TRUE(session.ask_for_world({}).ok());
  ASSERT_TRUE(eventually([&] { return view.update().begins_anew; })) << "without a tick";
  EXPECT_EQ(view.objects().size(), 3u);
  expect_world(view);
  EXPECT_FALSE(session.ask_for_world({.position_step = -1}).ok());
  EXPECT_FALSE(session.ask_for_world({.every_ticks = 61}).ok());
  ASSERT_TRUE(session.ask_for_world({.layers = {9}}).ok());
  ASSERT_TRUE(session.end_frame().ok());
  step();
  std::optional<Rejection> rejection;
  ASSERT_TRUE(eventually([&] { return (rejection = session.poll_rejection()).has_value(); }));
  EXPECT_EQ(rejection->field, "world.layers[0]");
}

TEST_F(WorldTest, AStreamThatBreaksGoesOnWhereItWas) {
  MatchConfig config = tagged_config();
  config.reconnect_ticks = config.retained_ticks = 3600;  // Ticks run as fast as they can.
  begin(config);
  Session driver = joined(*client_, match_id_, "driver", Role::kPlayer);
  FaultProxy proxy(static_cast<std::uint16_t>(server().port()),
                   {.seed = 3, .bytes_min = 200, .bytes_max = 4000});
  Client broken(options_through(proxy));
  Session session = join_with_world(broken, "ann");
  WorldView view(session);
  spawn_all(driver);
  ASSERT_TRUE(eventually([&] {
    run();
    view.update();
    return view.objects().size() == 3;
  }));
  proxy.set_cutting(true);
  std::size_t snapshots = 0;
  for (Tick tick = 2; tick <= 200 || proxy.cuts() < 5; ++tick) {
    ASSERT_LT(tick, 4000u);
    ASSERT_TRUE(driver.move(ship_, {static_cast<double>(tick % 100), 20}).ok());
    ASSERT_TRUE(driver.end_frame().ok());
    run();
    if (view.update().begins_anew) ++snapshots;
  }
  proxy.set_cutting(false);
  ASSERT_TRUE(eventually([&] { return session.state() == SessionState::kJoined; }));
  ASSERT_TRUE(driver.move(ship_, {-7, 20}).ok());
  ASSERT_TRUE(driver.end_frame().ok());
  ASSERT_TRUE(session.end_frame().ok());
  step();
  const Tick last = client_->get_match(match_id_)->tick;
  ASSERT_TRUE(eventually([&] {
    if (view.update().begins_anew) ++snapshots;
    return view.tick() >= last || session.state() == SessionState::kFailed;
  })) << view.tick();
  ASSERT_EQ(session.state(), SessionState::kJoined) << session.error().message();
  expect_world(view);
  EXPECT_EQ(snapshots, 0u);
}

TEST_F(WorldTest, AViewBeforeTheFirstTickIsThatOfNoTickAndGoesOn) {
  begin(tagged_config());
  Session session = join_with_world(*client_, "ann");
  WorldView view(session);
  ASSERT_TRUE(eventually([&] { return view.update().begins_anew; }));
  EXPECT_EQ(view.tick(), 0u);
  EXPECT_TRUE(view.objects().empty());
  spawn_all(session);
  step();
  ASSERT_TRUE(come_to(view, 1)) << view.error().message();
  expect_world(view);
}

TEST_F(WorldTest, ARegionFollowsAnObject) {
  begin(tagged_config());
  Session driver = joined(*client_, match_id_, "driver", Role::kPlayer);
  spawn_all(driver);
  step();
  Session session =
      join_with_world(*client_, "ann", {.region = Box{-20, -20, 20, 20}, .follow_object = ship_});
  WorldView view(session);
  ASSERT_TRUE(come_to(view, 1));
  EXPECT_NE(view.find(ship_), nullptr);
  EXPECT_EQ(view.find(enemy_), nullptr) << "it is 60 units off";
  ASSERT_TRUE(driver.move(ship_, {-40, 10}).ok());
  ASSERT_TRUE(driver.end_frame().ok());
  ASSERT_TRUE(session.end_frame().ok());
  step();
  ASSERT_TRUE(come_to(view, 2));
  EXPECT_NE(view.find(enemy_), nullptr);
  EXPECT_EQ(view.find(bullet_), nullptr) << "it has been left behind";
}

TEST_F(WorldTest, ABudgetOfBytesTellsWhatWaitsAndThenItself) {
  MatchConfig config = tagged_config();
  config.tick_rate_hz = 20;
  begin(config);
  Session driver = joined(*client_, match_id_, "driver", Role::kPlayer);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(driver.spawn(object_at({10.0 * i, 0}, 2)).ok());
  ASSERT_TRUE(driver.end_frame().ok());
  step();
  Session session = join_with_world(*client_, "ann", {.bytes_per_second = 400});
  WorldView view(session);
  run(5);
  ASSERT_TRUE(come_to(view, 3));
  EXPECT_GT(view.waiting(), 0u);
  EXPECT_EQ(view.objects().size() + view.waiting(), 60u);
  run(200);
  ASSERT_TRUE(come_to(view, 180)) << "at rest it is told of once a second";
  EXPECT_EQ(view.waiting(), 0u);
  expect_world(view);
}

/// The next message, or "none" when one that is sent after it has come.
std::string text_of(const std::optional<AppMessage>& message) {
  return message ? std::to_string(message->from) + " " + message->content : "none";
}

TEST_F(WorldTest, MessagesReachThoseTheyAreForWithTheirTick) {
  MatchConfig config = tagged_config();
  config.app_messages_per_second = 3;
  begin(config);
  Session ann = joined(*client_, match_id_, "ann", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  Watcher watcher = client_->watch(WatchOptions{.match_id = match_id_});
  ASSERT_TRUE(eventually([&] { return watcher.state() == SessionState::kJoined; }));
  ASSERT_TRUE(ann.send_message("fire", {.role = Role::kStage}).ok());
  ASSERT_TRUE(ann.send_message("hello").ok());
  ASSERT_TRUE(ann.send_message("whom?", {.participant = 40}).ok());
  ASSERT_TRUE(ann.send_message("one too many").ok());
  EXPECT_FALSE(ann.send_message(std::string(1025, 'x')).ok());
  ASSERT_TRUE(ann.end_frame().ok());
  ASSERT_TRUE(stage.send_message("here", {.participant = ann.participant()->number}).ok());
  ASSERT_TRUE(stage.end_frame().ok());
  step();
  ASSERT_TRUE(eventually([&] { return ann.tick() >= 1 && stage.tick() >= 1 && watcher.tick() >= 1; }));
  EXPECT_EQ(text_of(stage.poll_message()), "0 fire");
  EXPECT_EQ(text_of(stage.poll_message()), "0 hello");
  EXPECT_EQ(text_of(stage.poll_message()), "none");
  EXPECT_EQ(text_of(ann.poll_message()), "1 here");
  EXPECT_EQ(text_of(ann.poll_message()), "none") << "what it has sent itself";
  EXPECT_EQ(text_of(watcher.poll_message()), "0 hello");
  EXPECT_EQ(text_of(watcher.poll_message()), "none");
  std::vector<std::string> refused;
  while (const auto rejection = ann.poll_rejection()) refused.push_back(rejection->field);
  EXPECT_EQ(refused, (std::vector<std::string>{"messages[3]", "messages[2].to_participant"}));
}

TEST_F(WorldTest, EachOwnFrameSaysHowItCame) {
  begin(tagged_config());
  Session session = join_with_world(*client_, "ann");
  WorldView view(session);
  ASSERT_TRUE(session.end_frame(4).ok());
  ASSERT_TRUE(session.end_frame(1).ok());
  step();
  std::vector<FrameArrival> frames;
  ASSERT_TRUE(eventually([&] {
    for (const FrameArrival& frame : view.update().frames) frames.push_back(frame);
    return frames.size() >= 2;
  }));
  EXPECT_EQ(frames[0].tick, 4u);
  EXPECT_EQ(frames[0].margin_ticks, 3) << "the first tick was the next";
  EXPECT_EQ(frames[0].lag_ticks, 1u);
  EXPECT_EQ(frames[1].tick, 1u);
  EXPECT_EQ(frames[1].margin_ticks, 0);
}

TEST_F(WorldTest, AFrameWithATagIsRefusedWhereTheMatchKeepsNone) {
  begin();
  Session session = joined(*client_, match_id_, "ann", Role::kPlayer);
  ObjectSpec spec = object_at({0, 0}, 0);
  spec.tag = 7;
  ASSERT_TRUE(session.spawn(spec).ok());
  ASSERT_TRUE(session.end_frame().ok());
  std::optional<Rejection> rejection;
  ASSERT_TRUE(eventually([&] {
    run();
    return (rejection = session.poll_rejection()).has_value();
  }));
  EXPECT_EQ(rejection->field, "spawns[0].tag");
  EXPECT_EQ(client_->get_match(match_id_)->objects, 0u);
}

TEST_F(WorldTest, ABadInterestIsRefusedByItsField) {
  begin();
  const auto stub =
      v1::MatchService::NewStub(grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  const auto refusal = [&](const auto& change) {
    v1::WatchRequest request;
    request.set_match_id(match_id_);
    change(*request.mutable_world());
    return refusal_text(RawWatch(*stub, request).finish());
  };
  EXPECT_EQ(refusal([](auto& world) { world.add_layers(4); }), "3 INVALID_WATCH world.layers[0]");
  EXPECT_EQ(refusal([](auto& world) { world.mutable_region()->set_max_x(-1); }),
            "3 INVALID_WATCH world.region");
  EXPECT_EQ(refusal([](auto& world) { world.add_owners(64); }), "3 INVALID_WATCH world.owners[0]");
  EXPECT_EQ(refusal([](auto& world) { world.set_own_objects(true); }), "3 INVALID_WATCH world.own_objects");
  EXPECT_EQ(refusal([](auto& world) { world.set_every_ticks(61); }), "3 INVALID_WATCH world.every_ticks");
  EXPECT_EQ(refusal([](auto& world) { world.set_position_step(65'537); }),
            "3 INVALID_WATCH world.position_step");
  EXPECT_EQ(refusal([](auto& world) { world.set_bytes_per_second(255); }),
            "3 INVALID_WATCH world.bytes_per_second");
  EXPECT_EQ(refusal([](auto& world) { world.set_follow_object(1); }), "3 INVALID_WATCH world.follow_object");
  EXPECT_EQ(refusal([](auto& world) { world.set_leave_margin(1); }), "3 INVALID_WATCH world.leave_margin");
}

}  // namespace
}  // namespace sweepd::test::world_test
