// SPDX-License-Identifier: MIT
#include "match/digest.h"

#include <algorithm>
#include <array>
#include <concepts>

#include "base/assert.h"
#include "match/field_walk.h"
#include "match/rights.h"
#include "match/world_config.h"

namespace sweepd::match {
namespace {

std::uint64_t pair_of(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; }

std::uint64_t pair_of(collision::Point point) {
  return pair_of(static_cast<std::uint32_t>(point.x), static_cast<std::uint32_t>(point.y));
}

/// Settings that came when there were digests already, and have a form of their own. There will be no further
/// ones: a field that comes later says its number in its row.
enum class Setting : std::uint8_t {
  kContactRules = 1,
  kRoleLimits = 2,
  kLayerLimits = 3,
  kClaims = 4,
  kScoring = 5,
  kRights = 7,
  kTemplates = 8,
  kClaimTolerances = 21,
  kSelectionLimits = 22,
};

/// In the place of a number of parts, of which there are never so many.
constexpr std::uint64_t kTemplateParts = std::uint64_t{1} << 63;
constexpr std::uint64_t kAllParts = std::uint64_t{1} << 32;  ///< Beyond every index of a part.

/// The part of a tag that names the participant.
std::uint32_t tag_of(ParticipantNumber number) {
  SWEEPD_ASSERT(number < kParticipantsMax + kObserversMax);
  return number << 8;
}

void add_shape(base::WordHash& hash, const collision::Part& part) {
  const std::uint32_t kind = static_cast<std::uint32_t>(part.kind) << 8 | (part.is_rising ? 1u << 16 : 0u);
  hash.add(part.layer | kind);
  // A box is told by its edges; its word has been the layer alone since before there were other kinds.
  if (part.kind == collision::ShapeKind::kBox) return;
  hash.add(pair_of(static_cast<std::uint32_t>(part.radius), part.mask));
}

void add_parts(base::WordHash& hash, std::span<const collision::Part> parts) {
  hash.add(parts.size());
  for (const collision::Part& part : parts) {
    hash.add(pair_of({part.box.min_x, part.box.min_y}));
    hash.add(pair_of({part.box.max_x, part.box.max_y}));
    add_shape(hash, part);
  }
}

/// A structure by the rows of its table that are digested, each value as one word or more that tell where it
/// ends.
class RowHash {
 public:
  explicit RowHash(base::WordHash& hash) : hash_(hash) {}

