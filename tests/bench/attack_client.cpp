// SPDX-License-Identifier: MIT
#include "bench/attack_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grpcpp/create_channel_posix.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sweepd::bench {
namespace {

constexpr const char* kHostileAddress = "127.0.0.2";
constexpr std::int32_t kUnit = 256;
constexpr int kSpawnsPerFrame = 2'000;

sockaddr_in endpoint(const char* host, int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host, &address.sin_addr);
  return address;
}

int connect_to(int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in own = endpoint(kHostileAddress, 0);
  const sockaddr_in server = endpoint("127.0.0.1", port);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&server), sizeof server) != 0) {
    ::close(descriptor);
    return -1;
  }
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return descriptor;
}

v1::Spawn box_at(std::int32_t x, std::int32_t y) {
  v1::Spawn spawn;
  spawn.set_x(x);
  spawn.set_y(y);
  v1::Box& box = *spawn.add_parts()->mutable_box();
  box.set_max_x(8 * kUnit);
  box.set_max_y(8 * kUnit);
  return spawn;
}

}  // namespace

std::shared_ptr<grpc::Channel> hostile_channel(const AttackTarget& target) {
  const int descriptor = connect_to(target.port);
  if (descriptor < 0) return nullptr;
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  return grpc::CreateCustomInsecureChannelFromFd("sweepd", descriptor, arguments);
}

test::RawHttp2::Options hostile_http2(const AttackTarget& target) {
  test::RawHttp2::Options options;
  options.from = kHostileAddress;
  options.is_tls = target.is_tls;
  return options;
}

void limit_time(grpc::ClientContext& context, const AttackTarget& target) {
  const auto left = target.end - std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::duration_cast<std::chrono::microseconds>(left));
}

v1::MatchConfig hostile_config(v1::ClockKind clock) {
  v1::MatchConfig config;
  config.set_clock(clock);
  config.add_layers("all");
  config.add_clearable_layers("all");
  v1::CollidingLayers& collides = *config.add_collides();
  collides.set_layer_a("all");
  collides.set_layer_b("all");
  config.set_heartbeat_ticks(1);
  config.set_objects_per_participant_max(100'000);
  return config;
}

v1::Spawn on_one_spot(int) { return box_at(0, 0); }

v1::Spawn side_by_side(int index) { return box_at(index % 300 * 10 * kUnit, index / 300 * 10 * kUnit); }

v1::Spawn flying(int index) {
  v1::Spawn spawn = box_at(index % 300 * 40 * kUnit, index / 300 * 40 * kUnit);
  spawn.mutable_motion()->set_velocity_x(index * 7919 % 257 - 128);
  spawn.mutable_motion()->set_velocity_y(index * 104'729 % 257 - 128);
  return spawn;
}

HostileMatch::HostileMatch(const AttackTarget& target, const v1::MatchConfig& config,
                           std::shared_ptr<grpc::Channel> channel)
    : target_(target), channel_(channel ? std::move(channel) : hostile_channel(target)) {
  if (!channel_) return;
  stub_ = v1::MatchService::NewStub(channel_);
  grpc::ClientContext context;
  limit_time(context, target_);
  v1::CreateMatchRequest request;
  *request.mutable_config() = config;
  v1::CreateMatchResponse response;
  if (stub_->CreateMatch(&context, request, &response).ok()) id_ = response.match().match_id();
}

v1::Match HostileMatch::state() {
  grpc::ClientContext context;
  limit_time(context, target_);
  v1::GetMatchRequest request;
  request.set_match_id(id_);
  v1::GetMatchResponse response;
  stub_->GetMatch(&context, request, &response);
  return response.match();
}

bool HostileMatch::step(std::uint32_t ticks) {
  grpc::ClientContext context;
  limit_time(context, target_);
  v1::StepMatchRequest request;
  request.set_match_id(id_);
  request.set_ticks(ticks);
  v1::StepMatchResponse response;
  return stub_->StepMatch(&context, request, &response).ok();
}

bool HostileMatch::end() {
  grpc::ClientContext context;
  limit_time(context, target_);
  v1::EndMatchRequest request;
  request.set_match_id(id_);
  v1::EndMatchResponse response;
  return stub_->EndMatch(&context, request, &response).ok();
}

HostilePlayer::HostilePlayer(HostileMatch& match, const std::string& name) {
  limit_time(context_, match.target());
  stream_ = match.stub().Play(&context_);
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(match.id());
  request.mutable_join()->set_name(name);
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  stream_->Write(request);
  v1::PlayResponse response;
  if (stream_->Read(&response)) first_id_ = response.joined().participant().first_id();
  reader_ = std::thread([this] { read(); });
}

HostilePlayer::~HostilePlayer() {
  context_.TryCancel();
  reader_.join();
}

void HostilePlayer::read() {
  v1::PlayResponse response;
  while (stream_->Read(&response)) continue;
  is_over_ = true;
}

bool HostilePlayer::send(const v1::Frame& frame) {
  v1::PlayRequest request;
  *request.mutable_frame() = frame;
  return stream_->Write(request);
}

bool HostilePlayer::spawn(int count, const Placement& place) {
  v1::Frame frame;
  for (int i = 0; i < count; ++i) {
    v1::Spawn& spawn = *frame.add_spawns();
    spawn = place(i);
    spawn.set_object_id(first_id_ + spawned_++);
    if (frame.spawns_size() < kSpawnsPerFrame && i + 1 < count) continue;
    if (!send(frame)) return false;
    frame.clear_spawns();
  }
  return true;
}

HostileWatchers::HostileWatchers(HostileMatch& match, int count) {
  for (int i = 0; i < count; ++i) {
    grpc::ClientContext& context = contexts_.emplace_back();
    limit_time(context, match.target());
    readers_.emplace_back([this, &match, &context] {
      v1::WatchRequest request;
      request.set_match_id(match.id());
      const auto stream = match.stub().Watch(&context, request);
      v1::WatchResponse response;
      stream->Read(&response);
      ++begun_;
      while (stream->Read(&response)) continue;
    });
  }
  while (begun_ < count && match.target().goes_on()) AttackTarget::pause();
}

HostileWatchers::~HostileWatchers() {
  for (grpc::ClientContext& context : contexts_) context.TryCancel();
  for (std::thread& reader : readers_) reader.join();
}

bool fill(HostileMatch& match, HostilePlayer& player, int count, const Placement& place) {
  if (player.first_id() == 0 || !player.spawn(count, place)) return false;
  constexpr int kStepsOfNoMore = 20;  // The match has as many as it may.
  std::uint32_t objects = 0;
  for (int steps = 0; match.target().goes_on() && !player.is_over() && match.step(1); ++steps) {
    const std::uint32_t now = match.state().objects();
    if (now >= player.spawned() || (now > 0 && steps >= kStepsOfNoMore)) return true;
    if (now > objects) steps = 0;
    objects = now;
    AttackTarget::pause();
  }
  return false;
}

}  // namespace sweepd::bench
