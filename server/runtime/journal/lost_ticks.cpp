// SPDX-License-Identifier: MIT
#include "runtime/journal/lost_ticks.h"

#include <algorithm>
#include <map>

namespace sweepd::runtime {
namespace {

std::map<JournalKey, LostTicks> durable_ticks(const std::vector<Witness::Entry>& witnessed,
                                              const std::vector<Witness::Entry>& known) {
  std::map<JournalKey, LostTicks> durable;
  for (const auto* entries : {&witnessed, &known}) {
    for (const Witness::Entry& entry : *entries) {
      LostTicks& match = durable[entry.match];
      match.match = entry.match;
      if (match.id.empty()) match.id = entry.id;
      match.durable_tick = std::max(match.durable_tick, entry.durable_tick);
    }
  }
  return durable;
}

}  // namespace

std::vector<LostTicks> find_lost_ticks(const std::vector<Witness::Entry>& witnessed, const Recovery& recovery,
                                       const HasReplay& has_replay) {
  auto durable = durable_ticks(witnessed, recovery.known);
  // The archivist compares their logs with their ends.
  for (const JournalKey ended : recovery.ended) durable.erase(ended);
  std::vector<LostTicks> lost;
  for (const RecoveredMatch& match : recovery.matches) {
    const auto found = durable.extract(match.key);
    if (found.empty()) continue;
    found.mapped().id = match.origin.id;
    found.mapped().after_tick = match.match->tick();
    if (found.mapped().durable_tick > match.match->tick()) lost.push_back(found.mapped());
  }
  for (auto& [key, gone] : durable) {
    if (!gone.id.empty() && has_replay(gone.id)) continue;
    gone.is_gone = true;
    lost.push_back(gone);
  }
  return lost;
}

std::string describe(const LostTicks& lost) {
  const std::string match = "match " + (lost.id.empty() ? std::to_string(lost.match) : lost.id);
  if (lost.is_gone) {
    return match + " is lost" +
           (lost.durable_tick == 0 ? "" : ", with ticks 1 to " + std::to_string(lost.durable_tick));
  }
  return match + ": " + std::to_string(lost.count()) + " durable ticks are lost, " +
         std::to_string(lost.after_tick + 1) + " to " + std::to_string(lost.durable_tick) +
         "; it goes on after tick " + std::to_string(lost.after_tick);
}

}  // namespace sweepd::runtime
