// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "runtime/feed/subscription.h"
#include "session/moving_stream.h"
#include "session/outbox.h"
#include "session/passing_message.h"
#include "session/refusals.h"

namespace sweepd::session {

/// About how large an update becomes; what waits beyond it goes into the next. One tick may pass it, or no
/// tick larger than it could be told.
inline constexpr std::size_t kUpdateBytesMax = std::size_t{1} << 18;

/// A stream that follows a match: Play or Watch.
///
/// One write is under way at most. What ticks bring meanwhile waits in the match's log, where the call's
/// subscription knows its place; when the write is done, the next update is collected from there. So a call
/// holds one message, however slowly it is taken; at the end, one more.
template <typename Message>
class MatchStream : public MovingStream {
 public:
  using Response = Message;

 protected:
  /// `name`: of the rpc; `open_streams`: how many of its streams there are.
  MatchStream(MatchLoop& accepting, StreamPipe<Response>& pipe, const char* name,
              std::atomic<std::size_t>& open_streams)
      : MovingStream(accepting, pipe, name, rpc_of(*Message::descriptor(), true)),
        open_streams_(open_streams),
        out_(pipe),
        patience_(accepting.loop().context()) {}

  ~MatchStream() override {
    SWEEPD_ASSERT(host_ == nullptr);
    if (is_counted_) open_streams_.fetch_sub(1);
  }

  /// False: the call itself decides whether it is one that is taken where memory is short.
  virtual bool needs_memory() const { return true; }
  /// The stream is admitted.
  virtual void begin() = 0;
  virtual void fill_ended(const runtime::MatchHost& host, Response& response) = 0;
  /// Ends what participants of the stream have by tickets of their own that are no good any more.
  virtual void end_expired_participants() {}
  /// In place of what it was told of the world.
  void ask_for_world(runtime::SubscriptionOptions::World world) {
    subscription_->ask_for_world(std::move(world));
    pump();
  }
  std::uint64_t world_id() const { return subscription_->world_id(); }
  /// With an update to a subscriber of the world: what is about the stream's own frames.
  virtual void add_own(v1::TickUpdate& /*update*/) {}
  /// What was told by `tell` has gone out.
  virtual void on_told() {}
  /// Those of a stream that is shared who have been kicked or banned since then leave it; how many.
  virtual std::uint32_t expel_participants(std::uint64_t /*since_version*/) { return 0; }
  /// The door is done with the stream. `cancelled`: the client has not got the status.
  virtual void on_over(bool /*cancelled*/) {}

  bool is_over() const final { return phase_ != Phase::kOpen; }

  using First = PassingMessage<Response>;
  /// What the first message takes: the match, and its open encounters.
  static std::size_t first_bytes(const runtime::MatchHost& host) {
    constexpr std::size_t kMatchBytes = 16'384;
    constexpr std::size_t kEncounterBytes = sizeof(v1::Encounter) + 3 * sizeof(void*);
    return kMatchBytes + host.match().encounter_count() * kEncounterBytes;
  }

