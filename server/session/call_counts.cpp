// SPDX-License-Identifier: MIT
#include "session/call_counts.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sweepd::session {
namespace {

/// In the order of their numbers, which are google.rpc's for good.
constexpr std::array<std::string_view, 17> kNames{
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
};
static_assert(kNames[static_cast<std::size_t>(Code::kUnauthenticated)] == "UNAUTHENTICATED");
static_assert(kNames[static_cast<std::size_t>(Code::kResourceExhausted)] == "RESOURCE_EXHAUSTED");

std::array<std::atomic<std::uint64_t>, kNames.size()> all_refusals{};

}  // namespace

std::string_view name_of(Code code) { return kNames.at(static_cast<std::size_t>(code)); }

void count_refusal(Code code) {
  all_refusals.at(static_cast<std::size_t>(code)).fetch_add(1, std::memory_order_relaxed);
}

std::vector<runtime::Sample> refusal_samples() {
  std::vector<runtime::Sample> samples;
  for (std::size_t code = 1; code < kNames.size(); ++code) {
    const auto count = all_refusals[code].load(std::memory_order_relaxed);
    samples.push_back({{{"status", std::string(kNames[code])}}, static_cast<double>(count)});
  }
  return samples;
}

}  // namespace sweepd::session
