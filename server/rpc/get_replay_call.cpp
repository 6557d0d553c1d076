// SPDX-License-Identifier: MIT
#include "rpc/get_replay_call.h"

#include <utility>

#include "rpc/client_budget.h"
#include "rpc/parse_request.h"
#include "rpc/replay_codec.h"
#include "rpc/replay_status.h"
#include "rpc/with_match.h"
#include "runtime/match_id.h"

namespace sweepd::rpc {
namespace {

constexpr std::size_t kChunkBytesMax = std::size_t{64} << 10;
/// Who takes nothing for so long has gone, or keeps a file from being removed.
constexpr std::chrono::seconds kTakingPatience{60};

}  // namespace

void GetReplayCall::accept(LoopServer& server) {
  auto* call = new GetReplayCall(server);
  static const int method = method_index<v1::GetReplayRequest>(true);
  server.replay_service().request_server_streaming(method, call->context_, call->bytes_, call->stream_,
                                                   server.queue(), to_void(call->arrived_));
}

void GetReplayCall::begin() {
  if (backend().memory.is_full()) return finish(memory_is_short(backend().memory));
  caller_ = caller_of(backend(), context_);
  auto place = take_stream(backend(), caller_.account);
  if (!place) return finish(place.error());
  place_ = std::move(*place);
  if (is_too_large(bytes_)) return finish(request_too_large(bytes_.Length()));
  if (const auto fault = parse_request(bytes_, request_)) return finish(invalid_request(*fault));
  if (backend().replays == nullptr) return finish(no_journal());
  if (!runtime::is_match_id(request_.match_id())) {
    return finish(replay_unavailable({runtime::ReplayErrorKind::kNotFound, ""}, request_.match_id()));
  }
  open();
}

// What a running match has come to is known on its loop alone. There, of the call only that is read which
// does not change any more.
void GetReplayCall::open() {
  expect_answer();
  const auto ask_running = [this](const runtime::MatchHost& host, LoopServer& /*home*/) {
    ask_library(host.replay_point());
  };
  const auto ask_ended = [this](const grpc::Status& loss) {
    if (loss.error_code() == grpc::StatusCode::NOT_FOUND) return ask_library(std::nullopt);
    answer([this, loss] { finish(loss); });
  };
  with_match(backend(), request_.match_id(), ask_running, ask_ended);
}

void GetReplayCall::ask_library(std::optional<runtime::ReplayPoint> point) {
  backend().replays->open(request_.match_id(), std::move(point), [this](Opened opened) {
    answer([this, opened = std::move(opened)] { on_opened(opened); });
  });
}

void GetReplayCall::on_opened(const Opened& opened) {
  if (!is_wanted()) return;
  if (!opened) return finish(replay_unavailable(opened.error(), request_.match_id()));
  file_ = *opened;
  read_summary();
}

void GetReplayCall::run_off_loop(std::function<void()> work) {
  expect_answer();
  const auto drop = [this] { answer([this] { finish(server_shutting_down()); }); };
  // Each stream has one read on its way, and that many may wait.
  const bool is_taken = backend().file_readers.add({.run = std::move(work), .drop = drop});
  if (!is_taken) drop();
}

void GetReplayCall::read_summary() {
  run_off_loop([this, file = file_] {
    const auto read = [&file](std::uint64_t offset, std::size_t size) { return file->read(offset, size); };
    answer([this, summary = replay::read_summary(file->size(), read)] { on_summary(summary); });
  });
}

void GetReplayCall::on_summary(const base::Result<replay::Summary, replay::FileFault>& summary) {
  if (!is_wanted()) return;
  if (!summary) return finish(replay_lost(request_.match_id(), text_of(summary.error())));
  v1::GetReplayResponse response;
  encode_receipt(summary->head, summary->footer, *response.mutable_info()->mutable_receipt());
  const bool has_chunks = !request_.receipt_only();
  response.mutable_info()->set_bytes(has_chunks ? file_->size() : 0);
  if (!has_chunks) bytes_sent_ = file_->size();
  write(response);
}

void GetReplayCall::read_chunk() {
  run_off_loop([this, file = file_, offset = bytes_sent_] {
    answer([this, bytes = file->read(offset, kChunkBytesMax)]() mutable { on_chunk(std::move(bytes)); });
  });
}

void GetReplayCall::on_chunk(std::optional<std::string> bytes) {
  if (!is_wanted()) return;
  if (!bytes || bytes->empty()) {
    return finish(replay_unavailable({runtime::ReplayErrorKind::kFailing, "the file cannot be read"},
                                     request_.match_id()));
  }
  bytes_sent_ += bytes->size();
  v1::GetReplayResponse response;
  response.set_chunk(*std::move(bytes));
  write(response);
}

void GetReplayCall::write(const v1::GetReplayResponse& response) {
  SWEEPD_ASSERT(!is_write_under_way_ && !is_finish_under_way_);
  is_write_under_way_ = true;
  stream_.Write(response, start(written_));
  limit_patience(kTakingPatience);
}

void GetReplayCall::on_written(bool ok) {
  is_write_under_way_ = false;
  be_patient();
  if (!ok || is_over()) return;  // The stream is broken, and gRPC will say that it is done.
  if (status_) return send_status();
  if (bytes_sent_ < file_->size()) return read_chunk();
  finish(grpc::Status::OK);
}

void GetReplayCall::finish(const grpc::Status& status) {
  if (!is_wanted()) return;
  trace_.note_status(status);
  status_ = status;
  if (!is_write_under_way_) send_status();
}

void GetReplayCall::send_status() {
  is_finish_under_way_ = true;
  stream_.Finish(*status_, start(finished_));
}

}  // namespace sweepd::rpc
