// SPDX-License-Identifier: MIT
#include "bench/server_bench_loopback.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "base/assert.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::bench {
namespace {

using std::chrono::steady_clock;
using Channel = std::shared_ptr<grpc::Channel>;

constexpr std::chrono::nanoseconds kInterval{1'000'000'000 / 60};

Channel open_channel(int port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(),
                                   arguments);
}

grpc::ByteBuffer to_bytes(const v1::PlayRequest& request) {
  const grpc::Slice slice(request.SerializeAsString());
  return {&slice, 1};
}

struct Received {
  std::size_t updates = 0, bytes = 0;
};

/// A client's stream, which sends what it is told to and counts what comes.
class BenchStream {
 public:
  struct Event {
    BenchStream& stream;
    void (BenchStream::*handler)(bool);
  };

  BenchStream(const Channel& channel, grpc::CompletionQueue& queue, const std::string& match_id,
              std::uint32_t client)
      : stub_(channel) {
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match_id);
    request.mutable_join()->set_name("client" + std::to_string(client));
    request.mutable_join()->set_role(v1::ROLE_PLAYER);
    waiting_.push_back(to_bytes(request));
    stream_ = stub_.PrepareCall(&context_, "/sweepd.v1.MatchService/Play", &queue);
    begin();
    stream_->StartCall(&started_);
  }

  void dispatch(const Event& event, bool ok) {
    --events_under_way_;
    (this->*event.handler)(ok);
  }

  void send(const v1::Frame& frame) {
    v1::PlayRequest request;
    *request.mutable_frame() = frame;
    waiting_.push_back(to_bytes(request));
    write_next();
  }

  void cancel() {
    is_over_ = true;
    context_.TryCancel();
  }
  bool is_idle() const { return events_under_way_ == 0; }
  bool has_joined() const { return received_.updates > 0; }
  const Received& received() const { return received_; }

 private:
  void begin() { ++events_under_way_; }

  void on_started(bool ok) {
    SWEEPD_ASSERT(ok || is_over_);
    is_started_ = ok;
    read();
    write_next();
  }

  void read() {
    begin();
    stream_->Read(&message_, &read_);
  }

  void on_read(bool ok) {
    SWEEPD_ASSERT(ok || is_over_);
    if (!ok) return;
    ++received_.updates;
    received_.bytes += message_.Length();
    read();
  }

  void write_next() {
    if (!is_started_ || is_writing_ || waiting_.empty() || is_over_) return;
    is_writing_ = true;
    begin();
    stream_->Write(waiting_.front(), &written_);
    waiting_.pop_front();
  }

  void on_written(bool ok) {
    SWEEPD_ASSERT(ok || is_over_);
    is_writing_ = false;
    write_next();
  }

  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  std::deque<grpc::ByteBuffer> waiting_;
  grpc::ByteBuffer message_;
  Received received_;
  int events_under_way_ = 0;
  bool is_started_ = false, is_writing_ = false, is_over_ = false;
  Event started_{*this, &BenchStream::on_started};
  Event read_{*this, &BenchStream::on_read};
  Event written_{*this, &BenchStream::on_written};
};

class Loopback {
 public:
  Loopback(ServerChild& server, const SceneTraffic& traffic, const LoopbackOptions& options)
      : server_(server),
        traffic_(traffic),
        options_(options),
        port_(server.port()),
        stub_(v1::MatchService::NewStub(open_channel(port_))) {}

  LoopbackFigures run() {
    for (std::size_t match = 0; match < options_.matches; ++match) open_match();
    while (!std::ranges::all_of(streams_, &BenchStream::has_joined))
      handle_event(steady_clock::now() + kInterval);
    next_frame_ = steady_clock::now();
    play_for(options_.warm_up_seconds);
    const LoopbackFigures figures = measure();
    end();
    return figures;
  }

