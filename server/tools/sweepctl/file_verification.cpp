// SPDX-License-Identifier: MIT
#include "tools/sweepctl/file_verification.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "replay/file_format.h"
#include "replay/sha256.h"
#include "tools/sweepctl/player_expectations.h"
#include "tools/sweepctl/regular_file.h"
#include "tools/sweepctl/replay_files.h"
#include "verification/input_log.h"
#include "verification/mapped_file.h"
#include "verification/verification_process.h"
#include "wire/replay_codec.h"

namespace sweepd::tools {
namespace {

using replay::ReplayVerdict;
using replay::SignatureState;
using verification::MemoryFile;
using verification::VerificationEnd;
using verification::VerificationOutcome;

/// A file may change while it is verified, its copy does not. Why there is none; empty: there is one.
std::string copy(int descriptor, MemoryFile& copied) {
  std::array<char, std::size_t{256} << 10> piece;
  while (true) {
    const ssize_t size = ::read(descriptor, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return "cannot be read: " + std::generic_category().message(errno);
    if (size == 0) return "";
    if (copied.size() + static_cast<std::size_t>(size) > kReplayBytesMax) {
      return "is larger than the most that is read, " + std::to_string(kReplayBytesMax) + " bytes";
    }
    if (!copied.append({piece.data(), static_cast<std::size_t>(size)})) {
      return "cannot be kept in memory: " + std::generic_category().message(errno);
    }
  }
}

/// Why it cannot be read; empty: it has been.
std::string read_copy(const std::string& path, MemoryFile& copied) {
  if (path == kStandardInput) return copy(STDIN_FILENO, copied);
  const auto file = open_regular_file(path);
  return file ? copy(file->number(), copied) : file.status().message();
}

VerificationObstacle obstacle_of(VerificationEnd end) {
  switch (end) {
    case VerificationEnd::kVerdict:
      return VerificationObstacle::kNone;
    case VerificationEnd::kTooLong:
      return VerificationObstacle::kTooLong;
    case VerificationEnd::kTooLarge:
      return VerificationObstacle::kTooLarge;
    case VerificationEnd::kCancelled:
    case VerificationEnd::kFailed:
      break;
  }
  return VerificationObstacle::kFailed;
}

void settle(replay::Verification& verification, ReplayVerdict verdict, const std::string& what) {
  verification.verdict = verdict;
  verification.what = what;
}

void check_key(const TrustedKeys& keys, const std::string& receipt_key, VerificationReport& report) {
  replay::Verification& verification = report.verification;
  TrustedKeys::Choice choice{.fault = "there is no receipt"};
  replay::PublicKey key;
  if (verification.signature == SignatureState::kUntrusted && receipt_key.size() == key.bytes.size()) {
    std::copy(receipt_key.begin(), receipt_key.end(), key.bytes.begin());
    choice = keys.choose(key, report.request.key, std::time(nullptr));
    verification.signature = choice.key != nullptr ? SignatureState::kGood : SignatureState::kBad;
  }
  if (choice.key != nullptr) {
    report.key_id = choice.key->id;
  } else if (verification.verdict == ReplayVerdict::kVerified ||
             verification.verdict == ReplayVerdict::kRulesMismatch) {
    settle(verification, ReplayVerdict::kBadSignature, choice.fault);
  }
}

void take_answer(const FileVerificationOptions& options, const VerificationOutcome& outcome,
                 VerificationReport& report) {
  const v1::VerifyReplayResponse& response = outcome.response;
  auto verification = wire::decode_verification(response);
  if (!verification) {
    report.obstacle = VerificationObstacle::kFailed;
    report.what = verification.error();
    return;
  }
  report.verification = std::move(*verification);
  report.verification.scores_not_listed = outcome.findings.scores_not_listed;
  report.verification.pace = outcome.findings.pace;
  report.receipt = response.receipt();
  check_player(report);
  if (options.keys) check_key(*options.keys, response.receipt().public_key(), report);
  check_holders(report);
}

bool has_rules(const FileVerificationOptions& options, const std::string& name) {
  return std::ranges::any_of(options.approved_rules,
                             [&](const replay::ApprovedRules& rules) { return rules.name == name; });
}

std::string find_key_fault(const FileVerificationOptions& options, const std::string& key) {
  if (key.empty()) return "";
  if (!options.keys) return "the key " + key + " is asked for, and no keys are given";
  return options.keys->has(key) ? "" : "the key " + key + " is none of those given";
}

std::string find_rules_fault(const FileVerificationOptions& options, const std::string& rules) {
  if (rules.empty()) return "";
  if (options.approved_rules.empty()) return "the rules " + rules + " are asked for, and no rules are given";
  return has_rules(options, rules) ? "" : "the rules " + rules + " are none of those given";
}

/// What makes the request one that cannot be met; empty: nothing.
std::string find_fault(const FileVerificationOptions& options, const VerificationRequest& request) {
  if (!request.fault.empty()) return request.fault;
  if (request.nonce && request.nonce->size() > replay::kIdBytesMax) {
    return "the nonce has more than " + std::to_string(replay::kIdBytesMax) + " bytes";
  }
  if (options.creator.is_known() && !options.keys)
    return "a creator is asked for, and no key, without which it proves nothing";
  if (request.subject.is_known() && !options.keys)
    return "a subject is asked for, and no key, without which it proves nothing";
  if (auto fault = find_key_fault(options, request.key); !fault.empty()) return fault;
  return find_rules_fault(options, request.rules);
}

/// What its verifier is asked. Keys are not its matter: it tells which one has signed.
v1::VerificationOptions question_of(const FileVerificationOptions& options,
                                    const VerificationRequest& request) {
  v1::VerificationOptions asked;
  if (request.nonce) asked.set_nonce(*request.nonce);
  if (options.creator.is_known()) {
    asked.mutable_creator()->set_name(options.creator.name);
    asked.mutable_creator()->set_issuer(options.creator.issuer);
    asked.mutable_creator()->set_tenant(options.creator.tenant);
  }
  for (const replay::ApprovedRules& rules : options.approved_rules) {
    const bool is_meant = request.rules.empty() || request.rules == rules.name;
    if (is_meant) wire::encode_approved_rules(rules, *asked.add_approved_rules());
  }
  return asked;
}

VerificationReport stopped(VerificationReport report, VerificationObstacle obstacle, std::string what) {
  report.obstacle = obstacle;
  report.what = std::move(what);
  return report;
}

/// Of a request that can be met.
VerificationReport verify_copy(const FileVerificationOptions& options, VerificationReport report,
                               MemoryFile& file) {
  if (const auto mapped = verification::MappedFile::map(file.descriptor().number())) {
    report.sha256 = replay::sha256({mapped->bytes()});
    report.is_input_log = verification::is_input_log(mapped->bytes());
  }
  const v1::VerificationOptions asked = question_of(options, report.request);
  verification::VerifierLimits limits = options.limits;
  // The verifier has the file in its address space.
  if (limits.memory_bytes != 0) limits.memory_bytes += file.size();
  const VerificationOutcome outcome =
      verification::verify_in_process(limits, file, asked, [] { return false; });
  const VerificationObstacle obstacle = obstacle_of(outcome.end);
  if (obstacle != VerificationObstacle::kNone) return stopped(std::move(report), obstacle, outcome.what);
  take_answer(options, outcome, report);
  return report;
}

}  // namespace

VerificationReport verify_file(const FileVerificationOptions& options, const VerificationRequest& request) {
  VerificationReport report{.request = request};
  if (auto fault = find_fault(options, request); !fault.empty())
    return stopped(std::move(report), VerificationObstacle::kBadRequest, std::move(fault));
  MemoryFile file;
  if (auto fault = read_copy(request.file, file); !fault.empty())
    return stopped(std::move(report), VerificationObstacle::kUnreadable, std::move(fault));
  return verify_copy(options, std::move(report), file);
}

VerificationReport verify_bytes(const FileVerificationOptions& options, const VerificationRequest& request,
                                std::string_view bytes) {
  VerificationReport report{.request = request};
  if (auto fault = find_fault(options, request); !fault.empty())
    return stopped(std::move(report), VerificationObstacle::kBadRequest, std::move(fault));
  MemoryFile file;
  if (!file.append(bytes))
    return stopped(std::move(report), VerificationObstacle::kUnreadable,
                   "cannot be kept in memory: " + std::generic_category().message(errno));
  return verify_copy(options, std::move(report), file);
}

}  // namespace sweepd::tools
