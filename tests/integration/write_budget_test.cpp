// SPDX-License-Identifier: MIT
//
// Protects the disk and the neighbours of who writes much: what one match and one address have written to the
// journal is bounded, what comes beyond is refused with the limit, and others are durable as before.
#include "integration/support/server_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::write_budget_test {
namespace {

using ::testing::HasSubstr;

class WriteBudgets : public ::testing::Test {
 protected:
  void start(std::vector<std::string> options) {
    const auto port_file = folder_.path() / "http-port";
    options.insert(options.end(), {"--data-dir", (folder_.path() / "data").string(), "--http-listen",
                                   "127.0.0.1:0", "--http-port-file", port_file.string()});
    server_ = std::make_unique<ServerProcess>(options);
    http_port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  double journal_bytes() const {
    const std::string metrics = get(http_port_, "/metrics");
    const std::string name = "\nsweepd_journal_bytes_total ";
    return std::stod(metrics.substr(metrics.find(name) + name.size()));
  }

  static std::string create_match(Client& client, ClockKind clock = ClockKind::kRealtime) {
    const auto match = client.create_match(shooter_config(clock));
    EXPECT_TRUE(match.ok()) << match.status().message();
    return match->match_id;
  }

  /// Objects that jump about as fast as frames are taken. What is refused is polled.
  struct Flood {
    std::vector<ObjectId> objects = {};
    std::size_t refused = 0;
    std::string message = {};

    void begin(Session& session) {
      for (int i = 0; i < 2'000; ++i) objects.push_back(*session.spawn(object_at({i * 20.0, 0}, 1)));
      (void)session.end_frame();
    }
    void send(Session& session, int turn) {
      for (std::size_t i = 0; i < objects.size(); ++i)
        (void)session.move(objects[i],
                           {static_cast<double>((turn * 7919 + i * 104'729) % 1'000'000), 1.0 * turn});
      (void)session.end_frame();
      while (const auto rejection = session.poll_rejection()) {
        if (rejection->message.find("to the journal") == std::string::npos) continue;
        ++refused;
        message = rejection->message;
      }
    }
  };

  TemporaryFolder folder_;
  std::uint16_t http_port_ = 0;
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(WriteBudgets, OfAMatchAreKeptAndTheNeighbourIsDurable) {
  start({"--journal-match-kib-per-s", "64"});
  Client client = server_->client();
  Session loud = joined(client, create_match(client), "loud", Role::kStage);
  Session quiet = joined(client, create_match(client), "quiet", Role::kStage);
  ASSERT_TRUE(quiet.spawn(object_at({0, 0}, 0)).ok());
  Flood flood;
  flood.begin(loud);
  const double before = journal_bytes();
  const auto start = std::chrono::steady_clock::now();
  int turn = 0;
  ASSERT_TRUE(eventually([&] {
    flood.send(loud, ++turn);
    return flood.refused > 100;
  }));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  // Four seconds' worth at once, one frame beyond, and what the quiet ones write.
  EXPECT_LT(journal_bytes() - before, (took.count() + 5) * 65'536 + 100'000);
  EXPECT_THAT(flood.message,
              HasSubstr("the match has written more than 65536 bytes a second to the journal"));
  const Tick tick = quiet.tick();
  EXPECT_TRUE(eventually([&] { return quiet.durable_tick() > tick + 60; }));
  EXPECT_FALSE(quiet.poll_rejection().has_value());
  EXPECT_EQ(loud.state(), SessionState::kJoined);
}

TEST_F(WriteBudgets, OfAnAddressAreKeptOverAllItsMatches) {
  start({"--journal-address-kib-per-s", "64", "--journal-match-kib-per-s", "0"});
  Client client = server_->client();
  Session first = joined(client, create_match(client), "first", Role::kStage);
  Session second = joined(client, create_match(client), "second", Role::kStage);
  Flood one;
  Flood two;
  one.begin(first);
  two.begin(second);
  int turn = 0;
  ASSERT_TRUE(eventually([&] {
    one.send(first, ++turn);
    two.send(second, turn);
    return one.refused > 20 && two.refused > 20;
  }));
  EXPECT_THAT(one.message, HasSubstr("your address has written more than 65536 bytes a second"));
  const auto refused = client.create_match(shooter_config(ClockKind::kRealtime));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().reason(), "TOO_MANY_BYTES_WRITTEN") << refused.status().message();
}

TEST_F(WriteBudgets, LetStepsWaitAndRefuseNothingOfThem) {
  start({"--journal-match-kib-per-s", "64"});
  Client client = server_->client();
  const std::string id = create_match(client, ClockKind::kManual);
  Session session = joined(client, id, "ann", Role::kStage);
  Flood flood;
  flood.begin(session);
  const double before = journal_bytes();
  const auto start = std::chrono::steady_clock::now();
  for (int turn = 1; turn <= 60; ++turn) {
    flood.send(session, turn);
    ASSERT_TRUE(client.step_match(id, 1, true).ok());
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(flood.refused, 0u);
  EXPECT_GT(journal_bytes() - before, 300'000.0);
  EXPECT_LT(journal_bytes() - before, (took.count() + 5) * 65'536 + 100'000);
}

}  // namespace
}  // namespace sweepd::test::write_budget_test
