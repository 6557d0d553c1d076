// SPDX-License-Identifier: MIT
#include "match/templates/template_config.h"

#include <algorithm>

#include "collision/part_check.h"
#include "match/field_rules.h"
#include "match/part_preparer.h"
#include "match/part_refusal.h"

namespace sweepd::match {
namespace {

/// The first part that no object may have. A mask has no size yet, and is as large as its picture then.
std::optional<Refusal> refusal_of_parts(std::span<const collision::Part> parts, std::uint32_t layer_count) {
  if (parts.empty()) return Refusal{RejectionReason::kNoParts};
  if (parts.size() > collision::kPartsMax) return Refusal{RejectionReason::kTooManyParts};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    collision::Part part = parts[i];
    if (part.kind == collision::ShapeKind::kMask) part.kind = collision::ShapeKind::kBox;
    auto refusal = refusal_of(collision::check_parts({&part, 1}, {}, {layer_count, {}}));
    if (refusal) refusal->part = static_cast<std::uint8_t>(i);
    if (refusal) return refusal;
  }
  return std::nullopt;
}

}  // namespace

/// In the words of frames, of which the parts of a shape have the form.
Found check_shape_parts(const FieldIn<TemplateShape>& field) {
  std::vector<collision::Part> parts = field.owner.parts;
  const auto layer_count = static_cast<std::uint32_t>(field.config.layers.size());
  auto refusal = prepare_parts(parts, field.config.masks);
  if (!refusal) refusal = refusal_of_parts(parts, layer_count);
  if (!refusal) return std::nullopt;
  const std::string path = field.path.substr(0, field.path.rfind('.'));
  RefusalContext context;
  context.layer_count = layer_count;
  context.masks = field.config.masks;
  RefusalText text = describe_parts(*refusal, path, parts, {}, context);
  return FieldError{std::move(text.field), std::move(text.message)};
}

Found check_template_roles(const FieldIn<ObjectTemplate>& field) {
  if (!field.owner.roles.contains(Role::kObserver) && field.owner.roles != RoleSet()) return std::nullopt;
  return FieldError{field.path, "must be PLAYER, STAGE or both: observers spawn nothing"};
}

Found check_transfer_roles(const FieldIn<ObjectTemplate>& field) {
  if (!field.owner.transfer_roles.contains(Role::kObserver)) return std::nullopt;
  return FieldError{field.path, "must be PLAYER, STAGE, both or none: observers own nothing"};
}

Found check_claim_layers(const FieldIn<ObjectTemplate>& field) {
  return check_layer_names(field.path, field.owner.claim_layers, field.config);
}

Found check_disable_interval(const FieldIn<ObjectTemplate>& field) {
  return check_number(field.path, field.owner.disable_interval_ticks,
                      {field.owner.disable_max_ticks, 36'000});
}

namespace {

Found check_box(const std::string& path, const std::optional<collision::Box>& box) {
  if (!box || !collision::is_inverted(*box)) return std::nullopt;
  return FieldError{path, "has a minimum that is greater than its maximum"};
}

}  // namespace

Found check_spawn_region(const FieldIn<SpawnRules>& field) {
  return check_box(field.path, field.owner.region);
}

Found check_spawn_velocity(const FieldIn<SpawnRules>& field) {
  return check_box(field.path, field.owner.velocity);
}

Found check_near(const FieldIn<SpawnRules>& field) {
  return check_anchor(field.path, field.owner.near, field.config);
}

Found check_anchor(const std::string& path, const std::string& name, const MatchConfig& config) {
  const auto& templates = config.templates;
  if (name.empty()) return std::nullopt;
  const auto anchor = std::ranges::find(templates, name, &ObjectTemplate::name);
  if (anchor == templates.end()) {
    if (Found error = check_bytes(path, name, {1, kNameBytesMax})) return error;
    return FieldError{path, "is \"" + name + "\"; must be the name of one of templates"};
  }
  if (anchor->spawn.alive_max && *anchor->spawn.alive_max <= kAnchorsMax) return std::nullopt;
  return FieldError{path, "is \"" + name + "\"; that template must have a spawn.alive_max of at most " +
                              std::to_string(kAnchorsMax)};
}

Found check_templates(const FieldIn<MatchConfig>& field) {
  const auto& templates = field.owner.templates;
  if (Found error = check_count(field.path, templates.size(), {0, kTemplatesMax})) return error;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    const std::string path = indexed(field.path, i);
    if (Found error = check_fields(path, templates[i], field.config)) return error;
    const auto first = std::ranges::find(templates, templates[i].name, &ObjectTemplate::name);
    const auto place = static_cast<std::size_t>(first - templates.begin());
    if (place == i) continue;
    return FieldError{path + ".name", "is \"" + templates[i].name + "\", the name of " +
                                          indexed(field.path, place) + " already; names must be unique"};
  }
  return std::nullopt;
}

}  // namespace sweepd::match
