// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "runtime/feed/subscription.h"
#include "session/call_trace.h"
#include "session/client_budget.h"
#include "session/match_loop.h"
#include "session/outbox.h"
#include "session/refusals.h"
#include "session/stream_pipe.h"
#include "session/with_match.h"

namespace sweepd::session {

/// About how large an update becomes; what waits beyond it goes into the next. One tick may pass it, or no
/// tick larger than it could be told.
inline constexpr std::size_t kUpdateBytesMax = std::size_t{1} << 18;

/// A stream that follows a match: Play or Watch. It has its pipe closed when it is over and all its events
/// have come.
///
/// It lives on one loop, its home: first the one that accepted it, then that of its match, wherever that
/// moves. What its pipe tells is posted to its home, so that its state is touched by one thread only. `home_`
/// is written by the thread of the loop that it names until then, and read by all through whose
/// hands an event passes: so who is at home stays there for the time of what it does, and who finds that he
/// is not any more posts the event on.
///
/// An event that is posted on may be overtaken by one that went straight to the new home, but never by one of
/// its own kind: of each kind there is one under way at most, as the next read or write is begun when the one
/// before has been handled. Between kinds there is no order, and nothing here relies on one: kDone may come
/// before a read or write that it has ended, and the stream goes when it has all its events back.
///
/// One write is under way at most. What ticks bring meanwhile waits in the
/// match's log, where the call's subscription knows its place; when the write is done, the next update is
/// collected from there. So a call holds one message, however slowly it is taken; at the end, one more.
template <typename Message>
class MatchStream : public LiveStream, public runtime::Subscriber {
 public:
  using Response = Message;

  MatchStream(const MatchStream&) = delete;
  MatchStream& operator=(const MatchStream&) = delete;

  /// The stream is here. On the accepting loop's thread, once; without it nothing but the pipe's `close`
  /// comes.
  void arrive(CallOrigin origin) {
    begin_event();  // kDone
    trace_.begin(std::move(origin.request_id), std::move(origin.peer));
    const runtime::LogScope scope = trace_.scope();
    caller_ = std::move(origin.caller);
    caller_.count_message();
    home().add_stream(*this);
    // It does not end here, as kDone is yet to come; and it may be another loop's afterwards.
    if (!is_refused_by_shutdown()) admit();
  }

  /// An event of the pipe. On the accepting loop's thread.
  void ended(StreamEvent event, bool ok) {
    if (home_ == &accepting_) return handle(event, ok);
    post_home([this, event, ok] { handle(event, ok); });
  }

 protected:
  /// `name`: of the rpc; `open_streams`: how many of its streams there are.
  MatchStream(MatchLoop& accepting, StreamPipe<Response>& pipe, const char* name,
              std::atomic<std::size_t>& open_streams)
      : trace_(name),
        open_streams_(open_streams),
        accepting_(accepting),
        home_(&accepting),
        pipe_(pipe),
        patience_(accepting.loop().context()) {
    accepting_.count_call();
  }

  virtual ~MatchStream() {
    SWEEPD_ASSERT(host_ == nullptr && events_under_way_ == 0);
    if (is_counted_) open_streams_.fetch_sub(1);
    accepting_.uncount_call();
  }

  /// False: the call itself decides whether it is one that is taken where memory is short.
  virtual bool needs_memory() const { return true; }
  /// True: the call has been refused.
  bool is_memory_short() {
    const runtime::MemoryGuard& memory = accepting_.backend().memory;
    if (!memory.is_full()) return false;
    finish(memory_is_short(memory));
    return true;
  }

  /// The stream is admitted.
  virtual void begin() = 0;
  /// The call has come to the loop of its match.
  virtual void attach(runtime::MatchHost& host) = 0;
  /// That may take milliseconds: it is done in a slice of long work.
  virtual bool is_long_to_attach() const { return false; }
  virtual void fill_ended(const runtime::MatchHost& host, Response& response) = 0;
  virtual void on_read(bool /*ok*/) {}
  /// What was told by `tell` has gone out.
  virtual void on_told() {}
  /// The door is done with the stream. `cancelled`: the client has not got the status.
  virtual void on_over(bool /*cancelled*/) {}

  MatchLoop& home() const { return *home_.load(); }
  const Caller& caller() const { return caller_; }
  bool is_over() const { return phase_ != Phase::kOpen; }

