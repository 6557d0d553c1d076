// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace sweepd::tools::load {

class PlayStream;

/// What a completion queue brings back: which stream, and what of it is done.
struct StreamTag {
  PlayStream* stream = nullptr;
  void (PlayStream::*on_done)(bool ok) = nullptr;
};

/// Told what becomes of a stream, on the thread that walks its completion queue.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void on_open() = 0;
  /// A message has come; the next is read when this returns, if is_reading() says so.
  virtual void on_message(const grpc::ByteBuffer& message) = 0;
  /// The last write has been taken: another one may follow.
  virtual void on_written() = 0;
  /// Last. Nothing of the stream is under way any more; it may be destroyed, but not in here.
  virtual void on_closed(const grpc::Status& status) = 0;
};

/// One Play call as bytes: a load generator has no time for messages. One write and one read at a time; all
/// calls from the thread that walks the queue.
class PlayStream {
 public:
  /// The channel may be shared. The listener outlives the stream. `authorization`:
  /// metadata of that name; empty: none.
  PlayStream(const std::shared_ptr<grpc::Channel>& channel, grpc::CompletionQueue& queue,
             StreamListener& listener, const std::string& authorization = {});

  void open();
  /// Only if can_write().
  void write(const grpc::ByteBuffer& message);
  bool can_write() const { return state_ == State::kOpen && !is_writing_; }
  /// From here on nothing more is read: what the server sends piles up.
  void stop_reading() { reads_ = false; }
  /// Breaks the call off: on_closed comes.
  void cancel();

 private:
  enum class State { kNew, kOpening, kOpen, kFinishing, kClosed };

  void on_started(bool ok);
  void on_read(bool ok);
  void on_write(bool ok);
  void on_finished(bool ok);
  void read();
  void finish();
  void close_if_idle();

  StreamListener& listener_;
  grpc::ClientContext context_;
  grpc::GenericStub stub_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  grpc::ByteBuffer incoming_;
  grpc::Status status_;
  State state_ = State::kNew;
  bool is_writing_ = false;
  bool is_reading_ = false;
  bool is_finishing_ = false;
  bool reads_ = true;
  StreamTag started_{this, &PlayStream::on_started};
  StreamTag read_{this, &PlayStream::on_read};
  StreamTag written_{this, &PlayStream::on_write};
  StreamTag finished_{this, &PlayStream::on_finished};
};

/// A channel to `target` with a connection of its own. `server_name`: that its certificate has to have;
/// empty: the target's.
std::shared_ptr<grpc::Channel> open_load_channel(const std::string& target,
                                                 const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                                                 const std::string& server_name = {});

}  // namespace sweepd::tools::load
