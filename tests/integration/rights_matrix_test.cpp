// SPDX-License-Identifier: MIT
//
// Protects who may do what: each kind of caller calls each rpc about its own match and about another, by TLS,
// with raw gRPC and with the SDK. Each cell of the table of rights is what it says, with the status that is
// documented.
#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "identity/rights_table.h"
#include "integration/support/ticket_fixture.h"
#include "sweepd/v1/query_service.pb.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::test::rights_matrix_test {
namespace {

using identity::MatchRelation;
using identity::PrincipalKind;
using identity::Right;

constexpr const char* kLetIn = "OK";

/// A match that roles may do more or less in, and one who plays in it.
struct Setting {
  const char* name;
  bool is_open;        ///< Its config lists all roles for what it may list them for,
  bool tells_secrets;  ///< and for the secrets.
};
constexpr Setting kSettings[] = {
    {"by default", false, false}, {"open", true, false}, {"told all", true, true}};

/// A cell of the table, as it is called.
struct Cell {
  std::string row;
  PrincipalKind kind = PrincipalKind::kAnonymous;
  bool is_own = false;  ///< The match, as far as a ticket can make it one's own.
  identity::Ticket ticket = {};
  std::string match_id = {};
  Setting setting = {};

  std::string rpc() const { return row.substr(0, row.find(' ')); }
  std::string text() const {
    return std::string(identity::name_of(kind)) + " calls " + row + " about " +
           (is_own ? "its own match" : "another") + ", " + setting.name;
  }
};

/// The services of this door.
constexpr std::string_view kServices[] = {"sweepd.v1.MatchService/", "sweepd.v1.QueryService/",
                                          "sweepd.v1.ReplayService/", "grpc.health.v1.Health/"};
/// Those of their rpcs whose first answer describes the match.
constexpr std::string_view kTellMatch[] = {"MatchService/GetMatch", "MatchService/EndMatch",
                                           "MatchService/ControlClock", "MatchService/Play",
                                           "MatchService/Watch"};

bool is_offered(const std::string& rpc) {
  return std::ranges::any_of(kServices, [&](std::string_view service) { return rpc.starts_with(service); });
}

identity::Principal principal_of(const Cell& cell) {
  return cell.kind == PrincipalKind::kAnonymous ? identity::Principal{} : identity::principal_of(cell.ticket);
}

Right right_of(const Cell& cell, MatchRelation relation) {
  return identity::right_of(cell.row, cell.kind, relation);
}

MatchRelation relation_of(const Cell& cell) {
  return identity::relation_of(principal_of(cell), cell.match_id, {.issuer = "game", .name = "studio"});
}

bool allows(const Cell& cell, Right right) {
  if (right == Right::kIfTicketSays) return cell.ticket.may_create;
  // By default stages control the clock; nothing else is for a role.
  if (right == Right::kIfMatchAllows)
    return cell.setting.is_open ||
           (cell.kind == PrincipalKind::kStage && cell.rpc().ends_with("/ControlClock"));
  return right != Right::kNo && right != Right::kAtAdminListener;
}

bool is_listed(const Cell& cell) { return allows(cell, right_of(cell, relation_of(cell))); }

bool tells_seed(const Cell& cell) {
  const bool is_told_in_part = cell.kind == PrincipalKind::kPlayer || cell.kind == PrincipalKind::kObserver;
  return !is_told_in_part || cell.setting.tells_secrets;
}

/// What the caller is to be told.
std::string expected(const Cell& cell) {
  if (!is_offered(cell.rpc())) return "12 ";
  // A list is of all matches that there are: who may list its own may call it about any.
  const bool may_list =
      cell.rpc().ends_with("/ListMatches") && allows(cell, right_of(cell, MatchRelation::kOwn));
  const bool has_secrets = cell.rpc().ends_with("/GetReplay");  // The match runs.
  if (may_list || is_listed(cell)) return has_secrets && !tells_seed(cell) ? "7 NOT_VISIBLE" : kLetIn;
  return cell.kind == PrincipalKind::kAnonymous ? "16 TICKET_REQUIRED" : "7 NOT_ALLOWED";
}

class RightsMatrix : public SecureTicketServerTest {
 protected:
  /// Calls each cell with `call`.
  template <typename Call>
  void for_each_cell(Call call) {
    for (const Setting& setting : kSettings) {
      for (const identity::RightsRow& row : identity::rights_rows()) {
        for (const PrincipalKind kind : identity::kPrincipalKinds) {
          for (const bool is_own : {true, false}) {
            const std::string match_id = match_of(setting);
            call(Cell{std::string(row.rpc), kind, is_own, ticket_for(kind, match_id, is_own), match_id,
                      setting});
          }
        }
      }
    }
  }

