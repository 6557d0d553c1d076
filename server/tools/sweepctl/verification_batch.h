// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "tools/sweepctl/file_verification.h"

namespace sweepd::tools {

/// The next file; nothing: there are no more. Asked by one thread at a time.
using NextRequest = std::function<std::optional<VerificationRequest>()>;
using TellReport = std::function<void(const VerificationReport&)>;

/// Verifies files, each in a process of its own, and tells of each in the order in which they were asked for,
/// as soon as it and all before it are done; by one thread at a time. At most kReportsAheadMax reports wait
/// for an earlier one: then no further file is begun.
void verify_batch(const FileVerificationOptions& options, std::size_t threads, const NextRequest& next,
                  const TellReport& tell);

inline constexpr std::size_t kReportsAheadMax = 1024;

}  // namespace sweepd::tools
