// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <thread>
#include <utility>

#include "replay/comparison.h"
#include "replay/cut.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/rules_files.h"
#include "tools/sweepctl/small_file.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::string key;
  std::string nonce;
  std::string rules;
  std::string creator;
  std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  bool json = false;
};

int verify(const VerifyOptions& options) {
  replay::VerificationOptions verification;
  if (!options.key.empty()) {
    const auto pem = read_small_file(options.key, kPemBytesMax);
    if (!pem.ok()) return fail_with(options.key, pem.status().message());
    verification.public_key = replay::PublicKey::from_pem(*pem);
    if (!verification.public_key) return fail_with(options.key, "is no public key of Ed25519 in PEM");
  }
  if (!options.nonce.empty()) {
    verification.nonce = from_hex(options.nonce);
    if (!verification.nonce) return fail_with("--nonce " + options.nonce, "is not in hexadecimal digits");
  }
  if (!options.rules.empty()) {
    auto rules = read_rules(options.rules);
    if (!rules) return fail_with("--rules", rules.status().message());
    verification.approved_rules = std::move(*rules);
  }
  if (!options.creator.empty()) verification.creator = options.creator;
  int exit_code = kExitOk;
  verify_files(options.files, verification, options.threads,
               [&](const std::string& path, const Result<replay::Verification>& result) {
                 if (!result.ok()) {
                   exit_code = std::max(exit_code, fail_with(path, result.status().message()));
                   return;
                 }
                 exit_code = std::max(exit_code, exit_code_of(result->verdict));
                 std::cout << (options.json ? verification_json(path, *result)
                                            : path + ": " + verification_text(*result))
                           << std::endl;
               });
  return exit_code;
}

int info(const std::string& path, bool json) {
  const auto bytes = read_replay(path);
  if (!bytes.ok()) return fail_with(path, bytes.status().message());
  const auto reader = replay::Reader::open(*bytes);
  if (!reader) return fail_with(path, text_of(reader.error()));
  std::cout << (json ? replay_info_json(path, *reader) + "\n" : replay_info_text(*reader)) << std::flush;
  return kExitOk;
}

int cut(const std::string& path, std::uint64_t ticks, const std::string& output) {
  const auto bytes = read_replay(path);
  if (!bytes.ok()) return fail_with(path, bytes.status().message());
  const auto part = replay::cut(*bytes, ticks);
  if (!part) return fail_with(path, text_of(part.error()));
  const Status written = write_replay(output, *part);
  return written.ok() ? kExitOk : fail_with(output, written.message());
}

int diff(const std::string& first, const std::string& second, bool json) {
  const auto first_bytes = read_replay(first);
  if (!first_bytes.ok()) return fail_with(first, first_bytes.status().message());
  const auto second_bytes = read_replay(second);
  if (!second_bytes.ok()) return fail_with(second, second_bytes.status().message());
  const auto result = replay::compare(*first_bytes, *second_bytes);
  if (!result) return fail_with(result.error().replay == 1 ? first : second, text_of(result.error().fault));
  const std::optional<replay::Difference>& difference = *result;
  if (!json) {
    std::cout << (difference ? "tick " + std::to_string(difference->tick) + ": " + visible(difference->what)
                             : std::string("the same from beginning to end"))
              << std::endl;
  } else {
    JsonObject object;
    object.add_json("same", difference ? "false" : "true");
    if (difference) object.add("tick", difference->tick).add("what", difference->what);
    if (difference && difference->object) object.add("object", *difference->object);
    std::cout << object.text() << std::endl;
  }
  return difference ? kExitDiffers : kExitOk;
}

