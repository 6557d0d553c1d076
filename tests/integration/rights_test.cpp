// SPDX-License-Identifier: MIT
//
// Protects: who may do what. Each kind of caller calls each rpc about its own match and about another, and is
// let in as the table of rights says; no ticket that is wrong in any way lets anybody in.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <fstream>
#include <map>
#include <string>

#include "identity/rights_table.h"
#include "identity/ticket_issuer.h"
#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"
#include "keys/sample_keys.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.pb.h"

namespace sweepd::test {
namespace {

using identity::MatchRelation;
using identity::PrincipalKind;
using identity::Right;

std::int64_t now_s() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A server that asks for tickets, and tickets for it.
class Rights : public ServerTest {
 protected:
  void SetUp() override {
    write_keys(sample_key_set());
    start({"--ticket-keys", keys_.string(), "--data-dir", (folder_.path() / "data").string()});
    channel_ = grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials());
  }

  void write_keys(const std::string& text) {
    std::ofstream(keys_.string() + ".new") << text;
    std::filesystem::rename(keys_.string() + ".new", keys_);
  }

  static identity::Ticket ticket_of(PrincipalKind role, const std::string& name) {
    return {.subject = {.issuer = "game", .tenant = "", .name = name},
            .audience = "sweepd",
            .role = role,
            .may_create = role == PrincipalKind::kBackend,
            .not_before_s = now_s() - 60,
            .expires_s = now_s() + 600};
  }
  static std::string token_of(const identity::Ticket& ticket,
                              identity::Algorithm algorithm = identity::Algorithm::kEdDsa) {
    return *identity::issue(ticket, sample_key(algorithm));
  }
  /// The public key of RS256, as a secret of HS256.
  static std::string hs_by_public_key() {
    identity::Jwk key = sample_key(identity::Algorithm::kHs256);
    key.id = sample_key(identity::Algorithm::kRs256).id;
    return *identity::issue(ticket_of(PrincipalKind::kBackend, "studio"), key);
  }
  static identity::Ticket seat_ticket(PrincipalKind role, const std::string& match_id) {
    identity::Ticket ticket = ticket_of(role, std::string(identity::name_of(role)) + "-1");
    ticket.match_id = match_id;
    return ticket;
  }

  static void show(const std::string& token, grpc::ClientContext& context) {
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  }