  /// Goes on in `attach` on the loop of the match, or ends the call. `id` stays while the call does.
  void move_to_match(const runtime::MatchId& id) { look_for_match(id, 0); }

  /// The match is followed from now on. `response`, Joined or started, goes out at once, before any update.
  void write_first(const Response& response, runtime::MatchHost& host, runtime::Subscription& subscription) {
    host_ = &host;
    subscription_ = &subscription;
    write(response);
  }

  /// Says something beside the updates, before those that come next. A call waits until that has gone out
  /// before it lets its client ask for more: so that few such messages wait.
  void tell(Response message) {
    if (is_over()) return;
    messages_.push_back(std::move(message));
    pump();
  }
  bool is_all_told() const { return messages_.empty(); }

  /// What becomes of the seat of a call that has one, or of all of them.
  enum class Seat : std::uint8_t { kGivenUp, kKept };

  /// Stops following the match. What waits to be told still is, then the stream ends.
  void finish_after_updates(Seat seat) {
    if (is_over()) return;
    collect_rest(false);
    end_with({});
    stop_following(seat);
    if (writing_ != Writing::kNothing) limit_patience(kLastUpdatesPatience);
    pump();
  }

  /// Stops following the match and ends the stream; what waits is dropped. A seat is kept: who has it may
  /// come back.
  void finish(const Status& status) {
    if (is_over()) return;
    trace_.note_status(status, host_ == nullptr ? "call refused" : "stream ended by the server");
    const runtime::LogScope scope = trace_.scope();
    end_with(status);
    drop_updates();
    stop_following(Seat::kKept);
    pump();
    if (writing_ != Writing::kNothing) limit_patience(kStatusPatience);
  }

  void begin_event() { ++events_under_way_; }
  /// What is no event of the pipe's has been done. From any thread, of a stream that has left its match.
  void end_event() {
    post_home([this] {
      --events_under_way_;
      release();
    });
  }

  /// For taking what is left when the stream ends, a write at a time; and the word why it was ended.
  static constexpr std::chrono::seconds kLastUpdatesPatience{30};
  static constexpr std::chrono::seconds kStatusPatience{5};

  CallTrace trace_;
  std::atomic<std::size_t>& open_streams_;
  MatchLoop& accepting_;
  std::atomic<MatchLoop*> home_;
  StreamPipe<Response>& pipe_;
  runtime::MatchHost* host_ = nullptr;  ///< While it follows the match.

 private:
  /// kEnding: the status goes out after what is left to be told. kDone: the door is done with the stream.
  enum class Phase : std::uint8_t { kOpen, kEnding, kFinishing, kDone };
  /// What is being written; kMessage: one of messages_.
  enum class Writing : std::uint8_t { kNothing, kUpdate, kMessage };

  void end_with(const Status& status) {
    final_status_ = status;
    phase_ = Phase::kEnding;
  }

  void shut_down() final { finish(server_shutting_down()); }

  void tick_has_run() final {
    if (is_too_slow()) return finish(too_slow());
    pump();
  }

  // State may have changed without a tick: absences, say. Without news a heartbeat goes out.
  void beat() final {
    const bool has_written = std::exchange(has_written_, false);
    if (has_written || writing_ != Writing::kNothing || host_ == nullptr || is_over()) return;
    const runtime::LogScope scope = trace_.scope();
    pump();
    if (writing_ == Writing::kNothing && host_ != nullptr && !is_over()) write(heartbeat());
  }

  static const Response& heartbeat() {
    static const Response message = [] {
      Response response;
      response.mutable_heartbeat();
      return response;
    }();
    return message;
  }

  void match_moved(std::size_t loop) final { go_to(*accepting_.backend().loops[loop]); }

  bool is_behind() const final { return subscription_ != nullptr && subscription_->is_behind(host_->log()); }

  void match_ended(const runtime::MatchHost& host) final {
    if (is_over()) return;
    if (is_too_slow()) {
      const Status status = too_slow();
      forget_match();
      return finish(status);
    }
    collect_rest(true);
    forget_match();
    fill_ended(host, ended_.emplace());
    end_with({});
    if (writing_ != Writing::kNothing) limit_patience(kLastUpdatesPatience);
    pump();
  }

  void replaced() final {
    forget_match();
    finish(session::replaced());
  }

