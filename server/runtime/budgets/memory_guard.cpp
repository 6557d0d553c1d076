// SPDX-License-Identifier: MIT
#include "runtime/budgets/memory_guard.h"

#include <malloc.h>
#include <unistd.h>

#include "os/resident_memory.h"
#include "runtime/telemetry/log.h"

namespace sweepd::runtime {
namespace {

constexpr std::uint64_t kFullPercent = 90;
constexpr std::uint64_t kRoomPercent = 85;
constexpr std::uint64_t kFreePercent = 92;
/// What has been ended still reads what the kernel holds of it, and takes a while to free what it has.
constexpr std::uint64_t kRisesAhead = 5;
/// Returning memory holds the heap's locks: not too often.
constexpr std::chrono::seconds kTrimPeriod{1};

}  // namespace

std::uint64_t MemoryGuard::resident_bytes() {
  static const os::ResidentMemory memory(getpid());
  return memory.bytes();
}

void MemoryGuard::measure(TimePoint now) {
  const std::uint64_t before = bytes();
  bytes_ = meter_();
  // The first look has nothing to compare with.
  rise_ = before > 0 && bytes() > before ? bytes() - before : 0;
  // A thread that trims while memory rises looks too late.
  const bool is_rising = rise_ >= bytes_max_ / 200;
  const bool is_trimmed = !is_rising && trim(now);
  judge();
  const bool is_near = bytes() + rise_ * kRisesAhead >= bytes_max_ / 100 * kFreePercent;
  if (is_near && (is_rising || is_trimmed) && on_ceiling_) on_ceiling_();
}

bool MemoryGuard::trim(TimePoint now) {
  const std::uint64_t short_percent = is_full() ? kRoomPercent : kFullPercent;
  if (bytes() < bytes_max_ / 100 * short_percent || now < next_trim_) return false;
  malloc_trim(0);
  next_trim_ = now + kTrimPeriod;
  bytes_ = meter_();
  return true;
}

void MemoryGuard::judge() {
  const std::uint64_t mebibytes = bytes() >> 20;
  if (!is_full() && bytes() >= bytes_max_ / 100 * kFullPercent) {
    is_full_ = true;
    log_warning("memory is short: new work is refused",
                {{"memory_mib", mebibytes}, {"memory_max_mib", bytes_max_ >> 20}});
  } else if (is_full() && bytes() < bytes_max_ / 100 * kRoomPercent) {
    is_full_ = false;
    log_info("there is memory again: new work is taken", {{"memory_mib", mebibytes}});
  }
}

}  // namespace sweepd::runtime