  std::string create_match(const std::string& token, const v1::MatchConfig& config) {
    grpc::ClientContext context;
    show(token, context);
    v1::CreateMatchRequest request;
    *request.mutable_config() = config;
    v1::CreateMatchResponse response;
    const grpc::Status status = stub()->CreateMatch(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.match().match_id();
  }
  static v1::MatchConfig config() {
    v1::MatchConfig config;
    config.add_layers("player");
    config.set_clock(v1::CLOCK_KIND_MANUAL);
    config.set_seed(77);
    return config;
  }

  std::unique_ptr<v1::MatchService::Stub> stub() { return v1::MatchService::NewStub(channel_); }

  grpc::Status get_match(const std::string& token, const std::string& match_id,
                         v1::GetMatchResponse* response = nullptr) {
    v1::GetMatchResponse ignored;
    grpc::ClientContext context;
    show(token, context);
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    return stub()->GetMatch(&context, request, response == nullptr ? &ignored : response);
  }

  const std::string studio_ = token_of(ticket_of(PrincipalKind::kBackend, "studio"));
  TemporaryFolder folder_;
  const std::filesystem::path keys_ = folder_.path() / "keys.json";
  std::shared_ptr<grpc::Channel> channel_;
};

/// All requests of the contract that name a match have its id in field 1.
grpc::ByteBuffer to_bytes(const google::protobuf::MessageLite& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

v1::GetMatchRequest request_about(const std::string& match_id) {
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  return request;
}

class RightsMatrix : public Rights {
 protected:
  /// Of `kind`, such that `match_id` is its own, or another's.
  std::string token_for(PrincipalKind kind, const std::string& match_id, MatchRelation relation) {
    if (kind == PrincipalKind::kAnonymous) return {};
    if (identity::is_participant(kind))
      return token_of(seat_ticket(kind, relation == MatchRelation::kOwn ? match_id : "m-another"));
    identity::Ticket ticket = ticket_of(kind, relation == MatchRelation::kOwn ? "studio" : "rival");
    if (kind == PrincipalKind::kModerator && relation == MatchRelation::kOther)
      ticket.subject.tenant = "arcade";
    return token_of(ticket);
  }

  /// Calls an rpc and gives up once it is let in; the status that refuses it, or any other.
  grpc::Status call(const std::string& rpc, const std::string& token, const grpc::ByteBuffer& request) {
    grpc::GenericStub stub(channel_);
    grpc::ClientContext context;
    show(token, context);
    grpc::CompletionQueue queue;
    const auto stream = stub.PrepareCall(&context, "/" + rpc, &queue);
    const auto wait = [&queue] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    stream->StartCall(nullptr);
    bool is_going = wait();
    if (is_going) {
      stream->WriteLast(request, {}, nullptr);
      wait();
      grpc::ByteBuffer answer;
      stream->Read(&answer, nullptr);
      const bool has_answer = wait();
      if (has_answer) context.TryCancel();
      grpc::Status status;
      stream->Finish(&status, nullptr);
      wait();
      return has_answer ? grpc::Status::OK : status;
    }
    grpc::Status status;
    stream->Finish(&status, nullptr);
    wait();
    return status;
  }

  static bool is_refused(const grpc::Status& status) {
    const bool asks_for_ticket = status.error_code() == grpc::StatusCode::UNAUTHENTICATED;
    return status.error_code() == grpc::StatusCode::PERMISSION_DENIED || asks_for_ticket;
  }

  static bool expects(Right right, PrincipalKind kind, const std::string& rpc) {
    if (right == Right::kIfTicketSays) return kind == PrincipalKind::kBackend;
    // By default stages control the clock; nothing else is for a role.
    if (right == Right::kIfMatchAllows)
      return kind == PrincipalKind::kStage && rpc.ends_with("/ControlClock");
    return right != Right::kNo && right != Right::kAtAdminListener;
  }

  static grpc::ByteBuffer request_for(const std::string& row, const std::string& match_id) {
    const std::map<std::string, v1::Role> roles{
        {" as player", v1::ROLE_PLAYER}, {" as stage", v1::ROLE_STAGE}, {" as observer", v1::ROLE_OBSERVER}};
    for (const auto& [ending, role] : roles) {
      if (!row.ends_with(ending)) continue;
      v1::PlayRequest request;
      request.mutable_join()->set_match_id(match_id);
      request.mutable_join()->set_name("a name");
      request.mutable_join()->set_role(role);
      return to_bytes(request);
    }
    if (row.ends_with("/CreateMatch")) {
      v1::CreateMatchRequest request;
      *request.mutable_config() = config();
      return to_bytes(request);
    }
    if (row.ends_with("/ControlClock")) {
      v1::ControlClockRequest request;
      request.set_match_id(match_id);
      request.mutable_control()->set_paused(true);
      return to_bytes(request);
    }
    if (row.ends_with("/QueryRegion")) {
      v1::QueryRegionRequest request;
      request.set_match_id(match_id);
      request.mutable_region();
      return to_bytes(request);
    }
    const bool is_about_match = row.starts_with("sweepd.") && !row.ends_with("/ListMatches") &&
                                !row.ends_with("/VerifyReplay") && !row.ends_with("/GetPublicKey");
    return is_about_match ? to_bytes(request_about(match_id)) : to_bytes(v1::GetMatchRequest());
  }
};

TEST_F(RightsMatrix, LetsEachKindOfCallerDoWhatTheTableSaysAndNothingElse) {
  for (const identity::RightsRow& row : identity::rights_rows()) {
    const std::string name(row.rpc);
    const std::string rpc = name.substr(0, name.find(' '));
    // Only the admin listener has these.
    if (rpc.starts_with("grpc.reflection") || rpc.starts_with("sweepd.v1.AdminService/")) continue;
    for (const PrincipalKind kind : identity::kPrincipalKinds) {
      for (const MatchRelation relation : {MatchRelation::kOwn, MatchRelation::kOther}) {
        const std::string match_id = create_match(studio_, config());
        // A list is of those that are.
        const auto asked = name.ends_with("/ListMatches") ? MatchRelation::kOwn : relation;
        const bool may = expects(identity::right_of(name, kind, asked), kind, rpc);
        const grpc::Status status =
            call(rpc, token_for(kind, match_id, relation), request_for(name, match_id));
        EXPECT_EQ(!is_refused(status), may) << identity::name_of(kind) << " calls " << name << " about "
                                            << (relation == MatchRelation::kOwn ? "its own match" : "another")
                                            << ": " << status.error_code() << " " << status.error_message();
      }
    }
  }
}

TEST_F(Rights, OfOperatorsForAllAreForLoopbackOrToBeAskedFor) {
  const auto run = [this](const std::vector<std::string>& options) {
    std::vector<std::string> command{
        required_environment("SWEEPD_BINARY"), "--listen", "0.0.0.0:0", "--insecure", "--ready-file",
        (folder_.path() / "ready").string()};
    command.insert(command.end(), options.begin(), options.end());
    return std::make_unique<Process>(command, folder_.path());
  };
  const auto refused = run({});
  EXPECT_EQ(refused->wait(), 1);
  EXPECT_THAT(refused->standard_error(), ::testing::HasSubstr("--ticket-keys, or --anonymous"));
  const auto allowed = run({"--anonymous"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(folder_.path() / "ready"); }));
  EXPECT_THAT(allowed->standard_error(), ::testing::HasSubstr("is an operator (--anonymous)"));
  allowed->signal(SIGTERM);
  EXPECT_EQ(allowed->wait(), 0);
}

TEST_F(Rights, AreForNoTicketThatIsWrong) {
  const std::string match_id = create_match(studio_, config());
  const auto changed = [&](const auto& change) {
    identity::Ticket ticket = ticket_of(PrincipalKind::kBackend, "studio");
    change(ticket);
    return token_of(ticket);
  };
  const std::map<std::string, std::string> tokens{
      {"TICKET_EXPIRED", changed([](auto& ticket) { ticket.expires_s = now_s() - 30; })},
      {"TICKET_NOT_YET_VALID", changed([](auto& ticket) { ticket.not_before_s = now_s() + 300; })},
      {"TICKET_AUDIENCE_FOREIGN", changed([](auto& ticket) { ticket.audience = "another"; })},
      {"TICKET_LIFETIME_TOO_LONG",
       changed([](auto& ticket) { ticket.expires_s = now_s() + 30 * 24 * 60 * 60; })},
      {"TICKET_SIGNATURE_WRONG", studio_.substr(0, studio_.rfind('.')) + ".AAAA"},
      {"TICKET_MALFORMED", std::string(6000, 'a')},
      {"TICKET_ALGORITHM_WRONG", hs_by_public_key()},
  };
  for (const auto& [reason, token] : tokens) {
    const grpc::Status status = get_match(token, match_id);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << reason;
    EXPECT_EQ(describe(status), reason) << status.error_message();
    EXPECT_EQ(server().process().standard_error().find(token.substr(0, 24)), std::string::npos)
        << "the log has the token";
  }
  EXPECT_EQ(describe(get_match("", match_id)), "TICKET_REQUIRED");
  EXPECT_TRUE(get_match(studio_, match_id).ok());
}

TEST_F(Rights, OfAPlayerDoNotIncludeTheSeedAndTheCountersOfOthers) {
  const std::string match_id = create_match(studio_, config());
  v1::GetMatchResponse told;
  const auto seed_for = [&](const std::string& id, PrincipalKind kind) {
    EXPECT_TRUE(get_match(token_of(seat_ticket(kind, id)), id, &told).ok());
    return told.match().config().seed();
  };
  EXPECT_EQ(seed_for(match_id, PrincipalKind::kStage), 77u);
  EXPECT_EQ(seed_for(match_id, PrincipalKind::kPlayer), 0u);
  EXPECT_EQ(seed_for(match_id, PrincipalKind::kObserver), 0u);
  v1::MatchConfig open = config();
  open.mutable_permissions()->mutable_secret_roles()->add_roles(v1::ROLE_PLAYER);
  const std::string open_id = create_match(studio_, open);
  EXPECT_EQ(seed_for(open_id, PrincipalKind::kPlayer), 77u);
  EXPECT_EQ(seed_for(open_id, PrincipalKind::kObserver), 0u);
}

TEST_F(Rights, OfAConfigLetRolesAskWhatItSays) {
  v1::MatchConfig open = config();
  open.mutable_permissions()->mutable_end_roles()->add_roles(v1::ROLE_STAGE);
  const std::string match_id = create_match(studio_, open);
  const auto end_by = [&](PrincipalKind kind) {
    grpc::ClientContext context;
    show(token_of(seat_ticket(kind, match_id)), context);
    v1::EndMatchRequest request;
    request.set_match_id(match_id);
    v1::EndMatchResponse response;
    return stub()->EndMatch(&context, request, &response);
  };
  EXPECT_EQ(describe(end_by(PrincipalKind::kPlayer)), "NOT_ALLOWED");
  EXPECT_TRUE(end_by(PrincipalKind::kStage).ok());
}

TEST_F(Rights, EndWithTheTicketUnlessTheStreamIsSentAnother) {
  const std::string match_id = create_match(studio_, config());
  identity::Ticket ticket = seat_ticket(PrincipalKind::kPlayer, match_id);
  const std::string long_token = token_of(ticket);
  const auto play = [&](const std::string& name, const std::string& refresh) {
    grpc::ClientContext context;
    ticket.expires_s = now_s() - 2;  // Good for some seconds more: clocks may differ.
    show(token_of(ticket), context);
    const auto stream = stub()->Play(&context);
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match_id);
    request.mutable_join()->set_name(name);
    request.mutable_join()->set_role(v1::ROLE_PLAYER);
    stream->Write(request);
    request.mutable_refresh()->set_ticket(refresh);
    if (!refresh.empty()) stream->Write(request);
    v1::PlayResponse response;
    const std::int64_t end = now_s() + 8;
    while (now_s() < end && stream->Read(&response)) continue;
    if (now_s() >= end) context.TryCancel();
    while (stream->Read(&response)) continue;
    return stream->Finish();
  };
  EXPECT_EQ(describe(play("ends", "")), "TICKET_EXPIRED");
  EXPECT_EQ(play("goes on", long_token).error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(Rights, ToASeatAreOfTheSubjectThatTookIt) {
  const std::string match_id = create_match(studio_, config());
  const auto join = [&](const std::string& reconnect_token, auto& stream) {
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match_id);
    request.mutable_join()->set_name("seat");
    request.mutable_join()->set_role(v1::ROLE_PLAYER);
    request.mutable_join()->set_reconnect_token(reconnect_token);
    stream->Write(request);
    v1::PlayResponse response;
    return stream->Read(&response) ? response.joined().reconnect_token() : std::string();
  };
  const auto open = [&](const std::string& subject, grpc::ClientContext& context) {
    identity::Ticket ticket = seat_ticket(PrincipalKind::kPlayer, match_id);
    ticket.subject.name = subject;
    show(token_of(ticket), context);
    return stub()->Play(&context);
  };
  grpc::ClientContext first_context;
  auto first = open("alice", first_context);
  const std::string token = join("", first);
  ASSERT_EQ(token.size(), 16u);
  grpc::ClientContext thief_context;
  auto thief = open("mallory", thief_context);
  EXPECT_EQ(join(token, thief), "");
  EXPECT_EQ(thief->Finish().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  grpc::ClientContext again_context;
  auto again = open("alice", again_context);
  EXPECT_EQ(join(token, again), token);
  for (auto* context : {&first_context, &again_context}) context->TryCancel();
}

TEST_F(Rights, FollowTheFileOfKeysWithoutARestart) {
  const std::string match_id = create_match(studio_, config());
  const std::string by_hmac =
      token_of(ticket_of(PrincipalKind::kBackend, "studio"), identity::Algorithm::kHs256);
  EXPECT_TRUE(get_match(by_hmac, match_id).ok());
  write_keys(identity::key_set_text(sample_key(identity::Algorithm::kEdDsa)));
  EXPECT_TRUE(eventually([&] { return describe(get_match(by_hmac, match_id)) == "TICKET_KEY_UNKNOWN"; }));
  EXPECT_TRUE(get_match(studio_, match_id).ok()) << "its key stays";
  write_keys("{");
  EXPECT_TRUE(eventually([&] {
    return server().process().standard_error().find("those from before are good further on") !=
           std::string::npos;
  }));
  EXPECT_TRUE(get_match(studio_, match_id).ok()) << "a broken file changes nothing";
}

}  // namespace
}  // namespace sweepd::test
