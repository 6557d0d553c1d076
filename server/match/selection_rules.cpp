// SPDX-License-Identifier: MIT
#include "match/selection_rules.h"

#include <algorithm>

#include "match/refusal.h"

namespace sweepd::match {
namespace {

using Objection = SelectionRules::Objection;

std::optional<Objection> judge_layers(const Rights& rights, const Selection& selection) {
  for (std::size_t i = 0; i < selection.layers.size(); ++i) {
    if (rights.selection_layers >> selection.layers[i] & 1u) continue;
    return Objection{RejectionReason::kLayerNotAllowed,
                     ".layers[" + std::to_string(i) + "]",
                     "the role may not select on layer " + std::to_string(selection.layers[i]),
                     {path_of_limit(rights.place, "selection_layers"), "", selection.layers[i], 0}};
  }
  return std::nullopt;
}

std::optional<Objection> judge_size(const Rights& rights, const Selection& selection) {
  if (rights.selection_size_max == Rights::kNoLimit) return std::nullopt;
  const std::string limit = "; at most " + std::to_string(rights.selection_size_max) + " are allowed";
  const auto objection = [&](const std::string& message, std::uint64_t found) {
    return Objection{
        RejectionReason::kRegionTooLarge,
        ".region",
        message + limit,
        {path_of_limit(rights.place, "selection_size_max"), "", found, rights.selection_size_max}};
  };
  if (!selection.region) return objection("the region is everywhere", Refusal::kWithoutEnd);
  const collision::Box& box = *selection.region;
  const std::int64_t edge =
      std::max(std::int64_t{box.max_x} - box.min_x, std::int64_t{box.max_y} - box.min_y);
  if (edge <= rights.selection_size_max) return std::nullopt;
  return objection("the region has an edge of " + std::to_string(edge) + " subunits",
                   static_cast<std::uint64_t>(edge));
}

}  // namespace

SelectionRules::SelectionRules(const MatchConfig& config, const collision::World& world)
    : world_(world), has_paces_(std::ranges::any_of(config.limits, [](const RoleLimits& limits) {
        return limits.selection_interval_ticks.value_or(0) != 0;
      })) {}

std::optional<Objection> SelectionRules::judge(ParticipantNumber number, const Rights& rights,
                                               const Selection& selection) const {
  if (auto objection = judge_layers(rights, selection)) return objection;
  if (auto objection = judge_size(rights, selection)) return objection;
  return judge_pace(number, rights);
}

std::optional<Objection> SelectionRules::judge_pace(ParticipantNumber number, const Rights& rights) const {
  const std::uint32_t interval = rights.selection_interval_ticks;
  const auto pace = paces_.find(number);
  if (interval == 0 || pace == paces_.end()) return std::nullopt;
  if (pace->second.has_room(world_.tick() + 1, interval, rights.selection_burst)) return std::nullopt;
  const Tick next = pace->second.next(interval, rights.selection_burst);
  return Objection{RejectionReason::kTooSoon,
                   "",
                   "the selection comes in tick " + std::to_string(world_.tick() + 1) +
                       "; the next may come in tick " + std::to_string(next) + ": one in " +
                       std::to_string(interval) + " ticks, and " + std::to_string(rights.selection_burst) +
                       " at once",
                   {path_of_limit(rights.place, "selection_interval_ticks"), "", next, interval}};
}

void SelectionRules::accept(ParticipantNumber number, const Rights& rights) {
  if (rights.selection_interval_ticks == 0) return;
  paces_[number].take(world_.tick() + 1, rights.selection_interval_ticks);
}

void SelectionRules::save(base::ByteWriter& writer) const {
  writer.number(paces_.size());
  for (const auto& [number, pace] : paces_) {
    writer.number(number);
    pace.save(writer, world_.tick());
  }
}

void SelectionRules::restore(base::ByteReader& reader) {
  for (std::size_t count = reader.count(2); reader.ok() && count > 0; --count) {
    const auto number = static_cast<ParticipantNumber>(reader.number(kParticipantsMax - 1));
    reader.require(!paces_.contains(number), "has a participant's selections twice");
    paces_[number].restore(reader, world_.tick());
  }
}

}  // namespace sweepd::match
