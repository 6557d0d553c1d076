// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "session/message_bytes.h"
#include "session/status.h"

namespace sweepd::session {

/// What a pipe tells its stream, from the thread of the loop that accepted it. kDone: the door is done with
/// the stream, and no operation may be begun any more; `ok`: the client has got the status. It may come
/// before operations that it has ended.
enum class StreamEvent : std::uint8_t { kRead, kWritten, kFinished, kDone };

/// What a stream speaks through: one door's side of it. Each operation ends with its event, whatever becomes
/// of it, and never within the call; kDone comes of itself. One read at a time, and one of the others.
///
/// Operations, `close` too, come from the thread of the loop that is the stream's home by then, one at a
/// time: that need not be the one that accepted the stream.
class Pipe {
 public:
  /// kRead, `ok`: `incoming` has the next message. Else the client sends no more.
  virtual void read() = 0;
  virtual MessageBytes& incoming() = 0;
  /// kFinished.
  virtual void finish(const Status& status) = 0;
  /// Cuts the stream off. kDone follows, if it has not come yet.
  virtual void cancel() = 0;
  /// All events have come, and the stream is over: destroys both.
  virtual void close() = 0;

 protected:
  ~Pipe() = default;
};

/// That of a stream whose messages are `Response`s.
template <typename Response>
class StreamPipe : public Pipe {
 public:
  /// kWritten. Serialised within the call.
  virtual void write(const Response& message) = 0;
  /// The last message, or the only one, and OK. kFinished.
  virtual void answer(const Response& message) = 0;

 protected:
  ~StreamPipe() = default;
};

}  // namespace sweepd::session
