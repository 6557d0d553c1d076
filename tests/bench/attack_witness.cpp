// SPDX-License-Identifier: MIT
#include "bench/attack_witness.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <stdexcept>

#include "integration/support/server_fixture.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::uint32_t kTickRateHz = 60;
constexpr double kTickMs = 1000.0 / kTickRateHz;
constexpr milliseconds kCallPeriod{50};
constexpr milliseconds kPatience{1'000};
/// So many that none is still waiting when its turn comes again.
constexpr int kCallers = 24;

ClientOptions options_for(const WitnessedServer& server) {
  ClientOptions options;
  options.server = server.address;
  options.security.tls = !server.ca_file.empty();
  options.security.ca_file = server.ca_file;
  return options;
}

std::shared_ptr<grpc::ChannelCredentials> credentials_for(const WitnessedServer& server) {
  if (server.ca_file.empty()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = test::read_file(server.ca_file);
  return grpc::SslCredentials(options);
}

}  // namespace

AttackNeighbour::AttackNeighbour(const WitnessedServer& server) : client_(options_for(server)) {
  MatchConfig config = test::shooter_config(ClockKind::kRealtime);
  config.tick_rate_hz = kTickRateHz;
  const auto match = client_.create_match(config);
  if (!match.ok()) throw std::runtime_error("no match for the neighbour: " + match.status().message());
  match_id_ = match->match_id;
  JoinOptions options;
  options.match_id = match_id_;
  options.name = "neighbour";
  session_.emplace(client_.join(options));
  if (!test::eventually([this] { return session_->tick() > 0; }))
    throw std::runtime_error("the neighbour cannot play: " + session_->error().message());
  thread_ = std::thread([this] { run(); });
}

void AttackNeighbour::stop() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
}

void AttackNeighbour::run() {
  Clock::time_point last = Clock::now();
  const auto note = [&] {
    const std::chrono::duration<double, std::milli> gap = Clock::now() - last;
    if (!is_counting_) return;
    for (double late_ms = gap.count() - kTickMs;; late_ms -= kTickMs) {
      lateness_ms_.push_back(std::max(0.0, late_ms));
      if (late_ms <= kTickMs) return;
    }
  };
  while (!is_over_) {
    std::this_thread::sleep_for(milliseconds(1));
    test::drain(*session_);
    if (session_->tick() == tick_) continue;
    note();
    tick_ = session_->tick();
    last = Clock::now();
  }
  note();
  std::ranges::sort(lateness_ms_);
}

HonestClient::HonestClient(WitnessedServer server, std::string match_id)
    : server_(std::move(server)), match_id_(std::move(match_id)) {
  for (int i = 0; i < kCallers; ++i) callers_.emplace_back([this, i] { ask(i); });
}

void HonestClient::stop() {
  is_over_ = true;
  for (std::thread& caller : callers_) caller.join();
  callers_.clear();
}

void HonestClient::ask(int caller) {
  for (int turn = caller;; turn += kCallers) {
    std::this_thread::sleep_until(began_ + turn * kCallPeriod);
    if (is_over_) return;
    ++asked_;
    if (is_answered(turn % 2 == 0)) ++answered_;
  }
}

bool HonestClient::is_answered(bool asks_for_list) const {
  grpc::ChannelArguments own;
  own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto stub =
      v1::MatchService::NewStub(grpc::CreateCustomChannel(server_.address, credentials_for(server_), own));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  if (asks_for_list) {
    v1::ListMatchesResponse response;
    return stub->ListMatches(&context, v1::ListMatchesRequest(), &response).ok();
  }
  v1::GetMatchRequest request;
  request.set_match_id(match_id_);
  v1::GetMatchResponse response;
  return stub->GetMatch(&context, request, &response).ok();
}

Result<MatchInfo> match_of(const WitnessedServer& server, const std::string& match_id) {
  return Client(options_for(server)).get_match(match_id);
}

}  // namespace sweepd::bench
