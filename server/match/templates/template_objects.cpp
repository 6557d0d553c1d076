// SPDX-License-Identifier: MIT
#include "match/templates/template_objects.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::match {
namespace {

/// No rule looks back further.
constexpr Tick kTicksRemembered = 36'000;

}  // namespace

TemplateObjects::TemplateObjects(const MatchConfig& config, const collision::World& world)
    : world_(world), is_anchor_(config.templates.size()) {
  for (std::size_t i = 0; i < config.templates.size(); ++i) {
    const std::string& name = config.templates[i].name;
    bounds_claims_.push_back(config.templates[i].claim_layers.has_value());
    has_any_for_claims_ |= bounds_claims_.back();
    has_rules_by_age_ |= config.templates[i].disable_within_ticks > 0;
    is_anchor_[i] =
        std::ranges::find(config.visibility, name, &VisibilityRule::near) != config.visibility.end() ||
        std::ranges::any_of(config.templates,
                            [&](const ObjectTemplate& other) { return other.spawn.near == name; });
  }
}

void TemplateObjects::count_in(ObjectId object, const Key& key) {
  Count& count = counts_[key];
  ++count.alive;
  if (!is_anchor_[key.number - 1]) return;
  count.anchors.insert(std::ranges::lower_bound(count.anchors, object), object);
}

void TemplateObjects::count_out(ObjectId object, const Key& key) {
  Count& count = counts_[key];
  SWEEPD_ASSERT(count.alive > 0);
  --count.alive;
  if (is_anchor_[key.number - 1]) count.anchors.erase(std::ranges::lower_bound(count.anchors, object));
}

void TemplateObjects::add(ObjectId object, ParticipantNumber owner, TemplateNumber number, Tick tick) {
  rows_.add(object, {number, tick});
  count_in(object, {owner, number});
}

void TemplateObjects::remove(ObjectId object, ParticipantNumber owner, Tick tick) {
  const TemplateNumber number = template_of(object);
  if (number == kNoTemplate) return;
  count_out(object, {owner, number});
  counts_[{owner, number}].last_gone = tick;
  rows_.erase(object);
}

void TemplateObjects::transfer(ObjectId object, ParticipantNumber from, ParticipantNumber to) {
  const TemplateNumber number = template_of(object);
  if (number == kNoTemplate) return;
  if (from == to) return;
  count_out(object, {from, number});
  counts_[{from, number}].last_gone = world_.tick() + 1;
  count_in(object, {to, number});
}

const TemplateObjects::Count& TemplateObjects::count_of(ParticipantNumber owner,
                                                        TemplateNumber number) const {
  static const Count kNone;
  const auto found = counts_.find({owner, number});
  return found == counts_.end() ? kNone : found->second;
}

void TemplateObjects::note_spawn(ParticipantNumber owner, TemplateNumber number, std::uint32_t interval) {
  counts_[{owner, number}].pace.take(next_tick(), interval);
}

void TemplateObjects::save(base::ByteWriter& writer) const {
  const Tick tick = world_.tick();
  for (const ObjectId object : world_.ids()) {
    const Row* row = rows_.find(object);
    writer.number(row == nullptr ? kNoTemplate : row->number);
    if (row != nullptr && has_rules_by_age_) writer.number(tick - row->spawned);
  }
  writer.number(counts_.size());
  for (const auto& [key, count] : counts_) {
    const Tick age = tick - std::min(count.last_gone, tick);
    writer.number(key.owner);
    writer.number(key.number);
    writer.number(count.last_gone == 0 || age > kTicksRemembered ? 0 : age + 1);
    writer.number(count.may_disable_from > tick ? count.may_disable_from - tick : 0);
    count.pace.save(writer, tick);
  }
}

void TemplateObjects::restore(base::ByteReader& reader) {
  const Tick tick = world_.tick();
  const std::size_t templates = is_anchor_.size();
  for (const ObjectId object : world_.ids()) {
    if (!reader.ok()) return;
    const auto number = static_cast<TemplateNumber>(reader.number(templates));
    if (number == kNoTemplate) continue;
    const Tick spawned = has_rules_by_age_ ? tick - reader.number(tick) : 0;
    add(object, world_.holding_of(object)->owner, number, spawned);
  }
  Key last;
  for (std::size_t i = reader.count(4); i > 0 && reader.ok(); --i) {
    const Key key{static_cast<ParticipantNumber>(reader.number(kParticipantsMax - 1)),
                  static_cast<TemplateNumber>(reader.number(templates))};
    if (!reader.require(key.number > 0 && (last.number == 0 || key > last), "is no further count")) return;
    last = key;
    Count& count = counts_[key];
    const Tick age = reader.number(kTicksRemembered + 1);
    if (!reader.require(age <= tick, "is before the first tick")) return;
    if (age > 0) count.last_gone = tick - (age - 1);
    const Tick wait = reader.number(kTicksRemembered);
    if (wait > 0) count.may_disable_from = tick + wait;
    count.pace.restore(reader, tick);
  }
}

}  // namespace sweepd::match
