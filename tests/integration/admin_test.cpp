// SPDX-License-Identifier: MIT
//
// Protects what only operators may do: it is done on the admin listener alone, by those who may open it, and
// leaves its line in the audit log; who is sent away is told why and stays away.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "integration/support/raw_http2.h"
#include "integration/support/ticket_fixture.h"
#include "sweepd/admin.h"
#include "sweepd/v1/admin_service.grpc.pb.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::admin_test {
namespace {

using identity::PrincipalKind;
using ::testing::HasSubstr;

/// A server that asks for tickets and has an admin socket in its data directory.
class AdminListener : public TicketServerTest {
 protected:
  void SetUp() override {
    TicketServerTest::SetUp();
    start_admin({});
  }

  void start_admin(std::vector<std::string> options) {
    options.insert(options.end(), {"--data-dir", path("data")});
    start_with_tickets(options);
  }

  std::string socket() const { return path("data/admin.sock"); }

  static std::string operators_token(const std::string& name = "root") {
    return token_of(ticket_of(PrincipalKind::kOperator, name));
  }
  Client operators_client() {
    ClientOptions options;
    options.server = "unix:" + socket();
    options.timeout = std::chrono::seconds(30);
    return Client(options);
  }
  std::string create_match() { return TicketServerTest::create_match(shooter_config(ClockKind::kManual)); }
  /// A player that is in the match.
  Session session_of(const std::string& name, const std::string& match_id) {
    clients_.push_back(client_with(player(name, match_id)));
    return joined(clients_.back(), match_id, name, Role::kPlayer);
  }
  static Subject subject(const std::string& name) { return {.issuer = "game", .tenant = "", .name = name}; }

  std::unique_ptr<Process> run_admin(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {required_environment("SWEEPCTL_BINARY"), "admin"});
    arguments.insert(arguments.end(), {"--socket", socket()});
    auto process = std::make_unique<Process>(arguments, folder_.path() / ("run-" + std::to_string(runs_++)));
    process->wait();
    return process;
  }
  std::string output_of(const std::vector<std::string>& arguments) {
    const auto process = run_admin(arguments);
    return process->standard_output() + process->standard_error();
  }

  std::vector<Client> clients_;
  int runs_ = 0;
};

std::string reflected(const std::shared_ptr<grpc::Channel>& channel, grpc::Status& status) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call =
      stub.PrepareCall(&context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  const auto next = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  std::string text;
  call->StartCall(nullptr);
  const std::string list_services("\x3a\x01*", 3);  // ServerReflectionRequest{list_services: "*"}
  grpc::Slice slice(list_services);
  grpc::ByteBuffer answer;
  if (next()) {
    call->WriteLast(grpc::ByteBuffer(&slice, 1), {}, nullptr);
    next();
    call->Read(&answer, nullptr);
    grpc::Slice single;
    if (next() && answer.DumpToSingleSlice(&single).ok())
      text.assign(reinterpret_cast<const char*>(single.begin()), single.size());
  }
  call->Finish(&status, nullptr);
  next();
  return text;
}

TEST_F(AdminListener, IsASocketOfItsOwnerAndGoesWithTheServer) {
  struct stat status = {};
  ASSERT_EQ(::lstat(socket().c_str(), &status), 0);
  EXPECT_TRUE(S_ISSOCK(status.st_mode));
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  server().process().signal(SIGTERM);
  EXPECT_EQ(server().process().wait(), 0) << log();
  EXPECT_FALSE(std::filesystem::exists(socket()));
  stopped_by_test_ = true;
}

