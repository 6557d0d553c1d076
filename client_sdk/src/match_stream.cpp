// SPDX-License-Identifier: MIT
#include "match_stream.h"

#include "channel.h"
#include "server_status.h"

namespace sweepd::internal {

void* MatchStream::Operation::begin() {
  under_way_ = true;
  ++stream_->operations_under_way_;
  return this;
}

void MatchStream::Operation::complete(bool ok) {
  under_way_ = false;
  done_(ok);
  if (--stream_->operations_under_way_ > 0) return;
  // Nobody will call the stream any more. It may be gone when this returns, and this operation with it.
  stream_->network_->stream_over();
  const std::shared_ptr<MatchStream> last = std::move(stream_->self_);
}

MatchStream::MatchStream(Network* network, Route route, std::size_t queued_max)
    : network_(network),
      route_(std::move(route)),
      subscription_(queued_max),
      locate_(this, [this](bool) { located(); }),
      start_(this, [this](bool ok) { started(ok); }),
      read_(this, [this](bool ok) { has_read(ok); }),
      finish_(this, [this](bool) { over(status_); }),
      timeout_(this,
               [this](bool expired) {
                 if (expired) time_out();
               }),
      cancel_(this, [this](bool expired) {
        if (expired) cancel_now();
      }) {}

void MatchStream::start() {
  network_->post([self = shared_from_this()] { self->begin(); });
}

void MatchStream::cancel() {
  network_->post([self = shared_from_this()] { self->cancel_now(); });
}

void MatchStream::begin() {
  network_->stream_begun();
  self_ = shared_from_this();
  const auto deadline = std::chrono::system_clock::now() + route_.timeout;
  timeout_alarm_.Set(network_->queue(), deadline, timeout_.begin());
  if (route_.follow_endpoint) {
    locate(deadline);
  } else {
    open(route_.server);
  }
}

void MatchStream::locate(std::chrono::system_clock::time_point deadline) {
  v1::GetMatchRequest request;
  request.set_match_id(route_.match_id);
  locate_context_.set_deadline(deadline);
  stub_ = Service::NewStub(route_.channel);
  locate_call_ = stub_->AsyncGetMatch(&locate_context_, request, network_->queue());
  locate_call_->Finish(&locate_response_, &status_, locate_.begin());
}

void MatchStream::located() {
  if (cancelled_) return over(grpc::Status::CANCELLED);
  if (!status_.ok()) return over(status_);
  const v1::Endpoint& endpoint = locate_response_.match().endpoint();
  // The server has just told of it, so it is there: one attempt that fails is no answer.
  call_context_.set_wait_for_ready(true);
  open(target_of({endpoint.host(), endpoint.port()}, route_.server));
}

void MatchStream::open(const std::string& target) {
  stub_ = Service::NewStub(open_channel(target));
  begin_call(stub_.get(), &call_context_, start_.begin());
}

void MatchStream::started(bool ok) {
  if (!ok) return finish();
  read_next(read_.begin());
  call_started();
}

void MatchStream::has_read(bool ok) {
  if (ok && receive()) return read_next(read_.begin());
  if (ok) cancel_now();
  finish();
}

void MatchStream::finish() { finish_call(&status_, finish_.begin()); }

void MatchStream::time_out() {
  const std::string waited = std::to_string(route_.timeout.count());
  if (subscription_.fail_if_connecting(
          {ErrorCode::kDeadlineExceeded,
           "the server " + route_.server + " let nobody in within " + waited + " ms"})) {
    cancel_now();
  }
}

void MatchStream::cancel_now() {
  cancelled_ = true;
  locate_context_.TryCancel();
  call_context_.TryCancel();
}

void MatchStream::cancel_after(std::chrono::milliseconds time) {
  if (cancel_.is_under_way()) return;
  cancel_alarm_.Set(network_->queue(), std::chrono::system_clock::now() + time, cancel_.begin());
}

void MatchStream::over(const grpc::Status& status) {
  subscription_.fail(status.ok() ? Status(ErrorCode::kUnavailable, "the server closed the stream")
                                 : from_server(status));
  timeout_alarm_.Cancel();
  cancel_alarm_.Cancel();
}

}  // namespace sweepd::internal
