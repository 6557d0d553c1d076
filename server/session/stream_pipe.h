// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "runtime/clock.h"
#include "session/message_bytes.h"
#include "session/status.h"

namespace sweepd::session {

class MatchLoop;

/// What a pipe tells its stream, from the thread of the loop that accepted it, or, of a pipe that settles
/// elsewhere, of the one where it has. kDone: the door is done with
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

  /// From now on `look` is called for each tick of the stream's match: there is no need to read before.
  virtual void read_at_ticks() {}
  /// What has come and is being read for is told now, from within the call.
  virtual void look() {}
  /// For how long the message of the last kRead had been here when it was read.
  virtual runtime::Duration waited() const { return {}; }

  /// The stream leaves its home, whose thread this is: nothing is told until it settles. What is under way
  /// goes on there.
  virtual void depart() {}
  /// It lives there from now on. On the thread of that loop, or while that stands still.
  virtual void settle(MatchLoop& /*home*/) {}

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
