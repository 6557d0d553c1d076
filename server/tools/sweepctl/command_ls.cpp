// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iostream>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/match_text.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

using Row = std::vector<std::string>;

// Bytes of a UTF-8 text that begin a character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

Row row_of(const MatchInfo& match, const ServerChoice& server) {
  return {visible(match.match_id),
          match.config.name.empty() ? "-" : visible(match.config.name),
          state_name(match.state),
          std::to_string(match.tick),
          match.durable_tick == 0 ? "-" : std::to_string(match.durable_tick),
          match.lost_ticks == 0 ? "-" : std::to_string(match.lost_ticks),
          clock_name(match),
          achieved_rate_text(match),
          lateness_text(match),
          std::to_string(match.participants.size()),
          std::to_string(match.objects),
          std::to_string(match.events),
          visible(endpoint_text(match.endpoint, server.address))};
}

void print_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], width_of(row[column]));
    }
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      if (column + 1 < row.size()) line += std::string(widths[column] - width_of(row[column]) + 2, ' ');
    }
    std::cout << line << '\n';
  }
}

int ls(bool json, const ServerChoice& server) {
  const Result<std::vector<MatchInfo>> matches = make_client(server).list_matches();
  if (!matches.ok()) return fail(matches.status(), server);
  if (json) {
    std::vector<std::string> values;
    for (const MatchInfo& match : *matches) values.push_back(match_json(match, server.address));
    std::cout << json_array(values) << std::endl;
    return kExitOk;
  }
  std::vector<Row> rows{{"ID", "NAME", "STATE", "TICK", "DURABLE", "LOST", "RATE", "ACHIEVED", "LATE P99",
                         "PARTICIPANTS", "OBJECTS", "EVENTS", "ENDPOINT"}};
  for (const MatchInfo& match : *matches) rows.push_back(row_of(match, server));
  print_table(rows);
  return kExitOk;
}

}  // namespace

void add_ls_command(CLI::App& app, Invocation& invocation) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = add_command(app, invocation, "ls", "Lists the matches of a server",
                                  "  sweepctl ls --server game.example:7777");
  command->add_flag("--json", *json, "As a JSON array");
  command->callback(
      [&invocation, json] { invocation.run = [&invocation, json] { return ls(*json, invocation.server); }; });
}

}  // namespace sweepd::tools
