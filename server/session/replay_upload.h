// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "session/local_stream.h"
#include "sweepd/v1/replay_service.pb.h"
#include "verification/memory_file.h"
#include "verification/verification_process.h"

namespace sweepd::session {

/// A client sends a replay to have it verified (VerifyReplay). What has been sent waits in memory until one
/// of the verifiers has played it, in a process of its own. If the client gives up, or the server stops, the
/// verification does too.
///
/// It comes, waits, runs and is answered, and each of these has its time. What it holds goes back as soon as
/// it needs it no more: a place among the uploads with the last byte, the bytes with the verdict.
class ReplayUpload final : public LocalStream<v1::VerifyReplayResponse> {
 public:
  ReplayUpload(MatchLoop& home, StreamPipe<v1::VerifyReplayResponse>& pipe)
      : LocalStream(home, pipe, "VerifyReplay") {}
  ~ReplayUpload() override;

 private:
  enum class Phase { kUpload, kVerification, kAnswer };

  /// What a verifier works on.
  struct Task {
    enum class State {
      kWaiting,  ///< The call's.
      kFilling,  ///< A worker's, which copies what has come, and then the call's again.
      kRunning,  ///< The verifier's, all but this and the flag.
      kDropped,  ///< It will not run.
    };
    std::atomic<State> state = State::kWaiting;
    std::atomic<bool> is_cancelled = false;
    bool has_given_way = false;  ///< To others that wait.
    verification::MemoryFile replay = {};
    v1::VerificationOptions options = {};
    verification::VerificationOutcome outcome = {};

    bool change(State from, State to) { return state.compare_exchange_strong(from, to); }
  };

  void admit() override;
  void on_finishing() override;
  void on_over() override { give_up(); }
  void on_patience_over() override;

  bool take_places();
  void on_read(bool ok) override;
  void take_request(const std::optional<match::FieldError>& fault);
  void take_options();
  void take_chunk();
  void append_aside();
  void on_appended(bool is_whole);
  void on_upload_window_over();
  void end_upload();
  bool take_bytes(std::size_t bytes);
  void queue_task();
  static void verify(Task& task, Backend& backend, const runtime::BudgetKey& key);
  void on_verified();
  void answer_verdict();
  void give_up();
  void give_back_replay();

  v1::VerifyReplayRequest request_;
  std::shared_ptr<Task> task_ = std::make_shared<Task>();
  Phase phase_ = Phase::kUpload;
  std::chrono::milliseconds upload_time_left_{};
  std::size_t window_bytes_ = 0;  ///< That came in the current window of the upload.
  BudgetShare place_;             ///< Among the verifications of the payers.
  BudgetShare bytes_;             ///< Of the replay, or of the verdict.
  bool is_uploading_ = false;     ///< Has a place of Backend::uploads.
  bool has_begun_ = false;        ///< A message has come.
};

}  // namespace sweepd::session
