// SPDX-License-Identifier: MIT
#include "rpc/stream_call.h"

#include <utility>

#include "base/assert.h"
#include "rpc/match_codec.h"
#include "rpc/status.h"

namespace sweepd::rpc {
namespace {

/// A slow reader is told why it lost the stream if it takes what is under way within this time.
constexpr std::chrono::seconds kSlowReaderGrace{5};

int rows_of(const v1::TickUpdate& update) { return update.events().kind_size() + update.rejections_size(); }

}  // namespace

StreamCall::StreamCall(runtime::Loop& accepting_loop, const ServiceContext& context)
    : accepting_loop_(accepting_loop), home_(&accepting_loop), context_(context) {}

void StreamCall::dispatch(Operation::Method method, bool ok) {
  if (home_ == &accepting_loop_) return (this->*method)(ok);
  home_->post([self = shared_from_this(), method, ok] { (self.get()->*method)(ok); });
}

void StreamCall::stop() {
  // By way of the accepting loop: only it may look where home is.
  accepting_loop_.post([self = shared_from_this()] {
    self->home_->post([self] { self->end(server_shutting_down()); });
  });
}

void StreamCall::go_home(std::shared_ptr<runtime::MatchHost> host, std::function<void()> then) {
  SWEEPD_ASSERT(host_ == nullptr);
  host_ = std::move(host);
  home_ = &host_->loop();
  if (home_ == &accepting_loop_) return then();
  home_->post([self = shared_from_this(), then = std::move(then)] { then(); });
}

void StreamCall::accepted(bool ok) {
  if (!ok) return self_.reset();  // The server stops: no call, and no other tag will come.
  await_next();
  ++operations_;  // For the notice that the call is done.
  switch (context_.streams.admit(shared_from_this())) {
    case StreamCalls::Admission::kAdmitted: return begin();
    case StreamCalls::Admission::kStopping: return end(server_shutting_down());
    case StreamCalls::Admission::kTooMany:
      return end(to_status({grpc::StatusCode::RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS",
                            "this server serves at most " + std::to_string(context_.streams.streams_max()) +
                                " streams"}));
  }
}

void StreamCall::done(bool) {
  if (server_context_.IsCancelled()) {
    is_broken_ = true;
    end(grpc::Status::CANCELLED);
  }
  note_over();
}

void StreamCall::read_over(bool ok) {
  const auto self = shared_from_this();
  // First: what the read leads to may hand this call to another loop, and then nothing may be touched here.
  note_over();
  read_done(ok);
}

void StreamCall::read_done(bool) { SWEEPD_ASSERT(false); }

void StreamCall::note_write_started() {
  SWEEPD_ASSERT(!is_writing_);
  is_writing_ = true;
  note_started();
}

void StreamCall::written(bool ok) {
  is_writing_ = false;
  if (!ok) {
    is_broken_ = true;
    end(grpc::Status::CANCELLED);
  }
  pump();
  note_over();
}

void StreamCall::finished(bool) {
  is_finished_ = true;
  note_over();
}

void StreamCall::note_over() {
  SWEEPD_ASSERT(operations_ > 0);
  if (--operations_ > 0 || !is_finished_) return;
  give_up_timer_.reset();
  context_.streams.remove(*this);
  self_.reset();
}

void StreamCall::end(const grpc::Status& status) {
  if (is_ending()) return pump();
  finish_status_ = status;
  depart();
  pump();
}

void StreamCall::pump() {
  if (is_writing_ || is_finishing_) return;
  if (has_pending_ && !is_broken_) {
    has_pending_ = false;
    write_update(pending_);
  } else if (has_ended_pending_ && !is_broken_) {
    has_ended_pending_ = false;
    write_ended(*host_);
  } else if (is_ending()) {
    is_finishing_ = true;
    note_started();
    write_finish(*finish_status_);
  }
}

void StreamCall::on_tick(const runtime::TickReport& report) {
  if (is_ending()) return;
  append_report(report, &pending_);
  has_pending_ = true;
  if (is_writing_ && rows_of(pending_) > kPendingRowsMax) {
    // Not here: leaving the match changes what the other subscribers are about to be told.
    home_->post([self = shared_from_this()] { self->drop_slow_reader(); });
    return;
  }
  pump();
}

void StreamCall::drop_slow_reader() {
  if (is_ending()) return;
  has_pending_ = false;
  pending_.Clear();
  end(to_status({grpc::StatusCode::RESOURCE_EXHAUSTED, "SLOW_READER",
                 "more than " + std::to_string(kPendingRowsMax) + " events and rejections were not taken in time"}));
  if (!is_writing_) return;
  give_up_timer_.emplace(home_->timers(), kSlowReaderGrace);
  give_up_timer_->async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
    if (!cancelled) self->server_context_.TryCancel();
  });
}

void StreamCall::on_ended() {
  has_ended_pending_ = true;
  if (!is_ending()) finish_status_ = grpc::Status::OK;
  pump();
}

}  // namespace sweepd::rpc
