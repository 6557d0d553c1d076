// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "replay/summary.h"
#include "runtime/replays/replay_library.h"
#include "session/local_stream.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::session {

/// A client fetches a replay (GetReplay). One piece of the file is on its way at a time, from the disk or to
/// the client: so a call holds one piece, however large the file is and however slowly it is taken.
class ReplayDownload final : public LocalStream<v1::GetReplayResponse> {
 public:
  /// The pipe has the request already.
  ReplayDownload(MatchLoop& home, StreamPipe<v1::GetReplayResponse>& pipe)
      : LocalStream(home, pipe, "GetReplay") {}

 private:
  using File = std::shared_ptr<const runtime::ReplayFile>;
  using Opened = runtime::ReplayLibrary::Opened;

  void admit() override;
  void begin();
  void open();
  void ask_library(std::optional<runtime::ReplayPoint> point);
  void on_opened(const Opened& opened);
  void read_summary();
  void on_summary(const base::Result<replay::Summary, replay::FileFault>& summary);
  void read_chunk();
  void on_chunk(std::optional<std::string> bytes);
  /// On a thread where waiting for the disk keeps no match from its ticks.
  void run_off_loop(std::function<void()> work);
  void send_message(const v1::GetReplayResponse& response);
  void write_next() override;

  v1::GetReplayRequest request_;
  File file_;
  std::uint64_t bytes_sent_ = 0;
  bool is_of_running_ = false;  ///< Its match runs, and has been asked whether the caller may.
};

}  // namespace sweepd::session
