// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_writing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/assert.h"
#include "runtime/replays/file_error.h"
#include "runtime/replays/replay_store.h"

namespace sweepd::runtime {

ReplayWriting::ReplayWriting(ReplayStore& store, MatchId id, BudgetKey key, int descriptor)
    : store_(&store), id_(std::move(id)), key_(std::move(key)), descriptor_(descriptor) {}

ReplayWriting::ReplayWriting(ReplayWriting&& other) noexcept
    : store_(std::exchange(other.store_, nullptr)),
      id_(std::move(other.id_)),
      key_(std::move(other.key_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(std::move(other.error_)) {}

ReplayWriting::~ReplayWriting() { discard(); }

std::optional<std::string> ReplayWriting::append(std::string_view bytes) {
  if (!error_.empty()) return error_;
  SWEEPD_ASSERT(store_ != nullptr);
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail("write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

std::optional<std::string> ReplayWriting::commit() {
  if (!error_.empty()) return error_;
  SWEEPD_ASSERT(store_ != nullptr);
  if (::fsync(descriptor_) != 0) return fail("write", errno);
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) return fail("inspect", errno);
  if (!close_file()) return fail("close", errno);
  if (auto error = store_->publish(id_, key_, status)) {
    error_ = std::move(*error);
    discard();
    return error_;
  }
  store_->end_writing(id_);
  store_ = nullptr;
  return std::nullopt;
}

std::optional<std::string> ReplayWriting::fail(std::string_view action, int error_number) {
  error_ = file_error(action, store_->part_path(id_), error_number);
  discard();
  return error_;
}

void ReplayWriting::discard() {
  if (store_ == nullptr) return;
  close_file();
  ::unlink(store_->part_path(id_).c_str());
  store_->end_writing(id_);
  store_ = nullptr;
}

bool ReplayWriting::close_file() {
  const int descriptor = std::exchange(descriptor_, -1);
  return descriptor < 0 || ::close(descriptor) == 0;
}

}  // namespace sweepd::runtime
