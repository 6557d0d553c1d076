// SPDX-License-Identifier: MIT
#include <iostream>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/match_text.h"

namespace sweepd::tools {
namespace {

int control(const std::string& match_id, const ClockControl& control, const ServerChoice& server) {
  const Result<MatchInfo> match = make_client(server).control_clock(match_id, control);
  if (!match.ok()) return fail(match.status(), server);
  std::cout << match_id << ": " << match_line(*match) << std::endl;
  return kExitOk;
}

/// What one command of the clock was asked for.
struct Request {
  std::string match_id;
  ClockControl control;
};

CLI::App* add_clock_command(CLI::App& app, Invocation& invocation, const std::string& name,
                            const std::string& description, const std::string& example,
                            const std::shared_ptr<Request>& request) {
  CLI::App* command = add_command(app, invocation, name, description, example);
  command->add_option("MATCH", request->match_id, "Id of the match")->required();
  command->callback([&invocation, request] {
    invocation.run = [&invocation, request] {
      return control(request->match_id, request->control, invocation.server);
    };
  });
  return command;
}

}  // namespace

void add_clock_commands(CLI::App& app, Invocation& invocation) {
  const auto pause = std::make_shared<Request>(Request{{}, {.paused = true}});
  add_clock_command(app, invocation, "pause", "Pauses a match: no tick runs until it is resumed",
                    "  sweepctl pause \"$match\"", pause);
  const auto resume = std::make_shared<Request>(Request{{}, {.paused = false}});
  add_clock_command(app, invocation, "resume",
                    "Lets a paused match go on with the tick that would have been next",
                    "  sweepctl resume \"$match\"", resume);
  const auto rate = std::make_shared<Request>();
  CLI::App* command = add_clock_command(app, invocation, "rate", "Changes the tick rate of a match",
                                        "  sweepctl rate \"$match\" 30", rate);
  command->add_option("HZ", rate->control.tick_rate_hz, "Ticks per second")
      ->required()
      ->check(CLI::Range(1, 240));
}

}  // namespace sweepd::tools