  void add(std::integral auto value) { hash_.add(static_cast<std::uint64_t>(value)); }
  template <typename Kind>
  requires std::is_enum_v<Kind>
  void add(Kind kind) { add(static_cast<std::uint8_t>(kind)); }
  void add(const std::string& text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  void add(RoleSet roles) {
    for (const Role role : roles.list()) add(static_cast<std::uint8_t>(role));
    add(0);
  }
  void add(const std::vector<collision::Part>& parts) { add_parts(hash_, parts); }
  template <typename Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <typename Entry>
  void add(const std::vector<Entry>& entries) {
    add(entries.size());
    for (const Entry& entry : entries) add(entry);
  }
  void add(const HasFields auto& from) {
    for_each_field(std::type_identity<std::remove_cvref_t<decltype(from)>>(), [&](const auto& field) {
      if (field.is_digested && field.setting == 0) add(from.*field.member);
    });
  }

 private:
  base::WordHash& hash_;
};

}  // namespace

Digest::Digest(const MatchConfig& config, const collision::WorldConfig& world, std::uint32_t version)
    : version_(version),
      hashes_delays_(config.claims.window_rise_ticks != 0),
      hashes_messages_(config.app_messages_recorded) {
  hash_.begin(0);
  hash_.add(std::uint64_t{version});
  hash_.add(world.layer_count);
  for (std::uint32_t layer = 0; layer < world.layer_count; ++layer) {
    hash_.add(world.matrix.partners(static_cast<collision::LayerId>(layer)));
  }
  hash_.add(pair_of({config.playfield.min_x, config.playfield.min_y}));
  hash_.add(pair_of({config.playfield.max_x, config.playfield.max_y}));
  hash_.add(static_cast<std::uint64_t>(config.late_frames));
  hash_.add(pair_of(config.max_lead_ticks, config.max_late_ticks));
  hash_.add(pair_of(config.ids_per_participant, config.objects_per_participant_max));
  hash_.add(config.slots.size());
  for (const ParticipantSlot& slot : config.slots) {
    hash_.add(static_cast<std::uint64_t>(slot.role));
    hash_.add(pair_of(slot.first_id, slot.last_id));
  }
  add_masks(config.masks);
  add_contact_rules(world);
  add_scoring(config);
  add_rights(config);
  add_role_limits(config);
  add_layer_limits(config);
  add_claim_rules(config);
  add_templates(config);
  add_later_fields(config);
  add_claim_tolerances(config);
  add_selection_limits(config);
  value_ = hash_.finish();
}

void Digest::add_contact_rules(const collision::WorldConfig& world) {
  if (world.contact_rules.empty()) return;
  std::vector<std::uint64_t> rules;  // In whatever order the config has them.
  for (const collision::ContactRule& rule : world.contact_rules) {
    rules.push_back(rule.layer_a | std::uint64_t{rule.layer_b} << 8 | (rule.is_sensor ? 1u : 0u) << 16 |
                    std::uint64_t{rule.damage_interval_ticks} << 32);
  }
  std::ranges::sort(rules);
  hash_.add(
      pair_of(static_cast<std::uint32_t>(Setting::kContactRules), static_cast<std::uint32_t>(rules.size())));
  hash_.add(rules);
}

/// Scores are no part of the log, but equal digests shall mean equal scores.
void Digest::add_scoring(const MatchConfig& config) {
  if (config.scoring.empty()) return;
  hash_.add(pair_of(static_cast<std::uint32_t>(Setting::kScoring),
                    static_cast<std::uint32_t>(config.scoring.size())));
  for (const ScoringRule& rule : config.scoring) {
    std::uint64_t reasons = 0;
    for (const collision::ExitReason reason : rule.exit_reasons)
      reasons |= 1u << static_cast<unsigned>(reason);
    hash_.add(layer_index_of(config, rule.layer_a) |
              std::uint64_t{layer_index_of(config, rule.layer_b)} << 8 |
              static_cast<std::uint64_t>(rule.when) << 16 | static_cast<std::uint64_t>(rule.credit) << 24 |
              (rule.once_per_object ? std::uint64_t{1} : 0) << 32);
    hash_.add(pair_of(static_cast<std::uint32_t>(rule.points), rule.cooldown_ticks));
    hash_.add(reasons);
  }
}

void Digest::add_rights(const MatchConfig& config) {
  const std::uint64_t clearable = layer_set_of(config, config.clearable_layers);
  if (clearable == 0 && config.stage_handover == StageHandover::kNone) return;
  hash_.add(pair_of(static_cast<std::uint32_t>(Setting::kRights),
                    static_cast<std::uint32_t>(config.stage_handover)));
  hash_.add(clearable);
}

void Digest::add_role_limits(const MatchConfig& config) {
  const RightsTable table(config);
  const std::uint64_t all_layers = ~std::uint64_t{0} >> (collision::kLayersMax - config.layers.size());
  const auto words_of = [&](const Rights& rights) {
    const std::uint32_t teleport = rights.may_teleport ? (*rights.may_teleport ? 2 : 1) : 0;
    return std::array{rights.layers & all_layers, pair_of(rights.objects_max.value, rights.parts_max.value),
                      pair_of(rights.frames_max.value, teleport)};
  };
  for (const Role role : {Role::kPlayer, Role::kStage}) {
    const auto words = words_of(table.of_role(role));
    if (words == words_of({})) continue;
    hash_.add(pair_of(static_cast<std::uint32_t>(Setting::kRoleLimits), static_cast<std::uint32_t>(role)));
    hash_.add(words);
  }
}

void Digest::add_selection_limits(const MatchConfig& config) {
  const RightsTable table(config);
  const std::uint64_t all_layers = ~std::uint64_t{0} >> (collision::kLayersMax - config.layers.size());
  const auto words_of = [&](const Rights& rights) {
    return std::array{rights.selection_layers & all_layers, std::uint64_t{rights.selection_size_max},
                      pair_of(rights.selection_interval_ticks, rights.selection_burst)};
  };
  for (const Role role : {Role::kPlayer, Role::kStage}) {
    const auto words = words_of(table.of_role(role));
    if (words == words_of({})) continue;
    hash_.add(
        pair_of(static_cast<std::uint32_t>(Setting::kSelectionLimits), static_cast<std::uint32_t>(role)));
    hash_.add(words);
  }
}

void Digest::add_layer_limits(const MatchConfig& config) {
  for (std::size_t layer = 0; layer < config.layers.size(); ++layer) {
    const auto limits = std::ranges::find(config.layer_limits, config.layers[layer], &LayerLimits::layer);
    if (limits == config.layer_limits.end() || (!limits->speed_max && !limits->stay_in_playfield)) continue;
    const std::uint64_t flags = (limits->stay_in_playfield ? 1u : 0u) | (limits->speed_max ? 2u : 0u);
    hash_.add(static_cast<std::uint32_t>(Setting::kLayerLimits) | flags << 8 | std::uint64_t{layer} << 32);
    if (limits->speed_max) hash_.add(pair_of(*limits->speed_max, limits->speed_budget_ticks));
  }
}

/// A number outside lists is in the word that names it.
void Digest::add_later_fields(const MatchConfig& config) {
  for_each_field_within(config, [&](const auto& field, const auto& owner, FieldPlace place) {
    const auto& value = owner.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    if (field.setting == 0 || is_as_by_default(field, owner)) return;
    if constexpr (std::is_same_v<Value, std::uint32_t>) {
      if (!place) return hash_.add(pair_of(field.setting, value));
    }
    hash_.add(pair_of(field.setting, place.value_or(0)));
    RowHash(hash_).add(value);
  });
}

void Digest::add_claim_tolerances(const MatchConfig& config) {
  const auto most = claim_tolerances_of(config);
  if (most.empty()) return;
  hash_.add(pair_of(static_cast<std::uint32_t>(Setting::kClaimTolerances),
                    static_cast<std::uint32_t>(most.size())));
  for (const auto& [layers, tolerance] : most)
    hash_.add(pair_of(layers.first | std::uint32_t{layers.second} << 8, tolerance));
}

/// Only claims that are enforced have an outcome.
void Digest::add_claim_rules(const MatchConfig& config) {
  const ClaimRules& rules = config.claims;
  if (rules.policy != ClaimPolicy::kEnforce) return;
  hash_.add(pair_of(static_cast<std::uint32_t>(Setting::kClaims), config.history_ticks));
  hash_.add(pair_of(rules.rewind_ticks_max, rules.delay_allowance_ticks));
  hash_.add(pair_of(rules.tolerance_max, rules.hits_per_shot_max));
  const auto partners = matrix_of(config, &CollidingLayers::by_claims).all_partners();
  hash_.add(partners.size());
  hash_.add(partners);
}

void Digest::add_templates(const MatchConfig& config) {
  if (config.templates.empty()) return;
  hash_.add(static_cast<std::uint64_t>(Setting::kTemplates));
  RowHash(hash_).add(config.templates);
}

void Digest::add_masks(std::span<const MaskConfig> masks) {
  for (const MaskConfig& mask : masks) {
    hash_.add(pair_of(mask.width, mask.height));
    hash_.add(mask.pixel_size);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < mask.rows.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(mask.rows[i])} << i % 8 * 8;
      if (i % 8 < 7 && i + 1 < mask.rows.size()) continue;
      hash_.add(word);
      word = 0;
    }
  }
}

