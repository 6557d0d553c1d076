// SPDX-License-Identifier: MIT
#include "tools/sweepctl/inspection_limits.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/sanitizers.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/verification_report.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

constexpr std::uint64_t kLimitMax = std::uint64_t{1} << 24;
/// By the clock on the wall, as many verifiers may share a processor.
constexpr int kWallFactor = 16;
constexpr std::chrono::hours kWallMax{24 * 366};

/// Made before, as there is no memory then, and a signal may come anywhere.
struct LastWords {
  std::string too_long;
  std::string too_large;
};
LastWords& last_words() {
  static LastWords words;
  return words;
}

[[noreturn]] void end_with(const std::string& words, int exit_code) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(exit_code);
}

[[noreturn]] void end_too_large() { end_with(last_words().too_large, kExitTooLarge); }
void end_too_long(int /*signal*/) { end_with(last_words().too_long, kExitTooLong); }

void make_last_words(const InspectionLimits& limits, const std::string& file) {
  const std::string start = "sweepctl: " + visible(file) + ": ";
  last_words() = {.too_long = start + "TOO_LONG: it takes more than " + std::to_string(limits.seconds_max) +
                              " s of a processor, the limit (--max-seconds)\n",
                  .too_large = start + "TOO_LARGE: it takes more than " +
                               std::to_string(limits.memory_mib_max) +
                               " MiB of memory, the limit (--max-memory)\n"};
}

/// Where the system allows less already, that stays.
void lower(decltype(RLIMIT_AS) resource, rlim_t most) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  ::setrlimit(resource, &limit);
}

std::uint64_t seconds_used() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) + 1;
}

std::uint64_t bytes_of(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    if (!error) bytes += size;  // Else it is refused where it is opened.
  }
  return bytes;
}

void hold(const InspectionLimits& limits, const std::vector<std::string>& files) {
  std::set_new_handler(end_too_large);
  if (limits.seconds_max != 0) {
    ::signal(SIGXCPU, end_too_long);
    lower(RLIMIT_CPU, seconds_used() + limits.seconds_max);
  }
  // Sanitizers take more address space for themselves than any limit.
  if (limits.memory_mib_max != 0 && !base::kHasSanitizer)
    lower(RLIMIT_AS, (limits.memory_mib_max << 20) + bytes_of(files));
}

}  // namespace

verification::VerifierLimits verifier_limits(const InspectionLimits& limits) {
  verification::VerifierLimits verifier;
  verifier.processor_time = std::chrono::seconds(limits.seconds_max);
  verifier.memory_bytes = limits.memory_mib_max << 20;
  verifier.run_time = limits.seconds_max == 0 ? kWallMax : kWallFactor * verifier.processor_time;
  return verifier;
}

void add_limit_options(CLI::App& command, InspectionLimits& limits) {
  command.add_option("--max-seconds", limits.seconds_max, "Of a processor. 0: no limit")
      ->type_name("SECONDS")
      ->check(CLI::Range(std::uint64_t{0}, kLimitMax).description(""))
      ->capture_default_str();
  command.add_option("--max-memory", limits.memory_mib_max, "Beside the files' bytes. 0: no limit")
      ->type_name("MIB")
      ->check(CLI::Range(std::uint64_t{0}, kLimitMax).description(""))
      ->capture_default_str();
}

int inspect_within(const InspectionLimits& limits, const std::vector<std::string>& files,
                   const std::function<int()>& inspect) {
  make_last_words(limits, files.front());
  hold(limits, files);
  try {
    return inspect();
  } catch (const std::length_error&) {  // That no memory has.
    end_too_large();
  }
}

}  // namespace sweepd::tools
