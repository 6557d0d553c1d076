// SPDX-License-Identifier: MIT
#include "bench/grpc_echo_server.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <array>
#include <memory>
#include <vector>

#include "bench/grpc_echo_message.h"

namespace sweepd::bench {
namespace {

constexpr std::size_t kPhaseGroups = 16;
constexpr int kEventsPerRound = 64;

class EchoCall;

class EchoServer {
 public:
  explicit EchoServer(const EchoServerOptions& options) : options_(options) {}

  bool start();
  void run();

  const EchoServerOptions& options() const { return options_; }
  grpc::AsyncGenericService& service() { return service_; }
  grpc::ServerCompletionQueue& queue() { return *queue_; }
  void add(EchoCall& call);
  void remove(EchoCall& call);

 private:
  void run_due_ticks();
  void run_group(std::size_t group, std::uint64_t tick);
  Nanoseconds next_due() const;

  const EchoServerOptions options_;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::array<std::vector<EchoCall*>, kPhaseGroups> groups_;
  std::size_t calls_ = 0;  ///< That ever came: four that come in a row are a match.
  const Nanoseconds begin_ = monotonic_now();
  std::uint64_t rounds_ = 0;  ///< Groups run so far: each in turn.
};

class EchoCall {
 public:
  struct Event {
    EchoCall& call;
    void (EchoCall::*handler)(bool);
  };

  static void accept(EchoServer& server) {
    auto* call = new EchoCall(server);
    call->begin();
    server.service().RequestCall(&call->context_, &call->stream_, &server.queue(), &server.queue(),
                                 &call->arrived_);
  }

  void dispatch(const Event& event, bool ok) {
    --events_under_way_;
    (this->*event.handler)(ok);
    if (events_under_way_ == 0) delete this;
  }

  void answer_tick(std::uint64_t tick) {
    if (is_writing_ || is_over_) return;
    write({.tick = tick, .sequence_number = last_read_});
  }

  std::size_t group = 0;

 private:
  explicit EchoCall(EchoServer& server) : server_(server), stream_(&context_) {}

  void begin() { ++events_under_way_; }

  void read() {
    begin();
    stream_.Read(&request_, &has_read_);
  }

  void write(const EchoHeader& header) {
    is_writing_ = true;
    begin();
    stream_.Write(encode(header, server_.options().answer_bytes), &has_written_);
  }

  void on_arrived(bool ok) {
    if (!ok) return;
    accept(server_);
    server_.add(*this);
    read();
  }

  void on_read(bool ok) {
    if (!ok) return finish();
    last_read_ = decode_header(request_).sequence_number;
    if (server_.options().mode == EchoMode::kTick) return read();
    write({.sequence_number = last_read_});
  }

  void on_written(bool ok) {
    is_writing_ = false;
    if (!ok || is_over_) return;
    if (server_.options().mode == EchoMode::kEcho) read();
  }

  void finish() {
    if (is_over_) return;
    is_over_ = true;
    server_.remove(*this);
    begin();
    stream_.Finish(grpc::Status::OK, &has_finished_);
  }

  void on_finished(bool) {}

  EchoServer& server_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer request_;
  std::uint32_t last_read_ = 0;
  int events_under_way_ = 0;
  bool is_writing_ = false;
  bool is_over_ = false;
  Event arrived_{*this, &EchoCall::on_arrived};
  Event has_read_{*this, &EchoCall::on_read};
  Event has_written_{*this, &EchoCall::on_written};
  Event has_finished_{*this, &EchoCall::on_finished};
};

bool EchoServer::start() {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT,
                             0);  // Or another such server would get half of the load.
  builder.AddListeningPort("127.0.0.1:" + std::to_string(options_.port), grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterAsyncGenericService(&service_);
  queue_ = builder.AddCompletionQueue();
  server_ = builder.BuildAndStart();
  return server_ != nullptr && port != 0;
}

void EchoServer::add(EchoCall& call) {
  call.group = calls_++ / kStreamsPerMatch % kPhaseGroups;
  groups_[call.group].push_back(&call);
}

void EchoServer::remove(EchoCall& call) { std::erase(groups_[call.group], &call); }

void EchoServer::run() {
  EchoCall::accept(*this);
  while (true) {
    gpr_timespec wait = to_timespec(next_due());
    for (int events = 0; events < kEventsPerRound; ++events) {
      void* tag = nullptr;
      bool ok = false;
      if (queue_->AsyncNext(&tag, &ok, wait) != grpc::CompletionQueue::GOT_EVENT) break;
      const auto& event = *static_cast<EchoCall::Event*>(tag);
      event.call.dispatch(event, ok);
      wait = gpr_time_0(GPR_CLOCK_MONOTONIC);
    }
    run_due_ticks();
  }
}

void EchoServer::run_due_ticks() {
  while (next_due() <= monotonic_now()) {
    run_group(rounds_ % kPhaseGroups, rounds_ / kPhaseGroups + 1);
    ++rounds_;
  }
}

// From the beginning, so that what does not divide evenly does not add up.
Nanoseconds EchoServer::next_due() const {
  constexpr std::uint64_t kRoundsPerSecond = kRateHz * kPhaseGroups;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return begin_ + static_cast<Nanoseconds>(rounds_ / kRoundsPerSecond * kSecond +
                                           rounds_ % kRoundsPerSecond * kSecond / kRoundsPerSecond);
}

void EchoServer::run_group(std::size_t group, std::uint64_t tick) {
  if (options_.mode == EchoMode::kEcho) return;
  for (EchoCall* call : groups_[group]) call->answer_tick(tick);
}

}  // namespace

bool serve_echo(const EchoServerOptions& options) {
  EchoServer server(options);
  if (!server.start()) return false;
  server.run();
  return true;
}

}  // namespace sweepd::bench
