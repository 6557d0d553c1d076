// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>

#include "rpc/byte_service.h"
#include "rpc/grpc_status.h"
#include "rpc/loop_server.h"
#include "rpc/request_bytes.h"
#include "rpc/tag.h"
#include "session/stream_pipe.h"

namespace sweepd::rpc {

/// Shared by BidiStream and ServerStream, which send many answers.
template <typename AsyncStream, typename Response>
struct AnswerStream {
  using Stream = AsyncStream;
  static constexpr bool kIsAnswerStream = true;

  static void write(Stream& stream, const Response& message, void* tag) { stream.Write(message, tag); }
  static void finish(Stream& stream, const grpc::Status& status, void* tag) { stream.Finish(status, tag); }
  static void answer(Stream& stream, const Response& message, void* tag) {
    stream.WriteAndFinish(message, {}, grpc::Status::OK, tag);
  }
};

/// The three kinds of streams that gRPC has, each with the same operations as far as it has them.
template <typename Response>
struct BidiStream : AnswerStream<grpc::ServerAsyncReaderWriter<Response, grpc::ByteBuffer>, Response> {
  static void request(auto& service, int method, grpc::ServerContext& context, RequestBytes& /*first*/,
                      auto& stream, grpc::ServerCompletionQueue* queue, void* tag) {
    service.RequestAsyncBidiStreaming(method, &context, &stream, queue, queue, tag);
  }
  static void read(auto& stream, grpc::ByteBuffer& buffer, void* tag) { stream.Read(&buffer, tag); }
};

/// Its one request is there when it is.
template <typename Response>
struct ServerStream : AnswerStream<grpc::ServerAsyncWriter<Response>, Response> {
  static void request(auto& service, int method, grpc::ServerContext& context, RequestBytes& first,
                      auto& stream, grpc::ServerCompletionQueue* queue, void* tag) {
    service.RequestAsyncServerStreaming(method, &context, &first.buffer, &stream, queue, queue, tag);
  }
  static void read(auto&, grpc::ByteBuffer&, void*) { SWEEPD_ASSERT(false); }
};

/// It has one answer.
template <typename Response>
struct ClientStream {
  using Stream = grpc::ServerAsyncReader<Response, grpc::ByteBuffer>;
  static constexpr bool kIsAnswerStream = false;

  static void request(auto& service, int method, grpc::ServerContext& context, RequestBytes& /*first*/,
                      Stream& stream, grpc::ServerCompletionQueue* queue, void* tag) {
    service.RequestAsyncClientStreaming(method, &context, &stream, queue, queue, tag);
  }
  static void read(Stream& stream, grpc::ByteBuffer& buffer, void* tag) { stream.Read(&buffer, tag); }
  static void write(Stream&, const Response&, void*) { SWEEPD_ASSERT(false); }
  static void finish(Stream& stream, const grpc::Status& status, void* tag) {
    stream.FinishWithError(status, tag);
  }
  static void answer(Stream& stream, const Response& message, void* tag) {
    stream.Finish(message, grpc::Status::OK, tag);
  }
};

/// gRPC's side of a stream of the session, its pipe: `KindOf` is BidiStream, ServerStream or ClientStream,
/// `Session` what the stream does.
template <template <typename> typename KindOf, typename Session, typename Request, typename Service>
class StreamCall final : public session::StreamPipe<typename Session::Response> {
 public:
  /// Waits for the next call.
  static void accept(LoopServer& server, Service& service) { new StreamCall(server, service); }

 private:
  using Response = typename Session::Response;
  using Kind = KindOf<Response>;
  using StreamEvent = session::StreamEvent;

  struct Arrival final : Tag {
    explicit Arrival(StreamCall& owner) : call(owner) {}
    void run(bool ok) override { call.on_arrived(ok); }
    StreamCall& call;
  };
  struct Event final : Tag {
    Event(StreamCall& owner, StreamEvent its_kind) : call(owner), kind(its_kind) {}
    void run(bool ok) override { call.session_.ended(kind, ok); }
    StreamCall& call;
    const StreamEvent kind;
  };
  struct Done final : Tag {
    explicit Done(StreamCall& owner) : call(owner) {}
    void run(bool /*ok*/) override { call.session_.ended(StreamEvent::kDone, !call.context_.IsCancelled()); }
    StreamCall& call;
  };

  StreamCall(LoopServer& server, Service& service)
      : server_(server), service_(service), stream_(&context_), session_(server.home(), *this) {
    context_.AsyncNotifyWhenDone(to_void(done_));
    static const int method = method_index<Request>(Kind::kIsAnswerStream);
    Kind::request(service_, method, context_, incoming_, stream_, &server_.queue(), to_void(arrived_));
  }

  void on_arrived(bool ok) {
    if (!ok) return close();  // The server is shutting down; then `done_` does not come.
    if (!server_.home().backend().is_shutting_down) accept(server_, service_);
    session_.arrive(server_.origin_of(context_));
  }

  void read() override { Kind::read(stream_, incoming_.buffer, to_void(read_)); }
  session::MessageBytes& incoming() override { return incoming_; }
  void write(const Response& message) override { Kind::write(stream_, message, to_void(written_)); }
  void finish(const session::Status& status) override {
    Kind::finish(stream_, to_grpc(status), to_void(finished_));
  }
  void answer(const Response& message) override { Kind::answer(stream_, message, to_void(finished_)); }
  void cancel() override { context_.TryCancel(); }
  void close() override { delete this; }

  LoopServer& server_;
  Service& service_;
  grpc::ServerContext context_;
  RequestBytes incoming_;
  typename Kind::Stream stream_;
  Arrival arrived_{*this};
  Event read_{*this, StreamEvent::kRead};
  Event written_{*this, StreamEvent::kWritten};
  Event finished_{*this, StreamEvent::kFinished};
  Done done_{*this};
  Session session_;
};

}  // namespace sweepd::rpc
