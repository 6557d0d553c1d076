// SPDX-License-Identifier: MIT
//
// Protects the seat of a game whose process was killed: another process takes it again with the token that
// the first one saved, with its objects, while the match keeps it; and no one does without.
#include <signal.h>

#include <sstream>

#include "integration/support/manual_match.h"

namespace sweepd::test::new_process_test {
namespace {

constexpr std::uint32_t kReconnectTicks = 20;

/// What a game saves.
struct Saved {
  ObjectId ship = 0;
  std::string token;
};

class NewProcess : public ManualMatchTest {
 protected:
  void SetUp() override {
    ManualMatchTest::SetUp();
    begin_match();
  }
  void begin_match() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.reconnect_ticks = kReconnectTicks;
    begin(config);
  }

  /// A player in a process of its own spawns a ship, and is killed.
  Saved killed_player() {
    Process player({required_environment("SHIP_CLIENT_BINARY"), server().address(), match_id_, "2"},
                   server().folder() / ("player-" + match_id_));
    EXPECT_TRUE(eventually([&] { return player.standard_output().ends_with('\n'); }))
        << player.standard_error();
    step();
    player.signal(SIGKILL);
    EXPECT_EQ(player.wait(), 128 + SIGKILL);
    EXPECT_TRUE(eventually([&] { return participant().is_away; }));
    std::istringstream said(player.standard_output());
    std::string word;
    Saved saved;
    said >> word >> saved.ship >> saved.token;
    return saved;
  }

  Participant participant() {
    const auto match = client_->get_match(match_id_);
    for (const Participant& one : match->participants) {
      if (one.name == "victim") return one;
    }
    return {};
  }

  JoinOptions options_with(const std::string& token, const std::string& name = "victim") const {
    JoinOptions options;
    options.match_id = match_id_;
    options.name = name;
    options.reconnect = patient();
    options.reconnect_token = token;
    return options;
  }

