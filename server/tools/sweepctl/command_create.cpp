// SPDX-License-Identifier: MIT
#include <iostream>
#include <optional>

#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/match_file_option.h"
#include "tools/sweepctl/match_text.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

struct CreateOptions {
  std::string path;  ///< Of the match file; empty: none.
  MatchConfig config;
  std::vector<std::string> collides;  ///< "A:B"
  std::string playfield;              ///< "MINX,MINY,MAXX,MAXY"
  std::string rules;                  ///< Of approved rules their name; empty: the config says them.
  bool json = false;
};

// What a shoot-'em-up needs as a rule: ships and shots meet what they are meant for, bullets ignore each
// other.
void use_default_layers(MatchConfig& config) {
  config.layers = {"player", "player_shot", "enemy", "enemy_bullet", "item"};
  config.collides = {
      {"player", "enemy"}, {"player", "enemy_bullet"}, {"player", "item"}, {"player_shot", "enemy"}};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
  return fields;
}

std::string check_pair(const std::string& text) {
  const auto names = split(text, ':');
  const bool valid = names.size() == 2 && !names[0].empty() && !names[1].empty() && text.back() != ':';
  return valid ? "" : "'" + text + "' is not LAYER:LAYER";
}

std::optional<Box> parse_playfield(const std::string& text) {
  std::vector<double> edges;
  for (const std::string& field : split(text, ',')) {
    double edge = 0;
    if (!CLI::detail::lexical_cast(field, edge)) return std::nullopt;
    edges.push_back(edge);
  }
  if (edges.size() != 4 || text.back() == ',') return std::nullopt;
  return Box{edges[0], edges[1], edges[2], edges[3]};
}

std::string check_playfield(const std::string& text) {
  return parse_playfield(text) ? "" : "'" + text + "' is not MINX,MINY,MAXX,MAXY";
}

const std::vector<FieldOption> kCreateFieldOptions = {
    {"--name", "name", copy_field<&MatchConfig::name>},
    {"--layer", "layers", copy_field<&MatchConfig::layers>},
    {"--collide", "collides", copy_field<&MatchConfig::collides>},
    {"--playfield", "playfield", copy_field<&MatchConfig::playfield>},
    {"--broadphase", "broadphase", copy_field<&MatchConfig::broadphase>},
    {"--sectors", "sector_grid.scheme", copy_field<&MatchConfig::sector_grid, &SectorGrid::scheme>},
    {"--sector-size", "sector_grid.sector_size",
     copy_field<&MatchConfig::sector_grid, &SectorGrid::sector_size>},
    {"--clock", "clock", copy_field<&MatchConfig::clock>},
    {"--rate", "tick_rate_hz", copy_field<&MatchConfig::tick_rate_hz>},
    {"--deadline-ms", "lockstep.deadline_ms", copy_field<&MatchConfig::lockstep, &Lockstep::deadline_ms>},
    {"--require", "lockstep.required_roles", copy_field<&MatchConfig::lockstep, &Lockstep::required_roles>},
    {"--clock-control", "clock_control_roles", copy_field<&MatchConfig::clock_control_roles>},
    {"--start-after", "start_after_participants", copy_field<&MatchConfig::start_after_participants>},
    {"--late-frames", "late_frames", copy_field<&MatchConfig::late_frames>},
    {"--max-lead", "max_lead_ticks", copy_field<&MatchConfig::max_lead_ticks>}};

void finish_options(CreateOptions& options) {
  MatchConfig& config = options.config;
  if (options.path.empty() && config.layers.empty() && options.collides.empty()) use_default_layers(config);
  for (const std::string& pair : options.collides) {
    const auto names = split(pair, ':');
    config.collides.push_back({names[0], names[1]});
  }
  if (!options.playfield.empty()) config.playfield = parse_playfield(options.playfield);
}

int create_match(const CreateOptions& options, const MatchFile& file, const ServerChoice& server) {
  Client client = make_client(server);
  const Result<MatchInfo> match = options.rules.empty()
                                      ? client.create_match(file.config)
                                      : client.create_match_by_rules(options.rules, file.config);
  if (!match.ok() && !file.path.empty() && !match.status().field().empty()) return fail(match.status(), file);
  if (!match.ok()) return fail(match.status(), server);
  if (options.json) {
    std::cout << match_json(*match, server.address) << std::endl;
    return kExitOk;
  }
  std::cerr << "created " << match_line(*match) << ", endpoint "
            << visible(endpoint_text(match->endpoint, server.address)) << std::endl;
  std::cout << visible(match->match_id) << std::endl;
  return kExitOk;
}

