// SPDX-License-Identifier: MIT
#include "sweepd/frame_author.h"

#include <algorithm>

#include "frame_draft.h"

namespace sweepd {
namespace internal {
namespace {

/// `make` has the draft, and returns what is wrong with the change.
template <typename Make>
Status change(DraftSource& source, const Make& make) {
  Status why;
  FrameDraft* const draft = source.draft(&why);
  if (draft == nullptr) return why;
  const Checked error = make(*draft);
  return error ? error->status() : Status();
}

/// The same for a change of the object `id`.
template <typename Make>
Status change(DraftSource& source, ObjectId id, const Make& make) {
  return change(source, [&](FrameDraft& draft) -> Checked {
    if (id == 0) return FieldError{ErrorCode::kUnknownObject, "id", "is 0, which names no object"};
    return make(draft);
  });
}

bool is_clearable(const FrameDraft& draft, const std::vector<Part>& parts) {
  const auto& clearable = draft.clearable_layers;
  return std::ranges::any_of(parts, [&clearable](const Part& part) {
    return part.layer < clearable.size() && clearable[part.layer];
  });
}

bool ends_by_itself(const FrameDraft& draft, const ObjectTemplate& kind) {
  const auto is_shape_clearable = [&](const TemplateShape& shape) {
    return is_clearable(draft, shape.parts);
  };
  return kind.time_to_live_max_ticks != 0 || kind.despawn_outside_playfield || kind.single_use ||
         kind.hit_points != 0 || std::ranges::any_of(kind.shapes, is_shape_clearable);
}

/// Whether the server may remove the object without being told to.
bool ends_by_itself(const FrameDraft& draft, const ObjectSpec& spec) {
  const std::size_t place = spec.template_number - std::size_t{1};
  if (place < draft.templates.size() && draft.templates[place].ends_by_itself) return true;
  return is_clearable(draft, spec.parts) || spec.time_to_live_ticks != 0 || spec.despawn_outside_playfield ||
         spec.single_use || spec.hit_points != 0;
}

/// The id for a spawn that asks for `wanted`.
Result<ObjectId> choose_id(const DraftSource& source, ObjectIds& ids, ObjectId wanted) {
  if (ids.empty()) {
    return Status(ErrorCode::kFailedPrecondition, "an observer has no object ids: it spawns nothing");
  }
  if (wanted == 0) {
    if (const ObjectId id = ids.next_free(); id != 0) return id;
    return Status(ErrorCode::kOutOfIds, "every object id " + source.all_ids(ids) + " is in use");
  }
  if (!ids.contains(wanted)) {
    return Status(ErrorCode::kInvalidArgument,
                  "id is " + std::to_string(wanted) + "; the " + source.owner() + "'s block is " +
                      std::to_string(ids.first()) + " to " + std::to_string(ids.last()),
                  {}, "id");
  }
  if (ids.in_use(wanted)) {
    return Status(ErrorCode::kIdInUse,
                  "id " + std::to_string(wanted) + " is in use, or was until this very frame", {}, "id");
  }
  return wanted;
}

}  // namespace

FrameDraft::FrameDraft(const MatchConfig& config, ObjectIds block)
    : frame({.layer_count = static_cast<std::uint32_t>(config.layers.size()),
             .mask_count = static_cast<std::uint32_t>(config.masks.size())}),
      ids(std::move(block)) {
  for (const std::string& layer : config.layers) {
    clearable_layers.push_back(std::ranges::find(config.clearable_layers, layer) !=
                               config.clearable_layers.end());
  }
  for (const ObjectTemplate& kind : config.templates)
    templates.push_back({kind.name, ends_by_itself(*this, kind)});
}

}  // namespace internal

using internal::change;
using internal::FrameDraft;

Result<ObjectId> FrameAuthor::spawn(const ObjectSpec& spec) {
  Status why;
  FrameDraft* const draft = source_->draft(&why);
  if (draft == nullptr) return why;
  Result<ObjectId> id = internal::choose_id(*source_, draft->ids, spec.id);
  if (!id) return id;
  if (auto error = draft->frame.spawn(*id, spec)) return error->status();
  draft->ids.spawned(*id, internal::ends_by_itself(*draft, spec));
  return id;
}

Result<ObjectId> FrameAuthor::spawn(std::string_view kind, Vec2 position, std::optional<Motion> motion) {
  Status why;
  FrameDraft* const draft = source_->draft(&why);
  if (draft == nullptr) return why;
  const auto found = std::ranges::find(draft->templates, kind, &FrameDraft::Kind::name);
  if (found == draft->templates.end()) {
    return Status(ErrorCode::kInvalidArgument,
                  "kind is \"" + std::string(kind) + "\", the name of none of the match's templates", {},
                  "kind");
  }
  const auto number = static_cast<std::uint32_t>(found - draft->templates.begin()) + 1;
  return spawn(ObjectSpec{.position = position, .motion = motion, .template_number = number});
}

Status FrameAuthor::reshape(ObjectId id, const std::vector<Part>& parts) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.reshape(id, parts); });
}

