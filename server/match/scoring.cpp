// SPDX-License-Identifier: MIT
#include "match/scoring.h"

#include <algorithm>
#include <optional>

#include "match/world_config.h"

namespace sweepd::match {
namespace {

constexpr std::uint32_t kAnyReason = ~std::uint32_t{0};

std::uint32_t bit(collision::ExitReason reason) { return 1u << static_cast<unsigned>(reason); }

}  // namespace

Scoring::Scoring(const MatchConfig& config, bool is_strict)
    : is_strict_(is_strict),
      slots_(config.slots.size()),
      by_claims_(matrix_of(config, &CollidingLayers::by_claims)) {
  for (const ScoringRule& given : config.scoring) {
    Rule& rule = rules_.emplace_back();
    rule.layer_a = layer_index_of(config, given.layer_a);
    rule.layer_b = layer_index_of(config, given.layer_b);
    rule.when = given.when;
    rule.points = given.points;
    rule.credits_a = given.credit == ScoringCredit::kOwnerOfA;
    rule.cooldown_ticks = given.once_per_object ? collision::kForever : given.cooldown_ticks;
    rule.exit_reasons = given.exit_reasons.empty() ? kAnyReason : 0;
    for (const collision::ExitReason reason : given.exit_reasons) rule.exit_reasons |= bit(reason);
  }
}

bool Scoring::has(ScoringMoment moment) const {
  return std::ranges::find(rules_, moment, &Rule::when) != rules_.end();
}

void Scoring::score(const collision::World& world, std::span<const collision::Event> events,
                    const ObjectOwners& owners, Scoreboard& scoreboard) {
  if (rules_.empty()) return;
  const Context context{world.tick(), owners, scoreboard};
  for (const collision::Event& event : events) {
    const bool is_enter = event.kind == collision::EventKind::kEnter;
    if (is_enter && by_claims_.allows(event.key.layer_a, event.key.layer_b)) continue;  // Strikes score.
    score_pair(context, is_enter ? ScoringMoment::kEnter : ScoringMoment::kExit, event.key,
               is_enter ? kAnyReason : bit(event.reason));
  }
  for (const collision::EncounterKey& key : world.strikes()) {
    score_pair(context, ScoringMoment::kEnter, key, kAnyReason);
  }
  for (const collision::Destruction& destruction : world.destructions()) {
    score_destruction(context, destruction);
  }
  if (has(ScoringMoment::kContact)) {
    for (const collision::Encounter& encounter : world.open_encounters()) {
      score_pair(context, ScoringMoment::kContact, encounter.key, kAnyReason);
    }
  }
  forget_removed(owners);
}

void Scoring::score_pair(const Context& context, ScoringMoment moment, const collision::EncounterKey& key,
                         std::uint32_t reasons) {
  for (std::uint32_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    if (rule.when != moment || (rule.exit_reasons & reasons) == 0) continue;
    if (rule.layer_a == key.layer_a && rule.layer_b == key.layer_b) {
      apply(context, i, {key.object_a, key.object_b});
    } else if (rule.layer_a == key.layer_b && rule.layer_b == key.layer_a) {
      apply(context, i, {key.object_b, key.object_a});
    }
  }
}

void Scoring::score_destruction(const Context& context, const collision::Destruction& destruction) {
  for (std::uint32_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    const bool is_meant = rule.when == ScoringMoment::kDestroyed && rule.layer_a == destruction.layer &&
                          rule.layer_b == destruction.by_layer;
    if (is_meant) apply(context, i, {destruction.object, destruction.by});
  }
}

void Scoring::apply(const Context& context, std::uint32_t index, Sides sides) {
  const Rule& rule = rules_[index];
  const ObjectId other = rule.credits_a ? sides.b : sides.a;
  const auto owner = context.owners.owner_in_tick(rule.credits_a ? sides.a : sides.b);
  if (!owner || (is_strict_ && !context.scoreboard.has(*owner))) return;
  if (rule.cooldown_ticks > 0) {
    const auto [last, is_first] = counted_.try_emplace({other, index, *owner}, context.tick);
    if (!is_first && context.tick - last->second < rule.cooldown_ticks) return;
    last->second = context.tick;
  }
  context.scoreboard.add(*owner, rule.points);
}

void Scoring::forget(ParticipantNumber number) {
  if (is_strict_ && number < slots_) return;
  std::erase_if(counted_, [&](const auto& entry) { return std::get<2>(entry.first) == number; });
}

void Scoring::save(base::ByteWriter& writer) const {
  const auto& [is_strict, slots, by_claims, rules, counted] = *this;
  writer.number(counted.size());
  for (const auto& [name, tick] : counted) {
    const auto& [object, rule, participant] = name;
    writer.number(object);
    writer.number(rule);
    writer.number(participant);
    writer.number(tick);
  }
}

void Scoring::restore(base::ByteReader& reader, const collision::World& world) {
  for (std::size_t i = reader.count(4); i > 0 && reader.ok(); --i) {
    const ObjectId object = reader.number32();
    const std::uint32_t rule = reader.number32();
    const Counted name{object, rule, reader.number32()};
    const Tick tick = reader.number(world.tick());
    const bool is_in_order = counted_.empty() || counted_.rbegin()->first < name;
    reader.require(is_in_order, "is what has scored out of its order");
    reader.require(rule < rules_.size() && world.find(object),
                   "is no object, or no rule, that can have scored");
    counted_.emplace_hint(counted_.end(), name, tick);
  }
}

/// Its id may come again, for another.
void Scoring::forget_removed(const ObjectOwners& owners) {
  if (counted_.empty()) return;
  for (const ObjectId object : owners.removed_in_tick()) {
    auto first = counted_.lower_bound({object, 0, 0});
    while (first != counted_.end() && std::get<0>(first->first) == object) first = counted_.erase(first);
  }
}

}  // namespace sweepd::match
