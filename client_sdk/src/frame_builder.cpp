// SPDX-License-Identifier: MIT
#include "frame_builder.h"

#include <algorithm>

#include "claim_codec.h"
#include "clock_codec.h"
#include "outcome_codec.h"
#include "subunits.h"

namespace sweepd::internal {
Checked FrameBuilder::spawn(ObjectId id, const ObjectSpec& spec) {
  v1::Spawn* spawn = frame_.add_spawns();
  if (auto error = encode(spec, limits_, spawn)) {
    frame_.mutable_spawns()->RemoveLast();
    return error;
  }
  spawn->set_object_id(id);
  return {};
}

Checked FrameBuilder::reshape(ObjectId id, const std::vector<Part>& parts) {
  v1::Reshape* reshape = frame_.add_reshapes();
  if (auto error = encode(parts, limits_, reshape->mutable_parts())) {
    frame_.mutable_reshapes()->RemoveLast();
    return error;
  }
  reshape->set_object_id(id);
  return {};
}

Checked FrameBuilder::change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part) {
  if (auto error = check_layer(layer, limits_.layer_count)) return error;
  v1::LayerChange* change = frame_.add_layer_changes();
  change->set_object_id(id);
  change->set_layer(layer);
  if (part) change->set_part(*part);
  return {};
}

Checked FrameBuilder::move(ObjectId id, Vec2 position) {
  Point to;
  if (auto error = to_subunits(position.x, "position.x", &to.x)) return error;
  if (auto error = to_subunits(position.y, "position.y", &to.y)) return error;
  const auto [row, is_first] = move_rows_.try_emplace(id, moves_.size());
  if (is_first) {
    moves_.push_back({id, to});
  } else {
    moves_[row->second].to = to;
  }
  return {};
}

Checked FrameBuilder::teleport(ObjectId id, Vec2 position) {
  Point to;
  if (auto error = to_subunits(position.x, "position.x", &to.x)) return error;
  if (auto error = to_subunits(position.y, "position.y", &to.y)) return error;
  teleports_.push_back({id, to});
  return {};
}

Checked FrameBuilder::add_selection(const Selection& selection,
                                    google::protobuf::RepeatedPtrField<v1::Selection>* list) {
  if (auto error = encode(selection, limits_.layer_count, list->Add())) {
    list->RemoveLast();
    return std::move(*error).within("selection");
  }
  return {};
}

Checked FrameBuilder::freeze(const Selection& selection) {
  return add_selection(selection, frame_.mutable_freezes());
}

Checked FrameBuilder::release(const Selection& selection) {
  return add_selection(selection, frame_.mutable_releases());
}

Checked FrameBuilder::despawn_all(const Selection& selection) {
  return add_selection(selection, frame_.mutable_mass_despawns());
}

Checked FrameBuilder::scroll_to(Vec2 origin) {
  Point to;
  if (auto error = to_subunits(origin.x, "origin.x", &to.x)) return error;
  if (auto error = to_subunits(origin.y, "origin.y", &to.y)) return error;
  frame_.mutable_scroll()->set_x(to.x);
  frame_.mutable_scroll()->set_y(to.y);
  return {};
}

Checked FrameBuilder::transfer(const std::vector<ObjectId>& objects, ParticipantNumber to, bool with_stage) {
  v1::Transfer* transfer = frame_.add_transfers();
  transfer->mutable_object_ids()->Add(objects.begin(), objects.end());
  transfer->set_to_participant(to);
  transfer->set_with_stage(with_stage);
  return {};
}

Checked FrameBuilder::set_motion(ObjectId id, const Motion& motion) {
  v1::MotionChange* change = frame_.add_motions();
  if (auto error = encode(motion, change->mutable_motion())) {
    frame_.mutable_motions()->RemoveLast();
    return error;
  }
  change->set_object_id(id);
  return {};
}

Checked FrameBuilder::claim(const HitClaim& claim) {
  v1::HitClaim encoded;
  if (auto error = encode(claim, &encoded)) return error;
  *frame_.add_claims() = std::move(encoded);
  return {};
}

Checked FrameBuilder::send_message(std::string_view content, const MessageReceiver& to) {
  constexpr std::size_t kBytesMax = 1024;
  if (content.size() > kBytesMax) {
    return FieldError{ErrorCode::kInvalidArgument, "content",
                      "has " + std::to_string(content.size()) + " bytes; at most " +
                          std::to_string(kBytesMax) + " are allowed"};
  }
  v1::AppMessage* message = frame_.add_messages();
  message->set_content(content.data(), content.size());
  if (to.participant) message->set_to_participant(*to.participant);
  if (to.role) message->set_to_role(encode(*to.role));
  return {};
}

Checked FrameBuilder::disable(ObjectId id, Tick until_tick) {
  v1::Disable* disable = frame_.add_disables();
  disable->set_object_id(id);
  disable->set_until_tick(until_tick);
  return {};
}

Checked FrameBuilder::enable(ObjectId id) {
  frame_.add_enables(id);
  return {};
}

Checked FrameBuilder::despawn(ObjectId id) {
  frame_.add_despawns(id);
  return {};
}

void FrameBuilder::finish(Tick tick, Tick acknowledged_tick, v1::Frame* out) {
  frame_.set_tick(tick);
  frame_.set_acknowledged_tick(acknowledged_tick);
  write_moves();
  write_teleports();
  frame_.Swap(out);
  frame_.Clear();
}

void FrameBuilder::write_teleports() {
  for (const Move& teleport : teleports_) {
    frame_.mutable_teleports()->add_object_id(teleport.id);
    frame_.mutable_teleports()->add_x(teleport.to.x);
    frame_.mutable_teleports()->add_y(teleport.to.y);
  }
  teleports_.clear();
}

void FrameBuilder::write_moves() {
  // Neighbours in id order make small differences, and small differences are single bytes.
  std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.id < b.id; });
  for (const Move& move : moves_) {
    frame_.mutable_absolute_moves()->add_object_id(move.id);
    frame_.mutable_absolute_moves()->add_x(move.to.x);
    frame_.mutable_absolute_moves()->add_y(move.to.y);
  }
  moves_.clear();
  move_rows_.clear();
}

}  // namespace sweepd::internal
