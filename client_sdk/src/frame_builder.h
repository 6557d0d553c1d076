// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "field_error.h"
#include "object_codec.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// Gathers the changes of a frame. Moves are absolute columns, by id; how they go over the wire is for the
/// stream (MoveEncoder) to say.
class FrameBuilder {
 public:
  explicit FrameBuilder(const MatchLimits& limits = {}) : limits_(limits) {}

  /// Each either takes the change or returns what is wrong with it and changes nothing.
  Checked spawn(ObjectId id, const ObjectSpec& spec);
  Checked reshape(ObjectId id, const std::vector<Part>& parts);
  Checked change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part);
  Checked move(ObjectId id, Vec2 position);
  Checked teleport(ObjectId id, Vec2 position);
  Checked set_motion(ObjectId id, const Motion& motion);
  Checked freeze(const Selection& selection);
  Checked release(const Selection& selection);
  Checked despawn_all(const Selection& selection);
  Checked scroll_to(Vec2 origin);
  Checked transfer(const std::vector<ObjectId>& objects, ParticipantNumber to, bool with_stage);
  Checked claim(const HitClaim& claim);
  Checked send_message(std::string_view content, const MessageReceiver& to);
  Checked disable(ObjectId id, Tick until_tick);
  Checked enable(ObjectId id);
  Checked despawn(ObjectId id);

  /// The frame in progress goes to `out`, whose old storage serves the next one.
  void finish(Tick tick, Tick acknowledged_tick, v1::Frame* out);

 private:
  struct Point {
    std::int32_t x = 0;
    std::int32_t y = 0;
  };
  struct Move {
    ObjectId id = 0;
    Point to;
  };

  Checked add_selection(const Selection& selection, google::protobuf::RepeatedPtrField<v1::Selection>* list);
  void write_teleports();
  void write_moves();

  MatchLimits limits_;
  v1::Frame frame_;
  std::vector<Move> moves_;  ///< One per object: the last of this frame.
  std::vector<Move> teleports_;
  std::unordered_map<ObjectId, std::size_t> move_rows_;  ///< Where in `moves_`.
};

}  // namespace sweepd::internal
