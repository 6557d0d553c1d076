// SPDX-License-Identifier: MIT
//
// Protects operators that look for a player in the log of a real server: every line is JSON or text as asked
// for, a call is found by the id that its client has given it or was given, clients write nothing into it but
// what is theirs, and how much is said changes while matches go on.
#include <grpcpp/grpcpp.h>
#include <signal.h>

#include <regex>
#include <sstream>

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::log_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class ServerLog : public ServerTest {
 protected:
  void SetUp() override {}

  void start_server(std::vector<std::string> options) {
    const auto port_file = folder_.path() / "http-port";
    options.insert(options.end(), {"--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
    start(options);
    http_port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
    stub_ = v1::MatchService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  }

  /// Calls for a match that is not there; returns the request id that the server tells.
  std::string call_in_vain(const std::string& match_id, const std::optional<std::string>& request_id) {
    grpc::ClientContext context;
    if (request_id) context.AddMetadata("x-request-id", *request_id);
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    v1::GetMatchResponse response;
    EXPECT_EQ(stub_->GetMatch(&context, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
    const auto& metadata = context.GetServerInitialMetadata();
    const auto it = metadata.find("x-request-id");
    return it == metadata.end() ? "" : std::string(it->second.data(), it->second.size());
  }

  /// Stops the server and returns its log, line by line.
  std::vector<std::string> lines() {
    stopped_by_test_ = true;
    server().process().signal(SIGTERM);
    EXPECT_EQ(server().process().wait(), 0);
    std::vector<std::string> lines;
    std::istringstream text(server().process().standard_error());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  /// The only line that has this.
  static std::string line_with(const std::vector<std::string>& lines, const std::string& what) {
    std::vector<std::string> found;
    for (const std::string& line : lines) {
      if (line.find(what) != std::string::npos) found.push_back(line);
    }
    EXPECT_EQ(found.size(), 1u) << what << " in " << ::testing::PrintToString(lines);
    return found.empty() ? "" : found.front();
  }

  std::string log_level() const { return get(http_port_, "/log-level"); }
  std::string put_log_level(const std::string& level) const {
    HttpClient client(http_port_);
    client.send("PUT /log-level?level=" + level + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return client.response();
  }

  TemporaryFolder folder_;
  std::uint16_t http_port_ = 0;
  std::unique_ptr<v1::MatchService::Stub> stub_;
};

TEST_F(ServerLog, TellsOfAMatchAndWhoPlayedInIt) {
  start_server({});
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Session session = joined(client, match_id, "a name", Role::kPlayer);
  ASSERT_TRUE(client.end_match(match_id).ok());
  const auto lines = this->lines();
  EXPECT_THAT(line_with(lines, "[info] sweepd listens address=" + server().address()), HasSubstr("loops="));
  EXPECT_THAT(line_with(lines, "[info] match created match_id=" + match_id),
              ContainsRegex(" request_id=[0-9a-f]{16}$"));
  EXPECT_THAT(line_with(lines, "[info] participant joined match_id=" + match_id),
              HasSubstr(" participant=0 name=\"a name\" role=PLAYER "));
  line_with(lines, "[info] match ended match_id=" + match_id);
  line_with(lines, "[info] shutting down; one more signal to exit at once");
  EXPECT_THAT(lines.back(), EndsWith("[info] stopped"));
}

TEST_F(ServerLog, ACallIsFoundByTheIdThatItsClientHasGivenIt) {
  start_server({"--log-level", "debug"});
  EXPECT_EQ(call_in_vain("nothing", "ticket-4711"), "ticket-4711");
  const std::string line = line_with(lines(), "request_id=ticket-4711");
  EXPECT_THAT(line, HasSubstr("[debug] call refused call=GetMatch status=NOT_FOUND reason="));
  EXPECT_THAT(line, HasSubstr(" peer=ipv4:127.0.0.1:"));
}

TEST_F(ServerLog, ACallWithoutAnIdOrWithAWrongOneIsGivenOne) {
  start_server({"--log-level", "debug"});
  const std::string first = call_in_vain("nothing", std::nullopt);
  const std::string second = call_in_vain("nothing", std::string(65, 'x'));
  const std::string third = call_in_vain("nothing", "two words");
  const auto lines = this->lines();
  for (const std::string& id : {first, second, third}) {
    EXPECT_TRUE(std::regex_match(id, std::regex("[0-9a-f]{16}"))) << id;
    line_with(lines, "request_id=" + id);
  }
}

TEST_F(ServerLog, AStreamsIdIsInAllThatItsParticipantDoes) {
  start_server({"--log-level", "debug", "--loops", "2"});
  Client client = this->client();
  // On both loops: from one of them the stream has to move to the other's match.
  for (int i = 0; i < 2; ++i) {
    const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
    const std::string id = "player-" + std::to_string(i);
    grpc::ClientContext context;
    context.AddMetadata("x-request-id", id);
    auto stream = stub_->Play(&context);
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match_id);
    request.mutable_join()->set_name("player");
    request.mutable_join()->set_role(v1::ROLE_PLAYER);
    stream->Write(request);
    v1::PlayResponse response;
    ASSERT_TRUE(stream->Read(&response));
    EXPECT_EQ(context.GetServerInitialMetadata().find("x-request-id")->second, id);
    request.mutable_leave();
    stream->Write(request);
    while (stream->Read(&response)) {
    }
    EXPECT_TRUE(stream->Finish().ok());
    ASSERT_TRUE(client.end_match(match_id).ok());
  }
  const auto lines = this->lines();
  for (const char* id : {"player-0", "player-1"}) {
    std::string story;
    for (const std::string& line : lines) {
      if (line.find(std::string(" request_id=") + id) != std::string::npos) story += line + "\n";
    }
    EXPECT_THAT(story, ContainsRegex("participant joined .*\n.*participant left "));
    EXPECT_THAT(story, Not(HasSubstr("match ended"))) << "that was another call";
  }
}

TEST_F(ServerLog, WhatIsRefusedIsToldWithThePlayerAndTheReason) {
  start_server({"--log-level", "debug", "--log-format", "json"});
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  RawStream stream(*stub_);
  stream.joined(match_id, "player");
  v1::Frame frame;
  frame.add_despawns(999'999);
  stream.send(frame);
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  const std::string line = line_with(lines(), "change refused");
  EXPECT_THAT(line, HasSubstr("\"level\":\"debug\",\"message\":\"change refused\",\"match_id\":\"" +
                              match_id + "\",\"participant\":0,\"tick\":1,"));
  EXPECT_THAT(line, HasSubstr("\"reason\":\""));
}

TEST_F(ServerLog, NobodyWritesLinesOfHisOwnIntoIt) {
  start_server({"--log-level", "debug"});
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  const std::string forged = "x\n[2026-01-01 00:00:00.000] [error] the server is yours\x1b[31m";
  Session session = joined(client, match_id, forged, Role::kPlayer);
  call_in_vain(forged, std::nullopt);
  for (const std::string& line : lines()) {
    EXPECT_TRUE(std::regex_search(line, std::regex(R"(^\[[0-9-]{10} [0-9:.]{12}\] \[(debug|info)\] )")))
        << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
}

TEST_F(ServerLog, JsonIsAnObjectInEachLine) {
  start_server({"--log-level", "debug", "--log-format", "json"});
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Session session = joined(client, match_id, "a \"quoted\" \\ name\n", Role::kPlayer);
  call_in_vain("{\"}\n", std::nullopt);
  const auto lines = this->lines();
  EXPECT_GE(lines.size(), 6u);
  const std::string string = R"("([^"\\]|\\["\\]|\\u[0-9a-f]{4})*")";
  const std::regex object(R"(\{"time":"[0-9-]{10}T[0-9:.]{12}Z","level":"[a-z]+","message":)" + string +
                          R"((,"[a-z_]+":()" + string + R"(|-?[0-9]+))*\})");
  for (const std::string& line : lines) EXPECT_TRUE(std::regex_match(line, object)) << line;
  EXPECT_THAT(line_with(lines, "\"participant joined\""),
              HasSubstr(R"("name":"a \"quoted\" \\ name\u000a")"));
}

TEST_F(ServerLog, TheLevelChangesByHttpWhileMatchesGoOn) {
  start_server({});
  EXPECT_THAT(log_level(), EndsWith("\r\n\r\ninfo\n"));
  call_in_vain("quiet", std::nullopt);
  EXPECT_THAT(put_log_level("debug"), EndsWith("\r\n\r\ndebug\n"));
  call_in_vain("loud", std::nullopt);
  EXPECT_THAT(put_log_level("loud"),
              HasSubstr("400 level is one of trace, debug, info, warning, error, off"));
  EXPECT_THAT(put_log_level("off"), EndsWith("\r\n\r\noff\n"));
  const auto lines = this->lines();
  line_with(lines, "log level changed from=info to=debug");
  line_with(lines, "no match \\\"loud\\\"");
  EXPECT_THAT(lines.at(lines.size() - 2), EndsWith("log level changed from=debug to=off"));
  EXPECT_THAT(lines.back(), HasSubstr("audit event=operator_acted")) << "which is written at every level";
  EXPECT_THAT(::testing::PrintToString(lines), Not(HasSubstr("quiet")));
}

TEST_F(ServerLog, TheLevelChangesBySignals) {
  start_server({});
  const auto is_heard = [&](int signal_number, const std::string& level) {
    server().process().signal(signal_number);
    return eventually([&] { return log_level().ends_with("\n" + level + "\n"); });
  };
  EXPECT_TRUE(is_heard(SIGUSR1, "debug"));
  EXPECT_TRUE(is_heard(SIGUSR1, "trace"));
  EXPECT_TRUE(is_heard(SIGUSR2, "debug"));
}

TEST_F(ServerLog, ALevelOrAFormatThatIsNoneIsAUsageError) {
  stopped_by_test_ = true;
  const std::string binary = required_environment("SWEEPD_BINARY");
  Process level({binary, "--log-level", "loud"}, folder_.path() / "level");
  EXPECT_EQ(level.wait(), 2);
  EXPECT_THAT(level.standard_error(), HasSubstr("--log-level"));
  Process format({binary, "--log-format", "xml"}, folder_.path() / "format");
  EXPECT_EQ(format.wait(), 2);
  EXPECT_THAT(format.standard_error(), HasSubstr("--log-format"));
}

}  // namespace
}  // namespace sweepd::test::log_test
