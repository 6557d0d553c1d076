// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "session/aside.h"
#include "session/call_trace.h"
#include "session/client_budget.h"
#include "session/live_streams.h"
#include "session/match_loop.h"
#include "session/permission.h"
#include "session/stream_pipe.h"

namespace sweepd::session {

/// What every stream is: a call that came in on a loop, and has its pipe closed when it is over and all its
/// events have come.
class Stream : public LiveStream {
 public:
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The stream is here. On the accepting loop's thread, once; without it nothing but the pipe's `close`
  /// comes.
  void arrive(CallOrigin origin);

 protected:
  /// `name`: of the rpc, for the log; `rpc`: as the table of rights has it.
  Stream(MatchLoop& accepting, Pipe& pipe, const char* name, std::string rpc);
  virtual ~Stream();

  /// The stream has arrived, and the server goes on.
  virtual void admit() = 0;
  /// Ends the stream; what is being written goes out before. Nothing where it has ended.
  virtual void finish(const Status& status) = 0;
  virtual void on_read(bool /*ok*/) {}
  virtual void on_written(bool ok) = 0;
  /// The door is done with the stream: no operation may be begun any more. `ok`: the client has the status.
  virtual void on_done(bool ok) = 0;
  /// Runs `work` at home, soon, and with it ends an event that has been begun. From any thread.
  virtual void end_event_at_home(std::function<void()> work) = 0;

  // True, or the stream is refused, and what has come is dropped.
  bool has_memory();
  bool take_place();
  /// Parses the only message that has come, which is the stream's; then `then` runs at home, if it is whole.
  /// Where it is large, that is later: the stream may be over by then.
  void parse(google::protobuf::Message& request, const std::function<void()>& then);
  /// Runs `work` on a worker's thread and then `then` at home, for which the stream waits.
  void run_aside(const std::function<void()>& work, const std::function<void()>& then);

  void read();
  void send(const Status& status);
  /// Before another operation of the pipe is begun.
  void begin_event() { ++events_under_way_; }
  /// One has come.
  void forget_event();
  bool has_events() const { return events_under_way_ > 0; }
  void take(StreamEvent event, bool ok);

  void shut_down() override;
  MatchLoop& accepting() const { return accepting_; }
  Backend& backend() const { return accepting_.backend(); }
  const Caller& caller() const { return caller_; }
  const identity::Principal& principal() const { return caller_.admission.principal; }
  const std::string& rpc() const { return rpc_; }
  /// Its ticket's time is not over, and it has not been revoked.
  bool has_good_ticket();
  /// The version of expulsions up to which has been looked; nothing: nothing is new.
  std::optional<std::uint64_t> take_seen_expulsions();
  /// OK, or why what the subject does here ends: KICKED since then, or BANNED.
  Status find_expulsion(const identity::Subject& subject, std::uint64_t since_version) const;
  /// Its ticket is another from now on, of the same caller.
  void renew(Admission admission) { caller_.admission = std::move(admission); }

  CallTrace trace_;
  Pipe& pipe_;

 private:
  void on_parsed(const std::optional<match::FieldError>& fault, const google::protobuf::Message& request,
                 const std::function<void()>& then);
  void name_match(const google::protobuf::Message& request);

  MatchLoop& accepting_;
  const std::string rpc_;
  Caller caller_;  ///< Empty until the call is here.
  BudgetShare place_;
  int events_under_way_ = 0;  ///< That are yet to come.
  std::uint64_t expulsions_seen_ = 0;
};

}  // namespace sweepd::session
