// SPDX-License-Identifier: MIT
//
// Protects a server from its own log: what clients send makes no library print, and a log that nothing takes
// holds up neither ticks nor the end.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::test::log_flood_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNoUtf8 = "\xff\xfe";

/// Calls with texts that are not UTF-8. What Protobuf says of them in this process is silenced.
class MalformedClient {
 public:
  explicit MalformedClient(const std::string& address)
      : channel_(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())),
        matches_(v1::MatchService::NewStub(channel_)) {}

  grpc::Status get_match() {
    grpc::ClientContext context;
    limit_time(context);
    v1::GetMatchRequest request;
    request.set_match_id(kNoUtf8);
    v1::GetMatchResponse response;
    return matches_->GetMatch(&context, request, &response);
  }

  grpc::Status create_match() {
    grpc::ClientContext context;
    limit_time(context);
    v1::CreateMatchRequest request;
    request.mutable_config()->add_layers("player");
    request.mutable_config()->add_layers(kNoUtf8);
    v1::CreateMatchResponse response;
    return matches_->CreateMatch(&context, request, &response);
  }

  grpc::Status watch() {
    grpc::ClientContext context;
    limit_time(context);
    v1::WatchRequest request;
    request.set_match_id(kNoUtf8);
    v1::WatchResponse response;
    auto stream = matches_->Watch(&context, request);
    while (stream->Read(&response)) continue;
    return stream->Finish();
  }

  grpc::Status play() {
    RawStream stream(*matches_);
    stream.join("match", kNoUtf8);
    return stream.finish();
  }

  grpc::Status get_replay() {
    grpc::ClientContext context;
    limit_time(context);
    v1::GetReplayRequest request;
    request.set_match_id(kNoUtf8);
    v1::GetReplayResponse response;
    auto stream = v1::ReplayService::NewStub(channel_)->GetReplay(&context, request);
    while (stream->Read(&response)) continue;
    return stream->Finish();
  }

  grpc::Status verify_replay() {
    grpc::ClientContext context;
    limit_time(context);
    v1::VerifyReplayResponse response;
    auto stream = v1::ReplayService::NewStub(channel_)->VerifyReplay(&context, &response);
    v1::VerifyReplayRequest request;
    request.mutable_options()->add_claimed_scores()->set_name(kNoUtf8);
    stream->Write(request);
    stream->WritesDone();
    return stream->Finish();
  }

 private:
  static void limit_time(grpc::ClientContext& context) {
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
  }

  const google::protobuf::LogSilencer silencer_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::MatchService::Stub> matches_;
};

class LogFlood : public ServerTest {};

TEST_F(LogFlood, TextThatIsNotUtf8IsRefusedByItsFieldInEveryCall) {
  MalformedClient client(server().address());
  EXPECT_EQ(describe(client.get_match()), "INVALID_REQUEST match_id");
  EXPECT_EQ(describe(client.create_match()), "INVALID_REQUEST config.layers[1]");
  EXPECT_EQ(describe(client.watch()), "INVALID_REQUEST match_id");
  EXPECT_EQ(describe(client.play()), "INVALID_JOIN join.name");
  EXPECT_EQ(describe(client.get_replay()), "INVALID_REQUEST match_id");
  EXPECT_EQ(describe(client.verify_replay()), "INVALID_VERIFICATION options.claimed_scores[0].name");
}

TEST_F(LogFlood, MalformedTextCostsAFewLinesOfTheLogHoweverOftenItComes) {
  MalformedClient client(server().address());
  constexpr int kCalls = 2000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) {
    ASSERT_EQ(client.get_match().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
  stopped_by_test_ = true;
  server().process().signal(SIGTERM);
  EXPECT_EQ(server().process().wait(), 0);
  const std::string log = server().process().standard_error();
  EXPECT_THAT(log, HasSubstr("library=protobuf"));
  EXPECT_THAT(log, Not(HasSubstr("[libprotobuf ERROR")));
  EXPECT_LT(std::ranges::count(log, '\n'), 20 * (seconds + 2) + 20)
      << "20 lines a second, and the server's own";
}

/// A server whose stderr is a pipe that is full and that nothing reads.
class UnreadServer {
 public:
  UnreadServer() {
    const auto folder = folder_.path() / "server";
    std::filesystem::create_directories(folder);
    const auto fifo = folder / "stderr";
    EXPECT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    pipe_ = ::open(fifo.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    const std::string page(4096, '.');
    while (::write(pipe_, page.data(), page.size()) > 0) continue;
    while (::write(pipe_, ".", 1) > 0) continue;
    const auto ready = folder_.path() / "ready";
    process_.emplace(
        std::vector<std::string>{required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0",
                                 "--log-level", "debug", "--loop-busy-max-percent", "100",
                                 "--loop-lateness-max-ms", "0", "--ready-file", ready.string()},
        folder);
    EXPECT_TRUE(eventually([&] { return std::filesystem::exists(ready); }));
    address_ = "127.0.0.1:" + std::to_string(std::stoi(read_file(ready)));
  }
  ~UnreadServer() { ::close(pipe_); }

  Process& process() { return *process_; }
  const std::string& address() const { return address_; }

 private:
  TemporaryFolder folder_;
  int pipe_ = -1;
  std::optional<Process> process_;
  std::string address_;
};

TEST(UnreadLog, StopsNeitherTicksNorCallsNorTheEnd) {
  UnreadServer server;
  Client client(ClientOptions{.server = server.address(), .timeout = std::chrono::seconds(10)});
  const auto match = client.create_match(shooter_config(ClockKind::kRealtime));
  ASSERT_TRUE(match.ok()) << match.status().message();
  Session session = joined(client, match->match_id, "player", Role::kPlayer);
  MalformedClient malformed(server.address());
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(malformed.get_match().error_code(), grpc::StatusCode::INVALID_ARGUMENT) << "call " << i;
  }
  const Tick tick = session.tick();
  EXPECT_TRUE(eventually([&] { return session.tick() > tick + 30; }, std::chrono::seconds(10)));
  server.process().signal(SIGTERM);
  EXPECT_EQ(server.process().wait(std::chrono::seconds(10)), 0);
}

}  // namespace
}  // namespace sweepd::test::log_flood_test
