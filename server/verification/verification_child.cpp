// SPDX-License-Identifier: MIT
#include "verification/verification_child.h"

#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/sanitizers.h"
#include "verification/input_log_verification.h"
#include "verification/verification_pace.h"
#include "verification/verifier_sandbox.h"
#include "wire/replay_codec.h"

namespace sweepd::verification {
namespace {

constexpr rlim_t kProcessorSecondsMax = kVerifierProcessorSecondsMax;
constexpr rlim_t kFilesMax = 16;
/// Matches that are played go first.
constexpr int kNiceness = 10;

/// Both limits, or what the system allows where that is less.
bool lower(decltype(RLIMIT_AS) resource, rlim_t soft, rlim_t hard) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return false;
  limit.rlim_max = std::min(limit.rlim_max, hard);
  limit.rlim_cur = std::min(limit.rlim_max, soft);
  return ::setrlimit(resource, &limit) == 0;
}

/// Should memory be short in spite of all, the system is to take this process rather than the server.
void offer_to_be_killed() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "1000", 4);
  ::close(file);
}

/// Before a byte of the replay has been looked at.
bool set_up(std::string_view parent) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (std::to_string(::getppid()) != parent) return false;  // It is dead already.
  if (::close_range(kVerifierOptions + 1, ~0U, 0) != 0) return false;
  offer_to_be_killed();
  errno = 0;
  if (::nice(kNiceness) == -1 && errno != 0) return false;
  // A second signal for one that ignores the first: there is no such program here, but that is not for it to
  // say.
  if (!lower(RLIMIT_CPU, kProcessorSecondsMax, kProcessorSecondsMax + 1)) return false;
  if (!lower(RLIMIT_CORE, 0, 0) || !lower(RLIMIT_NOFILE, kFilesMax, kFilesMax)) return false;
  // Sanitizers take more address space for themselves than any limit.
  return base::kHasSanitizer || lower(RLIMIT_AS, kVerifierMemoryBytesMax, kVerifierMemoryBytesMax);
}

/// The whole file, until the process ends; nothing: it cannot be had.
std::optional<std::string_view> map_file(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return std::string_view();
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED) return std::nullopt;
  return std::string_view(static_cast<const char*>(bytes), size);
}

v1::VerifyReplayResponse answer_to(std::string_view bytes, const replay::VerificationOptions& options) {
  v1::VerifyReplayResponse response;
  wire::encode_verification(verify_any(bytes, options), response);
  const auto reader = replay::Reader::open(bytes);
  if (reader && reader->footer()) {
    wire::encode_receipt(reader->head(), *reader->footer(), *response.mutable_receipt());
  }
  return response;
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// From here on it computes and answers, and can do no more. What the system does not have, the
/// server has told.
int verify() {
  const auto bytes = map_file(STDIN_FILENO);
  const auto asked = map_file(kVerifierOptions);
  if (!enter_sandbox({.has_seccomp = true, .has_landlock = true})) return kVerifierCannotStart;
  v1::VerificationOptions message;
  if (!bytes || !asked || !message.ParseFromArray(asked->data(), static_cast<int>(asked->size()))) {
    return kVerifierCannotStart;
  }
  auto options = wire::decode_verification_options(message);
  if (!options) return kVerifierCannotStart;
  VerificationPace pace{std::chrono::seconds(kVerifierProcessorSecondsMax)};
  options->is_hopeless = [&pace](auto done, auto all) { return pace.is_hopeless(done, all); };
  const auto answer = answer_to(*bytes, *options);
  if (pace.has_given_up()) return kVerifierHopeless;
  return write_all(answer.SerializeAsString()) ? 0 : kVerifierBroken;
}

}  // namespace

void be_verifier(const char* parent) {
  if (!set_up(parent)) ::_exit(kVerifierCannotStart);
  std::set_new_handler([] { ::_exit(kVerifierOutOfMemory); });
  // What is wrong with a log is for who sent it to hear, not for the server's own.
  const google::protobuf::LogSilencer silencer;
  int exit_code = kVerifierBroken;
  try {
    exit_code = verify();
  } catch (const std::exception&) {  // A length that no memory has.
  }
  ::_exit(exit_code);  // There is nothing to tidy up that the system does not.
}

}  // namespace sweepd::verification
