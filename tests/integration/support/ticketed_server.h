// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "identity/ticket_issuer.h"
#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"
#include "keys/sample_keys.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::test {

/// A server that asks for tickets, callers with tickets for it, and calls that name no SDK between them.
class TicketedServer : public ServerTest {
 protected:
  void SetUp() override {}

  void start_with_tickets(std::vector<std::string> options) {
    write_private_file(keys_, sample_key_set());
    options.insert(options.end(), {"--ticket-keys", keys_.string()});
    start(options);
    channel_ = grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials());
  }

  static std::int64_t now_s() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
  }
  static identity::Ticket ticket_of(identity::PrincipalKind role, const std::string& name,
                                    const std::string& tenant = "") {
    return {.subject = {.issuer = "game", .tenant = tenant, .name = name},
            .audience = "sweepd",
            .role = role,
            .may_create = role == identity::PrincipalKind::kBackend,
            .not_before_s = now_s() - 60,
            .expires_s = now_s() + 600};
  }
  static std::string token_of(const identity::Ticket& ticket) {
    return *identity::issue(ticket, sample_key(identity::Algorithm::kEdDsa));
  }
  static std::string backend(const std::string& name, const std::string& tenant = "") {
    return token_of(ticket_of(identity::PrincipalKind::kBackend, name, tenant));
  }
  static std::string player(const std::string& name, const std::string& match_id,
                            const std::string& tenant = "", std::vector<std::string> seats = {}) {
    identity::Ticket ticket = ticket_of(identity::PrincipalKind::kPlayer, name, tenant);
    ticket.match_id = match_id;
    ticket.seat_names = std::move(seats);
    return token_of(ticket);
  }

  static void show(const std::string& token, grpc::ClientContext& context) {
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  }
  static v1::MatchConfig config(v1::ClockKind clock = v1::CLOCK_KIND_MANUAL) {
    v1::MatchConfig config;
    config.add_layers("player");
    config.set_clock(clock);
    return config;
  }

  grpc::Status create(const std::string& token, std::string* match_id = nullptr,
                      const v1::MatchConfig& config = TicketedServer::config()) {
    grpc::ClientContext context;
    show(token, context);
    v1::CreateMatchRequest request;
    *request.mutable_config() = config;
    v1::CreateMatchResponse response;
    const grpc::Status status = stub()->CreateMatch(&context, request, &response);
    if (match_id != nullptr) *match_id = response.match().match_id();
    return status;
  }
  std::string created(const std::string& token, const v1::MatchConfig& config = TicketedServer::config()) {
    std::string id;
    const grpc::Status status = create(token, &id, config);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return id;
  }
  grpc::Status end(const std::string& token, const std::string& match_id) {
    grpc::ClientContext context;
    show(token, context);
    v1::EndMatchRequest request;
    request.set_match_id(match_id);
    v1::EndMatchResponse response;
    return stub()->EndMatch(&context, request, &response);
  }

  std::unique_ptr<v1::MatchService::Stub> stub() { return v1::MatchService::NewStub(channel_); }

  TemporaryFolder folder_;
  const std::filesystem::path keys_ = folder_.path() / "keys.json";
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace sweepd::test
