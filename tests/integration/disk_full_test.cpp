// SPDX-License-Identifier: MIT
//
// Protects matches from the disk: when it takes nothing, they go on, what is durable stands still and
// everybody who asks is told; when there is room again, all of it is made up for, as far as it could be kept.
//
// The disk is made full by a limit on the size of the server's files, low enough for the journal and high
// enough for what the server says meanwhile.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "integration/support/server_fixture.h"
#include "replay/reader.h"
#include "replay/verification.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::disk_full_test {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using HealthResponse = grpc::health::v1::HealthCheckResponse;

constexpr rlim_t kAlmostNothing = 8'000;

class DiskFull : public ::testing::Test {
 protected:
  void start(std::vector<std::string> options = {}) {
    const auto port_file = folder_.path() / "http-port";
    options.insert(options.end(), {"--data-dir", (folder_.path() / "data").string(), "--http-listen",
                                   "127.0.0.1:0", "--http-port-file", port_file.string()});
    server_ = std::make_unique<ServerProcess>(options, port_);
    port_ = server_->port();
    http_port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  /// The server inherits the limit.
  void start_full() {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit full{.rlim_cur = kAlmostNothing, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    start();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  }

  void kill() {
    server_->process().signal(SIGKILL);
    ASSERT_EQ(server_->process().wait(), 128 + SIGKILL);
  }

  void limit_files(rlim_t bytes) {
    const rlimit limit{.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    ASSERT_EQ(::prlimit(server_->process().pid(), RLIMIT_FSIZE, &limit, nullptr), 0);
  }

  bool has_metric(const std::string& line) const {
    return get(http_port_, "/metrics").find("\n" + line + "\n") != std::string::npos;
  }

  HealthResponse::ServingStatus health_of(const std::string& service) const {
    auto stub = grpc::health::v1::Health::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    HealthResponse response;
    const grpc::Status status = stub->Check(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.status();
  }

  std::size_t times_said(const std::string& what) const {
    const std::string said = server_->process().standard_error() + server_->process().standard_output();
    std::size_t times = 0;
    for (std::size_t at = said.find(what); at != std::string::npos; at = said.find(what, at + 1)) ++times;
    return times;
  }

  /// Ships meet, so that there are events.
  static std::size_t events_until(Session& session, Tick tick) {
    std::size_t events = 0;
    std::optional<ObjectId> bullet;
    const bool has_run = eventually([&] {
      if (bullet) (void)session.despawn(*bullet);
      const auto spawned = session.spawn(object_at({0, 0}, 3));
      bullet = spawned.ok() ? std::optional(*spawned) : std::nullopt;
      (void)session.end_frame();
      while (session.poll_event()) ++events;
      while (session.poll_rejection()) continue;
      return session.tick() >= tick;
    });
    EXPECT_TRUE(has_run);
    return events;
  }

  std::string create_match(Client& client, std::uint32_t tick_rate_hz = 60) {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = tick_rate_hz;
    const auto match = client.create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    return match->match_id;
  }

  TemporaryFolder folder_;
  int port_ = 0;
  std::uint16_t http_port_ = 0;
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(DiskFull, MatchesGoOnWhatIsDurableStandsAndThenCatchesUp) {
  start();
  Client client = server_->client();
  const std::string id = create_match(client);
  Session session = joined(client, id, "ann", Role::kStage);
  ASSERT_TRUE(session.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(session.end_frame().ok());
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > 10; }));
  EXPECT_EQ(health_of("sweepd.journal"), HealthResponse::SERVING);

  limit_files(kAlmostNothing);
  ASSERT_TRUE(eventually([&] { return has_metric("sweepd_journal_failing 1"); }));
  EXPECT_EQ(health_of("sweepd.journal"), HealthResponse::NOT_SERVING);
  EXPECT_EQ(health_of(""), HealthResponse::SERVING);
  const Tick tick = session.tick();
  ASSERT_TRUE(eventually([&] { return session.tick() > tick + 5; }));  // What was on its way has come.
  const Tick durable = session.durable_tick();
  EXPECT_GT(events_until(session, tick + 120), 0u);
  EXPECT_EQ(session.durable_tick(), durable);
  EXPECT_EQ(client.get_match(id)->durable_tick, durable);
  EXPECT_TRUE(has_metric("sweepd_journal_failing 1"));
  // Lines are written by a thread of their own.
  EXPECT_TRUE(eventually([&] { return times_said("the journal cannot be written: disk full") > 0; }))
      << server_->process().standard_error();

  limit_files(RLIM_INFINITY);
  const Tick tick_then = session.tick();
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > tick_then; }));
  EXPECT_TRUE(has_metric("sweepd_journal_failing 0"));
  EXPECT_EQ(health_of("sweepd.journal"), HealthResponse::SERVING);
  EXPECT_TRUE(eventually([&] { return times_said("the journal can be written again") > 0; }));
  EXPECT_EQ(times_said("the journal cannot be written: disk full"), 1u) << "it is news once";
  EXPECT_EQ(times_said("the journal can be written again"), 1u);
  EXPECT_TRUE(has_metric("sweepd_journal_records_given_up_total 0"));

