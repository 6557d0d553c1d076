// SPDX-License-Identifier: MIT
#include "match/templates/template_objects.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/growth.h"

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
    has_totals_ |= config.templates[i].spawn.total_max > 0;
    is_anchor_[i] =
        std::ranges::find(config.visibility, name, &VisibilityRule::near) != config.visibility.end() ||
        std::ranges::any_of(config.templates,
                            [&](const ObjectTemplate& other) { return other.spawn.near == name; });
  }
}

TemplateObjects::Count& TemplateObjects::counted(ParticipantNumber owner, TemplateNumber number) {
  SWEEPD_ASSERT(owner < counts_.size());
  Counts& counts = counts_[owner];
  if (counts.empty()) counts.resize(is_anchor_.size());
  std::optional<Count>& count = counts[number - 1];
  return count ? *count : count.emplace();
}

void TemplateObjects::count_in(ObjectId object, ParticipantNumber owner, TemplateNumber number) {
  Count& count = counted(owner, number);
  ++count.alive;
  if (!is_anchor_[number - 1]) return;
  count.anchors.insert(std::ranges::lower_bound(count.anchors, object), object);
}

TemplateObjects::Count& TemplateObjects::count_out(ObjectId object, ParticipantNumber owner,
                                                   TemplateNumber number) {
  Count& count = counted(owner, number);
  SWEEPD_ASSERT(count.alive > 0);
  --count.alive;
  if (is_anchor_[number - 1]) count.anchors.erase(std::ranges::lower_bound(count.anchors, object));
  return count;
}

void TemplateObjects::add(const Place& place, TemplateNumber number, Tick tick) {
  static_assert(kTemplatesMax <= 255);
  const std::size_t size = place.slot + std::size_t{1};
  if (size > numbers_.size()) base::grow_to(numbers_, size);
  numbers_[place.slot] = static_cast<std::uint8_t>(number);
  if (has_rules_by_age_) {
    if (size > spawned_.size()) base::grow_to(spawned_, size);
    spawned_[place.slot] = tick;
  }
  count_in(place.object, place.owner, number);
}

void TemplateObjects::remove(const collision::RemovedObject& removed, Tick tick) {
  const auto& [owner, parts, slot] = removed.holding;
  const TemplateNumber number = template_at(slot);
  if (number == kNoTemplate) return;
  count_out(removed.id, owner, number).last_gone = tick;
  numbers_[slot] = kNoTemplate;
}

void TemplateObjects::transfer(ObjectId object, ParticipantNumber from, ParticipantNumber to) {
  const TemplateNumber number = template_of(object);
  if (number == kNoTemplate) return;
  if (from == to) return;
  count_out(object, from, number).last_gone = next_tick();
  count_in(object, to, number);
}

const TemplateObjects::Count& TemplateObjects::count_of(ParticipantNumber owner,
                                                        TemplateNumber number) const {
  static const Count kNone;
  const Counts& counts = counts_[owner];
  const bool is_kept = number != kNoTemplate && number <= counts.size() && counts[number - 1];
  return is_kept ? *counts[number - 1] : kNone;
}

void TemplateObjects::note_spawn(ParticipantNumber owner, TemplateNumber number, std::uint32_t interval) {
  counted(owner, number).pace.take(next_tick(), interval);
}

void TemplateObjects::save(base::ByteWriter& writer) const {
  const Tick tick = world_.tick();
  for (const ObjectId object : world_.ids()) {
    const TemplateNumber number = template_of(object);
    writer.number(number);
    if (number != kNoTemplate && has_rules_by_age_) writer.number(tick - spawned_in(object));
  }
  std::size_t size = 0;
  for (const Counts& counts : counts_) {
    size += static_cast<std::size_t>(
        std::ranges::count_if(counts, [](const auto& count) { return count.has_value(); }));
  }
  writer.number(size);
  for (ParticipantNumber owner = 0; owner < counts_.size(); ++owner) {
    for (TemplateNumber number = 1; number <= counts_[owner].size(); ++number) {
      const std::optional<Count>& count = counts_[owner][number - 1];
      if (!count) continue;
      writer.number(owner);
      writer.number(number);
      save_count(writer, *count);
    }
  }
}

void TemplateObjects::save_count(base::ByteWriter& writer, const Count& count) const {
  const Tick tick = world_.tick();
  const Tick age = tick - std::min(count.last_gone, tick);
  writer.number(count.last_gone == 0 || age > kTicksRemembered ? 0 : age + 1);
  writer.number(count.may_disable_from > tick ? count.may_disable_from - tick : 0);
  count.pace.save(writer, tick);
  if (has_totals_) writer.number(count.total);
}

void TemplateObjects::restore(base::ByteReader& reader) {
  const Tick tick = world_.tick();
  for (const ObjectId object : world_.ids()) {
    if (!reader.ok()) return;
    const auto number = static_cast<TemplateNumber>(reader.number(is_anchor_.size()));
    if (number == kNoTemplate) continue;
    const Tick spawned = has_rules_by_age_ ? tick - reader.number(tick) : 0;
    const collision::Holding holding = *world_.holding_of(object);
    add({object, holding.slot, holding.owner}, number, spawned);
  }
  restore_counts(reader);
}

void TemplateObjects::restore_counts(base::ByteReader& reader) {
  std::pair<ParticipantNumber, TemplateNumber> last{0, kNoTemplate};
  for (std::size_t i = reader.count(4); i > 0 && reader.ok(); --i) {
    const auto owner = static_cast<ParticipantNumber>(reader.number(kParticipantsMax - 1));
    const auto number = static_cast<TemplateNumber>(reader.number(is_anchor_.size()));
    const std::pair key(owner, number);
    if (!reader.require(number > 0 && (last.second == 0 || key > last), "is no further count")) return;
    last = key;
    restore_count(reader, counted(owner, number));
  }
}

void TemplateObjects::restore_count(base::ByteReader& reader, Count& count) const {
  const Tick tick = world_.tick();
  const Tick age = reader.number(kTicksRemembered + 1);
  if (!reader.require(age <= tick, "is before the first tick")) return;
  if (age > 0) count.last_gone = tick - (age - 1);
  const Tick wait = reader.number(kTicksRemembered);
  if (wait > 0) count.may_disable_from = tick + wait;
  count.pace.restore(reader, tick);
  if (has_totals_) count.total = reader.number32();
}

}  // namespace sweepd::match