void Digest::begin_tick(Tick tick) {
  SWEEPD_ASSERT(!has_begun_);
  has_begun_ = true;
  hash_.begin(value_);
  hash_.add(tick);
}

void Digest::add_departure(ParticipantNumber number) { add_tag(Entry::kDeparture, number, 0); }

void Digest::add_arrival(const Participant& participant) {
  add_tag(Entry::kArrival, participant.number, 0);
  hash_.add(static_cast<std::uint64_t>(participant.role));
  hash_.add(pair_of(participant.first_id, participant.last_id));
}

namespace {

/// What a frame changes, as entries.
class ChangeHash {
 public:
  ChangeHash(base::WordHash& hash, const Frame& frame, ParticipantNumber number)
      : hash_(hash), frame_(frame), number_tag_(tag_of(number)) {}

  void add(FrameChange kind, const collision::ObjectSpec& spec) {
    add_tag(kind, spec.id);
    hash_.add(pair_of(spec.position));
    add_motion(spec.motion);
    const bool acts = spec.single_use || spec.hit_points > 0 || spec.damage > 0;
    const std::uint32_t flags = (spec.despawn_outside_playfield ? 1u : 0u) | (spec.continuous ? 2u : 0u) |
                                (acts ? 4u : 0u) | (spec.single_use ? 8u : 0u) | (spec.tag != 0 ? 16u : 0u);
    hash_.add(pair_of(spec.time_to_live_ticks, flags));
    if (acts) hash_.add(pair_of(spec.hit_points, spec.damage));
    if (spec.kind != 0) hash_.add(kTemplateParts | spec.kind);
    if (spec.tag != 0) hash_.add(spec.tag);
    add_parts(spec.parts);
  }

