// SPDX-License-Identifier: MIT
#include "verification/input_log_replay.h"

#include <utility>

#include "replay/ending.h"
#include "replay/head.h"
#include "replay/tick_record.h"
#include "replay/writer.h"
#include "verification/input_log.h"
#include "verification/input_log_verification.h"

namespace sweepd::verification {
namespace {

/// Writes down what it sees.
class ReplayWitness final : public InputLogWitness {
 public:
  explicit ReplayWitness(const replay::Head& head) : writer_(head) {}

  void took(const match::SeatChange& change) override {
    std::visit([this](const auto& any) { record_.inputs.emplace_back(any); }, change);
  }
  void took(const match::Submission& submission) override { record_.inputs.emplace_back(submission); }

  void ran(const match::Match& match, const match::TickOutput& output, bool ends_match) override {
    record_.tick = output.tick;
    record_.digest = output.digest;
    record_.ends_match = ends_match;
    is_whole_ = is_whole_ && writer_.add(std::exchange(record_, {}));
    has_ended_ = match.ended();
    bytes_ += writer_.take_bytes();
  }

  /// Whether no tick was too large.
  bool is_whole() const { return is_whole_; }

  std::string finish(const std::vector<match::Score>& scores) {
    writer_.finish(has_ended_ ? replay::EndReason::kMatchEnded : replay::EndReason::kStillRunning, scores,
                   nullptr);
    return std::move(bytes_) + writer_.take_bytes();
  }

 private:
  replay::Writer writer_;
  replay::TickRecord record_;
  std::string bytes_;
  bool is_whole_ = true;
  bool has_ended_ = false;
};

}  // namespace

base::Result<std::string, replay::FileFault> replay_of_input_log(std::string_view bytes) {
  const auto log = InputLog::open(bytes);
  if (!log) return log.error();
  const auto match = match::Match::create(log->config(), match::kFirstDigestVersion);
  if (!match) return replay::FileFault{.record = "header", .what = "no match can have this config"};
  ReplayWitness witness(replay::head_of(**match, "", log->header().nonce()));
  const replay::Verification run = play_input_log(bytes, witness);
  // Another score than the one claimed makes no other run.
  const bool is_run =
      run.verdict == replay::ReplayVerdict::kVerified || run.verdict == replay::ReplayVerdict::kScoreMismatch;
  if (!is_run)
    return run.fault ? *run.fault : replay::FileFault{.tick = run.diverging_tick, .what = run.what};
  if (!witness.is_whole()) return replay::FileFault{.what = "a tick is too large for a replay"};
  return witness.finish(run.scores);
}

}  // namespace sweepd::verification