  /// Why a new process gets no seat.
  Status refusal(const JoinOptions& options) {
    const Session session = client().join(options);
    EXPECT_TRUE(is_in(session, SessionState::kFailed));
    return session.error();
  }
  void expect_refused(const JoinOptions& options, ErrorCode code, const std::string& reason) {
    const Status error = refusal(options);
    EXPECT_EQ(error.code(), code) << error.message();
    EXPECT_EQ(error.reason(), reason);
    EXPECT_EQ(error.field(), "reconnect_token");
    EXPECT_EQ(error.message().find(options.reconnect_token), std::string::npos) << "a token is secret";
  }
};

TEST_F(NewProcess, TakesTheSeatAgainWithItsObjects) {
  const Saved saved = killed_player();
  const Participant before = participant();
  EXPECT_EQ(refusal(options_with("")).reason(), "NAME_TAKEN") << "without the token";
  Session session = client().join(options_with(saved.token));
  ASSERT_TRUE(is_in(session, SessionState::kJoined));
  EXPECT_EQ(session.participant()->number, before.number);
  EXPECT_EQ(session.participant()->first_id, before.first_id);
  ASSERT_TRUE(session.move(saved.ship, {30, 0}).ok());
  const auto shot = session.spawn(object_at({40, 0}, 1));
  ASSERT_TRUE(shot.ok());
  EXPECT_NE(*shot, saved.ship) << "no id of what the former process spawned";
  ASSERT_TRUE(session.end_frame().ok());
  step();
  const auto world = client_->get_world(match_id_);
  ASSERT_EQ(world->objects.size(), 2u);
  EXPECT_EQ(world->objects[0].id, saved.ship);
  EXPECT_EQ(world->objects[0].position.x, 30);
  EXPECT_EQ(participant().rejections, 0u);
  EXPECT_FALSE(participant().is_away);
}

// As client_sdk/README.md has it.
TEST_F(NewProcess, JoinsAndSavesByTheLinesOfThePage) {
  const std::string match_id = match_id_;
  const std::string name = "victim";
  const std::string former = killed_player().token;
  std::string token = former;
  const auto save = [&](const std::string&, const std::string&, const std::string& saved) { token = saved; };
  Client client = this->client();
  sweepd::JoinOptions options{.match_id = match_id, .name = name};  // With what was saved.
  options.reconnect_token = token;                                  // Empty: for the first time.
  sweepd::Session session = client.join(options);
  ASSERT_TRUE(is_in(session, SessionState::kJoined));
  save(match_id, name, session.reconnect_token());  // Joined, or back by poll_reconnection; before end_frame.
  EXPECT_NE(token, former);
}

TEST_F(NewProcess, IsToldWhatIsInContact) {
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  ASSERT_TRUE(stage.spawn(object_at({0, 0}, 2)).ok());
  ASSERT_TRUE(stage.end_frame().ok());
  const Saved saved = killed_player();
  Session session = client().join(options_with(saved.token));
  ASSERT_TRUE(is_in(session, SessionState::kJoined));
  ASSERT_EQ(session.encounters_at_join().size(), 1u);
  EXPECT_EQ(session.encounters_at_join().front().object_b, saved.ship) << "the stage was there first";
}

TEST_F(NewProcess, GetsAnotherTokenAndTheFormerEndsWithItsFirstFrame) {
  const Saved saved = killed_player();
  Session session = client().join(options_with(saved.token));
  ASSERT_TRUE(is_in(session, SessionState::kJoined));
  EXPECT_NE(session.reconnect_token(), saved.token);
  EXPECT_EQ(session.reconnect_token().size(), saved.token.size());
  ASSERT_TRUE(session.end_frame().ok());
  step();
  expect_refused(options_with(saved.token), ErrorCode::kPermissionDenied, "INVALID_TOKEN");
  EXPECT_EQ(session.state(), SessionState::kJoined) << "the former token takes no seat away";
}

TEST_F(NewProcess, WithAWrongTokenIsToldWhichFieldIsWrong) {
  const Saved saved = killed_player();
  for (const std::string& text : {saved.token.substr(1), saved.token + "0", std::string(32, 'x'),
                                  std::string("+1") + saved.token.substr(2)})
    expect_refused(options_with(text), ErrorCode::kInvalidArgument, "");
  std::string changed = saved.token;
  changed.front() = changed.front() == '0' ? '1' : '0';
  expect_refused(options_with(changed), ErrorCode::kPermissionDenied, "INVALID_TOKEN");
  expect_refused(options_with(saved.token, "another"), ErrorCode::kPermissionDenied, "INVALID_TOKEN");
  begin_match();
  expect_refused(options_with(saved.token), ErrorCode::kPermissionDenied, "INVALID_TOKEN");
}

TEST_F(NewProcess, ComesTooLateAfterTheReconnectTicks) {
  const Saved saved = killed_player();
  run(kReconnectTicks + 1);
  expect_refused(options_with(saved.token), ErrorCode::kPermissionDenied, "INVALID_TOKEN");
  Session anew = client().join(options_with(""));
  EXPECT_TRUE(is_in(anew, SessionState::kJoined));
}

TEST_F(NewProcess, ThatPlaysForSeveralTakesTheSeatOfEach) {
  const Saved saved = killed_player();
  JoinOptions options = options_with("", "host");
  options.shared = true;
  Session host = client().join(options);
  Session wrong = host.join_also("victim", Role::kPlayer, std::string(32, '0'));
  Session misspelt = host.join_also("victim", Role::kPlayer, "token");
  Session back = host.join_also("victim", Role::kPlayer, saved.token);
  ASSERT_TRUE(is_in(back, SessionState::kJoined));
  ASSERT_TRUE(is_in(wrong, SessionState::kFailed));
  EXPECT_EQ(wrong.error().field(), "reconnect_token");
  EXPECT_EQ(misspelt.error().field(), "reconnect_token");
  EXPECT_EQ(back.participant()->objects, 1u);
  EXPECT_EQ(host.state(), SessionState::kJoined);
}

}  // namespace
}  // namespace sweepd::test::new_process_test