  void add(FrameChange kind, const Reshape& reshape) {
    add_tag(kind, reshape.object);
    add_parts(reshape.parts);
  }

  void add(FrameChange kind, const LayerChange& change) {
    add_tag(kind, change.object);
    hash_.add(change.part ? *change.part : kAllParts);
    hash_.add(change.layer);
  }

  void add(FrameChange kind, const Move& move) {
    add_tag(kind, move.object);
    hash_.add(pair_of(move.position));
  }

  void add(FrameChange kind, const MotionChange& change) {
    add_tag(kind, change.object);
    add_motion(change.motion);
  }

  void add(FrameChange kind, const Disable& disable) {
    add_tag(kind, disable.object);
    hash_.add(disable.until_tick);
  }

  void add(FrameChange kind, ObjectId object) { add_tag(kind, object); }

  void add(FrameChange kind, const Selection& selection) {
    add_tag(kind, 0);
    hash_.add(pair_of(static_cast<std::uint32_t>(selection.layers.size()), selection.region ? 1 : 0));
    for (const auto layer : selection.layers) hash_.add(layer);
    if (!selection.region) return;
    hash_.add(pair_of({selection.region->min_x, selection.region->min_y}));
    hash_.add(pair_of({selection.region->max_x, selection.region->max_y}));
  }

  void add(FrameChange kind, const Transfer& transfer) {
    add_tag(kind, 0);
    hash_.add(pair_of(transfer.to, transfer.with_stage ? 1 : 0));
    hash_.add(transfer.objects.size());
    for (const ObjectId object : transfer.objects) hash_.add(object);
  }

  void add(FrameChange kind, collision::Point origin) {
    add_tag(kind, 0);
    hash_.add(pair_of(origin));
  }

  void add(FrameChange kind, const AppMessage& message) {
    add_tag(kind, message.number);
    hash_.add(
        pair_of(static_cast<std::uint32_t>(message.to), static_cast<std::uint32_t>(message.bytes.size())));
    for (std::size_t at = 0; at < message.bytes.size(); at += 8) {
      std::uint64_t word = 0;
      for (std::size_t i = at; i < std::min(at + 8, message.bytes.size()); ++i)
        word |= std::uint64_t{static_cast<unsigned char>(message.bytes[i])} << (8 * (i - at));
      hash_.add(word);
    }
  }

  void add(FrameChange kind, const HitClaim& claim) {
    constexpr std::uint32_t kAny = 256;  // Beyond every index of a part.
    constexpr std::uint64_t kUnmeasured = ~std::uint64_t{0};
    add_tag(kind, claim.shot);
    hash_.add(pair_of(claim.target, claim.tolerance));
    hash_.add(claim.tick_seen);
    hash_.add(pair_of(std::min(claim.shot_part.value_or(kAny), kAny),
                      std::min(claim.target_part.value_or(kAny), kAny)));
    hash_.add(frame_.arrival_tick);
    hash_.add(frame_.delay_ticks ? *frame_.delay_ticks : kUnmeasured);
  }

 private:
  void add_tag(FrameChange kind, ObjectId object) {
    hash_.add(pair_of(static_cast<std::uint32_t>(kind) | number_tag_, object));
  }

  void add_motion(const collision::Motion& motion) {
    hash_.add(pair_of(motion.velocity));
    hash_.add(pair_of(motion.acceleration));
  }

  void add_parts(std::span<const collision::Part> parts) { match::add_parts(hash_, parts); }

