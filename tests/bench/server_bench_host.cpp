// SPDX-License-Identifier: MIT
#include "bench/server_bench_host.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <chrono>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "rpc/request_bytes.h"
#include "sweepd/v1/match_service.pb.h"
#include "wire/config_codec.h"

namespace sweepd::bench {
namespace {

constexpr runtime::Duration kTick = std::chrono::nanoseconds(1'000'000'000 / 60 + 1);

grpc::ByteBuffer to_bytes(const google::protobuf::MessageLite& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

}  // namespace

/// Does what session::PlayStream does between gRPC and the match.
class HostPlay::Stream final : public runtime::Subscriber {
 public:
  Stream(HostPlay& play, std::uint32_t client) : play_(play) {
    const auto seating =
        play.host_->join(*this, {.name = "client" + std::to_string(client), .role = match::Role::kPlayer});
    SWEEPD_ASSERT(seating.ok());
    number_ = seating->participant.number;
    subscription_ = &seating->subscription;
  }

  std::size_t lay_out(const v1::Frame& frame) {
    v1::PlayRequest request;
    *request.mutable_frame() = frame;
    incoming_.buffer = to_bytes(request);
    return incoming_.size();
  }

  void decode() {
    const auto request = play_.request_memory_.parse<v1::PlayRequest>(incoming_);
    SWEEPD_ASSERT(request.ok());
    auto frame = decoder_.decode((*request)->frame(), play_.undo_);
    SWEEPD_ASSERT(frame.ok());
    frame_.emplace(std::move(*frame));
  }

  void submit() {
    play_.host_->submit(number_, std::move(*frame_));
    frame_.reset();
  }

  void tick_has_run() override {
    const auto begin = std::chrono::steady_clock::now();
    play_.host_->collect(*subscription_, outbox_, false);
    if (!outbox_.is_empty()) send();
    play_.telling_us_ +=
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  }

  void match_ended(const runtime::MatchHost&) override {}
  void replaced() override {}
  bool is_behind() const override { return false; }

 private:
  void send() {
    outbox_.set_durable_tick(play_.host_->durable_tick());
    const v1::PlayResponse& update = outbox_.finished();
    play_.host_->note_sent(*subscription_, update.update().tick());
    grpc::ByteBuffer bytes;
    bool owns_bytes = false;
    const auto status = grpc::SerializationTraits<v1::PlayResponse>::Serialize(update, &bytes, &owns_bytes);
    SWEEPD_ASSERT(status.ok());
    ++play_.updates_;
    play_.update_bytes_ += bytes.Length();
    outbox_.clear();
  }

  HostPlay& play_;
  wire::FrameDecoder decoder_;
  session::Outbox<v1::PlayResponse> outbox_{std::size_t{256} << 10};
  match::ParticipantNumber number_ = 0;
  runtime::Subscription* subscription_ = nullptr;
  rpc::RequestBytes incoming_;
  std::optional<match::Frame> frame_;
};

HostPlay::HostPlay(const SceneTraffic& traffic) : traffic_(traffic) {
  auto match = match::Match::create(*wire::decode_config(traffic.match_config()));
  SWEEPD_ASSERT(match.ok());
  const auto place = registry_.add();
  host_ = &matches_.add(place->id, std::move(*match));
  for (std::uint32_t client = 0; client < SceneTraffic::kClients; ++client) {
    streams_.push_back(std::make_unique<Stream>(*this, client));
  }
}

HostPlay::~HostPlay() { host_->end(); }

void HostPlay::lay_out_tick() {
  frame_bytes_ = 0;
  for (std::uint32_t client = 0; client < SceneTraffic::kClients; ++client) {
    frame_bytes_ += streams_[client]->lay_out(traffic_.frame(next_tick_, client));
  }
  ++next_tick_;
}

void HostPlay::decode_frames() {
  for (auto& stream : streams_) stream->decode();
}

void HostPlay::submit_frames() {
  for (auto& stream : streams_) stream->submit();
}

void HostPlay::run_tick() {
  updates_ = 0;
  update_bytes_ = 0;
  telling_us_ = 0;
  now_ += kTick;
  loop_.run_round();
}

}  // namespace sweepd::bench
