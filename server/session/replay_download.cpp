// SPDX-License-Identifier: MIT
#include "session/replay_download.h"

#include <string>
#include <utility>

#include "runtime/match/match_id.h"
#include "session/replay_status.h"
#include "session/viewer.h"
#include "session/with_match.h"
#include "wire/replay_codec.h"

namespace sweepd::session {
namespace {

constexpr std::size_t kChunkBytesMax = std::size_t{64} << 10;
/// A client that takes nothing for so long has gone, or keeps a file from being removed.
constexpr std::chrono::seconds kTakingPatience{60};

/// `why`: what of the match its replay would tell.
Status not_visible(const std::string& why) {
  return make_status(Code::kPermissionDenied,
                     {.reason = "NOT_VISIBLE",
                      .message = "the match runs, and " + why + ": its replay is told when it has ended"});
}

/// It has all that anyone did, up to the last tick, and the seed and the frames that wait for later ones.
Status find_hidden(const identity::Principal& principal, const runtime::MatchHost& host) {
  if (!watcher_of(principal, host).sees_all)
    return not_visible("its rules of visibility hide some of it from the ticket's role");
  if (!may_know_secrets(principal, host))
    return not_visible("its permissions.secret_roles do not have the ticket's role");
  return {};
}

}  // namespace

void ReplayDownload::admit() {
  if (!has_memory()) return;
  caller().count_message();
  if (take_place()) parse(request_, [this] { begin(); });
}

void ReplayDownload::begin() {
  if (!is_wanted()) return;
  if (backend().replays == nullptr) return finish(no_journal());
  if (!runtime::is_match_id(request_.match_id())) {
    return finish(replay_unavailable({runtime::ReplayErrorKind::kNotFound, ""}, request_.match_id()));
  }
  open();
}

// What a running match has come to is known on its loop alone. There, of the call only that is read which
// does not change any more.
void ReplayDownload::open() {
  expect_answer();
  const auto ask_running = [this](const runtime::MatchHost& host, MatchLoop& /*home*/) {
    Status refusal = find_refusal(principal(), rpc(), host);
    if (refusal.ok()) refusal = find_hidden(principal(), host);
    if (!refusal.ok()) return answer([this, refusal] { finish(refusal); });
    ask_library(host.replay_point());
  };
  const auto ask_ended = [this](const Status& loss) {
    if (loss.code() == Code::kNotFound) return ask_library(std::nullopt);
    answer([this, loss] { finish(loss); });
  };
  with_match(backend(), request_.match_id(), ask_running, ask_ended);
}

void ReplayDownload::ask_library(std::optional<runtime::ReplayPoint> point) {
  is_of_running_ = point.has_value();
  backend().replays->open(request_.match_id(), std::move(point), [this](Opened opened) {
    answer([this, opened = std::move(opened)] { on_opened(opened); });
  });
}

void ReplayDownload::on_opened(const Opened& opened) {
  if (!is_wanted()) return;
  if (!opened) return finish(replay_unavailable(opened.error(), request_.match_id()));
  file_ = *opened;
  const Status refusal =
      is_of_running_ ? Status{} : find_refusal(principal(), rpc(), request_.match_id(), file_->creator());
  if (!refusal.ok()) return finish(refusal);
  read_summary();
}

void ReplayDownload::run_off_loop(std::function<void()> work) {
  expect_answer();
  const auto drop = [this] { answer([this] { finish(server_shutting_down()); }); };
  // Each stream has one read on its way, and that many may wait.
  const bool is_taken = backend().file_readers.add({.run = std::move(work), .drop = drop});
  if (!is_taken) drop();
}

void ReplayDownload::read_summary() {
  run_off_loop([this, file = file_] {
    const auto read = [&file](std::uint64_t offset, std::size_t size) { return file->read(offset, size); };
    answer([this, summary = replay::read_summary(file->size(), read)] { on_summary(summary); });
  });
}

void ReplayDownload::on_summary(const base::Result<replay::Summary, replay::FileFault>& summary) {
  if (!is_wanted()) return;
  if (!summary) return finish(replay_lost(request_.match_id(), text_of(summary.error())));
  v1::GetReplayResponse response;
  wire::encode_receipt(summary->head, summary->footer, *response.mutable_info()->mutable_receipt());
  const bool has_chunks = !request_.receipt_only();
  response.mutable_info()->set_bytes(has_chunks ? file_->size() : 0);
  if (!has_chunks) bytes_sent_ = file_->size();
  send_message(response);
}

void ReplayDownload::read_chunk() {
  run_off_loop([this, file = file_, offset = bytes_sent_] {
    answer([this, bytes = file->read(offset, kChunkBytesMax)]() mutable { on_chunk(std::move(bytes)); });
  });
}

void ReplayDownload::on_chunk(std::optional<std::string> bytes) {
  if (!is_wanted()) return;
  if (!bytes || bytes->empty()) {
    return finish(replay_unavailable({runtime::ReplayErrorKind::kFailing, "the file cannot be read"},
                                     request_.match_id()));
  }
  bytes_sent_ += bytes->size();
  v1::GetReplayResponse response;
  response.set_chunk(*std::move(bytes));
  send_message(response);
}

void ReplayDownload::send_message(const v1::GetReplayResponse& response) {
  write(response);
  limit_patience(kTakingPatience);
}

void ReplayDownload::write_next() {
  if (bytes_sent_ < file_->size()) return read_chunk();
  finish(Status{});
}

}  // namespace sweepd::session
