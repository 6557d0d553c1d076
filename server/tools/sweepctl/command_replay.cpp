// SPDX-License-Identifier: MIT
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "replay/comparison.h"
#include "replay/cut.h"
#include "replay/record_comparison.h"
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

/// What a comparison of two files has found.
struct DiffFindings {
  std::optional<replay::Difference> difference = {};
  std::vector<std::string> statements = {};      ///< What the same ticks are told with otherwise.
  std::vector<std::string> wrong_receipts = {};  ///< "first", "second".
  bool is_any_log = false;

  bool is_same() const { return !difference && statements.empty(); }
};

std::string list_text(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "" : ", ") + visible(entry);
  return text;
}

std::string difference_text(const DiffFindings& found) {
  std::string text = "the same from beginning to end";
  if (found.is_any_log) text = "the same ticks from beginning to end; an input log tells no more";
  if (found.difference)
    text = "tick " + std::to_string(found.difference->tick) + ": " + visible(found.difference->what);
  if (!found.difference && !found.statements.empty())
    text = "the same ticks from beginning to end; they differ in " + list_text(found.statements);
  for (const std::string& which : found.wrong_receipts)
    text += "; the receipt of the " + which + " is not over what its file says";
  return text;
}

std::string list_json(const std::vector<std::string>& entries) {
  std::vector<std::string> values;
  for (const std::string& entry : entries) values.push_back(json_string(entry));
  return json_array(values);
}

std::string difference_json(const DiffFindings& found) {
  JsonObject object;
  object.add_json("same", found.is_same() ? "true" : "false");
  if (const auto& difference = found.difference) {
    object.add("tick", difference->tick).add("what", difference->what);
    if (difference->object) object.add("object", *difference->object);
  }
  if (!found.statements.empty()) object.add_json("statements", list_json(found.statements));
  if (!found.wrong_receipts.empty()) object.add_json("wrong_receipts", list_json(found.wrong_receipts));
  return object.text();
}

/// Of an input log there are no records but those that were made of it.
base::Result<DiffFindings, replay::ComparisonFault> find_differences(const verification::AnyReplay& first,
                                                                     const verification::AnyReplay& second) {
  DiffFindings found{.is_any_log = first.was_input_log() || second.was_input_log()};
  auto difference = replay::compare(first.bytes(), second.bytes());
  if (!difference) return difference.error();
  found.difference = std::move(*difference);
  found.statements = replay::compare_statements(first.reader(), second.reader(), found.is_any_log);
  if (!found.difference && !found.is_any_log) {
    auto records =
        replay::compare_records({first.reader(), first.bytes()}, {second.reader(), second.bytes()});
    if (!records) return records.error();
    found.statements.insert(found.statements.end(), records->begin(), records->end());
  }
  if (replay::has_wrong_receipt(first.reader())) found.wrong_receipts.emplace_back("first");
  if (replay::has_wrong_receipt(second.reader())) found.wrong_receipts.emplace_back("second");
  return found;
}

int diff(const std::string& first, const std::string& second, bool json) {
  const auto first_replay = open_any_replay(first);
  if (!first_replay.ok()) return fail_with(first, first_replay.status().message());
  const auto second_replay = open_any_replay(second);
  if (!second_replay.ok()) return fail_with(second, second_replay.status().message());
  const auto found = find_differences(*first_replay, *second_replay);
  if (!found) return fail_with(found.error().replay == 1 ? first : second, text_of(found.error().fault));
  std::cout << (json ? difference_json(*found) : difference_text(*found)) << std::endl;
  return found->is_same() ? kExitOk : kExitDiffers;
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
                        "that differ, or what else their records say otherwise: nonce, creator, engine, key "
                        "frames, delays of frames, scores, receipt (exit code 12); 0: they are the same, but "
                        "for how ticks are packed",
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