int create(const CLI::App& command, CreateOptions options, const ServerChoice& server) {
  finish_options(options);
  if (options.path.empty()) return create_match(options, MatchFile{.config = options.config}, server);
  std::optional<MatchFile> file = open_match_file(options.path);
  if (!file) return kExitFailed;
  apply_options(command, kCreateFieldOptions, options.config, *file);
  if (const Status status = check_config(file->config); !status.ok()) return fail(status, *file);
  return create_match(options, *file, server);
}

void add_world_options(CLI::App& command, CreateOptions& options) {
  MatchConfig& config = options.config;
  command
      .add_option("--layer", config.layers,
                  "A layer; give it once for each, in order (default: player, "
                  "player_shot, enemy, enemy_bullet, item, and what of these collides)")
      ->type_name("NAME");
  command.add_option("--collide", options.collides, "Two layers that collide; give it once for each pair")
      ->type_name("A:B")
      ->check(CLI::Validator(check_pair, ""));
  command.add_option("--playfield", options.playfield, "In units, for objects that despawn outside it")
      ->type_name("MINX,MINY,MAXX,MAXY")
      ->check(CLI::Validator(check_playfield, ""));
  add_broadphase_options(command, config.broadphase, config.sector_grid);
}

/// An option that may be given once for each role.
void add_roles(CLI::App& command, const std::string& name, std::optional<std::vector<Role>>& roles,
               const std::string& names, const std::string& description) {
  const std::map<std::string, Role> known{
      {"player", Role::kPlayer}, {"stage", Role::kStage}, {"observer", Role::kObserver}};
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [&roles, known](const std::vector<std::string>& words) {
            roles.emplace();
            for (const std::string& word : words) {
              if (word != "nobody") roles->push_back(known.at(word));
            }
          },
          description)
      ->type_name(names)
      ->check(one_of(names));
}

void add_time_options(CLI::App& command, CreateOptions& options) {
  MatchConfig& config = options.config;
  add_choice(command, "--clock", config.clock, "realtime|manual|lockstep",
             {{"realtime", ClockKind::kRealtime},
              {"manual", ClockKind::kManual},
              {"lockstep", ClockKind::kLockstep}},
             "Ticks run by themselves, on request, or when every frame is in (default: realtime)");
  command.add_option("--rate", config.tick_rate_hz, "Ticks per second with the realtime clock")
      ->type_name("HZ")
      ->check(CLI::Range(1, 240))
      ->capture_default_str();
  command
      .add_option("--deadline-ms", config.lockstep.deadline_ms,
                  "How long a tick waits for frames with the lockstep clock")
      ->type_name("MS")
      ->check(CLI::Range(1, 60'000))
      ->capture_default_str();
  add_roles(command, "--require", config.lockstep.required_roles, "player|stage|nobody",
            "Whose frames it waits for (default: player and stage)");
  add_roles(command, "--clock-control", config.clock_control_roles, "player|stage|observer|nobody",
            "Who may pause the match and change its rate (default: stage)");
  command
      .add_option("--start-after", config.start_after_participants,
                  "The clock waits for so many participants")
      ->type_name("N")
      ->check(CLI::Range(0, 64));
  add_choice(
      command, "--late-frames", config.late_frames, "apply|drop|spread",
      {{"apply", LateFramePolicy::kApplyNext},
       {"drop", LateFramePolicy::kDrop},
       {"spread", LateFramePolicy::kSpread}},
      "Late frames apply in the next tick, are refused, or apply one after the other (default: spread)");
  command.add_option("--max-lead", config.max_lead_ticks, "How many ticks ahead a frame may be")
      ->type_name("TICKS")
      ->check(CLI::Range(0, 3600))
      ->capture_default_str();
}

}  // namespace

void add_create_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<CreateOptions>();
  CLI::App* command = add_command(
      app, invocation, "create", "Creates a match and prints its id",
      "  sweepctl create --name 'stage 1' --layer ship --layer bullet --collide ship:bullet --rate 60");
  add_match_file_option(*command, options->path,
                        "A match described in a file (see sweepctl check); other options win over it");
  command->add_option("--name", options->config.name, "For people");
  add_world_options(*command, *options);
  add_time_options(*command, *options);
  command
      ->add_option("--rules", options->rules,
                   "The name of rules that the server has approved: the match has their config. Of all other "
                   "options and of a file --name and --seed count")
      ->type_name("NAME");
  command->add_flag("--json", options->json, "Prints the whole match as JSON instead");
  command->callback([&invocation, options, command] {
    invocation.run = [&invocation, options, command] {
      return create(*command, *options, invocation.server);
    };
  });
}

}  // namespace sweepd::tools
