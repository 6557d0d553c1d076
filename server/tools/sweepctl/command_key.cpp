// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <iostream>
#include <optional>

#include "identity/key_set.h"
#include "identity/ticket_issuer.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/private_file.h"
#include "tools/sweepctl/small_file.h"
#include "tools/sweepctl/ticket_key.h"

namespace sweepd::tools {
namespace {

constexpr mode_t kForAll = 0644;

struct NewKey {
  identity::Jwk jwk;
  std::vector<std::string> tenants;
  std::vector<std::string> roles;
  std::string output;
  std::string key_set;  ///< The file; empty: stdout.
};

/// New content and mode of a JWKS file.
struct KeySetFile {
  std::string text;
  mode_t mode = kForAll;
};

/// The set of the file with one more key, or a new set if there is no file.
Result<KeySetFile> key_set_with(const std::string& path, const identity::Jwk& key) {
  const mode_t mode = key.algorithm == identity::Algorithm::kHs256 ? kOwnerOnly : kForAll;
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return KeySetFile{identity::key_set_text(key), mode};
  const auto before = read_small_file(path, identity::kKeySetBytesMax);
  if (!before.ok()) return before.status();
  auto text = identity::with_key(*before, key);
  if (!text.ok()) return Status(ErrorCode::kInvalidArgument, text.error().text);
  return KeySetFile{*text, status.st_mode & mode};
}

bool is_printable(const identity::Jwk& key) {
  if (key.algorithm != identity::Algorithm::kHs256) return true;
  print_error(
      "a key of HS256 has no public half: with --jwks FILE it goes into the server's keys, which are then a "
      "secret");
  return false;
}

int make_key(NewKey& wanted) {
  const bool is_printed = wanted.key_set.empty();
  if (is_printed && !is_printable(wanted.jwk)) return kExitUsage;
  if (!wanted.tenants.empty()) wanted.jwk.scope.tenants = wanted.tenants;
  if (!wanted.roles.empty()) wanted.jwk.scope.roles.clear();
  for (const std::string& role : wanted.roles)
    wanted.jwk.scope.roles.push_back(*identity::principal_named(role));
  const auto numbers = identity::generate_key(wanted.jwk.algorithm);
  if (!numbers) return fail_with(wanted.output, "no key could be made");
  wanted.jwk.numbers = *numbers;
  // A key that could not be read again is not written, for instance with a line end in `kid`.
  const std::string text = identity::private_key_text(wanted.jwk);
  if (const auto read = identity::parse_private_key(text); !read.ok())
    return fail_with("the key", read.error().text);
  const auto key_set = is_printed ? Result<KeySetFile>(KeySetFile{identity::key_set_text(wanted.jwk)})
                                  : key_set_with(wanted.key_set, wanted.jwk);
  if (!key_set.ok()) return fail_with(wanted.key_set, key_set.status().message());
  if (const Status status = write_new_private_file(wanted.output, text); !status.ok()) {
    return fail_with(wanted.output, status.message());
  }
  std::cerr << wanted.output << ": the private key, which signs tickets" << std::endl;
  if (is_printed) {
    std::cout << key_set->text << std::flush;
    return kExitOk;
  }
  const Status status = replace_file(wanted.key_set, key_set->text, key_set->mode);
  return status.ok() ? kExitOk : fail_with(wanted.key_set, status.message());
}

int print_public(const std::string& path) {
  const auto key = read_ticket_key(path);
  if (!key.ok()) return fail_with(path, key.status().message());
  if (!is_printable(*key)) return kExitFailed;
  std::cout << identity::key_set_text(*key) << std::flush;
  return kExitOk;
}

void add_scope(CLI::App& command, NewKey& wanted) {
  const std::string roles = "operator|backend|moderator|stage|player|observer";
  command
      .add_option("--issuer", wanted.jwk.scope.issuers,
                  "Its tickets name this issuer; may be repeated (default: any)")
      ->type_name("NAME");
  command
      .add_option("--tenant", wanted.tenants,
                  "Its tickets name this tenant; may be repeated (default: only the tenant without a name)")
      ->type_name("NAME");
  command
      .add_option(
          "--role", wanted.roles,
          "Its tickets give this role; may be repeated (default: backend, stage, player and observer)")
      ->type_name(roles)
      ->check(one_of(roles));
}

void add_new(CLI::App& keys, Invocation& invocation) {
  const auto wanted = std::make_shared<NewKey>();
  CLI::App* command = add_local_command(
      keys, invocation, "new",
      "Makes a key that signs tickets: the private one in a new file of its own, the public one into a "
      "server's keys",
      "  sweepctl key new --alg EdDSA --kid backend-1 --output backend-1.jwk --jwks keys.json\n"
      "Exit codes: 0 done; 1 a file is there already, or cannot be read or written; 2 wrong usage.");
  add_choice(*command, "--alg", wanted->jwk.algorithm, "EdDSA|ES256|RS256|HS256",
             {{"EdDSA", identity::Algorithm::kEdDsa},
              {"ES256", identity::Algorithm::kEs256},
              {"RS256", identity::Algorithm::kRs256},
              {"HS256", identity::Algorithm::kHs256}},
             "What it signs with (default: EdDSA)");
  command->add_option("--kid", wanted->jwk.id, "Its name, which tickets have in their header")
      ->type_name("NAME")
      ->required();
  command
      ->add_option("--output", wanted->output,
                   "The file of the private key (default: NAME.jwk); never overwritten")
      ->type_name("FILE");
  command
      ->add_option(
          "--jwks", wanted->key_set,
          "A server's keys, to which the public one is added (default: they are printed as a set of one)")
      ->type_name("FILE");
  add_scope(*command, *wanted);
  command->callback([&invocation, wanted] {
    invocation.run = [wanted] {
      const std::string& id = wanted->jwk.id;
      if (wanted->output.empty() && (id.find('/') != std::string::npos || id.starts_with('.'))) {
        print_error("--kid is no name of a file: --output is needed, too");
        return kExitUsage;
      }
      if (wanted->output.empty()) wanted->output = id + ".jwk";
      return make_key(*wanted);
    };
  });
}

}  // namespace

void add_key_commands(CLI::App& app, Invocation& invocation) {
  CLI::App* keys = app.add_subcommand("key", "Makes keys that sign tickets, and tells their public halves");
  keys->require_subcommand(1);
  keys->footer("Example:\n  sweepctl key new --alg EdDSA --kid backend-1 --jwks keys.json");
  add_new(*keys, invocation);
  const auto path = std::make_shared<std::string>();
  CLI::App* command =
      add_local_command(*keys, invocation, "public", "Prints the public half of a private key as a JWKS",
                        "  sweepctl key public backend-1.jwk > keys.json\n"
                        "Exit codes: 0 done; 1 it cannot be read, is no private key or has no public half.");
  command->add_option("FILE", *path, "What sweepctl key new made")->required();
  command->callback([&invocation, path] { invocation.run = [path] { return print_public(*path); }; });
}

}  // namespace sweepd::tools
