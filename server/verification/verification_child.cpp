// SPDX-License-Identifier: MIT
#include "verification/verification_child.h"

#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash_secret.h"
#include "base/sanitizers.h"
#include "verification/input_log_verification.h"
#include "verification/mapped_file.h"
#include "verification/verification_pace.h"
#include "verification/verifier_findings.h"
#include "verification/verifier_sandbox.h"
#include "wire/replay_codec.h"

namespace sweepd::verification {
namespace {

constexpr rlim_t kFilesMax = 16;
/// Matches that are played go first.
constexpr int kNiceness = 10;

/// As the arguments have them; 0: no limit.
struct Limits {
  std::uint64_t processor_seconds = 0;
  std::uint64_t memory_bytes = 0;
};

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Limits> limits_of(std::span<char* const> arguments) {
  const auto seconds = number_of(arguments[3]);
  const auto bytes = number_of(arguments[4]);
  if (!seconds || !bytes) return std::nullopt;
  return Limits{*seconds, *bytes};
}

/// Both limits, or what the system allows where that is less.
bool lower(decltype(RLIMIT_AS) resource, rlim_t soft, rlim_t hard) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return false;
  limit.rlim_max = std::min(limit.rlim_max, hard);
  limit.rlim_cur = std::min(limit.rlim_max, soft);
  return ::setrlimit(resource, &limit) == 0;
}

/// The objects' ids are what a client says: with a secret it cannot make them fall together in tables.
bool choose_hash_secret() {
  std::uint64_t secret = 0;
  if (::getrandom(&secret, sizeof secret, 0) != sizeof secret) return false;
  base::set_hash_secret(secret);
  return true;
}

/// Should memory be short in spite of all, the system is to take this process rather than the server.
void offer_to_be_killed() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "1000", 4);
  ::close(file);
}

/// Before a byte of the replay has been looked at.
bool set_up(std::string_view parent, const Limits& limits) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (std::to_string(::getppid()) != parent) return false;  // It is dead already.
  if (::close_range(kVerifierOptions + 1, ~0U, 0) != 0) return false;
  if (!choose_hash_secret()) return false;
  offer_to_be_killed();
  errno = 0;
  if (::nice(kNiceness) == -1 && errno != 0) return false;
  // A second signal for one that ignores the first: there is no such program here, but that is not for it to
  // say.
  const rlim_t seconds = limits.processor_seconds;
  if (seconds != 0 && !lower(RLIMIT_CPU, seconds, seconds + 1)) return false;
  if (!lower(RLIMIT_CORE, 0, 0) || !lower(RLIMIT_NOFILE, kFilesMax, kFilesMax)) return false;
  // Sanitizers take more address space for themselves than any limit.
  const rlim_t bytes = limits.memory_bytes;
  return base::kHasSanitizer || bytes == 0 || lower(RLIMIT_AS, bytes, bytes);
}

std::string answer_to(std::string_view bytes, const replay::VerificationOptions& options) {
  v1::VerifyReplayResponse response;
  const replay::Verification verification = verify_any(bytes, options);
  wire::encode_verification(verification, response);
  const auto reader = replay::Reader::open(bytes);
  if (reader && reader->footer()) {
    wire::encode_receipt(reader->head(), *reader->footer(), *response.mutable_receipt());
  }
  return encode_findings(verification) + response.SerializeAsString();
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

/// From here on it computes and answers, and can do no more. What the system does not have, a server has
/// told.
int verify(const Limits& limits) {
  const auto bytes = MappedFile::map(STDIN_FILENO);
  const auto asked = MappedFile::map(kVerifierOptions);
  if (!enter_sandbox({.has_seccomp = true, .has_landlock = true})) return kVerifierCannotStart;
  v1::VerificationOptions message;
  if (!bytes || !asked ||
      !message.ParseFromArray(asked->bytes().data(), static_cast<int>(asked->bytes().size()))) {
    return kVerifierCannotStart;
  }
  auto options = wire::decode_verification_options(message);
  if (!options) return kVerifierCannotStart;
  VerificationPace pace{std::chrono::seconds(limits.processor_seconds)};
  if (limits.processor_seconds != 0) {
    options->is_hopeless = [&pace](auto done, auto all) { return pace.is_hopeless(done, all); };
  }
  const auto answer = answer_to(bytes->bytes(), *options);
  if (pace.has_given_up()) return kVerifierHopeless;
  return write_all(answer) ? 0 : kVerifierBroken;
}

}  // namespace

bool is_verifier(std::span<char* const> arguments) {
  return arguments.size() == kVerifierArguments && std::string_view(arguments[1]) == kVerifierArgument;
}

void be_verifier(std::span<char* const> arguments) {
  const auto limits = limits_of(arguments);
  if (!limits || !set_up(arguments[2], *limits)) ::_exit(kVerifierCannotStart);
  std::set_new_handler([] { ::_exit(kVerifierOutOfMemory); });
  // What is wrong with a log is told in the answer.
  const google::protobuf::LogSilencer silencer;
  int exit_code = kVerifierBroken;
  try {
    exit_code = verify(*limits);
  } catch (const std::exception&) {  // A length that no memory has.
  }
  ::_exit(exit_code);  // There is nothing to tidy up that the system does not.
}

}  // namespace sweepd::verification
