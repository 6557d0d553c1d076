// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "match/frame.h"
#include "match/frame_applier_state.h"
#include "match/participant.h"
#include "match/refusal.h"

namespace sweepd::match {

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
  bool check_receiver(Sender sender, const std::string& field, const Transfer& transfer);
  /// Why the receiver may not have one more object, this one.
  std::optional<Refusal> receiver_refusal(const Transfer& transfer, ParticipantNumber from,
                                          ObjectId object) const;
  void hand_over_objects(Sender sender, const std::string& field, const Transfer& transfer);
  void refuse(Sender sender, RejectionReason reason, ObjectId object, std::string field, std::string message);

  FrameApplierState state_;
  RefusalContext context_;
  std::uint64_t clearable_layers_;  ///< Bit i: layer i.
};

}  // namespace sweepd::match
