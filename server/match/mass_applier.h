// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "match/frame.h"
#include "match/frame_applier_state.h"
#include "match/participant.h"
#include "match/refusal.h"

namespace sweepd::match {

/// How many selections and transfers a participant has in a tick, all frames and kinds together: each is a
/// word on the wire, and may concern every object of a match.
inline constexpr std::uint32_t kMassChangesMax = 16;

/// Applies what concerns many objects at once, or none: mass despawns, freezes, releases, transfers,
/// scrolling.
class MassApplier {
 public:
  MassApplier(FrameApplierState state, const MatchConfig& config);

  /// Whoever sends what is applied next, in the tick in progress.
  struct Sender {
    Participant& participant;
    Tick frame_tick;
  };

  void freeze(Sender sender, const std::vector<Selection>& selections);
  void release(Sender sender, const std::vector<Selection>& selections);
  void despawn(Sender sender, const std::vector<Selection>& selections);
  void transfer(Sender sender, const std::vector<Transfer>& transfers);
  void scroll(Sender sender, const std::optional<collision::Point>& origin);

 private:
  /// Calls `act(id)` for each object of a selection, ascending, or refuses it.
  template <typename Act>
  void for_selected(Sender sender, const char* list, std::size_t index, const Selection& selection,
                    const Act& act);
  std::optional<RefusalText> fault_of(const Selection& selection, const std::string& field,
                                      RejectionReason* reason) const;
  std::vector<ObjectId> select(const Participant& sender, const Selection& selection) const;
  void transfer(Sender sender, std::size_t index, const Transfer& transfer);
  bool check_transfer(Sender sender, const std::string& field, const Transfer& transfer);
  std::optional<Refusal> refusal_of_transfer(const Transfer& transfer, ParticipantNumber from,
                                             ObjectId object) const;
  RefusalText describe_transfer(const Refusal& refusal, const Transfer& transfer, std::string field,
                                ObjectId object) const;
  /// Those that went.
  std::vector<ObjectId> hand_over_objects(Sender sender, const std::string& field, const Transfer& transfer);
  /// Whether the participant may have one more in this tick; otherwise refuses it.
  bool count(Sender sender, const char* list, std::size_t index);
  /// `describe`: makes field and message, and is called only where they are listed.
  template <typename Describe>
  void refuse(Sender sender, RejectionReason reason, ObjectId object, const Describe& describe);

  FrameApplierState state_;
  RefusalContext context_;
  std::array<std::uint32_t, kParticipantsMax> counts_{};  ///< In `counted_tick_`, by participant.
  Tick counted_tick_ = 0;
  std::uint64_t clearable_layers_;  ///< Bit i: layer i.
};

}  // namespace sweepd::match
