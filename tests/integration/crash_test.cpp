// SPDX-License-Identifier: MIT
//
// Protects matches against the sudden death of their server. It is killed again and again, at random moments,
// under load, and started again: every match goes on at its announced durable tick or later; every
// participant comes back to its seat; nothing that was seen and not told to be undone turns out to be
// otherwise; and each match's replay is what a server that never dies comes to.
#include <signal.h>

#include <map>
#include <random>
#include <thread>

#include "integration/support/server_fixture.h"
#include "replay/reader.h"
#include "replay/verification.h"

namespace sweepd::test::crash_test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMatches = 4;

/// A participant that does something in every turn, and remembers what it saw of the match and was not
/// told to be undone.
class Player {
 public:
  Player(Client& client, const std::string& match_id, const std::string& name)
      : session_(join(client, match_id, name)) {}

  void play(int turn) {
    take_reconnections();
    note();
    EXPECT_NE(session_.state(), SessionState::kFailed) << session_.error().message();
    if (session_.state() != SessionState::kJoined) return;
    if (turn % 20 == 0) spawn();
    const double x = (turn / 3) % 2 == 0 ? 0 : 200;
    if (ship_ != 0) {
      EXPECT_TRUE(session_.move(ship_, {x, static_cast<double>(turn % 50)}).ok());
    }
    (void)session_.end_frame();  // When the queue is full, the frame waits.
    while (session_.poll_event() || session_.poll_rejection()) continue;
  }

  /// For the message of a failure.
  std::string text() const {
    return std::to_string(static_cast<int>(session_.state())) + " at tick " +
           std::to_string(session_.tick()) + " after " + std::to_string(reconnections_) +
           " reconnections: " + session_.error().message() + "\n";
  }
  bool is_joined() const { return session_.state() == SessionState::kJoined; }
  Tick durable_tick() const { return session_.durable_tick(); }
  std::size_t reconnections() const { return reconnections_; }
  std::size_t undone() const { return undone_; }
  const std::map<Tick, std::uint64_t>& digests() const { return digests_; }
  void leave() { session_.leave(); }

 private:
  static Session join(Client& client, const std::string& match_id, const std::string& name) {
    JoinOptions options{.match_id = match_id, .name = name};
    options.reconnect = patient();
    options.reconnect.timeout = std::chrono::minutes(5);
    options.reconnect.longest_pause = milliseconds(100);
    return client.join(options);
  }

  void spawn() {
    ObjectSpec bullet = object_at({100, 0}, 3);
    bullet.motion = {.velocity = {-1, 0}};
    bullet.time_to_live_ticks = 200;
    EXPECT_TRUE(session_.spawn(bullet).ok());
    // It may have been undone, or still be there: then its id is refused, and all is well.
    const auto ship = session_.spawn(object_at({0, 0}, 0));
    if (ship_ != 0) {
      EXPECT_TRUE(session_.despawn(ship_).ok());
    }
    ship_ = ship.ok() ? *ship : 0;
  }

  void take_reconnections() {
    while (const auto reconnection = session_.poll_reconnection()) {
      ++reconnections_;
      if (!reconnection->undone) continue;
      ++undone_;
      digests_.erase(digests_.upper_bound(reconnection->undone->after_tick), digests_.end());
    }
  }

  void note() {
    const Tick tick = session_.tick();
    const std::uint64_t digest = session_.digest();
    // Between two calls an update may have come in; and right after an undo the digest is not known.
    if (digest == 0 || session_.tick() != tick || session_.digest() != digest) return;
    digests_[tick] = digest;
  }

  Session session_;
  ObjectId ship_ = 0;
  std::size_t reconnections_ = 0;
  std::size_t undone_ = 0;
  std::map<Tick, std::uint64_t> digests_;
};

class Crash : public ::testing::Test {
 protected:
  void start() {
    const std::vector<std::string> options{"--data-dir", (folder_.path() / "data").string()};
    server_ = std::make_unique<ServerProcess>(options, port_);
    port_ = server_->port();
  }

  void kill() {
    server_->process().signal(SIGKILL);
    ASSERT_EQ(server_->process().wait(), 128 + SIGKILL) << server_->process().standard_error();
  }

  void create_matches() {
    for (std::size_t i = 0; i < kMatches; ++i) {
      MatchConfig config = shooter_config(i == 3 ? ClockKind::kLockstep : ClockKind::kRealtime);
      config.tick_rate_hz = i == 1 ? 120 : 60;
      config.reconnect_ticks = 36'000;
      config.scoring = {{.name = "hit", .layer_a = "player", .layer_b = "enemy_bullet", .points = 10}};
      const auto match = client_->create_match(config);
      ASSERT_TRUE(match.ok()) << match.status().message();
      ids_.push_back(match->match_id);
      for (const char* name : {"ann", "bob"})
        players_[i].push_back(std::make_unique<Player>(*client_, ids_[i], name));
    }
  }

