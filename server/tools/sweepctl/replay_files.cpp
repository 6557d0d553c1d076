// SPDX-License-Identifier: MIT
#include "tools/sweepctl/replay_files.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tools/sweepctl/small_file.h"

namespace sweepd::tools {
namespace {

Status failure(const std::string& what, int error) {
  return Status(ErrorCode::kNotFound, what + ": " + std::generic_category().message(error));
}

}  // namespace

Result<std::string> read_replay(const std::string& path) { return read_small_file(path, kReplayBytesMax); }

// A process that is ended on the way leaves no half of a file under its name.
Status write_replay(const std::string& path, const std::string& bytes) {
  std::error_code error_of_status;
  const auto place = std::filesystem::status(path, error_of_status);
  const bool is_device = exists(place) && !is_regular_file(place);
  const std::string part = is_device ? path : path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return failure("cannot be written", errno);
  const bool is_written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int error = errno;
  const bool is_closed = std::fclose(file) == 0;
  if (!is_written) return failure("cannot be written", error);
  if (!is_closed) return failure("cannot be written", errno);
  if (is_device) return {};
  return std::rename(part.c_str(), path.c_str()) == 0 ? Status() : failure("cannot be written", errno);
}

Result<verification::AnyReplay> open_any_replay(const std::string& path) {
  // What is wrong with a log is told once.
  const google::protobuf::LogSilencer silencer;
  auto bytes = read_replay(path);
  if (!bytes.ok()) return bytes.status();
  auto replay = verification::AnyReplay::open(std::move(*bytes));
  if (!replay) return Status(ErrorCode::kInvalidArgument, text_of(replay.error()));
  return std::move(*replay);
}

Status visit_ticks(const verification::AnyReplay& replay, replay::Tick first, replay::Tick last,
                   const std::function<void(const replay::Moment&)>& visit) {
  const std::uint64_t ticks = replay.reader().tick_count();
  if (first < 1 || first > ticks || last < first || last > ticks) {
    const std::uint64_t wrong = first < 1 || first > ticks ? first : last;
    return Status(ErrorCode::kOutOfRange, "tick " + std::to_string(wrong) + " is asked for; must be " +
                                              std::to_string(std::max<std::uint64_t>(first, 1)) + " to " +
                                              std::to_string(ticks));
  }
  const auto fault = replay::visit_moments(replay.reader(), first, last, visit);
  return fault ? Status(ErrorCode::kInvalidArgument, text_of(*fault)) : Status();
}

}  // namespace sweepd::tools
