// SPDX-License-Identifier: MIT
#include <iostream>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/match_text.h"

namespace sweepd::tools {
namespace {

int end(const std::string& match_id, const ServerChoice& server) {
  const Result<MatchInfo> match = make_client(server).end_match(match_id);
  if (!match.ok()) {
    const Status& status = match.status();
    const bool named = status.message().find(match_id) != std::string::npos;
    return fail(
        Status(status.code(), named ? status.message() : "match " + match_id + ": " + status.message(),
               status.reason()),
        server);
  }
  std::cout << "ended " << match_id << ": " << match_line(*match) << ", digest " << digest_text(match->digest)
            << (match->config.scoring.empty() ? "" : "; scores: " + scores_text(*match)) << std::endl;
  return kExitOk;
}

}  // namespace

void add_end_command(CLI::App& app, Invocation& invocation) {
  const auto match_id = std::make_shared<std::string>();
  CLI::App* command = add_command(app, invocation, "end", "Ends a match; all who play or watch it are told",
                                  "  sweepctl end \"$match\"");
  command->add_option("MATCH", *match_id, "Id of the match")->required();
  command->callback([&invocation, match_id] {
    invocation.run = [&invocation, match_id] { return end(*match_id, invocation.server); };
  });
}

}  // namespace sweepd::tools
