// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <istream>
#include <optional>
#include <thread>
#include <utility>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/inspection_limits.h"
#include "tools/sweepctl/regular_file.h"
#include "tools/sweepctl/rules_files.h"
#include "tools/sweepctl/subject_options.h"
#include "tools/sweepctl/verification_batch.h"

namespace sweepd::tools {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::string manifest;
  std::string key;
  std::string keys;
  std::string nonce;
  std::string rules;
  replay::TicketSubject creator;
  replay::TicketSubject subject;
  std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  InspectionLimits limits;  ///< Of each file.
  bool json = false;
};

/// A line without its end; what is too long is cut one byte past what a line may have.
bool read_line(std::istream& stream, std::string& line) {
  line.clear();
  for (auto next = stream.get(); next != std::istream::traits_type::eof(); next = stream.get()) {
    if (next == '\n') return true;
    if (line.size() <= kManifestLineBytesMax) line.push_back(static_cast<char>(next));
  }
  return !line.empty();
}

/// Of the files that the command line names.
NextRequest requests_of(const std::vector<std::string>& files, const VerificationRequest& defaults) {
  return [&files, defaults, next = std::size_t{0}]() mutable -> std::optional<VerificationRequest> {
    if (next == files.size()) return std::nullopt;
    VerificationRequest request = defaults;
    request.file = files[next++];
    return request;
  };
}

/// Of the lines of a manifest, as they come. Empty lines are passed over.
NextRequest requests_of(std::istream& manifest, const VerificationRequest& defaults) {
  return [&manifest, defaults, line = std::uint64_t{0}]() mutable -> std::optional<VerificationRequest> {
    std::string text;
    do {
      if (!read_line(manifest, text)) return std::nullopt;
      ++line;
    } while (text.find_first_not_of(" \t\r") == std::string::npos);
    return read_manifest_line(text, line, defaults);
  };
}

int run(const VerifyOptions& options, const FileVerificationOptions& verification, const NextRequest& next) {
  int exit_code = kExitOk;
  bool has_files = false;
  verify_batch(verification, options.threads, next, [&](const VerificationReport& report) {
    has_files = true;
    exit_code = std::max(exit_code, exit_code_of(report));
    if (options.json) {
      std::cout << report_json(report) << std::endl;
    } else if (report.obstacle == VerificationObstacle::kNone) {
      std::cout << report_text(report) << std::endl;
    } else {
      print_error(report_text(report));
    }
  });
  if (has_files) return exit_code;
  fail_with(options.manifest, "has no line: nothing is verified");
  return kExitBadRequest;
}

int verify(const VerifyOptions& options) {
  FileVerificationOptions verification{.limits = verifier_limits(options.limits)};
  const std::string& keys_path = options.key.empty() ? options.keys : options.key;
  if (!keys_path.empty()) {
    auto keys = options.key.empty() ? TrustedKeys::read(keys_path) : TrustedKeys::read_pem(keys_path);
    if (!keys.ok()) return fail_with(keys_path, keys.status().message());
    verification.keys = std::move(*keys);
  }
  if (options.creator.is_known() && !verification.keys)
    return fail_with("--creator", "proves nothing without --key or --keys");
  if (options.subject.is_known() && !verification.keys)
    return fail_with("--subject", "proves nothing without --key or --keys");
  if (!options.rules.empty()) {
    auto rules = read_rules(options.rules);
    if (!rules.ok()) return fail_with("--rules", rules.status().message());
    verification.approved_rules = std::move(*rules);
  }
  verification.creator = options.creator;
  VerificationRequest defaults{.subject = options.subject};
  if (!options.nonce.empty()) {
    defaults.nonce = from_hex(options.nonce);
    if (!defaults.nonce) return fail_with("--nonce " + options.nonce, "is not in hexadecimal digits");
  }
  if (options.manifest.empty()) return run(options, verification, requests_of(options.files, defaults));
  if (options.manifest == kStandardInput) return run(options, verification, requests_of(std::cin, defaults));
  if (const auto file = open_regular_file(options.manifest); !file)
    return fail_with(options.manifest, file.status().message());
  std::ifstream manifest(options.manifest, std::ios::binary);
  if (!manifest) return fail_with(options.manifest, "cannot be read");
  return run(options, verification, requests_of(manifest, defaults));
}