  /// The match is followed from now on. `response`, Joined or started, goes out at once, before any update.
  void write_first(const First& response, runtime::MatchHost& host, runtime::Subscription& subscription) {
    host_ = &host;
    subscription_ = &subscription;
    write(*response);
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

  /// Stops following the match and ends the stream; what waits is dropped. Whose seat is kept may come back.
  void finish(const Status& status) final { finish(status, Seat::kKept); }
  void finish(const Status& status, Seat seat) {
    if (phase_ == Phase::kMatchOver) return give_up(status);
    if (is_over()) return;
    trace_.note_status(status, host_ == nullptr ? "call refused" : "stream ended by the server");
    const runtime::LogScope scope = trace_.scope();
    end_with(status);
    drop_updates();
    stop_following(seat);
    pump();
    if (writing_ != Writing::kNothing) limit_patience(kStatusPatience);
  }

  /// For taking what is left when the stream ends, a write at a time; and the word why it was ended.
  static constexpr std::chrono::seconds kLastUpdatesPatience{30};
  static constexpr std::chrono::seconds kStatusPatience{5};

  runtime::MatchHost* host_ = nullptr;  ///< While it follows the match.

 private:
  std::uint32_t expel() final {
    const auto since = take_seen_expulsions();
    if (!since || is_over()) return 0;
    const Status expulsion = find_expulsion(principal().subject, *since);
    if (expulsion.ok()) return host_ == nullptr ? 0 : expel_participants(*since);
    finish(expulsion, Seat::kGivenUp);
    return 1;
  }

  /// kMatchOver: the match is, and has yet to tell its end. kEnding: the status goes out after what is left
  /// to be told. kDone: the door is done with the stream.
  enum class Phase : std::uint8_t { kOpen, kMatchOver, kEnding, kFinishing, kDone };
  /// What is being written; kMessage: one of messages_.
  enum class Writing : std::uint8_t { kNothing, kUpdate, kMessage };

  void end_with(const Status& status) {
    final_status_ = status;
    phase_ = Phase::kEnding;
  }

  void tick_has_run() final {
    if (is_too_slow()) return finish(too_slow());
    pump();
  }

  // State may have changed without a tick: absences, say. Without news a heartbeat goes out.
  void beat() final {
    if (!has_good_ticket()) return finish(ticket_expired());
    if (host_ != nullptr) end_expired_participants();
    backend().expulsions.count_ended(expel());
    const bool has_written = std::exchange(has_written_, false);
    if (has_written || writing_ != Writing::kNothing) return;
    if (phase_ == Phase::kMatchOver) return write(heartbeat());
    if (host_ == nullptr || is_over()) return;
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

  bool is_behind() const final { return subscription_ != nullptr && subscription_->is_behind(host_->log()); }

  void match_is_over() final {
    SWEEPD_ASSERT(phase_ == Phase::kOpen);
    phase_ = Phase::kMatchOver;
    over_ = {host_, subscription_};
    forget_match();
  }

  void match_ended(const runtime::MatchHost& host) final {
    SWEEPD_ASSERT(phase_ == Phase::kMatchOver);
    phase_ = Phase::kOpen;
    std::tie(host_, subscription_) = std::exchange(over_, {});
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
    if (subscription_->has_lost_world()) return slow_reader_of_world(runtime::WorldChannel::kBytesMax);
    return slow_reader(subscription_->events_max());
  }

  void admit() final {
    caller().count_message();
    is_counted_ = true;
    open_streams_.fetch_add(1);
    if (needs_memory() && !has_memory()) return;
    if (take_place()) begin();
  }

  // Finished, or given up by the client: no operation may be begun any more.
  void on_done(bool ok) final {
    phase_ = Phase::kDone;
    drop_updates();
    forget_end();
    stop_following(Seat::kKept);
    patience_.cancel();
    on_over(!ok);
  }

  void on_written(bool ok) final {
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
      auto memory = take_message(backend(), caller().payers, outbox_.bytes());
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
      send(final_status_);
    }
  }

  // Also of one that has left its match, and only tells what is left.
  void give_up(const Status& status) {
    if (!is_over()) return finish(status);
    drop_updates();
    end_with(status);
    forget_end();
    pump();
    if (writing_ != Writing::kNothing) limit_patience(kStatusPatience);
  }

  void collect(bool is_last) {
    host_->collect(*subscription_, outbox_, is_last);
    if (outbox_.is_empty()) return;
    outbox_.set_durable_tick(host_->durable_tick());
    if (!subscription_->is_told_world() || subscription_->seats().empty()) return;
    add_own(outbox_.update());
    const auto delay = host_->delay_of(subscription_->seats().front().number);
    const auto delay_ms =
        static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::milliseconds>(delay).count());
    // Only what makes a difference.
    if (std::max(delay_ms, told_delay_ms_) - std::min(delay_ms, told_delay_ms_) <= told_delay_ms_ / 8) return;
    outbox_.update().set_delay_ms(told_delay_ms_ = delay_ms);
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
    out_.write(response);
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

  // Of a match that is over: it would have been told.
  void forget_end() {
    if (const auto [host, subscription] = std::exchange(over_, {}); host != nullptr) host->forget(*this);
  }

  void forget_match() {
    host_ = nullptr;
    subscription_ = nullptr;
  }

  // The end can go out only after the write that is under way. A client that does not take even that is cut
  // off, or it would keep its stream for ever.
  void limit_patience(std::chrono::seconds time) {
    begin_event();
    patience_.expires_after(time);
    patience_.async_wait([this](const boost::system::error_code& error) {
      end_event([this, in_vain = !error] {
        // It may have expired, and waited for its turn, while what was under way was taken.
        const bool has_expired = runtime::steady_now() >= patience_.expiry();
        if (in_vain && has_expired && writing_ != Writing::kNothing) pipe_.cancel();
      });
    });
  }

  std::atomic<std::size_t>& open_streams_;
  StreamPipe<Response>& out_;
  runtime::Subscription* subscription_ = nullptr;  ///< While it follows the match.
  /// Until its end is told: the match that is over.
  std::pair<runtime::MatchHost*, runtime::Subscription*> over_ = {};
  std::vector<Response> messages_;  ///< What is told beside the updates.
  Outbox<Response> outbox_{kUpdateBytesMax};
  std::optional<Response> ended_;
  Status final_status_;  ///< From kEnding on.
  /// On the accepting loop. Only a stream that has left its match has any: no move meets it.
  boost::asio::steady_timer patience_;
  BudgetShare update_memory_;  ///< Of the update that is being written, where it is large.
  Phase phase_ = Phase::kOpen;
  Writing writing_ = Writing::kNothing;
  bool is_counted_ = false;
  bool has_written_ = false;  ///< Since the last beat.
  std::uint32_t told_delay_ms_ = 0;
};

}  // namespace sweepd::session