void add_verify(CLI::App& app, Invocation& invocation, const std::string& name) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      add_local_command(app, invocation, "verify",
                        "Plays replays and input logs and says whether they are what they say; no server is "
                        "asked. Exit codes: 0 VERIFIED, "
                        "10 UNSUPPORTED_VERSION, 11 MALFORMED, 12 DIVERGED, 13 SCORE_MISMATCH, 14 "
                        "BAD_SIGNATURE, 15 RULES_MISMATCH, of several files the "
                        "highest",
                        "  " + name + " --key server_public_key.pem *.swpr");
  command->add_option("FILE", options->files, "Replays (.swpr), or input logs (.swpi)")->required();
  command->add_option("--key", options->key, "Public key (PEM) of the server that must have signed them")
      ->type_name("FILE");
  command
      ->add_option(
          "--nonce", options->nonce,
          "The nonce that the match was given, as create --json tells it. Together with --key: a run "
          "recorded earlier has another. Without it proves nothing, as whoever writes a file writes "
          "any nonce into it; an input log's nonce only gives the run its seed")
      ->type_name("HEX");
  command
      ->add_option(
          "--rules", options->rules,
          "A match file with official rules, or a folder of such: a match must have the rules of one. "
          "Names, seed, broadphase and transport may differ")
      ->type_name("FILE|FOLDER");
  command
      ->add_option("--creator", options->creator,
                   "Name of the ticket's subject that must have created the match, by its receipt; proves "
                   "nothing without --key")
      ->type_name("NAME");
  command->add_option("--threads", options->threads, "Files at once (default: one for each core)")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_flag("--json", options->json, "A line of JSON for each file");
  command->callback([&invocation, options] { invocation.run = [options] { return verify(*options); }; });
}

void add_info(CLI::App& replay, Invocation& invocation) {
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  CLI::App* command =
      add_local_command(replay, invocation, "info", "Tells what a replay says of itself, unverified",
                        "  sweepctl replay info match.swpr");
  command->add_option("FILE", *path, "The replay")->required();
  command->add_flag("--json", *json, "One line of JSON");
  command->callback(
      [&invocation, path, json] { invocation.run = [path, json] { return info(*path, *json); }; });
}

void add_cut(CLI::App& replay, Invocation& invocation) {
  struct Options {
    std::string path;
    std::uint64_t ticks = 0;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_local_command(replay, invocation, "cut",
                                        "Writes the first ticks of a replay as one of their own, without a "
                                        "receipt; also of one that is cut off",
                                        "  sweepctl replay cut match.swpr --ticks 600 --output opening.swpr");
  command->add_option("FILE", options->path, "The replay")->required();
  command->add_option("--ticks", options->ticks, "How many, from the first on")->required();
  command->add_option("--output", options->output, "The file to write")->type_name("FILE")->required();
  command->callback([&invocation, options] {
    invocation.run = [options] { return cut(options->path, options->ticks, options->output); };
  });
}

void add_diff(CLI::App& replay, Invocation& invocation) {
  struct Options {
    std::string first;
    std::string second;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_local_command(replay, invocation, "diff",
                        "Plays two replays side by side and names the first tick and object that differ "
                        "(exit code 12); 0: they are the same",
                        "  sweepctl replay diff mine.swpr yours.swpr");
  command->add_option("FIRST", options->first, "A replay")->required();
  command->add_option("SECOND", options->second, "Another")->required();
  command->add_flag("--json", options->json, "One line of JSON");
  command->callback([&invocation, options] {
    invocation.run = [options] { return diff(options->first, options->second, options->json); };
  });
}

}  // namespace

void add_replay_commands(CLI::App& app, Invocation& invocation) {
  add_verify(app, invocation, "sweepctl verify");
  CLI::App* replay = app.add_subcommand(
      "replay", "Fetches replays and receipts from a server; looks into, verifies, cuts and compares them");
  replay->fallthrough();
  replay->require_subcommand(1);
  replay->footer(
      "Example:\n  sweepctl replay get \"$match\" --output match.swpr && sweepctl replay verify match.swpr");
  add_replay_server_commands(*replay, invocation);
  add_info(*replay, invocation);
  add_verify(*replay, invocation, "sweepctl replay verify");
  add_cut(*replay, invocation);
  add_diff(*replay, invocation);
}

}  // namespace sweepd::tools