 private:
  void open_match() {
    grpc::ClientContext context;
    v1::CreateMatchRequest request;
    v1::CreateMatchResponse response;
    *request.mutable_config() = traffic_.match_config();
    const grpc::Status status = stub_->CreateMatch(&context, request, &response);
    SWEEPD_ASSERT(status.ok());
    match_ids_.push_back(response.match().match_id());
    Channel channel;
    for (std::uint32_t client = 0; client < SceneTraffic::kClients; ++client) {
      if (client == 0 || !options_.is_connection_shared) channel = open_channel(port_);
      streams_.emplace_back(channel, queue_, match_ids_.back(), client);
    }
  }

  LoopbackFigures measure() {
    const ServerUse before = server_.use();
    const Received received_before = received();
    const std::size_t sent_before = sent_;
    const auto begin = steady_clock::now();
    play_for(options_.seconds);
    const ServerUse after = server_.use();
    const Received received_after = received();
    return {.frames = sent_ - sent_before,
            .updates = received_after.updates - received_before.updates,
            .update_bytes = received_after.bytes - received_before.bytes,
            .seconds = std::chrono::duration<double>(steady_clock::now() - begin).count(),
            .cpu_us = after.cpu_us - before.cpu_us,
            .allocations = after.allocations - before.allocations};
  }

  Received received() const {
    Received sum;
    for (const BenchStream& stream : streams_) {
      sum.updates += stream.received().updates;
      sum.bytes += stream.received().bytes;
    }
    return sum;
  }

  /// Frame by frame, at even distances.
  void play_for(double seconds) {
    const auto frames = static_cast<std::size_t>(seconds * 60 * static_cast<double>(streams_.size()));
    for (std::size_t i = 0; i < frames; ++i) {
      next_frame_ += kInterval / streams_.size();
      while (steady_clock::now() < next_frame_) handle_event(next_frame_);
      while (handle_event({})) {
      }
      const std::size_t place = sent_ % streams_.size();
      const auto tick = static_cast<std::uint32_t>(sent_ / streams_.size());
      SWEEPD_ASSERT(tick < traffic_.ticks());
      streams_[place].send(traffic_.frame(tick, static_cast<std::uint32_t>(place % SceneTraffic::kClients)));
      ++sent_;
    }
  }

  bool handle_event(steady_clock::time_point deadline) {
    // gRPC waits until the next full millisecond, even if the time has come.
    const auto wait = deadline <= steady_clock::now()
                          ? gpr_time_0(GPR_CLOCK_MONOTONIC)
                          : gpr_time_from_nanos(deadline.time_since_epoch().count(), GPR_CLOCK_MONOTONIC);
    void* tag = nullptr;
    bool ok = false;
    if (queue_.AsyncNext(&tag, &ok, wait) != grpc::CompletionQueue::GOT_EVENT) return false;
    const auto& event = *static_cast<BenchStream::Event*>(tag);
    event.stream.dispatch(event, ok);
    return true;
  }

  void end() {
    for (BenchStream& stream : streams_) stream.cancel();
    while (!std::ranges::all_of(streams_, &BenchStream::is_idle))
      handle_event(steady_clock::now() + kInterval);
    for (const std::string& id : match_ids_) {
      grpc::ClientContext context;
      v1::EndMatchRequest request;
      v1::EndMatchResponse response;
      request.set_match_id(id);
      stub_->EndMatch(&context, request, &response);
    }
  }

  ServerChild& server_;
  const SceneTraffic& traffic_;
  const LoopbackOptions options_;
  const int port_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  grpc::CompletionQueue queue_;
  std::vector<std::string> match_ids_;
  std::deque<BenchStream> streams_;
  std::size_t sent_ = 0;
  steady_clock::time_point next_frame_;
};

}  // namespace

LoopbackFigures play_over_loopback(ServerChild& server, const SceneTraffic& traffic,
                                   const LoopbackOptions& options) {
  return Loopback(server, traffic, options).run();
}

}  // namespace sweepd::bench
