// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "replay/verification.h"
#include "sweepd/status.h"

namespace sweepd::tools {

inline constexpr std::size_t kReplayBytesMax = std::size_t{1} << 30;

/// The error is as of read_small_file: it goes on where the name ends.
Result<std::string> read_replay(const std::string& path);
Status write_replay(const std::string& path, const std::string& bytes);

/// Verifies files on so many threads, and tells of each in their order, as soon as it and all before it are
/// done. Each thread holds one file at a time.
void verify_files(
    const std::vector<std::string>& paths, const replay::VerificationOptions& options, std::size_t threads,
    const std::function<void(const std::string& path, const Result<replay::Verification>&)>& tell);

}  // namespace sweepd::tools
