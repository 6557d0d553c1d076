// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collision/event.h"
#include "collision/object.h"
#include "match/participant.h"
#include "match/templates/template_objects.h"

namespace sweepd::runtime {

/// What objects that look alike have in common; told once, then named by number.
struct WorldKind {
  match::ParticipantNumber owner = 0;
  match::TemplateNumber template_number = match::kNoTemplate;
  std::vector<collision::Part> parts;
};

/// What has changed of the world in view since it was told last; in a snapshot, all of it. All rows by id.
struct WorldTick {
  static constexpr std::uint32_t kDisabled = 1;
  static constexpr std::uint32_t kFrozen = 2;

  struct Place {
    std::int64_t x = 0;
    std::int64_t y = 0;
  };
  struct Appearance {
    match::ObjectId id = 0;
    std::uint32_t kind = 0;
    Place place = {};  ///< In steps.
    collision::Motion motion = {};
    std::uint64_t tag = 0;
    std::uint32_t hit_points = 0;
    std::uint32_t state = 0;
  };
  struct Move {
    match::ObjectId id = 0;
    Place difference = {};  ///< In steps, to where its motion would have it.
  };
  struct Steering {
    match::ObjectId id = 0;
    collision::Motion motion = {};
  };
  /// A number of the object's that has changed.
  struct Number {
    match::ObjectId id = 0;
    std::uint32_t value = 0;
  };
  struct Departure {
    match::ObjectId id = 0;
    std::optional<collision::ExitReason> reason = {};  ///< None: it has left the view.
  };
  struct Participant {
    match::ParticipantNumber number = 0;
    std::string name = {};
    match::Role role = match::Role::kPlayer;
    friend bool operator==(const Participant&, const Participant&) = default;
  };

  match::Tick tick = 0;
  bool is_next = false;       ///< The one that was told before is that of the tick before.
  std::uint64_t feed_id = 0;  ///< Of a snapshot; 0: it is none.
  std::uint32_t step = 1;
  bool forgets_kinds = false;
  std::uint32_t first_kind = 0;
  std::vector<WorldKind> kinds = {};
  std::vector<Appearance> appearances = {};
  std::vector<Move> moves = {};
  std::vector<Move> teleports = {};
  std::vector<Steering> motions = {};
  std::vector<Number> recasts = {};
  std::vector<Number> hit_points = {};
  std::vector<Number> states = {};
  std::vector<Departure> departures = {};
  std::vector<match::ObjectId> late = {};    ///< From now on their news waits.
  std::vector<match::ObjectId> prompt = {};  ///< It does not any more.
  std::uint32_t waiting = 0;                 ///< In view, and have not appeared.
  std::optional<std::vector<Participant>> participants = {};
  std::optional<collision::Point> playfield = {};

  /// It says nothing but its tick.
  bool is_empty() const {
    return feed_id == 0 && kinds.empty() && appearances.empty() && moves.empty() && teleports.empty() &&
           motions.empty() && recasts.empty() && hit_points.empty() && states.empty() && departures.empty() &&
           late.empty() && prompt.empty() && !participants && !playfield;
  }
};

/// As bytes of the public contract.
using WorldEncode = std::string (*)(const WorldTick& tick);

}  // namespace sweepd::runtime
