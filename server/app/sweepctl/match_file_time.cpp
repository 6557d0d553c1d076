// SPDX-License-Identifier: MIT
#include "app/sweepctl/match_file_parts.h"

namespace sweepd::app {
namespace {

constexpr std::array<Word<ClockKind>, 3> kClockWords{
    {{"realtime", ClockKind::kRealtime}, {"manual", ClockKind::kManual}, {"lockstep", ClockKind::kLockstep}}};
constexpr std::array<Word<LateFramePolicy>, 2> kLateFrameWords{
    {{"apply_next", LateFramePolicy::kApplyNext}, {"drop", LateFramePolicy::kDrop}}};

void read_lockstep(TomlTable& file, Lockstep& lockstep) {
  const auto field = file.find("lockstep");
  if (!field) return;
  TomlTable table(*field);
  table.number("deadline_ms", {1, 60'000}, lockstep.deadline_ms);
  read_roles(table, "required_roles", lockstep.required_roles);
  table.finish();
}

}  // namespace

void read_roles(TomlTable& table, const std::string& key, std::optional<std::vector<Role>>& roles) {
  const auto list = table.find(key);
  if (!list || !list->expect(TomlKind::kList, "a list of roles in brackets")) return;
  roles.emplace();
  for (const TomlField& item : list->to_list()) {
    Role role = Role::kPlayer;
    if (item.to_word(kRoleWords, role)) roles->push_back(role);
  }
}

void read_time(TomlTable& file, MatchConfig& config) {
  file.word("clock", kClockWords, config.clock);
  file.number("tick_rate_hz", {1, 240}, config.tick_rate_hz);
  file.number("start_after_participants", {0, 64}, config.start_after_participants);
  read_roles(file, "clock_control_roles", config.clock_control_roles);
  file.number("heartbeat_ticks", {0, 3600}, config.heartbeat_ticks);
  file.word("late_frames", kLateFrameWords, config.late_frames);
  file.number("max_lead_ticks", {0, 3600}, config.max_lead_ticks);
  file.number("max_late_ticks", {0, 3600}, config.max_late_ticks);
  file.number("history_ticks", {0, 3600}, config.history_ticks);
  read_lockstep(file, config.lockstep);
}

}  // namespace sweepd::app
