// SPDX-License-Identifier: MIT
#include "match_stream.h"

#include "channel.h"
#include "server_status.h"

namespace sweepd::internal {

MatchStream::MatchStream(Route route, std::size_t queued_max)
    : route_(std::move(route)), subscription_(queued_max), done_future_(done_.get_future()) {}

void MatchStream::start() {
  const auto deadline = std::chrono::system_clock::now() + route_.timeout;
  const std::lock_guard lock(mutex_);
  self_ = shared_from_this();
  timeout_alarm_.Set(deadline, [weak = weak_from_this()](bool expired) {
    if (!expired) return;
    if (const auto stream = weak.lock()) stream->time_out();
  });
  if (route_.follow_endpoint) {
    locate(deadline);
  } else {
    open(route_.server);
  }
}

void MatchStream::refuse(Status error) {
  subscription_.fail(std::move(error));
  done_.set_value();
}

void MatchStream::locate(std::chrono::system_clock::time_point deadline) {
  stub_ = Service::NewStub(route_.channel);
  locate_context_.set_deadline(deadline);
  locate_request_.set_match_id(route_.match_id);
  stub_->async()->GetMatch(&locate_context_, &locate_request_, &locate_response_,
                           [this](const grpc::Status& status) { located(status); });
}

void MatchStream::located(const grpc::Status& status) {
  if (!status.ok()) return closed(status);
  {
    const std::lock_guard lock(mutex_);
    if (!cancelled_) {
      const v1::Endpoint& endpoint = locate_response_.match().endpoint();
      return open(target_of({endpoint.host(), endpoint.port()}, route_.server));
    }
  }
  closed(grpc::Status::CANCELLED);
}

void MatchStream::open(const std::string& target) {
  stub_ = Service::NewStub(open_channel(target));
  begin_call(stub_.get(), &call_context_);
}

void MatchStream::time_out() {
  const std::string waited = std::to_string(route_.timeout.count());
  if (subscription_.fail_if_connecting(
          {ErrorCode::kDeadlineExceeded, "the server " + route_.server + " let nobody in within " + waited + " ms"})) {
    cancel();
  }
}

void MatchStream::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  locate_context_.TryCancel();
  call_context_.TryCancel();
}

void MatchStream::closed(const grpc::Status& status) {
  subscription_.fail(status.ok() ? Status(ErrorCode::kUnavailable, "the server closed the stream")
                                 : from_server(status));
  done();
}

void MatchStream::done() {
  timeout_alarm_.Cancel();
  std::promise<void> done;
  std::shared_ptr<MatchStream> self;
  {
    const std::lock_guard lock(mutex_);
    done = std::move(done_);
    self = std::move(self_);
  }
  // First let go, then tell: who waits shall be the last owner, so that nothing of the stream is left on a thread of
  // gRPC's when the program ends.
  self.reset();
  done.set_value();
}

bool MatchStream::wait_until_done(std::chrono::milliseconds timeout) const {
  return done_future_.wait_for(timeout) == std::future_status::ready;
}

}  // namespace sweepd::internal
