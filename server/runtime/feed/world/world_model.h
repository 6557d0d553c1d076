// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/tick_observer.h"
#include "match/history/part_store.h"
#include "match/match.h"
#include "match/templates/template_objects.h"

namespace sweepd::runtime {

/// Where something that was at `position` when its motion began to take it on is `ticks` later: as
/// collision::advance, so often. At the end of the range what would be beyond it.
collision::Point moved_on(collision::Point position, const collision::Motion& motion, match::Tick ticks);
collision::Motion sped_up(const collision::Motion& motion, match::Tick ticks);

/// An object as it was after tick `since`; after that it has gone on by its motion alone.
struct ModelObject {
  match::ObjectId id = 0;  ///< 0: there is none in this slot.
  match::ParticipantNumber owner = 0;
  match::Tick since = 0;
  collision::Point position;
  collision::Motion motion;  ///< That moves it: none while it is frozen.
  match::TemplateNumber template_number = match::kNoTemplate;
  std::uint32_t hit_points = 0;
  std::uint64_t tag = 0;
  std::uint64_t layers = 0;    ///< A bit for each on which it has a part.
  collision::Box bounds = {};  ///< Of all parts, relative to its position.
  match::PartStore::List parts = 0;
  std::uint32_t look = 0;  ///< Another number whenever its owner or its parts change.
  bool is_disabled = false;
  bool is_frozen = false;

  collision::Point position_at(match::Tick tick) const { return moved_on(position, motion, tick - since); }
  collision::Motion motion_at(match::Tick tick) const { return sped_up(motion, tick - since); }
};

/// The objects of a match after its last tick, and what that changed about them beside what their motion did.
/// What flies by itself costs nothing. One for all that are told of the world.
class WorldModel final : public collision::TickObserver {
 public:
  /// As the match is now, between two ticks.
  explicit WorldModel(const match::Match& match);

  void on_tick(const collision::TickNotes& notes) override;

  struct Change {
    collision::ObjectSlot slot = 0;
    bool is_teleport = false;
  };
  struct Departure {
    collision::ObjectSlot slot = 0;
    match::ObjectId id = 0;
    collision::ExitReason reason = collision::ExitReason::kNone;
  };

  match::Tick tick() const { return tick_; }
  /// By slot. A slot may have another object in a later tick.
  std::span<const ModelObject> objects() const { return objects_; }
  // By the last tick; a slot may be among `changes` more than once. Of an object that departed and of another
  // that came to its slot, in different ticks.
  std::span<const Change> changes() const { return changes_; }
  std::span<const Departure> departures() const { return departures_; }
  std::span<const collision::Part> parts_of(const ModelObject& object) const {
    return parts_.parts(object.parts);
  }

 private:
  void take(const collision::ObjectTable& objects, collision::ObjectSlot slot);
  void take_whole(const collision::ObjectTable& objects, collision::ObjectSlot slot);
  void begin(collision::ObjectSlot slot, const collision::ObjectView& view);
  void set_parts(ModelObject& object, std::span<const collision::Part> parts);
  void take_outcome(const collision::TickNotes& notes);
  void depart(collision::ObjectSlot slot, collision::ExitReason reason);

  const match::Match& match_;
  match::Tick tick_;
  std::uint32_t looks_ = 0;  ///< That have been given.
  match::PartStore parts_;
  std::vector<ModelObject> objects_;
  std::vector<Change> changes_;
  std::vector<Departure> departures_;
};

}  // namespace sweepd::runtime
