// SPDX-License-Identifier: MIT
#include <iostream>
#include <string>

#include "replay/rules_digest.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/interrupt.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/rules_files.h"
#include "tools/sweepctl/small_file.h"
#include "tools/sweepctl/subject_options.h"

namespace sweepd::tools {
namespace {

constexpr std::size_t kReceiptBytesMax = std::size_t{4} << 20;

std::string ending_text(const ReplayInfo& info) {
  std::string text =
      std::to_string(info.bytes) + " bytes, " + std::to_string(info.receipt.tick_count) + " ticks";
  if (info.receipt.end == ReplayEnd::kStillRunning) text += ", the match goes on";
  if (info.receipt.end == ReplayEnd::kCut) text += ", cut there";
  return text + (info.receipt.public_key ? ", with a receipt" : ", without a receipt");
}

int get(const std::string& match_id, const std::string& output, const ServerChoice& server) {
  catch_interrupts();
  const auto info = make_client(server).get_replay(match_id, output, [] { return !interrupted(); });
  if (interrupted()) return kExitInterrupted;
  if (!info.ok()) return fail(info.status(), server);
  std::cerr << output << ": " << ending_text(*info) << std::endl;
  return kExitOk;
}

int receipt(const std::string& match_id, const ServerChoice& server) {
  const auto receipt = make_client(server).get_receipt(match_id);
  if (!receipt.ok()) return fail(receipt.status(), server);
  std::cout << receipt->to_json() << std::flush;
  return kExitOk;
}

int key(const ServerChoice& server) {
  const auto key = make_client(server).get_public_key();
  if (!key.ok()) return fail(key.status(), server);
  std::cout << key->to_pem() << std::flush;
  return kExitOk;
}

struct CheckOptions {
  std::string path;
  std::string key;
  std::string rules;
  replay::TicketSubject creator;
};

/// What the receipt must say beside its signature.
Result<ReceiptExpectations> expectations(const CheckOptions& options) {
  const auto rules = read_rules(options.rules);
  if (!rules) return rules.status();
  const replay::TicketSubject& creator = options.creator;
  ReceiptExpectations expected{.rules_digests = {},
                               .creator = {creator.name, creator.issuer, creator.tenant}};
  for (const replay::ApprovedRules& approved : *rules)
    expected.rules_digests.push_back(replay::rules_digest(approved.config));
  return expected;
}

int check(const CheckOptions& options) {
  const std::string& path = options.path;
  const std::string& key_path = options.key;
  const auto pem = read_small_file(key_path, kPemBytesMax);
  if (!pem.ok()) return fail_with(key_path, pem.status().message());
  const auto key = PublicKey::from_pem(*pem);
  if (!key.ok()) return fail_with(key_path, key.status().message());
  const auto json = read_small_file(path, kReceiptBytesMax);
  if (!json.ok()) return fail_with(path, json.status().message());
  const auto receipt = Receipt::from_json(*json);
  if (!receipt.ok()) return fail_with(path, receipt.status().message());
  Status status = check_receipt(*receipt, *key);
  const bool is_whole = !options.rules.empty();
  if (is_whole) {
    const auto expected = expectations(options);
    if (!expected) return fail_with("--rules", expected.status().message());
    status = check_receipt(*receipt, *key, *expected);
  }
  if (!status.ok()) {
    fail_with(path, status.message());
    return kExitBadSignature;
  }
  std::cout << path << ": signed by this key, " << checked_receipt_text(*receipt)
            << (is_whole ? "" : "; its rules and creator are not checked (--rules, --creator)") << std::endl;
  return kExitOk;
}

void add_get(CLI::App& replay, Invocation& invocation) {
  struct Options {
    std::string match_id;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(
      replay, invocation, "get",
      "Fetches the replay of a match from its server: of one that is over, or of one that runs up to now",
      "  sweepctl replay get \"$match\" --output match.swpr");
  command->add_option("MATCH", options->match_id, "Id of the match")->required();
  command->add_option("--output", options->output, "The file to write; FILE.part until it is whole")
      ->type_name("FILE")
      ->required();
  command->callback([&invocation, options] {
    invocation.run = [&invocation, options] {
      return get(options->match_id, options->output, invocation.server);
    };
  });
}

void add_receipt(CLI::App& replay, Invocation& invocation) {
  const auto match_id = std::make_shared<std::string>();
  CLI::App* command = add_command(replay, invocation, "receipt",
                                  "Prints the receipt of a match as JSON: what it came to, and its server's "
                                  "signature",
                                  "  sweepctl replay receipt \"$match\" > receipt.json");
  command->add_option("MATCH", *match_id, "Id of the match")->required();
  command->callback([&invocation, match_id] {
    invocation.run = [&invocation, match_id] { return receipt(*match_id, invocation.server); };
  });
}

void add_check(CLI::App& replay, Invocation& invocation) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = add_local_command(
      replay, invocation, "check-receipt",
      "Says whether a receipt is signed by a key (exit code 14 if not), and of which match, ticks and "
      "scores it is; no server is asked",
      "  sweepctl replay check-receipt receipt.json --key server_public_key.pem");
  command->add_option("FILE", options->path, "What sweepctl replay receipt printed")->required();
  command->add_option("--key", options->key, "Public key (PEM) of the server")->type_name("FILE")->required();
  CLI::Option* rules =
      command
          ->add_option(
              "--rules", options->rules,
              "A match file with official rules, or a folder of such, by which it must have been played")
          ->type_name("FILE|FOLDER");
  CLI::Option* creator = add_creator_options(*command, options->creator);
  rules->needs(creator);
  creator->needs(rules);
  command->callback([&invocation, options] { invocation.run = [options] { return check(*options); }; });
}

void add_key(CLI::App& replay, Invocation& invocation) {
  CLI::App* command =
      add_command(replay, invocation, "key", "Prints the public key (PEM) that a server signs receipts with",
                  "  sweepctl replay key --server game.example:7777 > server_public_key.pem");
  command->callback([&invocation] { invocation.run = [&invocation] { return key(invocation.server); }; });
}

}  // namespace

void add_replay_server_commands(CLI::App& replay, Invocation& invocation) {
  add_get(replay, invocation);
  add_receipt(replay, invocation);
  add_check(replay, invocation);
  add_key(replay, invocation);
}

}  // namespace sweepd::tools