  kill();
  const Tick durable_then = session.durable_tick();
  start();
  const auto match = server_->client().get_match(id);
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_GE(match->tick, durable_then);
  EXPECT_EQ(times_said("damaged"), 0u) << server_->process().standard_error();
}

TEST_F(DiskFull, DeathWhileItIsFullCostsNoMoreThanWhatWasNotDurable) {
  start();
  Client client = server_->client();
  const std::string id = create_match(client);
  Session session = joined(client, id, "ann", Role::kStage);
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > 10; }));
  limit_files(kAlmostNothing);
  ASSERT_TRUE(eventually([&] { return has_metric("sweepd_journal_failing 1"); }));
  (void)events_until(session, session.tick() + 60);
  kill();
  const Tick durable = session.durable_tick();
  EXPECT_LT(durable, session.tick());
  start();
  const auto match = server_->client().get_match(id);
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_GE(match->tick, durable);
  EXPECT_EQ(times_said("damaged"), 0u) << server_->process().standard_error();
}

TEST_F(DiskFull, AMatchForWhichThereWasNoRoomGoesOnAndItsReplayEndsThere) {
  start({"--journal-queue-mib", "1"});
  Client client = server_->client();
  const std::string id = create_match(client, 240);
  Session session = joined(client, id, "ann", Role::kStage);
  ASSERT_TRUE(session.spawn(object_at({0, 0}, 0)).ok());
  for (int i = 0; i < 30; ++i) (void)create_match(client, 240);
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > 10; }));
  limit_files(kAlmostNothing);
  ASSERT_TRUE(eventually([&] { return has_metric("sweepd_journal_failing 1"); }));
  const Tick durable = session.durable_tick();
  ASSERT_TRUE(eventually([&] { return !has_metric("sweepd_journal_records_given_up_total 0"); },
                         std::chrono::minutes(2)));
  // Long enough for this match, too, to have lost some.
  EXPECT_GT(events_until(session, session.tick() + 480), 0u);

  limit_files(RLIM_INFINITY);
  const Tick tick_then = session.tick();
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > tick_then; })) << session.durable_tick();
  (void)events_until(session, tick_then + 300);
  kill();
  const Tick durable_then = session.durable_tick();
  start();
  Client again = server_->client();
  const auto match = again.get_match(id);
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_GE(match->tick, durable_then);
  EXPECT_EQ(times_said("damaged"), 0u) << server_->process().standard_error();

  ASSERT_TRUE(again.end_match(id).ok());
  std::string bytes;
  const auto info = again.get_replay(id, [&bytes](std::string_view piece) {
    bytes += piece;
    return true;
  });
  ASSERT_TRUE(info.ok()) << info.status().message();
  const auto reader = replay::Reader::open(bytes);
  ASSERT_TRUE(reader.ok() && reader->footer());
  EXPECT_EQ(reader->footer()->ending.reason, replay::EndReason::kCut);
  EXPECT_FALSE(reader->footer()->receipt);
  EXPECT_GE(reader->tick_count(), durable);
  EXPECT_LT(reader->tick_count(), tick_then);
  const auto found = replay::verify(bytes);
  EXPECT_EQ(found.verdict, replay::ReplayVerdict::kVerified) << found.what;
}

