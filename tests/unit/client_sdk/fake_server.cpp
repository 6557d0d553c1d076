// SPDX-License-Identifier: MIT
#include "fake_server.h"

namespace sweepd::testing {

FakeServer::FakeServer(PlayScript play, WatchScript watch, int port)
    : play_(std::move(play)), watch_(std::move(watch)) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(port), grpc::InsecureServerCredentials(), &port_);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
}

FakeServer::~FakeServer() {
  if (server_ != nullptr) vanish();
}

Client FakeServer::client(std::chrono::milliseconds timeout) const {
  return Client({.server = address(), .timeout = timeout});
}

void FakeServer::vanish() {
  // A deadline that is over cancels what is under way; without one it would wait for open streams for ever.
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
}

grpc::Status FakeServer::GetMatch(grpc::ServerContext*, const v1::GetMatchRequest* request,
                                  v1::GetMatchResponse* response) {
  *response->mutable_match() = match;
  response->mutable_match()->set_match_id(request->match_id());
  return get_match_status;
}

grpc::Status FakeServer::Play(grpc::ServerContext* context, PlayStream* stream) {
  return play_(*context, *stream);
}

grpc::Status FakeServer::Watch(grpc::ServerContext* context, const v1::WatchRequest*,
                               grpc::ServerWriter<v1::WatchResponse>* writer) {
  return watch_(*context, *writer);
}

v1::PlayResponse joined_response() {
  v1::PlayResponse response;
  v1::Joined* joined = response.mutable_joined();
  joined->mutable_participant()->set_number(1);
  joined->mutable_participant()->set_first_id(100);
  joined->mutable_participant()->set_last_id(115);
  joined->mutable_match()->mutable_config()->add_layers("player");
  joined->mutable_match()->mutable_config()->add_layers("bullet");
  return response;
}

v1::PlayResponse update_response(Tick tick, std::uint64_t first_sequence_number, int count) {
  v1::PlayResponse response;
  v1::TickUpdate* update = response.mutable_update();
  update->set_tick(tick);
  update->set_digest(tick * 10);
  v1::EventColumns* events = update->mutable_events();
  if (count > 0)
    update->set_last_sequence_number(first_sequence_number + static_cast<std::uint64_t>(count) - 1);
  events->set_first_tick(tick);
  for (int i = 0; i < count; ++i) {
    events->add_object_a(100);
    events->add_object_b(200 + static_cast<std::uint32_t>(i));
    events->add_layer_a(0);
    events->add_layer_b(1);
  }
  return response;
}

void accept(FakeServer::PlayStream& stream) {
  v1::PlayRequest join;
  stream.Read(&join);
  stream.Write(joined_response());
}

}  // namespace sweepd::testing
