// SPDX-License-Identifier: MIT
#include <iostream>

#include "replay/rules_digest.h"
#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/config_warnings.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/match_file_option.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

int check(const std::string& path) {
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
  return kExitOk;
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
  command->callback([&invocation, path] { invocation.run = [path] { return check(*path); }; });
}

}  // namespace sweepd::tools