void add_expectations(CLI::App& command, VerifyOptions& options) {
  CLI::Option* key =
      command.add_option("--key", options.key, "Public key (PEM) of the server that must have signed them")
          ->type_name("FILE");
  command
      .add_option("--keys", options.keys,
                  "Keys of which one must have signed each: {\"keys\": [{\"id\", \"file\" (PEM), "
                  "\"not_before\", \"not_after\"}]}")
      ->type_name("FILE")
      ->excludes(key);
  command
      .add_option("--nonce", options.nonce,
                  "The nonce that the match was given, as create --json tells it. Together with --key: a run "
                  "recorded earlier has another. Without --key it proves nothing, as the writer of a file "
                  "chooses the nonce in it; an input log's nonce only gives the run its seed")
      ->type_name("HEX");
  command
      .add_option(
          "--rules", options.rules,
          "A match file with official rules, or a folder of such: a match must have the rules of one. "
          "Names, seed, broadphase and transport may differ")
      ->type_name("FILE|FOLDER");
  add_creator_options(command, options.creator);
  add_subject_options(command, "--subject",
                      "Name of the subject whose tickets must have held the seats of the player whom a line "
                      "of the manifest names, or of all players, by the receipt",
                      options.subject);
}

void add_limits(CLI::App& command, VerifyOptions& options) {
  command
      .add_option(
          "--max-seconds", options.limits.seconds_max,
          "Of a processor for each file; what at its pace would take far more ends early. 0: no limit")
      ->type_name("SECONDS")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 24).description(""))
      ->capture_default_str();
  command
      .add_option("--max-memory", options.limits.memory_mib_max,
                  "For each file, beside its bytes. 0: no limit")
      ->type_name("MIB")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 24).description(""))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "Files at once (default: one for each core)")
      ->check(CLI::Range(1, 1024).description(""));
}

}  // namespace

void add_verify_command(CLI::App& app, Invocation& invocation, const std::string& name) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = add_local_command(
      app, invocation, "verify",
      "Plays replays and input logs, each in a process of its own, and says whether they are what they say; "
      "no server is asked. Exit codes: 0 VERIFIED, 10 UNSUPPORTED_VERSION, 11 MALFORMED, 12 DIVERGED, 13 "
      "SCORE_MISMATCH, 14 BAD_SIGNATURE, 15 RULES_MISMATCH; 20 BAD_REQUEST (a line of the manifest), 21 "
      "UNREADABLE, 22 TOO_LONG, 23 TOO_LARGE, 24 FAILED (no verifier can be run); of several files the "
      "highest",
      "  " + name + " --key server_public_key.pem *.swpr\n  " + name +
          " --json --keys keys.json --manifest runs.jsonl");
  CLI::Option* files = command->add_option("FILE", options->files,
                                           "Replays (.swpr), or input logs (.swpi); - for standard input");
  CLI::Option* manifest =
      command
          ->add_option(
              "--manifest", options->manifest,
              "What to verify, a line of JSON each (- for standard input): {\"file\", and perhaps "
              "\"player\", \"participant\" (who must have played), \"score\" (which must be that player's), "
              "\"subject\", \"subject_issuer\", \"subject_tenant\" (as --subject), \"nonce\" (hex), "
              "\"key\" (an id of --keys), \"rules\" (a file of --rules, without its ending)}")
          ->type_name("FILE")
          ->excludes(files);
  command->callback([&invocation, options, files, manifest] {
    if (files->count() + manifest->count() == 0) throw CLI::RequiredError("FILE or --manifest");
    invocation.run = [options] { return verify(*options); };
  });
  add_expectations(*command, *options);
  add_limits(*command, *options);
  command->add_flag("--json", options->json, "A line of JSON for each file, whatever becomes of it");
}

}  // namespace sweepd::tools
