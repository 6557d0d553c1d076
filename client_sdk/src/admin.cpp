// SPDX-License-Identifier: MIT
#include "sweepd/admin.h"

#include "client_impl.h"
#include "sweepd/v1/admin_service.grpc.pb.h"

namespace sweepd {
namespace {

void encode(const Subject& subject, v1::Subject* message) {
  message->set_issuer(subject.issuer);
  message->set_tenant(subject.tenant);
  message->set_name(subject.name);
}

Ban decode(const v1::Ban& ban) {
  const v1::Subject& subject = ban.subject();
  return {.subject = {.issuer = subject.issuer(), .tenant = subject.tenant(), .name = subject.name()},
          .until_s = ban.until(),
          .reason = ban.reason()};
}

}  // namespace

class Admin::Impl {
 public:
  using Stub = v1::AdminService::Stub;

  explicit Impl(std::shared_ptr<Client::Impl> given)
      : client(std::move(given)), stub(v1::AdminService::NewStub(client->channel)) {}

  template <typename Request, typename Response>
  Result<Response> call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                        const Request& request) const {
    return client->ask(*stub, method, request);
  }

  Result<std::uint64_t> hold_replay(const std::string& match_id, bool release) const {
    v1::HoldReplayRequest request;
    request.set_match_id(match_id);
    request.set_release(release);
    const auto response = call(&Stub::HoldReplay, request);
    if (!response.ok()) return response.status();
    return response->bytes();
  }

  const std::shared_ptr<Client::Impl> client;
  const std::unique_ptr<Stub> stub;
};

Admin::Admin(const Client& client) : impl_(std::make_unique<Impl>(client.impl_)) {}
Admin::~Admin() = default;

Result<std::uint32_t> Admin::kick(const Subject& subject, const std::string& match_id) {
  v1::KickRequest request;
  encode(subject, request.mutable_subject());
  request.set_match_id(match_id);
  const auto response = impl_->call(&Impl::Stub::Kick, request);
  if (!response.ok()) return response.status();
  return response->streams();
}

Result<std::uint32_t> Admin::ban(const Subject& subject, std::uint64_t seconds, const std::string& reason) {
  v1::BanRequest request;
  encode(subject, request.mutable_subject());
  request.set_seconds(seconds);
  request.set_reason(reason);
  const auto response = impl_->call(&Impl::Stub::Ban, request);
  if (!response.ok()) return response.status();
  return response->streams();
}

Status Admin::unban(const Subject& subject) {
  v1::UnbanRequest request;
  encode(subject, request.mutable_subject());
  return impl_->call(&Impl::Stub::Unban, request).status();
}

Result<std::vector<Ban>> Admin::bans() {
  const auto response = impl_->call(&Impl::Stub::ListBans, v1::ListBansRequest());
  if (!response.ok()) return response.status();
  std::vector<Ban> bans;
  for (const v1::Ban& ban : response->bans()) bans.push_back(decode(ban));
  return bans;
}

Result<std::string> Admin::log_level() {
  const auto response = impl_->call(&Impl::Stub::GetLogLevel, v1::GetLogLevelRequest());
  if (!response.ok()) return response.status();
  return response->level();
}

Result<std::string> Admin::set_log_level(const std::string& level) {
  v1::SetLogLevelRequest request;
  request.set_level(level);
  const auto response = impl_->call(&Impl::Stub::SetLogLevel, request);
  if (!response.ok()) return response.status();
  return response->previous_level();
}

Result<std::uint32_t> Admin::reload_keys() {
  const auto response = impl_->call(&Impl::Stub::ReloadKeys, v1::ReloadKeysRequest());
  if (!response.ok()) return response.status();
  return response->ticket_keys();
}

Result<std::uint64_t> Admin::hold_replay(const std::string& match_id) {
  return impl_->hold_replay(match_id, false);
}

Result<std::uint64_t> Admin::release_replay(const std::string& match_id) {
  return impl_->hold_replay(match_id, true);
}

Result<std::uint64_t> Admin::delete_replay(const std::string& match_id) {
  v1::DeleteReplayRequest request;
  request.set_match_id(match_id);
  const auto response = impl_->call(&Impl::Stub::DeleteReplay, request);
  if (!response.ok()) return response.status();
  return response->bytes();
}

}  // namespace sweepd
