// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collision/event.h"
#include "collision/tick_observer.h"
#include "match/config.h"
#include "match/digest_version.h"
#include "match/frame.h"
#include "match/history/past_world.h"
#include "match/input.h"
#include "match/rights.h"
#include "match/scoreboard.h"
#include "match/snapshot.h"
#include "match/tick_facts.h"

namespace sweepd::match {

/// Inclusive.
struct TickRange {
  Tick first = 0;
  Tick last = 0;
  bool has(Tick tick) const { return tick >= 1 && tick >= first && tick <= last; }
};

struct Lateness {
  std::uint64_t late_frames = 0;     ///< See Participant.
  std::uint64_t bunched_frames = 0;  ///< The same.
};

/// What a tick brought. Valid until the next call that changes the match.
struct TickOutput {
  Tick tick = 0;
  std::uint64_t digest = 0;  ///< Running hash over all that was applied, where it led, and all events.
  std::span<const collision::Event> events = {};
  std::span<const Rejection> rejections = {};  ///< Sorted by participant, then in the order of the changes.
  std::span<const Destruction> destructions = {};  ///< See TickFacts.
  std::span<const ToldMessage> messages = {};
  std::span<const OwnerChange> owner_changes = {};
  std::span<const Score> scores = {};                 ///< Those that changed, by participant.
  std::span<const ClaimVerdict> claim_verdicts = {};  ///< By participant, then in the order of the claims.
  std::span<const UnlistedRejections> rejections_not_listed =
      {};  ///< Past kRejectionsListedMax; by participant.
  std::span<const ParticipantNumber> late_participants = {};
};

/// A match: a pure state machine. Inputs in; ticks on demand; events, rejections and a digest out. It knows
/// no clock: its host decides when `step` is due. Equal calls in equal order yield equal outputs. Not
/// thread-safe.
class Match {
 public:
  /// `digest_version`: a known one; that of its recording, where it is to become the same match.
  static base::Result<std::unique_ptr<Match>, FieldError> create(
      MatchConfig config, std::uint32_t digest_version = kDigestVersion);
  ~Match();

  /// The one way in: any of Input, and RefusedMessage. What each does is said where it is defined.
  template <typename Any>
  typename Any::Answer apply(Any input);

  /// From now on `log` is told what is taken. It outlives the match, or null comes instead of it.
  void set_log(InputLog* log);

  /// From now on `observer` is shown each tick that ends within its budgets, and changes nothing. It outlives
  /// the match, or null comes instead of it.
  void set_observer(collision::TickObserver* observer);

  /// What has been refused since the last tick, without waiting for the next, which then does not have it:
  /// for a match that stands still.
  const TickOutput& report_refusals();

  /// Whether all participants whose frame is required have one for the next tick: with the clock LOCKSTEP,
  /// those in its required roles, and frames that came late do not count; else every player and stage. False
  /// while no participant is required; those that are away are not.
  bool frames_are_in() const;
  /// Of all participants, for their ticks.
  std::size_t frames_waiting() const;
  /// In which tick a frame of the participant for `frame_tick` would apply that came now; nothing: in none.
  std::optional<Tick> find_place(ParticipantNumber number, Tick frame_tick) const;

  /// Of all participants, since the match was made or restored.
  const Lateness& lateness() const;

  /// How many of the players and stages in the match have sent a frame that was accepted.
  std::uint32_t ready_participants() const;

  /// What a participant may do now. No limits for an unknown number.
  const Rights& rights_of(ParticipantNumber number) const;

  /// Runs the next tick. Not after the end. A tick that exceeds one of config().budgets is the last: it is
  /// over as if `end` had run it, but that the changes of its frames are in the digest.
  const TickOutput& step();

  /// Runs the last tick: every open encounter EXITs (MATCH_ENDED). Waiting frames and leaves are given up.
  /// Once only.
  const TickOutput& end();

  const MatchConfig& config() const;
  bool ended() const;
  /// The budget for which `step` has ended the match; kNone: it has not.
  collision::Excess excess() const;
  Tick tick() const;
  std::uint64_t digest() const;
  std::uint32_t digest_version() const;
  std::uint64_t last_sequence_number() const;
  std::size_t object_count() const;
  collision::Point playfield_origin() const;
  std::size_t encounter_count() const;
  std::vector<collision::Encounter> open_encounters() const;
  /// Questions about the world after the last tick.
  collision::Queries queries() const;
  const Scoreboard& scoreboard() const;

  /// The ticks whose ends can be asked about; 0 to 0 before the first tick.
  TickRange known_ticks() const;
  /// Judges a claim as if a frame had made it now, and remembers nothing.
  ClaimVerdict judge(const Claimant& claimant, const HitClaim& claim) const;
  // `tick`: one of those.
  PastWorld world_at(Tick tick, const ObjectPage& page = {}) const;
  std::optional<PastObject> find_object_at(ObjectId id, Tick tick) const;
  std::vector<collision::Encounter> encounters_at(Tick tick, const collision::EncounterPage& page = {}) const;
  std::vector<Participant> participants() const;  ///< By number.
  /// Players and stages that have left, as they left, in that order: the last kFormerParticipantsMax. After
  /// the end, too.
  const std::deque<Participant>& former_participants() const;
  std::optional<Participant> find_participant(ParticipantNumber number) const;
  std::optional<collision::ObjectView> find_object(ObjectId id) const;
  std::vector<ObjectId> object_ids() const;  ///< Of all, ascending.
  /// Where an observer's notes have the object, which must exist.
  collision::ObjectSlot slot_of(ObjectId id) const;
  /// By its place in the config, from 1 on; 0: it has none.
  std::uint32_t template_of(ObjectId id) const;
  /// Changes when a participant takes or leaves a seat.
  std::uint64_t roster_version() const;
  /// The participant's objects of a template that rules take distances from, ascending; kAnchorsMax at most.
  std::span<const ObjectId> anchors_of(ParticipantNumber number, std::uint32_t template_number) const;

  /// The match as it is now, as bytes: all that what comes depends on, but not what the last tick brought,
  /// which was told, nor the config. Matches of which all calls were equal make equal bytes, and so do a
  /// match and the one restored from it. Not after the end.
  std::string save() const;

  /// The match that was saved; `config` and `digest_version` are those with which it was created, but for the
  /// broadphase, which may be another. From now on equal calls yield equal outputs. For whatever bytes an
  /// error or a match that is sound, and never one for bytes that are not as they were written.
  static base::Result<std::unique_ptr<Match>, SnapshotError> restore(
      MatchConfig config, std::string_view snapshot, std::uint32_t digest_version = kDigestVersion);

  /// The same without its past, whether the snapshot has one or not. `config`: as above, but that it has to
  /// keep none, and so cannot enforce claims.
  static base::Result<std::unique_ptr<Match>, SnapshotError> restore_without_past(
      MatchConfig config, std::string_view snapshot, std::uint32_t digest_version = kDigestVersion);

  /// Whether a snapshot is of this match as it is now, without restoring it: the first place where it says
  /// something else, or cannot be read. Not compared is what calls change of which no log has to know: counts
  /// of what participants sent, ticks they acknowledged, rejections. Nor, where this match keeps no past and
  /// the snapshot has one, that and the claims that were confirmed by it. Not after the end.
  std::optional<SnapshotError> compare(std::string_view snapshot) const;

 private:
  class Impl;
  static base::Result<std::unique_ptr<Match>, SnapshotError> restore(MatchConfig config,
                                                                     std::string_view snapshot,
                                                                     std::uint32_t digest_version, Past past);
  explicit Match(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sweepd::match
