// SPDX-License-Identifier: MIT
#include "verification/verification_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/assert.h"
#include "verification/verification_child.h"
#include "verification/verification_pace.h"

namespace sweepd::verification {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kThisProgram = "/proc/self/exe";
constexpr std::chrono::milliseconds kSlice{100};
/// From the end of an answer to that of the process, which has nothing more to do.
constexpr std::chrono::seconds kExitTimeMax{5};
constexpr int kFirstFreeDescriptor = kVerifierOptions + 1;

/// The same file under a number that none of those has which the process is given.
os::Descriptor above_given(int descriptor) {
  return os::Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
}

/// What posix_spawn is told.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    // Its own group: what a terminal tells the server, the server tells its verifier.
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// An errno, or 0.
  int give(const os::Descriptor& file, int number) {
    return ::posix_spawn_file_actions_adddup2(&actions_, file.number(), number);
  }
  int spawn(pid_t& pid, const VerifierLimits& limits) const {
    std::array<std::string, kVerifierArguments> texts{"sweepd", kVerifierArgument, std::to_string(::getpid()),
                                                      std::to_string(limits.processor_time.count()),
                                                      std::to_string(limits.memory_bytes)};
    std::array<char*, kVerifierArguments + 1> arguments{};
    for (std::size_t i = 0; i < texts.size(); ++i) arguments[i] = texts[i].data();
    const char* path = limits.program.empty() ? kThisProgram : limits.program.c_str();
    return ::posix_spawn(&pid, path, &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// A verifier. Killed at the latest when this goes, and always reaped.
class VerifierProcess {
 public:
  VerifierProcess() = default;
  ~VerifierProcess() {
    if (pid_ > 0) kill_and_reap();
  }
  VerifierProcess(const VerifierProcess&) = delete;
  VerifierProcess& operator=(const VerifierProcess&) = delete;

  /// An errno, or 0. With posix_spawn, which copies no page tables: those of a server with many matches are
  /// large, and while they are copied no match goes on.
  int start(const VerifierLimits& limits, const os::Descriptor& replay, const os::Descriptor& options);

  enum class Progress { kRuns, kEnded, kTooMuch };
  /// Waits for more of the answer, `kSlice` at most.
  Progress read();
  const std::string& answer() const { return answer_; }

  /// After the end of the answer. What waitpid says; nothing: it did not end, and has been killed, or it was
  /// reaped elsewhere.
  std::optional<int> wait();

 private:
  void kill_and_reap();
  pid_t reap(int& status, int flags);

  pid_t pid_ = -1;
  os::Descriptor pipe_;
  std::string answer_;
};

int VerifierProcess::start(const VerifierLimits& limits, const os::Descriptor& replay,
                           const os::Descriptor& options) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  pipe_ = os::Descriptor(ends[0]);
  const os::Descriptor theirs(ends[1]);
  const os::Descriptor from = above_given(replay.number());
  const os::Descriptor to = above_given(theirs.number());
  const os::Descriptor asked = above_given(options.number());
  if (!from.is_open() || !to.is_open() || !asked.is_open()) return errno;
  SpawnPlan plan;
  for (const int error :
       {plan.give(from, STDIN_FILENO), plan.give(to, STDOUT_FILENO), plan.give(asked, kVerifierOptions)}) {
    if (error != 0) return error;
  }
  const int error = plan.spawn(pid_, limits);
  if (error != 0) pid_ = -1;
  return error;
}

VerifierProcess::Progress VerifierProcess::read() {
  pollfd waited{.fd = pipe_.number(), .events = POLLIN, .revents = 0};
  if (::poll(&waited, 1, static_cast<int>(kSlice.count())) <= 0) return Progress::kRuns;
  std::array<char, std::size_t{64} << 10> buffer;
  const ssize_t size = ::read(pipe_.number(), buffer.data(), buffer.size());
  if (size < 0) return errno == EINTR ? Progress::kRuns : Progress::kEnded;
  if (size == 0) return Progress::kEnded;
  answer_.append(buffer.data(), static_cast<std::size_t>(size));
  return answer_.size() > kVerdictBytesMax ? Progress::kTooMuch : Progress::kRuns;
}

std::optional<int> VerifierProcess::wait() {
  SWEEPD_ASSERT(pid_ > 0);
  const auto deadline = Clock::now() + kExitTimeMax;
  int status = 0;
  do {
    const pid_t reaped = reap(status, WNOHANG);
    if (reaped == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    pid_ = -1;
    return reaped > 0 ? std::optional(status) : std::nullopt;
  } while (Clock::now() < deadline);
  kill_and_reap();
  return std::nullopt;
}

pid_t VerifierProcess::reap(int& status, int flags) {
  pid_t reaped = 0;
  do reaped = ::waitpid(pid_, &status, flags);
  while (reaped < 0 && errno == EINTR);
  return reaped;
}

void VerifierProcess::kill_and_reap() {
  ::kill(pid_, SIGKILL);  // Not reaped yet: no other process has its number.
  int status = 0;
  reap(status, 0);
  pid_ = -1;
}

VerificationOutcome failed(int error) {
  return {.what = "the verifier cannot be started: " + std::generic_category().message(error)};
}

VerificationOutcome too_large(const VerifierLimits& limits) {
  const std::string limit = limits.memory_bytes == 0
                                ? "there is"
                                : std::to_string(limits.memory_bytes >> 20) + " MiB of memory, the limit";
  return {.end = VerificationEnd::kTooLarge,
          .what = "the verification needs more than " + limit + ", or it broke"};
}

VerificationOutcome too_long(std::chrono::milliseconds time_max) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time_max);
  return {.end = VerificationEnd::kTooLong,
          .what = "the verification took more than " + std::to_string(seconds.count()) + " s, the limit"};
}

VerificationOutcome hopeless(const VerifierLimits& limits) {
  return {.end = VerificationEnd::kTooLong,
          .what = "at its pace the verification would take far more than " +
                  std::to_string(limits.processor_time.count()) + " s, the limit"};
}

/// Of a verifier that says no more.
VerificationOutcome outcome_of(VerifierProcess& process, const VerifierLimits& limits) {
  const auto status = process.wait();
  if (!status) return too_large(limits);
  if (WIFSIGNALED(*status) && WTERMSIG(*status) == SIGXCPU) return too_long(limits.processor_time);
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == kVerifierCannotStart) {
    return {.what = "the verifier cannot set itself up"};
  }
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == kVerifierHopeless) return hopeless(limits);
  VerificationOutcome outcome{.end = VerificationEnd::kVerdict};
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return too_large(limits);
  std::string_view answer = process.answer();
  if (take_findings(answer, outcome.findings) &&
      outcome.response.ParseFromArray(answer.data(), static_cast<int>(answer.size())) &&
      outcome.response.verdict() != v1::REPLAY_VERDICT_UNSPECIFIED) {
    return outcome;
  }
  return {.what = "the verifier's answer cannot be read: is it another program?"};
}

}  // namespace

VerificationOutcome verify_in_process(const VerifierLimits& limits, MemoryFile& replay,
                                      const v1::VerificationOptions& options,
                                      const std::function<bool()>& is_cancelled) {
  const auto deadline = Clock::now() + limits.run_time;
  MemoryFile asked;
  if (!asked.append(options.SerializeAsString()) || !replay.descriptor().is_open()) return failed(errno);
  VerifierProcess process;
  if (const int error = process.start(limits, replay.descriptor(), asked.descriptor())) {
    return failed(error);
  }
  while (true) {
    const auto progress = process.read();
    if (progress == VerifierProcess::Progress::kEnded) return outcome_of(process, limits);
    if (progress == VerifierProcess::Progress::kTooMuch) return too_large(limits);
    if (is_cancelled()) return {.end = VerificationEnd::kCancelled};
    if (Clock::now() > deadline) return too_long(limits.run_time);
  }
}

}  // namespace sweepd::verification