  bool is_too_slow() const {
    return subscription_->when_full() == runtime::WhenFull::kDisconnect &&
           subscription_->is_full(host_->log());
  }

  Status too_slow() {
    home().loop().figures().slow_readers[static_cast<std::size_t>(runtime::WhenFull::kDisconnect)].add();
    return slow_reader(subscription_->events_max());
  }

  // On the thread of its home, while the target's stands still.
  void go_to(MatchLoop& target) {
    home().remove_stream(*this);
    home_ = &target;
    target.add_stream(*this);
  }

  // Whether the call is on its way to another loop: then it is not this thread's any more.
  bool look_for_match(const runtime::MatchId& id, int looks) {
    const auto place = place_of(accepting_.backend(), id, looks);
    if (!place.ok()) {
      finish(place.error());
      return false;
    }
    MatchLoop* const here = home_;
    runtime::MatchHost* const host = *place == here ? here->matches().find(id) : nullptr;
    if (host != nullptr) {
      is_long_to_attach() ? attach_in_slice(id, looks) : attach(*host);
      return false;
    }
    begin_event();  // Or it could end, and be gone, before it arrives.
    here->remove_stream(*this);
    home_ = *place;
    (*place)->loop().post([this, &id, looks] { arrive(id, looks); });
    return true;
  }

  // The match may move or end before.
  void attach_in_slice(const runtime::MatchId& id, int looks) {
    begin_event();
    home().loop().post_slice([this, &id, looks] {
      const runtime::LogScope scope = trace_.scope();
      --events_under_way_;
      runtime::MatchHost* const host = is_over() ? nullptr : home().matches().find(id);
      if (host != nullptr) attach(*host);
      const bool goes_on = host == nullptr && !is_over() && look_for_match(id, looks + 1);
      if (!goes_on) release();
    });
  }

  void arrive(const runtime::MatchId& id, int looks) {
    const runtime::LogScope scope = trace_.scope();
    --events_under_way_;
    home().add_stream(*this);
    const bool goes_on = !is_over() && !is_refused_by_shutdown() && look_for_match(id, looks + 1);
    if (!goes_on) release();
  }

  // Runs `work` at home, wherever that is by then. From any thread.
  template <typename Work>
  void post_home(Work work) {
    MatchLoop* const home = home_;
    home->loop().post([this, home, work] {
      if (home_ == home) return work();
      post_home(work);
    });
  }

  void handle(StreamEvent event, bool ok) {
    MatchLoop* const home = home_;
    const runtime::LogScope scope = trace_.scope();
    --events_under_way_;
    take(event, ok);
    end_turn(home);
  }

  // If it has gone to look for its match, it is its new home's business now. It still exists: it goes from
  // the accepting loop, and kDone has yet to pass through that one's thread, which is this.
  void end_turn(const MatchLoop* home) {
    if (home_ == home) release();
  }

  void take(StreamEvent event, bool ok) {
    switch (event) {
      case StreamEvent::kRead:
        return on_read(ok);
      case StreamEvent::kWritten:
        return on_written(ok);
      case StreamEvent::kFinished:
        return;
      case StreamEvent::kDone:
        return on_done(ok);
    }
  }

  void admit() {
    is_counted_ = true;
    open_streams_.fetch_add(1);
    if (needs_memory() && is_memory_short()) return pipe_.incoming().drop();
    auto place = take_stream(accepting_.backend(), caller_.account);
    if (!place) {
      pipe_.incoming().drop();
      return finish(place.error());
    }
    place_ = std::move(*place);
    begin();
  }

  bool is_refused_by_shutdown() {
    if (!accepting_.backend().is_shutting_down) return false;
    finish(server_shutting_down());
    return true;
  }

  // Finished, or given up by the client: no operation may be begun any more.
  void on_done(bool ok) {
    phase_ = Phase::kDone;
    drop_updates();
    stop_following(Seat::kKept);
    patience_.cancel();
    on_over(!ok);
  }

  void on_written(bool ok) {
    const bool was_telling = writing_ == Writing::kMessage;
    writing_ = Writing::kNothing;
    update_memory_ = {};
    patience_.cancel();
    if (!ok) return;  // The stream is broken, and kDone will say so.
    const bool was_behind = is_behind();
    pump();
    if (was_behind && host_ != nullptr) host_->resume_ticks();
    if (was_telling && is_all_told() && !is_over()) on_told();
  }

