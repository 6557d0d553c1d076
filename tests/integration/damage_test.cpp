// SPDX-License-Identifier: MIT
//
// Protects players and operators from silent loss: durable ticks that damage of the server's files has cost
// are counted and told, to the players of the match, in the lists of matches, in health, metrics and log; and
// a server whose journal is gone does not begin an empty one.
#include <grpcpp/grpcpp.h>
#include <signal.h>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "integration/support/server_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::damage_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using HealthResponse = grpc::health::v1::HealthCheckResponse;

class Damage : public ::testing::Test {
 protected:
  void start() {
    const auto port_file = folder_.path() / "http-port";
    server_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{"--data-dir", data_.string(), "--http-listen", "127.0.0.1:0",
                                 "--http-port-file", port_file.string()},
        port_);
    port_ = server_->port();
    http_port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  void kill() {
    server_->process().signal(SIGKILL);
    ASSERT_EQ(server_->process().wait(), 128 + SIGKILL);
  }

  HealthResponse::ServingStatus health_of(const std::string& service) const {
    auto stub = grpc::health::v1::Health::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    HealthResponse response;
    EXPECT_TRUE(stub->Check(&context, request, &response).ok());
    return response.status();
  }

  /// The value in the text of /metrics.
  std::string metric(const std::string& name) const {
    const std::string all = get(http_port_, "/metrics");
    const auto at = all.find("\n" + name + " ");
    if (at == std::string::npos) return {};
    const auto begin = at + name.size() + 2;
    return all.substr(begin, all.find('\n', begin) - begin);
  }

  /// A player, and how far his match is durable; the server has been killed.
  std::optional<Session> play_and_kill() {
    start();
    client_.emplace(server_->client());
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.reconnect_ticks = 36'000;
    const auto match = client_->create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    id_ = match->match_id;
    JoinOptions options{.match_id = id_, .name = "ann"};
    options.reconnect = patient();
    options.reconnect.timeout = std::chrono::minutes(5);
    options.reconnect.longest_pause = std::chrono::milliseconds(100);
    std::optional<Session> session(client_->join(options));
    EXPECT_TRUE(eventually([&] { return session->durable_tick() > 200; }));
    kill();
    return session;
  }

  /// Runs a server that does not start.
  std::string standard_error_of_refusal() {
    Process process(
        {required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0", "--data-dir", data_.string()},
        folder_.path() / "refused");
    EXPECT_EQ(process.wait(), 1);
    return process.standard_error();
  }

  TemporaryFolder folder_;
  const fs::path data_ = folder_.path() / "data";
  int port_ = 0;
  std::uint16_t http_port_ = 0;
  std::unique_ptr<ServerProcess> server_;
  std::optional<Client> client_;
  std::string id_;
};

TEST_F(Damage, TicksThatACutLogCostsAreCountedAndToldEverywhere) {
  auto session = play_and_kill();
  const Tick durable = session->durable_tick();
  const fs::path wal = data_ / "journal.db-wal";
  fs::resize_file(wal, fs::file_size(wal) / 2);
  start();
  const auto match = server_->client().get_match(id_);
  ASSERT_TRUE(match.ok()) << match.status().message();
  ASSERT_GT(match->lost_ticks, 20u);
  EXPECT_LT(match->lost_ticks, durable + 100);
  EXPECT_EQ(health_of("sweepd.recovery"), HealthResponse::NOT_SERVING);
  EXPECT_EQ(health_of("sweepd.journal"), HealthResponse::SERVING);
  const std::string metrics = get(http_port_, "/metrics");
  EXPECT_THAT(metrics, HasSubstr("\nsweepd_journal_damaged_matches_total 1\n"));
  EXPECT_THAT(metrics, HasSubstr("\nsweepd_journal_lost_ticks_total{match_id=\"" + id_ + "\"} " +
                                 std::to_string(match->lost_ticks) + "\n"));
  EXPECT_TRUE(eventually([&] {
    return server_->process().standard_error().find(std::to_string(match->lost_ticks) +
                                                    " durable ticks are lost") != std::string::npos;
  })) << server_->process().standard_error();
  Process ls({required_environment("SWEEPCTL_BINARY"), "ls", "--json", "--server", server_->address()},
             folder_.path() / "ls");
  EXPECT_EQ(ls.wait(), 0);
  EXPECT_THAT(ls.standard_output(), HasSubstr("\"lost_ticks\":" + std::to_string(match->lost_ticks)));
  std::optional<Reconnection> back;
  ASSERT_TRUE(eventually([&] { return (back = session->poll_reconnection()).has_value(); }));
  ASSERT_TRUE(back->undone.has_value());
  EXPECT_EQ(back->undone->lost_ticks, match->lost_ticks);
}

TEST_F(Damage, WithoutDamageNothingIsLost) {
  auto session = play_and_kill();
  start();
  EXPECT_EQ(server_->client().get_match(id_)->lost_ticks, 0u);
  EXPECT_EQ(health_of("sweepd.recovery"), HealthResponse::SERVING);
  EXPECT_THAT(get(http_port_, "/metrics"), HasSubstr("\nsweepd_journal_damaged_matches_total 0\n"));
  std::optional<Reconnection> back;
  ASSERT_TRUE(eventually([&] { return (back = session->poll_reconnection()).has_value(); }));
  EXPECT_EQ(back->undone.value_or(Undone{}).lost_ticks, 0u);
}

TEST_F(Damage, FilesThatAreCutUnderAServerEndNoMatch) {
  start();
  Client client = server_->client();
  const std::string id = client.create_match(shooter_config(ClockKind::kRealtime))->match_id;
  const auto ticks_on = [&](Tick ticks) {
    const Tick before = client.get_match(id)->tick;
    return eventually([&] { return client.get_match(id)->tick > before + ticks; });
  };
  ASSERT_TRUE(ticks_on(10));
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(data_)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    fs::resize_file(entry.path(), 0);
    ASSERT_TRUE(ticks_on(10)) << entry.path();
  }
  EXPECT_GE(files, 4) << "the database, its log, the witness and the key";
  fs::remove_all(data_);
  EXPECT_TRUE(ticks_on(10));
  EXPECT_TRUE(client.create_match(shooter_config(ClockKind::kManual)).ok());
}