TEST_F(DiskFull, AServerThatStartsOnAFullDiskGoesOnWithItsMatchesAndCatchesUp) {
  start();
  Client client = server_->client();
  const std::string id = create_match(client);
  JoinOptions options{.match_id = id, .name = "ann", .role = Role::kStage};
  options.reconnect = patient();
  options.reconnect.timeout = std::chrono::minutes(5);
  options.reconnect.longest_pause = milliseconds(100);
  Session session = client.join(options);
  ASSERT_TRUE(is_in(session, SessionState::kJoined));
  ASSERT_TRUE(session.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(session.end_frame().ok());
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > 60; }));
  kill();
  const Tick durable = session.durable_tick();

  start_full();
  const auto match = server_->client().get_match(id);
  ASSERT_TRUE(match.ok()) << match.status().message() << server_->process().standard_error();
  EXPECT_GE(match->tick, durable);
  EXPECT_EQ(health_of("sweepd.journal"), HealthResponse::NOT_SERVING);
  EXPECT_EQ(health_of(""), HealthResponse::SERVING);
  EXPECT_TRUE(has_metric("sweepd_journal_failing 1"));
  ASSERT_TRUE(
      eventually([&] { return session.state() == SessionState::kJoined && session.tick() > match->tick; }));
  EXPECT_GT(events_until(session, session.tick() + 60), 0u);
  EXPECT_LE(session.durable_tick(), match->tick);
  Client again = server_->client();
  const std::string second = create_match(again);  // New matches, too.
  EXPECT_EQ(times_said("the journal cannot be written"), 1u) << server_->process().standard_error();

  limit_files(RLIM_INFINITY);
  const Tick tick_then = session.tick();
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > tick_then; }));
  EXPECT_EQ(health_of("sweepd.journal"), HealthResponse::SERVING);
  EXPECT_TRUE(has_metric("sweepd_journal_failing 0"));
  kill();
  const Tick durable_then = session.durable_tick();
  start();
  EXPECT_GE(server_->client().get_match(id)->tick, durable_then);
  EXPECT_TRUE(server_->client().get_match(second).ok());
  EXPECT_EQ(server_->client().get_match(id)->lost_ticks, 0u);
  EXPECT_EQ(times_said("damaged"), 0u) << server_->process().standard_error();
}

TEST_F(DiskFull, AServerCanStartAndDieOnAFullDiskHoweverOften) {
  start();
  Client client = server_->client();
  const std::string id = create_match(client);
  Session session = joined(client, id, "ann", Role::kStage);
  ASSERT_TRUE(eventually([&] { return session.durable_tick() > 60; }));
  kill();
  const Tick durable = session.durable_tick();
  for (int i = 0; i < 3; ++i) {
    start_full();
    EXPECT_GE(server_->client().get_match(id)->tick, durable);
    kill();
  }
  start();
  EXPECT_GE(server_->client().get_match(id)->tick, durable);
  EXPECT_EQ(server_->client().get_match(id)->lost_ticks, 0u);
}

class NoPlaceForData : public ::testing::Test {
 protected:
  /// Runs the server in a shell that first does something to itself.
  void expect_refused(const std::string& before, const std::string& message) {
    const auto data = folder_.path() / "data";
    Process process({"/bin/sh", "-c",
                     before + " '" + required_environment("SWEEPD_BINARY") +
                         "' --listen 127.0.0.1:0 --data-dir '" + data.string() + "'"},
                    folder_.path() / "server");
    EXPECT_EQ(process.wait(), 1);
    const std::string said = process.standard_error();
    EXPECT_THAT(said, HasSubstr(message));
    EXPECT_THAT(said, HasSubstr(data.string()));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }

  TemporaryFolder folder_;
};

TEST_F(NoPlaceForData, AFullDiskIsSaidAndNothingStarts) {
  expect_refused("trap '' XFSZ; ulimit -f 1; exec", "cannot be used");
}

TEST_F(NoPlaceForData, ADirectoryThatMayNotBeWrittenIsSaidAndNothingStarts) {
  std::filesystem::create_directory(folder_.path() / "data");
  std::filesystem::permissions(folder_.path() / "data",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  // Permissions mean nothing to root.
  const std::string as_nobody = ::geteuid() == 0 ? "exec setpriv --reuid=65534 --clear-groups" : "exec";
  expect_refused(as_nobody, "Permission denied");
}

}  // namespace
}  // namespace sweepd::test::disk_full_test