Status FrameAuthor::change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.change_layer(id, layer, part); });
}

Status FrameAuthor::move(ObjectId id, Vec2 position) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.move(id, position); });
}

Status FrameAuthor::teleport(ObjectId id, Vec2 position) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.teleport(id, position); });
}

Status FrameAuthor::set_motion(ObjectId id, const Motion& motion) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.set_motion(id, motion); });
}

Status FrameAuthor::disable(ObjectId id, Tick until_tick) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.disable(id, until_tick); });
}

Status FrameAuthor::enable(ObjectId id) {
  return change(*source_, id, [&](FrameDraft& draft) { return draft.frame.enable(id); });
}

Status FrameAuthor::despawn(ObjectId id) {
  return change(*source_, id, [&](FrameDraft& draft) {
    draft.ids.despawned(id);
    return draft.frame.despawn(id);
  });
}

Status FrameAuthor::despawn_all(const Selection& selection) {
  return change(*source_, [&](FrameDraft& draft) {
    internal::Checked error = draft.frame.despawn_all(selection);
    if (!error) draft.ids.any_may_be_gone();
    return error;
  });
}

Status FrameAuthor::freeze(const Selection& selection) {
  return change(*source_, [&](FrameDraft& draft) { return draft.frame.freeze(selection); });
}

Status FrameAuthor::release(const Selection& selection) {
  return change(*source_, [&](FrameDraft& draft) { return draft.frame.release(selection); });
}

Status FrameAuthor::transfer(const std::vector<ObjectId>& ids, ParticipantNumber to, bool with_stage) {
  return change(*source_, [&](FrameDraft& draft) {
    if (ids.empty()) draft.ids.any_may_be_gone();
    for (const ObjectId id : ids) draft.ids.given_away(id);
    return draft.frame.transfer(ids, to, with_stage);
  });
}

Status FrameAuthor::scroll_to(Vec2 origin) {
  return change(*source_, [&](FrameDraft& draft) { return draft.frame.scroll_to(origin); });
}

Status FrameAuthor::send_message(std::string_view content, const MessageReceiver& to) {
  return change(*source_, [&](FrameDraft& draft) { return draft.frame.send_message(content, to); });
}

Result<std::uint32_t> FrameAuthor::claim_hit(ObjectId shot, ObjectId target, Tick tick_seen,
                                             double tolerance) {
  return claim_hit({.shot = shot, .target = target, .tick_seen = tick_seen, .tolerance = tolerance});
}

Result<std::uint32_t> FrameAuthor::claim_hit(HitClaim claim) {
  const Status status = change(*source_, [&](FrameDraft& draft) {
    claim.number = ++draft.last_claim_number;
    return draft.frame.claim(claim);
  });
  if (!status.ok()) return status;
  return claim.number;
}

}  // namespace sweepd
