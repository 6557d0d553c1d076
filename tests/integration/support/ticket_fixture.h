// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <filesystem>
#include <fstream>
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

/// A server that speaks TLS and asks for tickets, and tickets for it. The subject "studio" creates matches.
class TicketServerTest : public TlsServerTest {
 protected:
  static constexpr std::uint64_t kSeed = 77;

  void SetUp() override {
    TlsServerTest::SetUp();
    write_keys(sample_key_set());
    start_tls({"--ticket-keys", path("keys.json"), "--ticket-issuer", "game", "--data-dir", path("data"),
               "--log-level", "debug"});
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = authority_.certificate();
    channel_ = grpc::CreateChannel(server().address(), grpc::SslCredentials(options));
    stub_ = v1::MatchService::NewStub(channel_);
  }

  void write_keys(const std::string& text) {
    write_private_file(path("keys.json.new"), text);
    std::filesystem::rename(path("keys.json.new"), path("keys.json"));
  }

  static std::int64_t now_s() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
  }
  /// So soon that a stream outlives it: with the tolerance for clocks that differ.
  static std::int64_t soon_s() { return now_s() - 2; }

  static identity::Ticket ticket_of(identity::PrincipalKind role, const std::string& name) {
    return {.subject = {.issuer = "game", .tenant = "", .name = name},
            .audience = "sweepd",
            .role = role,
            .may_create = role == identity::PrincipalKind::kBackend,
            .not_before_s = now_s() - 60,
            .expires_s = now_s() + 600};
  }
  static identity::Ticket seat_ticket(identity::PrincipalKind role, const std::string& name,
                                      const std::string& match_id, std::vector<std::string> seats = {}) {
    identity::Ticket ticket = ticket_of(role, name);
    ticket.match_id = match_id;
    ticket.seat_names = std::move(seats);
    return ticket;
  }
  static identity::Ticket player_ticket(const std::string& name, const std::string& match_id,
                                        std::vector<std::string> seats = {}) {
    return seat_ticket(identity::PrincipalKind::kPlayer, name, match_id, std::move(seats));
  }
  static std::string token_of(const identity::Ticket& ticket,
                              identity::Algorithm algorithm = identity::Algorithm::kEdDsa) {
    return *identity::issue(ticket, sample_key(algorithm));
  }

  static void show(const std::string& token, grpc::ClientContext& context) {
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  }

  static MatchConfig config() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.seed = kSeed;
    return config;
  }
  std::string create_match(const MatchConfig& config) {
    grpc::ClientContext context;
    show(studio_, context);
    v1::CreateMatchRequest request;
    request.mutable_config()->ParseFromString(*config_message(config));
    v1::CreateMatchResponse response;
    const grpc::Status status = stub_->CreateMatch(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.match().match_id();
  }

  grpc::Status get_match(const std::string& token, const std::string& match_id,
                         v1::GetMatchResponse* response = nullptr) {
    v1::GetMatchResponse ignored;
    grpc::ClientContext context;
    show(token, context);
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    return stub_->GetMatch(&context, request, response == nullptr ? &ignored : response);
  }

  static v1::Join join_as(const std::string& match_id, const std::string& name,
                          v1::Role role = v1::ROLE_PLAYER) {
    v1::Join join;
    join.set_match_id(match_id);
    join.set_name(name);
    join.set_role(role);
    return join;
  }
  std::unique_ptr<RawStream> play(const std::string& token) {
    return std::make_unique<RawStream>(*stub_, token);
  }
  /// Why a join is refused.
  std::string refusal_of(const std::string& token, const v1::Join& join) {
    const auto stream = play(token);
    stream->join(join);
    if (stream->read()) return "it is not";
    return describe(stream->finish());
  }

  Client client_with(const std::string& token) const {
    ClientOptions options = client_options();
    options.security.token = token;
    return Client(options);
  }

  const std::string studio_ = token_of(ticket_of(identity::PrincipalKind::kBackend, "studio"));
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
};

}  // namespace sweepd::test
