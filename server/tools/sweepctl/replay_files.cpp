// SPDX-License-Identifier: MIT
#include "tools/sweepctl/replay_files.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <future>
#include <memory>
#include <system_error>
#include <thread>

#include "verification/input_log_verification.h"

namespace sweepd::tools {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Status failure(const std::string& what, int error) {
  return Status(ErrorCode::kNotFound, what + ": " + std::generic_category().message(error));
}

Result<replay::Verification> verify_file(const std::string& path,
                                         const replay::VerificationOptions& options) {
  const Result<std::string> bytes = read_replay(path);
  if (!bytes.ok()) return bytes.status();
  return verification::verify_any(*bytes, options);
}

}  // namespace

Result<std::string> read_replay(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return failure("cannot be read", errno);
  std::string bytes;
  std::string piece(std::size_t{1} << 20, '\0');
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file.get())) {
    bytes.append(piece, 0, size);
    if (bytes.size() > kReplayBytesMax) {
      return Status(ErrorCode::kOutOfRange,
                    "is larger than the most that is read, " + std::to_string(kReplayBytesMax) + " bytes");
    }
  }
  if (std::ferror(file.get()) != 0) return failure("cannot be read", errno);
  return bytes;
}

Status write_replay(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return failure("cannot be written", errno);
  const bool is_written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int error = errno;
  const bool is_closed = std::fclose(file) == 0;
  if (!is_written) return failure("cannot be written", error);
  return is_closed ? Status() : failure("cannot be written", errno);
}

void verify_files(
    const std::vector<std::string>& paths, const replay::VerificationOptions& options, std::size_t threads,
    const std::function<void(const std::string& path, const Result<replay::Verification>&)>& tell) {
  // What is wrong with a log is told with its verdict, and not by the library that reads it, too.
  const google::protobuf::LogSilencer silencer;
  std::vector<std::promise<Result<replay::Verification>>> promises(paths.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < paths.size(); i = next++)
      promises[i].set_value(verify_file(paths[i], options));
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < std::min(threads, paths.size()); ++i) workers.emplace_back(work);
  for (std::size_t i = 0; i < paths.size(); ++i) tell(paths[i], promises[i].get_future().get());
}

}  // namespace sweepd::tools
