// SPDX-License-Identifier: MIT
#include <iostream>

#include "replay/rules_digest.h"
#include "sweepd/config_message.h"
#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/config_warnings.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/match_file_option.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

/// For --rules-dir of a server.
int compile(const MatchFile& file, const std::string& output) {
  const auto bytes = config_message(file.config);
  if (!bytes) return fail(bytes.status(), file);
  const Status written = write_replay(output, *bytes);
  return written.ok() ? kExitOk : fail_with(output, written.message());
}

int check(const std::string& path, const std::string& output) {
  const auto file = open_match_file(path);
  if (!file) return kExitFailed;
  const auto checked = checked_config(file->config);
  if (!checked) return fail(checked.status(), *file);
  const MatchConfig& config = file->config;
  std::cout << path << ": a match '" << visible(config.name) << "' of " << config.layers.size() << " layers, "
            << config.collides.size() << " pairs that collide, " << config.scoring.size()
            << " scoring rules, " << config.masks.size() << " masks, " << config.slots.size() << " slots, "
            << config.templates.size() << " templates\n"
            << "rules digest: " << to_hex(replay::rules_digest(*checked)) << std::endl;
  for (const std::string& warning : warnings_of(config))
    std::cerr << "sweepctl: warning: " << path << ": " << visible(warning) << std::endl;
  return output.empty() ? kExitOk : compile(*file, output);
}

}  // namespace

void add_check_command(CLI::App& app, Invocation& invocation) {
  const auto path = std::make_shared<std::string>();
  CLI::App* command = add_local_command(
      app, invocation, "check",
      "Checks a match file and the pictures that it names, and prints the digest of its rules; no server is "
      "asked, whatever --server says",
      "  sweepctl check deploy/samples/coop_shmup.toml");
  command->add_option("FILE", *path, "The match file")->required();
  const auto output = std::make_shared<std::string>();
  command
      ->add_option(
          "--compile", *output,
          "Write the rules for a server's --rules-dir; the file's name without .rules names them there")
      ->type_name("NAME.rules");
  command->callback(
      [&invocation, path, output] { invocation.run = [path, output] { return check(*path, *output); }; });
}

}  // namespace sweepd::tools