  // Starts what comes next: an update, the last message, the status.
  void pump() {
    if (writing_ != Writing::kNothing || phase_ >= Phase::kFinishing) return;
    if (host_ != nullptr) {
      if (is_too_slow()) return finish(too_slow());
      if (is_all_told()) collect(false);
    }
    if (!is_all_told()) {
      write(messages_.front(), Writing::kMessage);  // Serialised within the call.
      messages_.erase(messages_.begin());
    } else if (!outbox_.is_empty()) {
      const Response& update = outbox_.finished();
      auto memory = take_message(accepting_.backend(), caller_.account, outbox_.bytes());
      if (!memory) return give_up(memory.error());
      update_memory_ = std::move(*memory);
      if (host_ != nullptr) host_->note_sent(*subscription_, update.update().tick());
      home().loop().figures().updates.add();
      write(update);  // Serialised within the call: the message is ours again.
      outbox_.clear();
    } else if (ended_) {
      write(*ended_);
      ended_.reset();
    } else if (phase_ == Phase::kEnding) {
      phase_ = Phase::kFinishing;
      begin_event();
      pipe_.finish(final_status_);
    }
  }

  // Also of one that has left its match, and only tells what is left.
  void give_up(const Status& status) {
    if (!is_over()) return finish(status);
    drop_updates();
    final_status_ = status;
    pump();
  }

  void collect(bool is_last) {
    host_->collect(*subscription_, outbox_, is_last);
    if (!outbox_.is_empty()) outbox_.set_durable_tick(host_->durable_tick());
  }

  // The log goes on without this call, or ends: what is left of it for the reader moves here.
  void collect_rest(bool is_last) {
    if (host_ == nullptr || is_too_slow()) return;
    outbox_.lift_bound();
    collect(is_last);
  }

  void write(const Response& response, Writing what = Writing::kUpdate) {
    SWEEPD_ASSERT(writing_ == Writing::kNothing && phase_ < Phase::kFinishing);
    writing_ = what;
    has_written_ = true;
    if (is_over()) limit_patience(kLastUpdatesPatience);
    begin_event();
    pipe_.write(response);
  }

  void drop_updates() {
    messages_.clear();
    outbox_.clear();
    ended_.reset();
  }

  void stop_following(Seat seat) {
    if (host_ == nullptr) return;
    runtime::MatchHost& host = *host_;
    forget_match();
    if (seat == Seat::kKept) {
      host.break_off(*this);
    } else {
      host.leave(*this);
    }
  }

  void forget_match() {
    host_ = nullptr;
    subscription_ = nullptr;
  }

  // The end can go out only after the write that is under way; who does not take even that is cut off. Else
  // one who reads nothing would keep his stream for ever.
  void limit_patience(std::chrono::seconds time) {
    begin_event();
    patience_.expires_after(time);
    patience_.async_wait([this](const boost::system::error_code& error) {
      post_home([this, in_vain = !error] { end_patience(in_vain); });
    });
  }

  void end_patience(bool in_vain) {
    --events_under_way_;
    // It may have expired, and waited for its turn, while what was under way was taken.
    const bool has_expired = runtime::steady_now() >= patience_.expiry();
    if (in_vain && has_expired && writing_ != Writing::kNothing) pipe_.cancel();
    release();
  }

  void release() {
    if (events_under_way_ > 0) return;
    home().remove_stream(*this);
    pipe_.close();
  }

  runtime::Subscription* subscription_ = nullptr;  ///< While it follows the match.
  std::vector<Response> messages_;                 ///< What is told beside the updates.
  Outbox<Response> outbox_{kUpdateBytesMax};
  std::optional<Response> ended_;
  Status final_status_;  ///< From kEnding on.
  boost::asio::steady_timer
      patience_;   ///< On the accepting loop. Only who has left the match has any: no move meets it.
  Caller caller_;  ///< Empty until the call is here.
  BudgetShare place_;
  BudgetShare update_memory_;  ///< Of the update that is being written, where it is large.
  int events_under_way_ = 0;   ///< That are yet to come.
  Phase phase_ = Phase::kOpen;
  Writing writing_ = Writing::kNothing;
  bool is_counted_ = false;
  bool has_written_ = false;  ///< Since the last beat.
};

}  // namespace sweepd::session
