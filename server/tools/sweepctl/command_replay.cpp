// SPDX-License-Identifier: MIT
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "replay/comparison.h"
#include "replay/cut.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/inspection_limits.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/visible_output.h"
#include "verification/input_log.h"

namespace sweepd::tools {
namespace {

int input_log_info(const std::string& path, const std::string& bytes, bool json) {
  const auto log = verification::InputLog::open(bytes);
  if (!log) return fail_with(path, text_of(log.error()));
  std::cout << (json ? input_log_info_json(path, *log) + "\n" : input_log_info_text(*log)) << std::flush;
  return kExitOk;
}

struct InfoOptions {
  std::string path;
  bool json = false;
  bool pace = false;
  InspectionLimits limits;
};

int info(const InfoOptions& options) {
  const std::string& path = options.path;
  const auto bytes = read_replay(path);
  if (!bytes.ok()) return fail_with(path, bytes.status().message());
  if (verification::is_input_log(*bytes)) return input_log_info(path, *bytes, options.json);
  const auto reader = replay::Reader::open(*bytes);
  if (!reader) return fail_with(path, text_of(reader.error()));
  std::cout << (options.json ? replay_info_json(path, *reader, options.pace) + "\n"
                             : replay_info_text(*reader, options.pace))
            << std::flush;
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

std::string difference_text(const std::optional<replay::Difference>& difference,
                            const std::vector<std::string>& statements) {
  if (difference) return "tick " + std::to_string(difference->tick) + ": " + visible(difference->what);
  if (statements.empty()) return "the same from beginning to end";
  std::string text;
  for (const std::string& statement : statements) text += (text.empty() ? "" : ", ") + statement;
  return "the same ticks from beginning to end; they differ in " + text;
}

std::string difference_json(const std::optional<replay::Difference>& difference,
                            const std::vector<std::string>& statements) {
  JsonObject object;
  object.add_json("same", difference || !statements.empty() ? "false" : "true");
  if (difference) object.add("tick", difference->tick).add("what", difference->what);
  if (difference && difference->object) object.add("object", *difference->object);
  std::vector<std::string> names;
  for (const std::string& statement : statements) names.push_back(json_string(statement));
  if (!names.empty()) object.add_json("statements", json_array(names));
  return object.text();
}

int diff(const std::string& first, const std::string& second, bool json) {
  const auto first_replay = open_any_replay(first);
  if (!first_replay.ok()) return fail_with(first, first_replay.status().message());
  const auto second_replay = open_any_replay(second);
  if (!second_replay.ok()) return fail_with(second, second_replay.status().message());
  const auto result = replay::compare(first_replay->bytes(), second_replay->bytes());
  if (!result) return fail_with(result.error().replay == 1 ? first : second, text_of(result.error().fault));
  const auto statements =
      replay::compare_statements(first_replay->reader(), second_replay->reader(),
                                 first_replay->was_input_log() || second_replay->was_input_log());
  std::cout << (json ? difference_json(*result, statements) : difference_text(*result, statements))
            << std::endl;
  return *result || !statements.empty() ? kExitDiffers : kExitOk;
}

void add_info(CLI::App& replay, Invocation& invocation) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* command = add_local_command(replay, invocation, "info",
                                        "Tells what a replay or an input log says of itself, unverified",
                                        "  sweepctl replay info match.swpr --pace");
  command->add_option("FILE", options->path, "The replay (.swpr), or an input log (.swpi)")->required();
  command->add_flag("--json", options->json, "One line of JSON");
  command->add_flag("--pace", options->pace, "And of a replay how frames came: all its ticks are read");
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options] {
    invocation.run = [options] {
      return inspect_within(options->limits, {options->path}, [&] { return info(*options); });
    };
  });
}

void add_cut(CLI::App& replay, Invocation& invocation) {
  struct Options {
    std::string path;
    std::uint64_t ticks = 0;
    std::string output;
    InspectionLimits limits;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_local_command(replay, invocation, "cut",
                                        "Writes the first ticks of a replay as one of their own, without a "
                                        "receipt; also of one that is cut off",
                                        "  sweepctl replay cut match.swpr --ticks 600 --output opening.swpr");
  command->add_option("FILE", options->path, "The replay")->required();
  command->add_option("--ticks", options->ticks, "How many, from the first on")->required();
  command->add_option("--output", options->output, "The file to write")->type_name("FILE")->required();
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options] {
    invocation.run = [options] {
      return inspect_within(options->limits, {options->path},
                            [&] { return cut(options->path, options->ticks, options->output); });
    };
  });
}

void add_diff(CLI::App& replay, Invocation& invocation) {
  struct Options {
    std::string first;
    std::string second;
    bool json = false;
    InspectionLimits limits;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_local_command(replay, invocation, "diff",
                        "Plays two replays or input logs side by side and names the first tick and object "
                        "that differ, or what else they say otherwise: nonce, creator, scores, receipt (exit "
                        "code 12); 0: they are the same",
                        "  sweepctl replay diff mine.swpr yours.swpr");
  command->add_option("FIRST", options->first, "A replay")->required();
  command->add_option("SECOND", options->second, "Another")->required();
  command->add_flag("--json", options->json, "One line of JSON");
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options] {
    invocation.run = [options] {
      return inspect_within(options->limits, {options->first, options->second},
                            [&] { return diff(options->first, options->second, options->json); });
    };
  });
}

}  // namespace

void add_replay_commands(CLI::App& app, Invocation& invocation) {
  add_verify_command(app, invocation, "sweepctl verify");
  CLI::App* replay = app.add_subcommand("replay",
                                        "Fetches replays and receipts from a server, keeps and removes them "
                                        "there; looks into, verifies, draws, "
                                        "cuts and compares them");
  replay->fallthrough();
  replay->require_subcommand(1);
  replay->footer(
      "Example:\n  sweepctl replay get \"$match\" --output match.swpr && sweepctl replay verify match.swpr");
  add_replay_server_commands(*replay, invocation);
  add_replay_admin_commands(*replay, invocation);
  add_info(*replay, invocation);
  add_verify_command(*replay, invocation, "sweepctl replay verify");
  add_cut(*replay, invocation);
  add_diff(*replay, invocation);
  add_replay_moment_commands(*replay, invocation);
  add_replay_dispute_commands(*replay, invocation);
}

}  // namespace sweepd::tools
