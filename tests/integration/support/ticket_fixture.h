// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "identity/ticket_issuer.h"
#include "integration/support/raw_stream.h"
#include "integration/support/tls_fixture.h"
#include "keys/sample_keys.h"
#include "sweepd/config_message.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::test {

inline std::int64_t now_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}
/// So soon that a stream outlives it: with the tolerance for clocks that differ.
inline std::int64_t soon_s() { return now_s() - 2; }

inline identity::Ticket ticket_of(identity::PrincipalKind role, const std::string& name,
                                  const std::string& tenant = "") {
  return {.subject = {.issuer = "game", .tenant = tenant, .name = name},
          .audience = "sweepd",
          .role = role,
          .may_create = role == identity::PrincipalKind::kBackend,
          .not_before_s = now_s() - 60,
          .expires_s = now_s() + 600};
}
inline identity::Ticket seat_ticket(identity::PrincipalKind role, const std::string& name,
                                    const std::string& match_id, std::vector<std::string> seats = {},
                                    const std::string& tenant = "") {
  identity::Ticket ticket = ticket_of(role, name, tenant);
  ticket.match_id = match_id;
  ticket.seat_names = std::move(seats);
  return ticket;
}
inline identity::Ticket player_ticket(const std::string& name, const std::string& match_id,
                                      std::vector<std::string> seats = {}, const std::string& tenant = "") {
  return seat_ticket(identity::PrincipalKind::kPlayer, name, match_id, std::move(seats), tenant);
}
inline std::string token_of(const identity::Ticket& ticket,
                            identity::Algorithm algorithm = identity::Algorithm::kEdDsa) {
  return *identity::issue(ticket, sample_key(algorithm));
}
inline std::string backend(const std::string& name, const std::string& tenant = "") {
  return token_of(ticket_of(identity::PrincipalKind::kBackend, name, tenant));
}
inline std::string player(const std::string& name, const std::string& match_id,
                          const std::string& tenant = "", std::vector<std::string> seats = {}) {
  return token_of(player_ticket(name, match_id, std::move(seats), tenant));
}

/// As metadata of a call.
inline void show(const std::string& token, grpc::ClientContext& context) {
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
}

/// A server that asks for tickets, callers with tickets for it, and calls that no SDK stands between. It is
/// started by the test. The subject "studio" creates matches.
class TicketServerTest : public TlsServerTest {
 protected:
  void start_with_tickets(std::vector<std::string> options = {}) {
    begin(options);
    start(options);
    connect(grpc::InsecureChannelCredentials());
  }
  void start_with_tickets_over_tls(std::vector<std::string> options = {}) {
    is_tls_ = true;
    begin(options);
    start_tls(options);
    grpc::SslCredentialsOptions trust;
    trust.pem_root_certs = authority_.certificate();
    connect(grpc::SslCredentials(trust));
  }

  std::string keys() const { return path("keys.json"); }
  void write_keys(const std::string& text) {
    write_private_file(path("keys.json.new"), text);
    std::filesystem::rename(path("keys.json.new"), keys());
  }

  /// A match of one layer.
  static v1::MatchConfig bare_config(v1::ClockKind clock = v1::CLOCK_KIND_MANUAL) {
    v1::MatchConfig config;
    config.add_layers("player");
    config.set_clock(clock);
    return config;
  }
  static v1::MatchConfig message_of(const MatchConfig& config) {
    v1::MatchConfig message;
    EXPECT_TRUE(message.ParseFromString(*config_message(config)));
    return message;
  }
  grpc::Status create(const std::string& token, std::string* match_id = nullptr,
                      const v1::MatchConfig& config = bare_config()) const {
    grpc::ClientContext context;
    show(token, context);
    v1::CreateMatchRequest request;
    *request.mutable_config() = config;
    v1::CreateMatchResponse response;
    const grpc::Status status = stub_->CreateMatch(&context, request, &response);
    if (match_id != nullptr) *match_id = response.match().match_id();
    return status;
  }
  std::string created(const std::string& token, const v1::MatchConfig& config = bare_config()) const {
    std::string id;
    const grpc::Status status = create(token, &id, config);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return id;
  }
  std::string create_match(const MatchConfig& config) const { return created(studio_, message_of(config)); }

  grpc::Status end(const std::string& token, const std::string& match_id) const {
    grpc::ClientContext context;
    show(token, context);
    v1::EndMatchRequest request;
    request.set_match_id(match_id);
    v1::EndMatchResponse response;
    return stub_->EndMatch(&context, request, &response);
  }
  grpc::Status get_match(const std::string& token, const std::string& match_id,
                         v1::GetMatchResponse* response = nullptr) const {
    v1::GetMatchResponse ignored;
    grpc::ClientContext context;
    show(token, context);
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    return stub_->GetMatch(&context, request, response == nullptr ? &ignored : response);
  }
  /// Of that name in the match; an empty one if there is none.
  v1::Participant participant(const std::string& match_id, const std::string& name,
                              const std::string& token) const {
    v1::GetMatchResponse response;
    EXPECT_TRUE(get_match(token, match_id, &response).ok());
    for (const v1::Participant& participant : response.match().participants())
      if (participant.name() == name) return participant;
    return {};
  }

  static v1::Join join_as(const std::string& match_id, const std::string& name,
                          v1::Role role = v1::ROLE_PLAYER) {
    v1::Join join;
    join.set_match_id(match_id);
    join.set_name(name);
    join.set_role(role);
    return join;
  }
  std::unique_ptr<RawStream> play(const std::string& token) const {
    return std::make_unique<RawStream>(*stub_, token);
  }
  /// Why a join is refused.
  std::string refusal_of(const std::string& token, const v1::Join& join) const {
    const auto stream = play(token);
    stream->join(join);
    if (stream->read()) return "it is not";
    return describe(stream->finish());
  }

  /// The SDK's.
  Client client_with(const std::string& token) const {
    ClientOptions options = client_options();
    options.security.token = token;
    if (!is_tls_) options.security = {.token = token};
    return Client(options);
  }

  const std::string studio_ = backend("studio");
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::MatchService::Stub> stub_;

 private:
  /// The keys of a server that was there before stay.
  void begin(std::vector<std::string>& options) {
    if (!std::filesystem::exists(keys())) write_keys(sample_key_set());
    options.insert(options.end(), {"--ticket-keys", keys()});
  }
  void connect(const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    channel_ = grpc::CreateChannel(server().address(), credentials);
    stub_ = v1::MatchService::NewStub(channel_);
  }

  bool is_tls_ = false;
};

/// By TLS, with a journal, and a log that tells of every call.
class SecureTicketServerTest : public TicketServerTest {
 protected:
  static constexpr std::uint64_t kSeed = 77;

  void SetUp() override {
    TicketServerTest::SetUp();
    start_secure();
  }
  void start_secure() {
    start_with_tickets_over_tls(
        {"--ticket-issuer", "game", "--data-dir", path("data"), "--log-level", "debug"});
  }

  static MatchConfig config() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.seed = kSeed;
    return config;
  }
};

}  // namespace sweepd::test