TEST_F(AdminListener, TakesThePlaceOfASocketThatNothingAnswersOnAndOfNothingElse) {
  server().process().signal(SIGKILL);
  server().process().wait();
  ASSERT_TRUE(std::filesystem::exists(socket()));
  start_admin({});
  EXPECT_THAT(output_of({"log-level"}), "info\n");
  const auto refused = [&](const std::string& address) {
    Process other(
        {required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0", "--admin-listen", address},
        folder_.path() / "other");
    EXPECT_EQ(other.wait(), 1);
    return other.standard_error();
  };
  EXPECT_THAT(refused("unix:" + socket()), HasSubstr("another process listens there"));
  EXPECT_THAT(refused("unix:" + keys()), HasSubstr("is no socket"));
  EXPECT_THAT(refused("unix:/" + std::string(200, 'x')), HasSubstr("the path is too long"));
  EXPECT_THAT(output_of({"log-level"}), "info\n") << "it still answers";
}

TEST_F(AdminListener, IsMissingWhereNoSocketCanBeAndNobodyAskedForIt) {
  const auto deep = folder_.path() / std::string(100, 'x');
  const ServerProcess other({"--data-dir", deep.string()});
  EXPECT_FALSE(std::filesystem::exists(deep / "admin.sock"));
}

TEST_F(AdminListener, OverTcpNeedsCredentialsOfItsOwn) {
  const std::string address = "127.0.0.1:" + std::to_string(free_port());
  Process open({required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0", "--admin-listen", address},
               folder_.path() / "open");
  EXPECT_EQ(open.wait(), 1);
  EXPECT_THAT(open.standard_error(), HasSubstr("with their tickets or certificates only"));
  server().process().signal(SIGTERM);
  server().process().wait();
  start_admin({"--admin-listen", address});
  EXPECT_FALSE(std::filesystem::exists(socket()));
  const auto level_by = [&](const std::string& token) {
    ClientOptions options;
    options.server = address;
    options.security.token = token;
    Client client(options);
    Admin admin(client);
    const auto level = admin.log_level();
    return level.ok() ? *level : level.status().reason();
  };
  EXPECT_EQ(level_by(""), "TICKET_REQUIRED");
  EXPECT_EQ(level_by(studio_), "NOT_ALLOWED");
  EXPECT_EQ(level_by(player("ann", "m1")), "NOT_ALLOWED");
  EXPECT_EQ(level_by(operators_token()), "info");
  EXPECT_TRUE(is_logged("who=\"operator root of game\" what=GetLogLevel"));
  grpc::Status status;
  reflected(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()), status);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << "it would ask for no ticket";
}

TEST_F(AdminListener, HasItsServiceAndTheSchemaAndOthersHaveNot) {
  const auto clients = grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials());
  const auto admins = grpc::CreateChannel("unix:" + socket(), grpc::InsecureChannelCredentials());
  grpc::Status status;
  reflected(clients, status);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  const std::string schema = reflected(admins, status);
  EXPECT_THAT(schema, HasSubstr("sweepd.v1.AdminService"));
  EXPECT_THAT(schema, HasSubstr("sweepd.v1.MatchService"));
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer " + operators_token());
  v1::GetLogLevelResponse response;
  const auto stub = v1::AdminService::NewStub(clients);
  EXPECT_EQ(stub->GetLogLevel(&context, {}, &response).error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(AdminListener, IsWhereMatchesOfOthersAreEndedAndPaced) {
  Client studio = client_with(studio_);
  Client root = client_with(operators_token());
  Client local = operators_client();
  const std::string match_id = create_match();
  const ClockControl pause{.paused = true};
  const ClockControl resume{.paused = false};
  EXPECT_EQ(root.control_clock(match_id, pause).status().reason(), "NOT_ALLOWED");
  EXPECT_EQ(root.step_match(match_id).status().reason(), "NOT_ALLOWED");
  EXPECT_EQ(root.end_match(match_id).status().reason(), "NOT_ALLOWED");
  EXPECT_TRUE(root.get_match(match_id).ok());
  EXPECT_TRUE(studio.control_clock(match_id, pause).ok());
  EXPECT_TRUE(studio.control_clock(match_id, resume).ok());
  EXPECT_TRUE(studio.step_match(match_id).ok());
  EXPECT_TRUE(local.control_clock(match_id, pause).ok());
  EXPECT_TRUE(local.control_clock(match_id, resume).ok());
  EXPECT_TRUE(local.step_match(match_id).ok());
  EXPECT_TRUE(local.end_match(match_id).ok());
  const std::string own = root.create_match(shooter_config(ClockKind::kManual))->match_id;
  EXPECT_TRUE(root.control_clock(own, pause).ok());
  EXPECT_TRUE(root.end_match(own).ok());
  EXPECT_TRUE(is_logged("what=EndMatch about=\"\" from=\"unix uid=" + std::to_string(::getuid()) +
                        " pid=" + std::to_string(::getpid()) + "\" match_id=" + match_id + " outcome=OK"))
      << log();
  EXPECT_TRUE(is_logged("who=\"operator root of game\" what=EndMatch"));
}

TEST_F(AdminListener, KicksASubjectWhoMayComeBack) {
  const std::string first = create_match();
  const std::string second = create_match();
  Session ann = session_of("ann", first);
  Session ann_elsewhere = session_of("ann", second);
  Session bob = session_of("bob", first);
  EXPECT_EQ(output_of({"kick", "ann", "--issuer", "game", "--match", first}),
            "kicked ann of game: 1 streams ended\n");
  ASSERT_TRUE(is_in(ann, SessionState::kFailed));
  EXPECT_EQ(ann.error().reason(), "KICKED");
  EXPECT_EQ(ann.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(ann_elsewhere.state(), SessionState::kJoined);
  EXPECT_EQ(bob.state(), SessionState::kJoined);
  Client local = operators_client();
  EXPECT_TRUE(eventually([&] {
    return local.step_match(first).ok() && local.get_match(first)->participants.size() == 1;
  })) << "the seat is given up";
  Session again = session_of("ann", first);
  EXPECT_EQ(output_of({"kick", "stranger", "--issuer", "game"}),
            "kicked stranger of game: 0 streams ended\n");
  Admin admin(local);
  EXPECT_EQ(*admin.kick(subject("ann")), 2u) << "of all matches";
  EXPECT_EQ(admin.kick({.issuer = "", .tenant = "", .name = "ann"}).status().field(), "subject.issuer");
  EXPECT_TRUE(is_logged("what=Kick about=\"\\\"ann\\\" of \\\"game\\\"\"")) << log();
}

TEST_F(AdminListener, BansASubjectEverywhereUntilItIsUnbanned) {
  const std::string match_id = create_match();
  Session ann = session_of("ann", match_id);
  EXPECT_EQ(output_of({"ban", "ann", "--issuer", "game", "--for", "1h", "--reason", "cheating"}),
            "banned ann of game for 1h: 1 streams ended\n");
  ASSERT_TRUE(is_in(ann, SessionState::kFailed)) << "it comes back by itself";
  EXPECT_EQ(ann.error().reason(), "BANNED");
  EXPECT_THAT(ann.error().message(), HasSubstr("cheating"));
  Client banned = client_with(player("ann", match_id));
  EXPECT_EQ(banned.get_match(match_id).status().reason(), "BANNED");
  JoinOptions options;
  options.match_id = match_id;
  options.name = "ann";
  Session refused = banned.join(options);
  ASSERT_TRUE(is_in(refused, SessionState::kFailed));
  EXPECT_EQ(refused.error().reason(), "BANNED");
  EXPECT_THAT(output_of({"bans"}), ::testing::MatchesRegex("ann of game until .*Z: cheating\n"));
  EXPECT_EQ(output_of({"reload-keys"}), "4 keys of tickets\n");
  EXPECT_EQ(banned.get_match(match_id).status().reason(), "BANNED") << "it outlives the keys";
  EXPECT_TRUE(is_logged("event=permission_refused who=\"player ann of game\" what=GetMatch")) << log();
  EXPECT_EQ(output_of({"unban", "ann", "--issuer", "game"}), "unbanned ann of game\n");
  EXPECT_TRUE(banned.get_match(match_id).ok());
  EXPECT_THAT(output_of({"unban", "ann", "--issuer", "game"}), HasSubstr("NOT_BANNED"));
  EXPECT_EQ(run_admin({"ban", "ann", "--issuer", "game", "--for", "0s"})->wait(), 2);
}

TEST_F(AdminListener, SendsParticipantsAwayFromStreamsThatTheyShare) {
  const std::string match_id = create_match();
  const auto stream = play(player("host", match_id));
  const auto join = [&](const std::string& name) {
    v1::Join join = join_as(match_id, name);
    join.set_is_shared(true);
    join.set_ticket(player(name, match_id));
    stream->join(join);
  };
  const auto next = [&] {
    v1::PlayResponse response;
    while (stream->read_any(response))
      if (response.has_joined() || response.has_join_refused()) break;
    return response.has_joined() ? "joined " + response.joined().participant().name()
                                 : response.join_refused().reason() + " " + response.join_refused().name();
  };
  for (const std::string name : {"host", "ann"}) {
    join(name);
    EXPECT_EQ(next(), "joined " + name);
  }
  Client local = operators_client();
  Admin admin(local);
  EXPECT_EQ(*admin.kick(subject("ann")), 1u);
  EXPECT_EQ(next(), "KICKED ann");
  join("ann");
  EXPECT_EQ(next(), "joined ann");
  EXPECT_EQ(*admin.ban(subject("ann"), 3600), 1u);
  EXPECT_EQ(next(), "BANNED ann");
  join("ann");
  EXPECT_EQ(next(), "BANNED ann");
  EXPECT_EQ(*admin.kick(subject("host")), 1u);
  EXPECT_EQ(describe(stream->finish()), "KICKED");
}

TEST_F(AdminListener, ChangesTheLogLevelAndReadsKeysAgain) {
  EXPECT_EQ(output_of({"log-level"}), "info\n");
  EXPECT_EQ(output_of({"log-level", "off"}), "info -> off\n");
  EXPECT_EQ(output_of({"log-level"}), "off\n");
  EXPECT_TRUE(is_logged("what=SetLogLevel about=off"));
  EXPECT_TRUE(is_logged("what=GetLogLevel")) << "at every level";
  EXPECT_THAT(output_of({"log-level", "loud"}), HasSubstr("INVALID_LOG_LEVEL"));
  EXPECT_EQ(output_of({"log-level", "info"}), "off -> info\n");
  std::ofstream(keys()) << identity::key_set_text(sample_key(identity::Algorithm::kEdDsa));
  EXPECT_EQ(output_of({"reload-keys"}), "1 keys of tickets\n");
  std::ofstream(keys()) << "{";
  const auto failed = run_admin({"reload-keys"});
  EXPECT_EQ(failed->wait(), 1);
  EXPECT_THAT(failed->standard_error(), HasSubstr("KEYS_UNUSABLE"));
  EXPECT_FALSE(create_match().empty()) << "those from before are good further on";
}

TEST_F(AdminListener, IsInThePlaceOfHttpForTheLogLevel) {
  server().process().signal(SIGTERM);
  server().process().wait();
  const auto port_file = folder_.path() / "http-port";
  start_admin({"--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
  HttpClient http(static_cast<std::uint16_t>(std::stoi(read_file(port_file))));
  http.send("PUT /log-level?level=off HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(http.response(), HasSubstr("403 the log level is changed on the admin listener"));
  EXPECT_TRUE(is_logged("audit event=permission_refused who=\"\" what=\"PUT /log-level\"")) << log();
  EXPECT_EQ(output_of({"log-level"}), "info\n");
}

TEST_F(AdminListener, NeverHasATokenInItsAudit) {
  const std::string token = operators_token();
  const std::string match_id = create_match();
  EXPECT_FALSE(client_with(token).end_match(match_id).ok());
  EXPECT_FALSE(client_with(token + "A").end_match(match_id).ok());
  EXPECT_TRUE(is_logged("event=authentication_refused"));
  EXPECT_TRUE(is_logged("outcome=PERMISSION_DENIED"));
  EXPECT_EQ(log().find(token.substr(token.find('.'), 24)), std::string::npos);
}

/// A server of this machine that asks for no tickets, so that certificates open its admin listener.
class AdminByCertificate : public TlsServerTest {
 protected:
  void SetUp() override {
    TlsServerTest::SetUp();
    authority_.issue({.common_name = "alice"}).write(folder_.path(), "alice");
    authority_.issue({.common_name = "late", .is_expired = true}).write(folder_.path(), "late");
    TestAuthority("elsewhere").issue({.common_name = "mallory"}).write(folder_.path(), "mallory");
  }

  std::vector<std::string> admin_options(const std::string& certificates) const {
    return tls_options(
        {"--admin-listen", address_, "--tls-client-ca", path("ca.pem"), "--tls-client-certs", certificates});
  }

  /// As a client with that certificate, or none, is told it.
  Result<std::string> log_level_for(const std::string& certificate, bool is_tls = true) {
    ClientOptions options = client_options();
    options.server = address_;
    if (!certificate.empty()) {
      options.security.certificate_file = path(certificate + ".pem");
      options.security.key_file = path(certificate + ".key");
    }
    if (!is_tls) options.security = {};
    Client client(options);
    return Admin(client).log_level();
  }

  const int port_ = free_port();
  const std::string address_ = "127.0.0.1:" + std::to_string(port_);
};

TEST_F(AdminByCertificate, LetsInNoneWithoutOneOfTheRightIssuer) {
  start(admin_options("required"));
  for (const std::string stranger : {"", "mallory", "late"}) {
    const auto level = log_level_for(stranger);
    EXPECT_EQ(level.status().code(), ErrorCode::kUnavailable) << stranger;
  }
  EXPECT_EQ(log_level_for("", false).status().code(), ErrorCode::kUnavailable) << "plain text";
  RawHttp2 plain(port_, {});
  EXPECT_TRUE(eventually([&] { return !plain.drain(); }));
  EXPECT_EQ(log().find("operator_acted"), std::string::npos);
  const auto level = log_level_for("alice");
  ASSERT_TRUE(level.ok()) << level.status().message();
  EXPECT_EQ(*level, "info");
  EXPECT_TRUE(is_logged("event=operator_acted")) << log();
  EXPECT_TRUE(is_logged("CN=alice")) << log();
}

TEST_F(AdminByCertificate, IsNoWayInWhereItMayBeLeftOut) {
  std::vector<std::string> command = admin_options("optional");
  command.insert(command.begin(), {required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0"});
  Process refused(command, folder_.path() / "refused");
  EXPECT_EQ(refused.wait(), 1);
  EXPECT_THAT(refused.standard_error(), HasSubstr("with their tickets or certificates only"));
}

}  // namespace
}  // namespace sweepd::test::admin_test