  void play_for(milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      ++turn_;
      for (auto& match : players_) {
        for (auto& player : match) player->play(turn_);
      }
      std::this_thread::sleep_for(milliseconds(5));
    }
  }

  /// The greatest that any of its players was told.
  std::vector<Tick> durable_ticks() const {
    std::vector<Tick> ticks;
    for (const auto& match : players_)
      ticks.push_back(std::max(match[0]->durable_tick(), match[1]->durable_tick()));
    return ticks;
  }

  std::string players_text() const {
    std::string text;
    for (const auto& match : players_) {
      for (const auto& player : match) text += player->text();
    }
    return text;
  }

  bool are_all_joined() const {
    for (const auto& match : players_) {
      for (const auto& player : match) {
        if (!player->is_joined()) return false;
      }
    }
    return true;
  }

  void expect_replays() {
    const auto key = client_->get_public_key();
    ASSERT_TRUE(key.ok()) << key.status().message();
    for (std::size_t i = 0; i < kMatches; ++i) {
      ASSERT_TRUE(client_->end_match(ids_[i]).ok());
      std::string bytes;
      const auto info = client_->get_replay(ids_[i], [&bytes](std::string_view piece) {
        bytes += piece;
        return true;
      });
      ASSERT_TRUE(info.ok()) << info.status().message();
      EXPECT_TRUE(check_receipt(info->receipt, *key).ok());
      const auto found = replay::verify(bytes, {.public_key = replay::PublicKey{key->bytes}});
      EXPECT_EQ(found.verdict, replay::ReplayVerdict::kVerified) << found.what;
      expect_digests(bytes, i);
    }
  }

  void expect_digests(const std::string& bytes, std::size_t match) {
    const auto reader = replay::Reader::open(bytes);
    ASSERT_TRUE(reader.ok());
    std::map<Tick, std::uint64_t> digests;
    for (std::size_t i = 0; i < reader->chunks().size(); ++i) {
      const auto records = reader->read_chunk(i);
      ASSERT_TRUE(records.ok());
      for (const auto& record : *records) digests[record.tick] = record.digest;
    }
    for (const auto& player : players_[match]) {
      EXPECT_FALSE(player->digests().empty());
      for (const auto& [tick, digest] : player->digests()) {
        if (tick == 0) continue;
        ASSERT_EQ(digest, digests[tick]) << "match " << match << ", tick " << tick;
      }
    }
  }

  TemporaryFolder folder_;
  int port_ = 0;
  std::unique_ptr<ServerProcess> server_;
  std::optional<Client> client_;
  std::vector<std::string> ids_;
  std::vector<std::unique_ptr<Player>> players_[kMatches];
  int turn_ = 0;
};

TEST_F(Crash, MatchesGoOnWhereTheyWereDurableHoweverOftenTheServerIsKilled) {
  const int kills = std::stoi(required_environment("SWEEPD_KILLS"));
  start();
  client_.emplace(server_->client());
  create_matches();
  ASSERT_TRUE(eventually([this] {
    play_for(milliseconds(5));
    const auto durable = durable_ticks();
    return are_all_joined() && *std::ranges::min_element(durable) > 0;
  }));
  std::mt19937 random(GTEST_FLAG_GET(random_seed));
  for (int i = 0; i < kills; ++i) {
    play_for(milliseconds(std::uniform_int_distribution(0, 400)(random)));
    kill();
    const std::vector<Tick> durable = durable_ticks();
    start();
    for (std::size_t match = 0; match < kMatches; ++match) {
      const auto now = server_->client().get_match(ids_[match]);
      ASSERT_TRUE(now.ok()) << now.status().message() << server_->process().standard_error();
      EXPECT_GE(now->tick, durable[match]) << "after kill " << i;
    }
    // Some of the times it dies before everybody is back.
    if (i % 3 != 0) continue;
    ASSERT_TRUE(eventually([this] {
      play_for(milliseconds(5));
      return are_all_joined();
    })) << players_text()
        << server_->process().standard_error();
  }
  ASSERT_TRUE(eventually([this] {
    play_for(milliseconds(5));
    return are_all_joined();
  }));
  play_for(milliseconds(500));
  std::size_t reconnections = 0;
  std::size_t undone = 0;
  for (const auto& match : players_) {
    for (const auto& player : match) {
      reconnections += player->reconnections();
      undone += player->undone();
    }
  }
  RecordProperty("reconnections", static_cast<int>(reconnections));
  RecordProperty("undone", static_cast<int>(undone));
  EXPECT_GT(reconnections, 0u);
  EXPECT_GT(undone, 0u);
  expect_replays();
  EXPECT_EQ(server_->process().standard_error().find("error"), std::string::npos)
      << server_->process().standard_error();
}

}  // namespace
}  // namespace sweepd::test::crash_test
