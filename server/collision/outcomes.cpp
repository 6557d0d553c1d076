// SPDX-License-Identifier: MIT
#include "collision/outcomes.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

/// Whether contact can do anything to it, or by it.
bool acts(const Object& object) { return object.is_single_use || object.has_vitals; }

}  // namespace

struct Outcomes::Tally {
  ObjectTable& objects;

  bool any_acts(const EncounterKey& key) const {
    return acts(*objects.find_any(key.object_a)) || acts(*objects.find_any(key.object_b));
  }
};

void Outcomes::clear() {
  counted_strikes_.clear();
  if (used_.size() > 0) used_.clear();
  used_ids_.clear();
  destructions_.clear();
  removed_.clear();
  damaged_.clear();
}

void Outcomes::resolve(ObjectTable& objects, const EncounterTable& encounters, std::span<Enter> enters,
                       Tick tick) {
  clear();
  if (objects.acting_count() > 0 || !strikes_.empty()) {
    Tally tally{objects};
    repeat_damage(tally, encounters, tick);
    apply_strikes(tally);
    apply_enters(tally, enters);
    apply_sensors(enters);
    collect_removed(objects);
  }
  strikes_.clear();
}

void Outcomes::repeat_damage(Tally& tally, const EncounterTable& encounters, Tick tick) {
  if (!rules_.has_damage_intervals()) return;
  for (const auto& [key, parts, since_tick] : encounters.sorted()) {
    if (since_tick == tick || rules_.is_sensor(key.layer_a, key.layer_b)) continue;
    const Tick interval = rules_.damage_interval_ticks(key.layer_a, key.layer_b);
    if (interval == 0 || (tick - since_tick) % interval != 0) continue;
    damage(tally, {key.object_a, key.object_b, key.layer_a, key.layer_b});
    damage(tally, {key.object_b, key.object_a, key.layer_b, key.layer_a});
  }
}

void Outcomes::apply_strikes(Tally& tally) {
  for (const EncounterKey& key : strikes_) {
    // Not an object that was removed after the strike, by this tick's other changes or by its time to live.
    const bool exist =
        tally.objects.find(key.object_a) != nullptr && tally.objects.find(key.object_b) != nullptr;
    if (exist && hit(tally, key, 0)) counted_strikes_.push_back(key);
  }
}

void Outcomes::apply_enters(Tally& tally, std::span<Enter> enters) {
  static thread_local std::vector<Enter*> order;  // Kept for its memory only.
  order.clear();
  for (Enter& enter : enters) {
    if (tally.any_acts(enter.key) && !rules_.is_sensor(enter.key.layer_a, enter.key.layer_b)) {
      order.push_back(&enter);
    }
  }
  std::ranges::stable_sort(order, {}, [](const Enter* enter) { return enter->time_of_impact; });
  for (Enter* enter : order) enter->never_happened = !hit(tally, enter->key, enter->time_of_impact);
}

void Outcomes::apply_sensors(std::span<Enter> enters) const {
  if (used_ids_.empty()) return;
  for (Enter& enter : enters) {
    if (!rules_.is_sensor(enter.key.layer_a, enter.key.layer_b)) continue;
    enter.never_happened = is_used_before(enter.key.object_a, enter.time_of_impact) ||
                           is_used_before(enter.key.object_b, enter.time_of_impact);
  }
}

bool Outcomes::is_used_before(ObjectId id, TimeOfImpact time) const {
  const TimeOfImpact* used_at = used_.find(id);
  return used_at != nullptr && *used_at < time;
}

/// False: one of the two has been used up.
bool Outcomes::hit(Tally& tally, const EncounterKey& key, TimeOfImpact time) {
  const ObjectId ids[] = {key.object_a, key.object_b};
  if (std::ranges::any_of(ids, [this](ObjectId id) { return used_.find(id) != nullptr; })) return false;
  for (const ObjectId id : ids) {
    if (!tally.objects.find_any(id)->is_single_use) continue;
    used_.add(id, time);
    used_ids_.push_back(id);
  }
  damage(tally, {key.object_a, key.object_b, key.layer_a, key.layer_b});
  damage(tally, {key.object_b, key.object_a, key.layer_b, key.layer_a});
  return true;
}

void Outcomes::damage(Tally& tally, const Destruction& blow) {
  Vitals* target = tally.objects.vitals_of(blow.object);
  const Vitals* by = tally.objects.vitals_of(blow.by);
  if (target == nullptr || by == nullptr || target->hit_points == 0 || by->damage == 0) return;
  target->hit_points -= std::min(target->hit_points, by->damage);
  damaged_.push_back(blow.object);
  if (target->hit_points == 0) destructions_.push_back(blow);
}

void Outcomes::collect_removed(const ObjectTable& objects) {
  std::ranges::sort(destructions_);
  removed_ = used_ids_;
  for (const Destruction& destruction : destructions_) removed_.push_back(destruction.object);
  std::erase_if(removed_, [&](ObjectId id) { return objects.find(id) == nullptr; });
  std::ranges::sort(removed_);
  removed_.erase(std::unique(removed_.begin(), removed_.end()), removed_.end());
}

ExitReason Outcomes::reason_for(const EncounterKey& key) const {
  const auto is_destroyed = [this](ObjectId id) {
    const auto found = std::ranges::lower_bound(destructions_, id, {}, &Destruction::object);
    return found != destructions_.end() && found->object == id;
  };
  if (is_destroyed(key.object_a) || is_destroyed(key.object_b)) return ExitReason::kDestroyed;
  const bool is_used = used_.find(key.object_a) != nullptr || used_.find(key.object_b) != nullptr;
  return is_used ? ExitReason::kConsumed : ExitReason::kNone;
}

}  // namespace sweepd::collision
