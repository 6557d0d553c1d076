// SPDX-License-Identifier: MIT
//
// A moment of a replay: world, encounters, events, claims, scores. No server is asked.
#include <iostream>
#include <string>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/inspection_limits.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/moment_text.h"
#include "tools/sweepctl/replay_files.h"

namespace sweepd::tools {
namespace {

using Lines = MomentLines (*)(const replay::Moment&, const match::MatchConfig&, match::ObjectId);

struct MomentOptions {
  std::string path;
  std::uint64_t at_tick = 0;
  std::uint64_t to_tick = 0;  ///< 0: as at_tick.
  match::ObjectId object = 0;
  bool json = false;
  InspectionLimits limits;
};

int tell(const MomentOptions& options, Lines lines_of) {
  const auto replay = open_any_replay(options.path);
  if (!replay.ok()) return fail_with(options.path, replay.status().message());
  const replay::Tick last = options.to_tick == 0 ? options.at_tick : options.to_tick;
  std::vector<std::string> values;
  const Status status = visit_ticks(*replay, options.at_tick, last, [&](const replay::Moment& moment) {
    const MomentLines lines = lines_of(moment, replay->reader().config(), options.object);
    values.insert(values.end(), lines.json.begin(), lines.json.end());
    if (options.json) return;
    for (const std::string& line : lines.text) std::cout << line << '\n';
  });
  if (!status.ok()) return fail_with(options.path, status.message());
  if (options.json) std::cout << json_array(values) << '\n';
  std::cout.flush();
  return kExitOk;
}

CLI::App* add_moment(CLI::App& replay, Invocation& invocation, const std::string& name,
                     const std::string& description, Lines lines_of) {
  const auto options = std::make_shared<MomentOptions>();
  CLI::App* command =
      add_local_command(replay, invocation, name, description + ", of a replay or an input log",
                        "  sweepctl replay " + name + " match.swpr --at-tick 312");
  command->add_option("FILE", options->path, "The replay (.swpr), or an input log (.swpi)")->required();
  command->add_option("--at-tick", options->at_tick, "After this tick")->type_name("TICK")->required();
  command->add_option("--to-tick", options->to_tick, "And after all that follow up to this one")
      ->type_name("TICK");
  command->add_option("--object", options->object, "Only of this object")->type_name("ID");
  command->add_flag("--json", options->json, "As a JSON array");
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options, lines_of] {
    invocation.run = [options, lines_of] {
      return inspect_within(options->limits, {options->path}, [&] { return tell(*options, lines_of); });
    };
  });
  return command;
}

}  // namespace

void add_replay_moment_commands(CLI::App& replay, Invocation& invocation) {
  add_moment(replay, invocation, "world", "Lists the objects of a tick, with their parts", world_lines);
  add_moment(replay, invocation, "encounters", "Lists the encounters that are open after a tick",
             encounter_lines);
  add_moment(replay, invocation, "events", "Lists what begins and ends to touch in a tick", event_lines);
  add_moment(replay, invocation, "claims", "Lists the hit claims that a tick judges, with the evidence",
             claim_lines);
  add_moment(replay, invocation, "scores", "Lists the scores after a tick", score_lines);
}

}  // namespace sweepd::tools