  static MatchConfig config_of(const Setting& setting) {
    MatchConfig made = config();
    made.reconnect_ticks = 0;
    const std::vector<Role> all{Role::kPlayer, Role::kStage, Role::kObserver};
    if (setting.is_open) {
      made.clock_control_roles = all;
      made.permissions = {
          .query_roles = all, .watch_roles = all, .replay_roles = all, .end_roles = all, .step_roles = all};
    }
    if (setting.tells_secrets) made.permissions.secret_roles = all;
    return made;
  }

  /// The same as before, unless a call has ended it.
  std::string match_of(const Setting& setting) {
    v1::GetMatchResponse before;
    const bool is_known = setting.name == setting_ && get_match(studio_, match_id_, &before).ok();
    if (!is_known || before.match().state() == v1::MATCH_STATE_ENDED) {
      setting_ = setting.name;
      match_id_ = create_match(config_of(setting));
      claimant_ = play(studio_);
      claimant_number_ = claimant_->joined(join_as(match_id_, "claimant")).participant().number();
    }
    return match_id_;
  }

  identity::Ticket ticket_for(PrincipalKind kind, const std::string& match_id, bool is_own) {
    const std::string subject = "subject-" + std::to_string(++subjects_);  // Has no seat yet.
    if (identity::is_participant(kind)) return seat_ticket(kind, subject, is_own ? match_id : "m-another");
    identity::Ticket ticket = ticket_of(kind, subject);
    if (kind == PrincipalKind::kBackend && is_own) ticket.subject.name = "studio";
    if (kind == PrincipalKind::kModerator && !is_own) ticket.subject.tenant = "arcade";
    return ticket;
  }
  static std::string token_for(const Cell& cell) {
    return cell.kind == PrincipalKind::kAnonymous ? "" : token_of(cell.ticket);
  }

  void expect_no_token_in_log() {
    const std::size_t at = log().find("eyJ");  // {" in base64: all tokens begin so.
    EXPECT_EQ(at, std::string::npos) << log().substr(at, 200);
  }

  std::uint32_t claimant_number_ = 0;

 private:
  std::string setting_;
  std::string match_id_;
  std::unique_ptr<RawStream> claimant_;
  int subjects_ = 0;
};

/// All requests that name nothing but a match have its id in field 1.
std::string request_about(const std::string& match_id) {
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  return request.SerializeAsString();
}

class RawRightsMatrix : public RightsMatrix {
 protected:
  std::string request_for(const Cell& cell) const {
    const std::string rpc = cell.rpc();
    if (rpc.ends_with("/Play")) {
      const std::map<std::string, v1::Role> roles{
          {"player", v1::ROLE_PLAYER}, {"stage", v1::ROLE_STAGE}, {"observer", v1::ROLE_OBSERVER}};
      v1::PlayRequest request;
      *request.mutable_join() = join_as(cell.match_id, cell.ticket.subject.name,
                                        roles.at(cell.row.substr(cell.row.rfind(' ') + 1)));
      return request.SerializeAsString();
    }
    if (rpc.ends_with("/CreateMatch")) {
      v1::CreateMatchRequest request;
      request.mutable_config()->ParseFromString(*config_message(config()));
      return request.SerializeAsString();
    }
    if (rpc.ends_with("/ControlClock")) {
      v1::ControlClockRequest request;
      request.set_match_id(cell.match_id);
      request.mutable_control()->set_paused(false);
      return request.SerializeAsString();
    }
    if (rpc.ends_with("/StepMatch")) {
      v1::StepMatchRequest request;
      request.set_match_id(cell.match_id);
      request.set_ticks(1);
      return request.SerializeAsString();
    }
    if (rpc.ends_with("/QueryRegion")) {
      v1::QueryRegionRequest request;
      request.set_match_id(cell.match_id);
      request.mutable_region();
      return request.SerializeAsString();
    }
    if (rpc.ends_with("/ValidateHits")) {
      v1::ValidateHitsRequest request;
      request.set_match_id(cell.match_id);
      request.set_participant(claimant_number_);
      request.add_claims();
      return request.SerializeAsString();
    }
    if (rpc.ends_with("/ListMatches")) {
      v1::ListMatchesRequest request;
      request.set_page_size(1000);
      return request.SerializeAsString();
    }
    const bool is_about_match =
        rpc.starts_with("sweepd.") && !rpc.ends_with("/VerifyReplay") && !rpc.ends_with("/GetPublicKey");
    return is_about_match ? request_about(cell.match_id) : "";
  }

