// SPDX-License-Identifier: MIT
#include "unit/sweepctl/match_file_writer.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

namespace sweepd::app {
namespace {

std::string quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += quotes(text) + ", ";
  return out + "]";
}

const char* word(Role role) {
  return role == Role::kPlayer ? "player" : role == Role::kStage ? "stage" : "observer";
}

std::string list_of(const std::vector<Role>& roles) {
  std::vector<std::string> words;
  for (const Role role : roles) words.emplace_back(word(role));
  return list_of(words);
}

std::string exact(double number) {
  std::ostringstream out;
  out.precision(17);
  out << number;
  return out.str();
}

const char* flag(bool value) { return value ? "true" : "false"; }

void write_values(const MatchConfig& config, std::ostream& out) {
  static const char* const kClocks[] = {"realtime", "manual", "lockstep"};
  static const char* const kBroadphases[] = {"sweep_and_prune", "brute_force", "sector_grid", "approach"};
  out << "name = " << quotes(config.name) << "\nlayers = " << list_of(config.layers)
      << "\nclearable_layers = " << list_of(config.clearable_layers)
      << "\nclock = " << quotes(kClocks[static_cast<int>(config.clock)])
      << "\ntick_rate_hz = " << config.tick_rate_hz
      << "\nlate_frames = " << (config.late_frames == LateFramePolicy::kDrop ? "'drop'" : "'apply_next'")
      << "\nmax_lead_ticks = " << config.max_lead_ticks << "\nmax_late_ticks = " << config.max_late_ticks
      << "\nhistory_ticks = " << config.history_ticks << "\nreconnect_ticks = " << config.reconnect_ticks
      << "\nretained_ticks = " << config.retained_ticks
      << "\nstart_after_participants = " << config.start_after_participants
      << "\nids_per_participant = " << config.ids_per_participant
      << "\nobjects_per_participant_max = " << config.objects_per_participant_max
      << "\nheartbeat_ticks = " << config.heartbeat_ticks
      << "\nbroadphase = " << quotes(kBroadphases[static_cast<int>(config.broadphase)])
      << "\nstage_handover = "
      << (config.stage_handover == StageHandover::kNone ? "'none'" : "'lowest_number'")
      << "\nseed = " << quotes(std::to_string(config.seed)) << "\n";
  if (config.clock_control_roles)
    out << "clock_control_roles = " << list_of(*config.clock_control_roles) << "\n";
}

void write_tables(const MatchConfig& config, std::ostream& out) {
  static const char* const kSchemes[] = {"four_shifts", "plain", "horizontal_strips", "vertical_strips"};
  out << "[lockstep]\ndeadline_ms = " << config.lockstep.deadline_ms << "\n";
  if (config.lockstep.required_roles)
    out << "required_roles = " << list_of(*config.lockstep.required_roles) << "\n";
  out << "[sector_grid]\nscheme = " << quotes(kSchemes[static_cast<int>(config.sector_grid.scheme)])
      << "\nsector_size = " << exact(config.sector_grid.sector_size)
      << "\n[ruleset]\nname = " << quotes(config.ruleset.name)
      << "\nversion = " << quotes(config.ruleset.version) << "\n";
  if (!config.playfield) return;
  const Box& box = *config.playfield;
  out << "[playfield]\nmin_x = " << exact(box.min_x) << "\nmin_y = " << exact(box.min_y)
      << "\nmax_x = " << exact(box.max_x) << "\nmax_y = " << exact(box.max_y) << "\n";
}

void write_matrix(const MatchConfig& config, std::ostream& out) {
  // A layer has one row: only its own row may have its pairs, in whatever order the config has them.
  out << "[collides]\n";
  for (const std::string& layer : config.layers) {
    std::vector<std::string> others;
    for (const CollidingLayers& pair : config.collides) {
      if (pair.layer_a == layer) others.push_back(pair.layer_b);
    }
    if (!others.empty()) out << quotes(layer) << " = " << list_of(others) << "\n";
  }
  for (const CollidingLayers& pair : config.collides) {
    out << "[[contacts]]\nlayers = " << list_of(std::vector<std::string>{pair.layer_b, pair.layer_a})
        << "\nsensor = " << flag(pair.sensor) << "\nby_claims = " << flag(pair.by_claims)
        << "\ndamage_interval_ticks = " << pair.damage_interval_ticks << "\n";
  }
}

void write_number(const char* key, const std::optional<std::uint32_t>& number, std::ostream& out) {
  if (number) out << key << " = " << *number << "\n";
}

void write_limits(const MatchConfig& config, std::ostream& out) {
  for (const RoleLimits& limits : config.limits) {
    out << "[[limits]]\nrole = " << quotes(word(limits.role)) << "\n";
    if (limits.spawn_layers) out << "spawn_layers = " << list_of(*limits.spawn_layers) << "\n";
    write_number("objects_max", limits.objects_max, out);
    write_number("parts_max", limits.parts_max, out);
    write_number("frames_max", limits.frames_max, out);
    write_number("frame_bytes_max", limits.frame_bytes_max, out);
    write_number("bytes_per_second_max", limits.bytes_per_second_max, out);
    if (limits.may_teleport) out << "may_teleport = " << flag(*limits.may_teleport) << "\n";
  }
  for (const LayerLimits& limits : config.layer_limits) {
    out << "[[layer_limits]]\nlayer = " << quotes(limits.layer) << "\n";
    if (limits.speed_max) out << "speed_max = " << exact(*limits.speed_max) << "\n";
    out << "speed_budget_ticks = " << limits.speed_budget_ticks
        << "\nstay_in_playfield = " << flag(limits.stay_in_playfield) << "\n";
  }
}

void write_claims(const ClaimRules& claims, std::ostream& out) {
  static const char* const kPolicies[] = {"observe", "warn", "enforce"};
  out << "[claims]\npolicy = " << quotes(kPolicies[static_cast<int>(claims.policy)])
      << "\nrewind_ticks_max = " << claims.rewind_ticks_max
      << "\ntolerance_max = " << exact(claims.tolerance_max)
      << "\ndelay_allowance_ticks = " << claims.delay_allowance_ticks
      << "\nhits_per_shot_max = " << claims.hits_per_shot_max << "\n";
}

void write_scoring(const MatchConfig& config, std::ostream& out) {
  static const char* const kMoments[] = {"enter", "exit", "destroyed", "contact"};
  for (const ScoringRule& rule : config.scoring) {
    std::vector<std::string> reasons;
    for (const ExitReason reason : rule.exit_reasons) {
      std::string name = to_string(reason);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      reasons.push_back(name);
    }
    out << "[[scoring]]\nname = " << quotes(rule.name) << "\nlayer_a = " << quotes(rule.layer_a)
        << "\nlayer_b = " << quotes(rule.layer_b)
        << "\nwhen = " << quotes(kMoments[static_cast<int>(rule.when)]) << "\npoints = " << rule.points
        << "\ncredit = " << (rule.credit == ScoringCredit::kOwnerOfA ? "'owner_of_a'" : "'owner_of_b'")
        << "\nonce_per_object = " << flag(rule.once_per_object)
        << "\ncooldown_ticks = " << rule.cooldown_ticks << "\nexit_reasons = " << list_of(reasons) << "\n";
  }
}

void write_masks(const MatchConfig& config, std::ostream& out) {
  for (const BitMask& mask : config.masks) {
    out << "[[masks]]\npixel_size = " << exact(mask.pixel_size()) << "\nrows = [";
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
      out << "\n  '";
      for (std::uint32_t x = 0; x < mask.width(); ++x) out << (mask.test(x, y) ? '#' : '.');
      out << "',";
    }
    out << "]\n";
  }
}

void write_slots(const MatchConfig& config, std::ostream& out) {
  for (const ParticipantSlot& slot : config.slots) {
    out << "[[slots]]\nname = " << quotes(slot.name) << "\nrole = " << quotes(word(slot.role))
        << "\nfirst_id = " << slot.first_id << "\nlast_id = " << slot.last_id << "\n";
  }
}

}  // namespace

std::string match_file_of(const MatchConfig& config) {
  std::ostringstream out;
  write_values(config, out);
  write_tables(config, out);
  write_matrix(config, out);
  write_limits(config, out);
  write_claims(config.claims, out);
  write_scoring(config, out);
  write_masks(config, out);
  write_slots(config, out);
  return out.str();
}

}  // namespace sweepd::app