  base::WordHash& hash_;
  const Frame& frame_;
  const std::uint32_t number_tag_;
};

}  // namespace

void Digest::begin_frame(const Frame& frame, ParticipantNumber number) {
  frame_ = &frame;
  sender_ = number;
  // Any frame's delay bounds later claims.
  if (hashes_delays_) {
    add_tag(Entry::kDelay, number, 0);
    hash_.add(frame.arrival_tick);
    hash_.add(frame.delay_ticks ? std::uint64_t{*frame.delay_ticks} : ~std::uint64_t{0});
  }
  if (version_ >= kCountsRefusals) return;
  ChangeHash changes(hash_, frame, number);
  for_each_change(frame, [&](auto kind, const auto& change) {
    if (kind.kind == FrameChange::kMessage && !hashes_messages_) return;
    changes.add(kind.kind, change);
  });
}

template <typename Change>
void Digest::add_outcome(FrameChange kind, const Change& change, bool is_made) {
  if (kind == FrameChange::kMessage && !hashes_messages_) return;
  if (is_made && kind != FrameChange::kClaim) return ChangeHash(hash_, *frame_, sender_).add(kind, change);
  ++refused_.at(static_cast<std::size_t>(kind));
  has_refused_ = true;
}
template void Digest::add_outcome(FrameChange, const collision::ObjectSpec&, bool);
template void Digest::add_outcome(FrameChange, const Reshape&, bool);
template void Digest::add_outcome(FrameChange, const LayerChange&, bool);
template void Digest::add_outcome(FrameChange, const Move&, bool);
template void Digest::add_outcome(FrameChange, const MotionChange&, bool);
template void Digest::add_outcome(FrameChange, const Disable&, bool);
template void Digest::add_outcome(FrameChange, const ObjectId&, bool);
template void Digest::add_outcome(FrameChange, const Selection&, bool);
template void Digest::add_outcome(FrameChange, const Transfer&, bool);
template void Digest::add_outcome(FrameChange, const collision::Point&, bool);
template void Digest::add_outcome(FrameChange, const HitClaim&, bool);
template void Digest::add_outcome(FrameChange, const AppMessage&, bool);

void Digest::end_frame() {
  frame_ = nullptr;
  if (!has_refused_) return;
  for (std::uint32_t kind = 0; kind < refused_.size(); ++kind) {
    if (refused_[kind] == 0) continue;
    add_tag(Entry::kRefused, sender_, kind);
    hash_.add(std::uint64_t{refused_[kind]});
  }
  refused_.fill(0);
  has_refused_ = false;
}

void Digest::add_handover(ParticipantNumber receiver) { add_tag(Entry::kHandover, receiver, 0); }

void Digest::add_excess(collision::Excess excess, const collision::TickBudget& budget) {
  add_tag(Entry::kExcess, 0, static_cast<ObjectId>(excess));
  hash_.add(pair_of(budget.overlapping_pairs_max, budget.tests_max));
  hash_.add(budget.events_max);
}

void Digest::finish_tick(std::span<const collision::Event> events, std::uint64_t state_hash) {
  SWEEPD_ASSERT(has_begun_);
  has_begun_ = false;
  for (const collision::Event& event : events) add_event(event);
  add_tag(Entry::kState, 0, 0);
  hash_.add(state_hash);
  value_ = hash_.finish();
}

void Digest::add_tag(Entry entry, ParticipantNumber number, ObjectId object) {
  hash_.add(pair_of(static_cast<std::uint32_t>(entry) | tag_of(number), object));
}

void Digest::add_event(const collision::Event& event) {
  add_tag(Entry::kEvent, 0, 0);
  hash_.add(event.sequence_number);
  hash_.add(event.tick);
  // The end of the tick is 0: so it was before there were other times.
  const std::uint32_t time_before_end = collision::kEndOfTick - event.time_of_impact;
  hash_.add(pair_of(static_cast<std::uint32_t>(event.kind) | time_before_end << 8,
                    static_cast<std::uint32_t>(event.reason)));
  hash_.add(pair_of(event.key.object_a, event.key.object_b));
  hash_.add(pair_of(event.key.layer_a, event.key.layer_b));
  hash_.add(pair_of(event.parts.part_a, event.parts.part_b));
}

}  // namespace sweepd::match