  /// The status of a call, of a stream once it has answered.
  grpc::Status call(const Cell& cell) {
    grpc::GenericStub stub(channel_);
    grpc::ClientContext context;
    show(token_for(cell), context);
    grpc::CompletionQueue queue;
    const auto stream = stub.PrepareCall(&context, "/" + cell.rpc(), &queue);
    const auto wait = [&queue] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    stream->StartCall(nullptr);
    bool has_answer = false;
    if (wait()) {
      const grpc::Slice slice(request_for(cell));
      stream->WriteLast(grpc::ByteBuffer(&slice, 1), {}, nullptr);
      wait();
      grpc::ByteBuffer answer;
      stream->Read(&answer, nullptr);
      has_answer = wait();
      if (has_answer) take(answer);
      if (has_answer) context.TryCancel();
    }
    grpc::Status status;
    stream->Finish(&status, nullptr);
    wait();
    return has_answer ? grpc::Status::OK : status;
  }

  /// Of the match that the last answer has.
  std::uint64_t seed_of(const std::string& rpc) const {
    if (rpc.ends_with("/Play")) return parsed<v1::PlayResponse>().joined().match().config().seed();
    if (rpc.ends_with("/Watch")) return parsed<v1::WatchResponse>().started().match().config().seed();
    return parsed<v1::GetMatchResponse>().match().config().seed();
  }
  static bool tells_match(const std::string& rpc) {
    return std::ranges::any_of(kTellMatch, [&](std::string_view name) { return rpc.ends_with(name); });
  }
  bool lists(const std::string& match_id) const {
    const auto response = parsed<v1::ListMatchesResponse>();
    return std::ranges::any_of(response.matches(),
                               [&](const v1::Match& match) { return match.match_id() == match_id; });
  }

 private:
  void take(grpc::ByteBuffer& answer) {
    std::vector<grpc::Slice> slices;
    EXPECT_TRUE(answer.Dump(&slices).ok());
    answer_.clear();
    for (const grpc::Slice& slice : slices) answer_.append(slice.begin(), slice.end());
  }
  template <typename Message>
  Message parsed() const {
    Message message;
    EXPECT_TRUE(message.ParseFromString(answer_));
    return message;
  }

