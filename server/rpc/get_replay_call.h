// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/async_stream.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "replay/summary.h"
#include "rpc/client_budget.h"
#include "rpc/local_call.h"
#include "runtime/replays/replay_library.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::rpc {

/// Somebody who fetches a replay. One piece of the file is on its way at a time, from the disk or to the
/// client: so a call holds one piece, however large the file is and however slowly it is taken.
class GetReplayCall final : public LocalCall {
 public:
  /// Waits for the next call.
  static void accept(LoopServer& server);

 private:
  using File = std::shared_ptr<const runtime::ReplayFile>;
  using Opened = runtime::ReplayLibrary::Opened;

  explicit GetReplayCall(LoopServer& server) : LocalCall(server, "GetReplay"), stream_(&context_) {}

  void accept_next() override { accept(server()); }
  void begin() override;
  void finish(const grpc::Status& status) override;

  void open();
  void ask_library(std::optional<runtime::ReplayPoint> point);
  void on_opened(const Opened& opened);
  void read_summary();
  void on_summary(const base::Result<replay::Summary, replay::FileFault>& summary);
  void read_chunk();
  void on_chunk(std::optional<std::string> bytes);
  /// On a thread where waiting for the disk keeps no match from its ticks.
  void run_off_loop(std::function<void()> work);
  void write(const v1::GetReplayResponse& response);
  void on_written(bool ok);
  void send_status();
  bool is_wanted() const { return !is_over() && !status_; }

  grpc::ByteBuffer bytes_;  ///< Of the request, until it is parsed.
  v1::GetReplayRequest request_;
  grpc::ServerAsyncWriter<v1::GetReplayResponse> stream_;
  File file_;
  std::uint64_t bytes_sent_ = 0;
  Caller caller_;
  runtime::Budgets::Share place_;
  bool is_write_under_way_ = false;
  bool is_finish_under_way_ = false;
  std::optional<grpc::Status> status_;
  Event written_{*this, [this](bool ok) { on_written(ok); }};
  Event finished_{*this, [](bool) {}};
};

}  // namespace sweepd::rpc
