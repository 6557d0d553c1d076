// SPDX-License-Identifier: MIT
#include <algorithm>

#include "property/reference_world.h"

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.

const ContactRule* ReferenceWorld::rule_of(const EncounterKey& key) const {
  for (const ContactRule& rule : config_.contact_rules) {
    if (std::minmax(rule.layer_a, rule.layer_b) == std::minmax(key.layer_a, key.layer_b)) return &rule;
  }
  return nullptr;
}

bool ReferenceWorld::is_sensor(const EncounterKey& key) const {
  const ContactRule* rule = rule_of(key);
  return rule != nullptr && rule->is_sensor;
}

ReferenceWorld::Object* ReferenceWorld::any_of(ObjectId id) {
  if (Object* object = find(id)) return object;
  const auto gone = gone_.find(id);
  return gone == gone_.end() ? nullptr : &gone->second;
}

void ReferenceWorld::damage(const Destruction& blow) {
  std::uint32_t& left = any_of(blow.object)->spec.hit_points;
  const std::uint32_t damage = any_of(blow.by)->spec.damage;
  if (left == 0 || damage == 0) return;
  left = damage >= left ? 0 : left - damage;
  if (left == 0) destructions_.push_back(blow);
}

bool ReferenceWorld::hit(const EncounterKey& key, TimeOfImpact time) {
  if (used_.contains(key.object_a) || used_.contains(key.object_b)) return false;
  for (const ObjectId id : {key.object_a, key.object_b}) {
    if (any_of(id)->spec.single_use) used_[id] = time;
  }
  damage({key.object_a, key.object_b, key.layer_a, key.layer_b});
  damage({key.object_b, key.object_a, key.layer_b, key.layer_a});
  return true;
}

/// `contacts`: at the end of the tick. Takes from `entered` what never happened.
void ReferenceWorld::decide_outcome(const Contacts& contacts, Sweeps& entered) {
  used_.clear();
  destructions_.clear();
  counted_strikes_.clear();
  for (const auto& [key, contact] : contacts) {
    const ContactRule* rule = rule_of(key);
    if (entered.contains(key) || rule == nullptr || rule->is_sensor || rule->damage_interval_ticks == 0)
      continue;
    if ((tick_ - contact.since_tick) % rule->damage_interval_ticks != 0) continue;
    damage({key.object_a, key.object_b, key.layer_a, key.layer_b});
    damage({key.object_b, key.object_a, key.layer_b, key.layer_a});
  }
  for (const EncounterKey& key : strikes_) {
    if (find(key.object_a) && find(key.object_b) && hit(key, 0)) counted_strikes_.push_back(key);
  }
  strikes_.clear();
  for (int time = 0; time <= kEndOfTick; ++time) {
    std::erase_if(entered, [&](const auto& enter) {
      const auto& [key, sweep] = enter;
      return sweep.time == time && !is_sensor(key) && !hit(key, sweep.time);
    });
  }
  std::erase_if(entered, [&](const auto& enter) {
    const EncounterKey& key = enter.first;
    const TimeOfImpact time = enter.second.time;
    const auto is_over = [&](ObjectId id) { return used_.contains(id) && used_.at(id) < time; };
    return is_sensor(key) && (is_over(key.object_a) || is_over(key.object_b));
  });
  std::sort(destructions_.begin(), destructions_.end());
}

ExitReason ReferenceWorld::outcome_of(const EncounterKey& key) const {
  for (const Destruction& destruction : destructions_) {
    if (destruction.object == key.object_a || destruction.object == key.object_b)
      return ExitReason::kDestroyed;
  }
  const bool is_used = used_.contains(key.object_a) || used_.contains(key.object_b);
  return is_used ? ExitReason::kConsumed : ExitReason::kNone;
}

void ReferenceWorld::end_by_outcome(Contacts& contacts, const Sweeps& entered, std::vector<Event>& events) {
  struct Exit {
    ExitReason reason;
    PartPair parts;
    TimeOfImpact time;
  };
  std::map<EncounterKey, Exit> exits;
  for (const auto& [key, sweep] : entered) {
    if (contacts.contains(key)) continue;
    const ExitReason reason = outcome_of(key);
    exits[key] = {reason == ExitReason::kNone ? ExitReason::kSwept : reason, sweep.parts, sweep.time};
  }
  for (auto contact = contacts.begin(); contact != contacts.end();) {
    const EncounterKey key = contact->first;
    const ExitReason reason = outcome_of(key);
    if (reason == ExitReason::kNone) {
      ++contact;
      continue;
    }
    if (contacts_.contains(key) || entered.contains(key))
      exits[key] = {reason, contact->second.parts, kEndOfTick};
    contact = contacts.erase(contact);
  }
  for (const auto& [key, exit] : exits) {
    append(EventKind::kExit, exit.reason, key, exit.parts, events, exit.time);
  }
  const std::size_t before = removed_by_world_.size();
  for (const Destruction& destruction : destructions_) used_.try_emplace(destruction.object);
  for (const auto& [id, time] : used_) {
    if (objects_.erase(id) > 0) removed_by_world_.push_back(id);
  }
  std::inplace_merge(removed_by_world_.begin(),
                     removed_by_world_.begin() + static_cast<std::ptrdiff_t>(before),
                     removed_by_world_.end());
}

}  // namespace sweepd::property
