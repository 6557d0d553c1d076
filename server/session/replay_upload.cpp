// SPDX-License-Identifier: MIT
#include "session/replay_upload.h"

#include <utility>

#include "session/parse_request.h"
#include "session/replay_status.h"
#include "wire/replay_codec.h"

namespace sweepd::session {
namespace {

constexpr std::size_t kReplayBytesMax = std::size_t{64} << 20;

Status status_of(const verification::VerificationOutcome& outcome) {
  switch (outcome.end) {
    case verification::VerificationEnd::kTooLong:
      return verification_too_long(outcome.what);
    case verification::VerificationEnd::kTooLarge:
      return verification_too_large(outcome.what);
    case verification::VerificationEnd::kVerdict:
    case verification::VerificationEnd::kCancelled:
    case verification::VerificationEnd::kFailed:
      break;
  }
  return verifier_failing(outcome.what);
}

}  // namespace

ReplayUpload::~ReplayUpload() { end_upload(); }

void ReplayUpload::admit() {
  if (!take_places()) return;
  upload_time_left_ = backend().verifier_limits.upload_time;
  limit_patience(backend().verifier_limits.upload_window);
  read();
}

bool ReplayUpload::take_places() {
  if (!has_memory()) return false;
  caller().count_message();
  auto place = session::take(backend(), caller().payers, runtime::Resource::kVerifications);
  if (!place) {
    finish(place.error());
    return false;
  }
  place_ = std::move(*place);
  is_uploading_ = backend().uploads.take(1);
  if (is_uploading_) return true;
  finish(too_many_verifications(std::to_string(backend().uploads.most()) +
                                " replays are being sent, the limit"));
  return false;
}

void ReplayUpload::on_read(bool ok) {
  if (!is_wanted() || phase_ != Phase::kUpload) return;
  if (!ok) return queue_task();
  caller().count_message(pipe_.incoming().size());
  if (const auto refusal = refuse_too_large(pipe_.incoming())) return finish(*refusal);
  if (!pipe_.incoming().is_large()) return take_request(parse_request(pipe_.incoming(), request_));
  const std::shared_ptr<MessageBytes> large = pipe_.incoming().release();
  const auto fault = std::make_shared<std::optional<match::FieldError>>();
  run_aside([this, large, fault] { *fault = parse_request(*large, request_); },
            [this, fault] { take_request(*fault); });
}

void ReplayUpload::take_request(const std::optional<match::FieldError>& fault) {
  if (!is_wanted()) return;
  if (fault) return finish(invalid_verification(*fault));
  const bool is_first = !std::exchange(has_begun_, true);
  if (!request_.has_options()) return take_chunk();
  if (is_first) {
    take_options();
  } else {
    finish(invalid_verification({"options", "must be the first message of the stream, and only that"}));
  }
  if (is_wanted()) read();
}

void ReplayUpload::take_options() {
  const auto options = wire::decode_verification_options(request_.options());
  if (!options) {
    return finish(invalid_verification({"options." + options.error().field, options.error().description}));
  }
  if (options->creator && !options->public_key) {
    return finish(invalid_verification(
        {"options.creator", "proves nothing without public_key, for which it has to be signed"}));
  }
  task_->options.Swap(request_.mutable_options());
}

void ReplayUpload::take_chunk() {
  const std::string& chunk = request_.chunk();
  if (task_->replay.size() + chunk.size() > kReplayBytesMax) return finish(replay_too_large(kReplayBytesMax));
  if (!take_bytes(chunk.size())) return;
  window_bytes_ += chunk.size();
  if (chunk.size() > kLargeRequestBytes) return append_aside();
  on_appended(task_->replay.append(chunk));
}

// A mebibyte is copied in a millisecond. Until then the replay is not this thread's, and stays if the call
// ends.
void ReplayUpload::append_aside() {
  SWEEPD_ASSERT(task_->change(Task::State::kWaiting, Task::State::kFilling));
  const auto is_whole = std::make_shared<bool>(false);
  run_aside(
      [this, is_whole] {
        *is_whole = task_->replay.append(request_.chunk());
        request_.Clear();
      },
      [this, is_whole] {
        SWEEPD_ASSERT(task_->change(Task::State::kFilling, Task::State::kWaiting));
        is_wanted() ? on_appended(*is_whole) : give_up();
      });
}

void ReplayUpload::on_appended(bool is_whole) {
  if (!is_whole) return finish(verifier_failing("the server has no memory for the replay"));
  read();
}

/// False: the call has been refused.
bool ReplayUpload::take_bytes(std::size_t bytes) {
  auto share = session::take(backend(), caller().payers, runtime::Resource::kVerificationBytes, bytes);
  if (!share) {
    finish(share.error());
    return false;
  }
  bytes_.add(std::move(*share));
  return true;
}

void ReplayUpload::on_patience_over() {
  switch (phase_) {
    case Phase::kUpload:
      return on_upload_window_over();
    case Phase::kVerification:
      if (task_->state != Task::State::kWaiting) return;  // It runs: the verifier minds the time.
      return finish(too_many_verifications("no verifier was free in time"));
    case Phase::kAnswer:
      return pipe_.cancel();
  }
}

void ReplayUpload::on_upload_window_over() {
  const verification::VerifierLimits& limits = backend().verifier_limits;
  if (window_bytes_ < limits.upload_window_bytes) {
    return finish(upload_too_slow(std::to_string(window_bytes_) + " bytes came in " +
                                  std::to_string(limits.upload_window.count()) + " ms; at least " +
                                  std::to_string(limits.upload_window_bytes) + " have to"));
  }
  upload_time_left_ -= limits.upload_window;
  if (upload_time_left_ <= std::chrono::milliseconds::zero()) {
    return finish(upload_too_slow("the last byte was not here " + std::to_string(limits.upload_time.count()) +
                                  " ms after the call began"));
  }
  window_bytes_ = 0;
  limit_patience(limits.upload_window);
}

void ReplayUpload::end_upload() {
  if (std::exchange(is_uploading_, false)) backend().uploads.give_back(1);
}

void ReplayUpload::queue_task() {
  end_upload();
  phase_ = Phase::kVerification;
  limit_patience(backend().verifier_limits.queue_time);
  expect_answer();
  const runtime::BudgetKey key = caller().payers.own().key();
  const auto run = [this, task = task_, &backend = backend(), key] {
    if (task->change(Task::State::kWaiting, Task::State::kRunning)) ReplayUpload::verify(*task, backend, key);
    answer([this] { on_verified(); });
  };
  const auto drop = [this] { answer([this] { finish(server_shutting_down()); }); };
  const auto is_wanted = [task = task_] { return task->state != Task::State::kDropped; };
  if (backend().verifiers.add({.run = run, .drop = drop, .key = key, .is_wanted = is_wanted})) return;
  finish(backend().is_shutting_down
             ? server_shutting_down()
             : too_many_verifications("all verifiers are busy, and the queue is full"));
  answer([] {});
}

/// On a worker's thread. A long verification gives way to others that wait.
void ReplayUpload::verify(Task& task, Backend& backend, const runtime::BudgetKey& key) {
  const auto share_end = std::chrono::steady_clock::now() + backend.verifier_limits.share_time;
  task.outcome = verification::verify_in_process(backend.verifier_limits, task.replay, task.options, [&] {
    task.has_given_way =
        std::chrono::steady_clock::now() > share_end && backend.verifiers.is_awaited_by_others(key);
    return task.has_given_way || task.is_cancelled;
  });
}

void ReplayUpload::on_verified() {
  give_back_replay();
  if (!is_wanted()) return;
  if (task_->outcome.end == verification::VerificationEnd::kCancelled && task_->has_given_way) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(backend().verifier_limits.share_time);
    return finish(verification_too_long("the verification took more than " + std::to_string(seconds.count()) +
                                        " s, the limit while others wait"));
  }
  if (task_->outcome.end == verification::VerificationEnd::kVerdict) return answer_verdict();
  finish(status_of(task_->outcome));
}

void ReplayUpload::answer_verdict() {
  // It stays in memory until the client has taken it.
  const std::size_t bytes = task_->outcome.response.ByteSizeLong();
  if (take_bytes(bytes)) finish_with(task_->outcome.response);
}

// A client whose window is closed would keep the stream for ever.
void ReplayUpload::on_finishing() {
  give_up();
  end_upload();
  phase_ = Phase::kAnswer;
  limit_patience(backend().verifier_limits.answer_time);
}

void ReplayUpload::give_up() {
  task_->is_cancelled = true;
  if (task_->change(Task::State::kWaiting, Task::State::kDropped)) give_back_replay();
}

// To free 64 MiB of memory takes milliseconds.
void ReplayUpload::give_back_replay() {
  if (task_->replay.size() > 0) {
    free_aside(backend(), caller().payers,
               std::make_shared<verification::MemoryFile>(std::exchange(task_->replay, {})));
  }
  bytes_ = {};
}

}  // namespace sweepd::session