TEST_F(Damage, AWitnessThatIsCutUnderAServerIsWrittenAnewAndTellsOfLostTicks) {
  start();
  Client client = server_->client();
  id_ = client.create_match(shooter_config(ClockKind::kRealtime))->match_id;
  const auto told = [&] { return metric("sweepd_journal_file_damage_total{file=\"witness\"}"); };
  fs::resize_file(data_ / "journal.witness", 0);
  ASSERT_TRUE(eventually([&] { return told() == "1"; }));
  fs::remove(data_ / "journal.witness");
  ASSERT_TRUE(eventually([&] { return told() == "2"; }));
  EXPECT_TRUE(eventually([&] {
    return server_->process().standard_error().find("has been removed under the server") != std::string::npos;
  }));
  EXPECT_EQ(health_of("sweepd.journal_files"), HealthResponse::SERVING) << "it is mended";
  ASSERT_TRUE(eventually([&] { return client.get_match(id_)->durable_tick > 200; }));
  kill();
  const fs::path wal = data_ / "journal.db-wal";
  fs::resize_file(wal, fs::file_size(wal) / 2);
  start();
  EXPECT_GT(server_->client().get_match(id_)->lost_ticks, 20u);
}

TEST_F(Damage, ADatabaseThatIsRemovedUnderAServerIsToldUntilItIsBack) {
  start();
  ASSERT_EQ(health_of("sweepd.journal_files"), HealthResponse::SERVING);
  const auto kept = folder_.path() / "kept";
  for (const std::string file : {"journal.db", "journal.db-wal"}) {
    fs::rename(data_ / file, kept);
    EXPECT_TRUE(eventually([&] { return health_of("sweepd.journal_files") == HealthResponse::NOT_SERVING; }))
        << file;
    EXPECT_THAT(get(http_port_, "/healthz"), HasSubstr(file + " has been removed under the server"));
    fs::rename(kept, data_ / file);
    EXPECT_TRUE(eventually([&] { return health_of("sweepd.journal_files") == HealthResponse::SERVING; }))
        << file;
  }
  EXPECT_EQ(metric("sweepd_journal_file_damage_total{file=\"database\"}"), "1");
  fs::resize_file(data_ / "journal.db-wal", 1'000);
  EXPECT_TRUE(eventually([&] { return metric("sweepd_journal_file_damage_total{file=\"log\"}") == "2"; }));
}

TEST_F(Damage, AServerWhoseDatabaseIsGoneDoesNotBeginAnEmptyOne) {
  (void)play_and_kill();
  fs::rename(data_ / "journal.db", folder_.path() / "moved");
  EXPECT_THAT(standard_error_of_refusal(), HasSubstr("it is missing or empty, and there was one"));
  EXPECT_TRUE(fs::exists(data_ / "journal.db-wal"));
  fs::rename(folder_.path() / "moved", data_ / "journal.db");
  start();
  EXPECT_TRUE(server_->client().get_match(id_).ok());
}

TEST_F(Damage, AnEmptyDatabaseIsNotTakenForANewOne) {
  (void)play_and_kill();
  fs::resize_file(data_ / "journal.db", 0);
  EXPECT_THAT(standard_error_of_refusal(), HasSubstr("--accept-missing-journal"));
}

}  // namespace
}  // namespace sweepd::test::damage_test