  std::string answer_;
};

TEST_F(RawRightsMatrix, IsAsTheTableSays) {
  for_each_cell([this](const Cell& cell) {
    const grpc::Status status = call(cell);
    const std::string verdict =
        status.ok() ? kLetIn : std::to_string(status.error_code()) + " " + describe(status);
    EXPECT_EQ(verdict, expected(cell)) << cell.text() << ": " << status.error_message();
    if (verdict == "7 NOT_ALLOWED" && right_of(cell, relation_of(cell)) == Right::kIfMatchAllows) {
      EXPECT_THAT(status.error_message(), ::testing::HasSubstr("_roles do not have the role")) << cell.text();
    }
    if (!status.ok()) return;
    if (tells_match(cell.rpc())) {
      EXPECT_EQ(seed_of(cell.rpc()), tells_seed(cell) ? kSeed : 0) << cell.text();
    }
    if (cell.rpc().ends_with("/ListMatches")) {
      EXPECT_EQ(lists(cell.match_id), is_listed(cell)) << cell.text();
    }
  });
  expect_no_token_in_log();
}

TEST_F(RawRightsMatrix, ABackendCreatesMatchesOnlyIfItsTicketSaysSo) {
  const std::string match_id = match_of(kSettings[0]);
  Cell cell{"sweepd.v1.MatchService/CreateMatch",
            PrincipalKind::kBackend,
            true,
            ticket_of(PrincipalKind::kBackend, "studio"),
            match_id,
            kSettings[0]};
  EXPECT_TRUE(call(cell).ok());
  cell.ticket.match_id = match_id;
  EXPECT_TRUE(call(cell).ok());
  cell.ticket.may_create = false;
  EXPECT_EQ(describe(call(cell)), "NOT_ALLOWED");
  cell.kind = PrincipalKind::kOperator;
  cell.ticket = ticket_of(PrincipalKind::kOperator, "root");
  EXPECT_EQ(call(cell).ok(), expected(cell) == kLetIn);
}

/// A call of the SDK. Sessions wait for their answer, and leave.
using SdkCall = Status (*)(Client& client, const Cell& cell, std::uint32_t claimant);

template <typename Stream>
Status outcome_of(Stream stream) {
  eventually(
      [&] { return stream.state() == SessionState::kJoined || stream.state() == SessionState::kFailed; });
  return stream.error();
}

Status join(Client& client, const Cell& cell, Role role) {
  return outcome_of(client.join({.match_id = cell.match_id, .name = cell.ticket.subject.name, .role = role}));
}

const std::map<std::string, SdkCall>& sdk_calls() {
  static const std::map<std::string, SdkCall> calls{
      {"MatchService/CreateMatch",
       [](Client& c, const Cell&, std::uint32_t) {
         return c.create_match(shooter_config(ClockKind::kManual)).status();
       }},
      {"MatchService/GetMatch",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.get_match(cell.match_id).status(); }},
      {"MatchService/ListMatches",
       [](Client& c, const Cell&, std::uint32_t) { return c.list_matches().status(); }},
      {"MatchService/EndMatch",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.end_match(cell.match_id).status(); }},
      {"MatchService/Play as player",
       [](Client& c, const Cell& cell, std::uint32_t) { return join(c, cell, Role::kPlayer); }},
      {"MatchService/Play as stage",
       [](Client& c, const Cell& cell, std::uint32_t) { return join(c, cell, Role::kStage); }},
      {"MatchService/Play as observer",
       [](Client& c, const Cell& cell, std::uint32_t) { return join(c, cell, Role::kObserver); }},
      {"MatchService/Watch",
       [](Client& c, const Cell& cell, std::uint32_t) { return outcome_of(c.watch(cell.match_id)); }},
      {"MatchService/StepMatch",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.step_match(cell.match_id).status(); }},
      {"MatchService/ControlClock",
       [](Client& c, const Cell& cell, std::uint32_t) {
         return c.control_clock(cell.match_id, {.paused = false}).status();
       }},
      {"QueryService/ListEncounters",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.list_encounters(cell.match_id).status(); }},
      {"QueryService/QueryRegion",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.query_region(cell.match_id, {}).status(); }},
      {"QueryService/CastRay",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.cast_ray(cell.match_id, {}, {}).status(); }},
      {"QueryService/FindNearest",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.find_nearest(cell.match_id, {}).status(); }},
      {"QueryService/GetWorld",
       [](Client& c, const Cell& cell, std::uint32_t) { return c.get_world(cell.match_id).status(); }},
      {"QueryService/ValidateHits",
       [](Client& c, const Cell& cell, std::uint32_t claimant) {
         return c.validate_hits(cell.match_id, claimant, {{.shot = 1, .target = 2}}).status();
       }},
      {"ReplayService/GetReplay",
       [](Client& c, const Cell& cell, std::uint32_t) {
         return c.get_replay(cell.match_id, [](std::string_view) { return true; }).status();
       }},
      {"ReplayService/VerifyReplay",
       [](Client& c, const Cell&, std::uint32_t) { return c.verify_replay("no replay").status(); }},
      {"ReplayService/GetPublicKey",
       [](Client& c, const Cell&, std::uint32_t) { return c.get_public_key().status(); }},
  };
  return calls;
}

class SdkRightsMatrix : public RightsMatrix {
 protected:
  /// One that shows `token_`, or none.
  Client& client_for(PrincipalKind kind) {
    auto& client = clients_[kind];
    if (!client) {
      ClientOptions options = client_options();
      if (kind != PrincipalKind::kAnonymous)
        options.security.fresh_token = [this] {
          const std::lock_guard lock(mutex_);
          return token_;
        };
      client = std::make_unique<Client>(options);
    }
    return *client;
  }
  void show_from_now_on(const std::string& token) {
    const std::lock_guard lock(mutex_);
    token_ = token;
  }

 private:
  std::mutex mutex_;
  std::string token_;
  std::map<PrincipalKind, std::unique_ptr<Client>> clients_;
};

TEST_F(SdkRightsMatrix, IsAsTheTableSays) {
  const std::map<ErrorCode, std::string> codes{{ErrorCode::kPermissionDenied, "7 "},
                                               {ErrorCode::kUnauthenticated, "16 "}};
  for_each_cell([&](const Cell& cell) {
    if (!cell.row.starts_with("sweepd.v1.") || !is_offered(cell.rpc())) return;
    const auto call = sdk_calls().find(cell.row.substr(std::string("sweepd.v1.").size()));
    ASSERT_NE(call, sdk_calls().end()) << cell.row;
    show_from_now_on(token_for(cell));
    const Status status = call->second(client_for(cell.kind), cell, claimant_number_);
    const auto code = codes.find(status.code());
    const std::string verdict = status.ok()           ? kLetIn
                                : code == codes.end() ? status.message()
                                                      : code->second + status.reason();
    EXPECT_EQ(verdict, expected(cell)) << cell.text() << ": " << status.message();
  });
  expect_no_token_in_log();
}

}  // namespace
}  // namespace sweepd::test::rights_matrix_test
