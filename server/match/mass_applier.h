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

/// Applies what concerns many objects at once, or none: selections, transfers, scrolling.
class MassApplier {
 public:
  MassApplier(FrameApplierState state, const MatchConfig& config);

  /// The objects of a selection, ascending; none where it is refused. `list`, `index`: where the frame has
  /// it.
  std::vector<ObjectId> select(Sender sender, const char* list, std::size_t index,
                               const Selection& selection);
  void transfer(Sender sender, std::size_t index, const Transfer& transfer);
  void scroll(Sender sender, collision::Point origin);

 private:
  /// A ship that stands still at an edge would be left outside, where no bullets live, and graze and shoot
  /// from there.
  void carry_along();
  bool may_carry_along(Sender sender);
  std::optional<RefusalText> fault_of(const Selection& selection, const std::string& field,
                                      RejectionReason* reason) const;
  std::vector<ObjectId> find(const Participant& sender, const Rights& rights,
                             const Selection& selection) const;
  bool check_transfer(Sender sender, const std::string& field, const Transfer& transfer);
  std::optional<Refusal> refusal_of_transfer(const Transfer& transfer, ParticipantNumber from,
                                             ObjectId object) const;
  RefusalText describe_transfer(const Refusal& refusal, const Transfer& transfer, std::string field,
                                ObjectId object) const;
  /// Those that went.
  std::vector<ObjectId> hand_over_objects(Sender sender, const std::string& field, const Transfer& transfer);
  /// Whether the participant may have one more in this tick; otherwise refuses it.
  bool count(Sender sender, const char* list, std::size_t index);
  /// The same for looking at all objects once more.
  bool count_objects(Sender sender, const char* list, std::size_t index);

  FrameApplierState state_;
  RefusalContext context_;
  std::array<std::uint32_t, kParticipantsMax> counts_{};  ///< In `counted_tick_`, by participant.
  std::array<std::uint64_t, kParticipantsMax> objects_counted_{};
  std::uint64_t objects_counted_of_all_ = 0;
  Tick counted_tick_ = 0;
  Tick scrolled_in_ = 0;  ///< The last tick of a scroll that carried objects along.
  std::optional<std::uint32_t> selected_objects_max_;
  std::uint64_t clearable_layers_;  ///< Bit i: layer i.
};

}  // namespace sweepd::match
