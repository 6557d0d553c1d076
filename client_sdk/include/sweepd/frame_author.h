// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sweepd/status.h"
#include "sweepd/types.h"

namespace sweepd {

namespace internal {
class DraftSource;
}

/// Makes the changes of a frame: what a Session and an InputSeat have in common.
///
/// Changes gather in the frame in progress until `end_frame` sends it. A change with a bad argument returns
/// an error and changes nothing. A frame's changes apply by kind, not in the order of the calls: spawns,
/// reshapes, layer changes, moves, teleports, motions, freezes, releases, disables, enables, transfers,
/// despawns, mass despawns, scroll. Of several moves of one object in a frame the last one counts.
class FrameAuthor {
 public:
  /// The id is the new object's at once, without a round trip. The SDK hands out the ids of the block in
  /// order and begins again at the first when it has used the last, leaving out objects that it spawned and
  /// has not despawned. It does not see what the server removes by itself (time to live, playfield, used up,
  /// destroyed, cleared): despawning such an object is not needed, and its id comes again only after all the
  /// others of the block.
  /// The server may refuse the spawn, which comes back as a rejection of this id with a `field` that begins
  /// with "spawns": then the object never existed, and later changes of it are UNKNOWN_OBJECT. Forget the id,
  /// and spawn again when the reason is gone.
  Result<ObjectId> spawn(const ObjectSpec& spec);
  /// By a template of the match, which gives all else: `spawn("ship", {240, 600})`.
  Result<ObjectId> spawn(std::string_view kind, Vec2 position, std::optional<Motion> motion = std::nullopt);
  /// This and the changes below go to the server for any id but 0: it knows the owners.
  Status reshape(ObjectId id, const std::vector<Part>& parts);
  /// Without `part`: all parts.
  Status change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part = std::nullopt);
  Status move(ObjectId id, Vec2 position);
  /// Without a way there: a continuous object meets nothing in between.
  Status teleport(ObjectId id, Vec2 position);
  Status set_motion(ObjectId id, const Motion& motion);
  /// Meets nothing until `until_tick`, the first tick in which it is judged again; 0: until enabled.
  Status disable(ObjectId id, Tick until_tick = 0);
  Status enable(ObjectId id);
  Status despawn(ObjectId id);

  /// A bomb: all of these despawn. At most 16 of these four together in a tick. What the session may not
  /// clear stays, without a rejection.
  Status despawn_all(const Selection& selection);
  /// They do not move by their motion until released; their times to live run.
  Status freeze(const Selection& selection);
  Status release(const Selection& selection);
  /// Objects go to another player or stage; without any, all of this session's. `with_stage`: this session's
  /// part as the stage goes along. Only for a session that acts as a stage.
  Status transfer(const std::vector<ObjectId>& ids, ParticipantNumber to, bool with_stage = false);
  /// Moves the playfield's origin to so far from where the config has it. Only for a session that acts as a
  /// stage.
  Status scroll_to(Vec2 origin);

  /// Bytes of the game's own to other participants, told with the tick in which the frame in progress applies
  /// (MatchFeed::poll_message): inputs to the stage, say. At most 1024 bytes, 16 messages a frame, and
  /// MatchConfig::app_messages_per_second; more than that, or a message without a receiver, comes back as a
  /// rejection.
  Status send_message(std::string_view content, const MessageReceiver& to = {});

  /// Claims that a shot of this session's hit `target`, as it was seen: see HitClaim. It goes with the frame
  /// in progress, and is judged against the ticks that are over when that applies; the verdict comes back by
  /// `Session::poll_verdict` under the number that this returns.
  Result<std::uint32_t> claim_hit(ObjectId shot, ObjectId target, Tick tick_seen, double tolerance = 0);
  /// The same, with all there is to say. Its number is replaced.
  Result<std::uint32_t> claim_hit(HitClaim claim);

 protected:
  explicit FrameAuthor(std::shared_ptr<internal::DraftSource> source) : source_(std::move(source)) {}

 private:
  std::shared_ptr<internal::DraftSource> source_;
};

}  // namespace sweepd
