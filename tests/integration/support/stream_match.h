// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integration/support/manual_match.h"
#include "integration/support/raw_stream.h"

namespace sweepd::test {

/// A Watch stream, message by message.
class RawWatch {
 public:
  RawWatch(v1::MatchService::Stub& stub, const v1::WatchRequest& request)
      : reader_(stub.Watch(&context_, request)) {}
  ~RawWatch() { context_.TryCancel(); }

  std::optional<v1::WatchResponse> read();
  v1::WatchStarted started();
  /// Sequence numbers of the events up to `tick`.
  std::vector<std::uint64_t> numbers_through(Tick tick);
  grpc::Status finish();

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchResponse>> reader_;
};

/// Sequence numbers as the contract says.
std::vector<std::uint64_t> numbers_of(const v1::TickUpdate& update);

/// A MANUAL match of one driver whose ship meets and leaves an enemy as its frames, all sent ahead, say: in
/// every tick from 2 to kEventTicks + 1 one event, with the number of the tick minus 1; none after that.
class StreamTest : public ManualMatchTest {
 protected:
  static constexpr Tick kEventTicks = 300;

  void SetUp() override;
  /// Runs the first tick. A config of shooter_config.
  void begin(MatchConfig config = shooter_config(ClockKind::kManual));

  v1::Join join_as(const std::string& name) const;
  v1::WatchRequest watch_request() const;
  v1::Match get_match();

  std::unique_ptr<v1::MatchService::Stub> stub_;

 private:
  std::optional<Session> driver_;
};

/// "CODE REASON field".
std::string refusal_text(const grpc::Status& status);

/// `first` to `last`.
std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t last);

/// A request that goes on after `number`.
template <typename Request>
Request resumed_after(Request request, std::uint64_t epoch, std::uint64_t number) {
  request.mutable_resume()->set_epoch(epoch);
  request.mutable_resume()->set_last_sequence_number(number);
  return request;
}

}  // namespace sweepd::test
