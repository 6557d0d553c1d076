// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "collision/event.h"
#include "match/config.h"
#include "match/frame.h"
#include "match/participant.h"
#include "match/rejection.h"

namespace sweepd::match {

struct JoinRequest {
  std::string name;
  Role role = Role::kPlayer;
};

enum class JoinError : std::uint8_t {
  kInvalidName,  ///< Empty or longer than kNameBytesMax.
  kNameTaken,    ///< Somebody of that name is in the match (no slots).
  kNoSuchSlot,   ///< The match has slots, and none of that name and role.
  kSlotTaken,
  kMatchFull,    ///< kParticipantsMax or kObserversMax is reached, or no block of ids is left.
  kMatchEnded,
};

/// What a tick brought. Valid until the next call that changes the match.
struct TickOutput {
  Tick tick = 0;
  std::uint64_t digest = 0;  ///< Running hash over all that was applied, all positions and all events up to this tick.
  std::span<const collision::Event> events;
  std::span<const Rejection> rejections;  ///< Sorted by participant, then in the order of the changes.
};

/// A match: a pure state machine. Joins, leaves and frames in; ticks on demand; events, rejections and a digest out.
/// It knows no clock: whoever drives it decides when `step` is due. Equal calls in equal order yield equal outputs.
/// Not thread-safe.
class Match {
 public:
  static base::Result<std::unique_ptr<Match>, FieldError> create(MatchConfig config);
  ~Match();

  /// Takes a seat at once. Without slots, participant numbers are the lowest free ones and blocks of ids go with the
  /// numbers; with slots, both are the slot's. A number whose objects are not all gone yet is not free.
  base::Result<Participant, JoinError> join(const JoinRequest& request);

  /// The participant is gone at once; its waiting frames are given up, its objects leave in the next tick (OWNER_LEFT).
  void leave(ParticipantNumber number);

  /// Takes a frame for the tick it names, or refuses it whole (TOO_LATE, TOO_FAR_AHEAD, TOO_MANY_FRAMES, NOT_ALLOWED).
  /// The rejection also is part of the next tick's output.
  std::optional<Rejection> submit(ParticipantNumber number, Frame frame);

  /// Records that a frame could not even be decoded (MALFORMED): part of the next tick's output.
  void refuse(ParticipantNumber number, Tick frame_tick, std::string field, std::string message);

  /// Whether every player and stage has a frame waiting for the next tick. False while there is none of them.
  bool frames_are_in() const;

  /// How many players and stages have joined and sent a frame.
  std::uint32_t ready_participants() const;

  /// Runs the next tick.
  const TickOutput& step();

  /// Runs the last tick: every open encounter EXITs (MATCH_ENDED).
  const TickOutput& end();

  const MatchConfig& config() const;
  bool ended() const;
  Tick tick() const;
  std::uint64_t digest() const;
  std::uint64_t last_sequence_number() const;
  std::size_t object_count() const;
  std::size_t encounter_count() const;
  std::vector<collision::Encounter> open_encounters() const;
  std::vector<Participant> participants() const;  ///< By number.
  std::optional<Participant> find_participant(ParticipantNumber number) const;
  std::optional<collision::ObjectView> find_object(ObjectId id) const;

 private:
  class Impl;
  explicit Match(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sweepd::match
