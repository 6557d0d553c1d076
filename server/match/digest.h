// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/word_hash.h"
#include "collision/event.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/digest_version.h"
#include "match/frame.h"
#include "match/participant.h"

namespace sweepd::match {

/// The running hash of a match: it compares matches and proves nothing against forgery, for its 64 bits can
/// be solved for. Replays hold digests, so this definition is frozen; a new one gets a new kDigestVersion.
///
/// Before tick 1: D(0) = XXH3 with seed 0 over
///   version, layers, partners of each layer, playfield, late policy and its limits, ids and objects per
///   participant, slots (role and block of each), masks;
///   then of settings that came later those that are not as they would be if not given, each behind its
///   Setting's number: contact rules; scoring rules; clearable layers and stage handover; limits of players,
///   of stages (but for those on bytes, which frames meet before), of layers by their index; claims;
///   templates, row by row (template_config.h); fields that have a number in their row (field.h), in the
///   order of the rows, each as a word of its number and its value, or of its number and its place in lists
///   before its value; tolerances of pairs of layers; limits of selections.
/// What does not change the outcome of equal calls is left out: names, clock, rates, heartbeat, broadphase
/// and its settings, ruleset, seed.
///
/// Tick t: D(t) = XXH3 with seed D(t - 1) over, in this order,
///   t; who left since tick t - 1 (players and stages, by number), and of a stage that was handed over who
///   has it now; who joined since then and is still there (players and stages, by number); every change of
///   every frame in the order applied (with ClaimRules::window_rise_ticks, the frame's delay before them),
///   refused ones included, for they are input, but for messages that are in no log
///   (MatchConfig::app_messages_recorded); every event with all its fields; the world's state hash.
/// From version 2 on a change enters when it has been made, and only then; of those that a frame had
/// refused, in whole or in part, there is a count for each kind after its other entries. So does a claim,
/// always: what it came to is in the events. The sender of a refused change chooses no word of a digest.
///
/// The match's last tick holds t, events and state hash only, since all that waited for it was given up. A
/// tick that exceeded a budget holds, before its events, which one and how much it was. Budgets that no tick
/// exceeded are left out, as they changed nothing.
///
/// Each entry begins with a tag, kind | participant << 8 | object << 32; its length follows from the tag and
/// the words after it. A pair of coordinates is one word, x in the low half, y in the high half, both in
/// two's complement.
class Digest {
 public:
  Digest(const MatchConfig& config, const collision::WorldConfig& world,
         std::uint32_t version = kDigestVersion);

  std::uint32_t version() const { return version_; }

  void begin_tick(Tick tick);
  void add_departure(ParticipantNumber number);
  void add_arrival(const Participant& participant);
  /// A frame is about to apply. Parts: as the world gets them.
  void begin_frame(const Frame& frame, ParticipantNumber number);
  /// One of its changes has been made, or refused at least in part.
  template <typename Change>
  void end_change(FrameChange kind, const Change& change, bool is_made) {
    if (version_ >= kCountsRefusals) add_outcome(kind, change, is_made);
  }
  void end_frame();
  /// The stage of a participant that left goes to `receiver`.
  void add_handover(ParticipantNumber receiver);
  /// The tick exceeded a budget.
  void add_excess(collision::Excess excess, const collision::TickBudget& budget);
  void finish_tick(std::span<const collision::Event> events, std::uint64_t state_hash);

  /// As after a tick that was finished with this value.
  void continue_after(std::uint64_t value) { value_ = value; }

  std::uint64_t value() const { return value_; }  ///< After the last finished tick.

 private:
  /// Kinds of entries; FrameChange has the others.
  enum class Entry : std::uint8_t {
    kDeparture = 1,
    kArrival = 2,
    kEvent = 11,
    kState = 12,
    kHandover = 20,
    kExcess = 21,
    kDelay = 22,
    kRefused = 23,
  };
  static constexpr std::uint32_t kCountsRefusals = 2;  ///< The first version that does.
  static constexpr std::size_t kChangeKindsEnd = 25;   ///< Beyond every FrameChange.

  void add_tag(Entry entry, ParticipantNumber number, ObjectId object);
  void add_contact_rules(const collision::WorldConfig& world);
  void add_scoring(const MatchConfig& config);
  void add_claim_rules(const MatchConfig& config);
  void add_later_fields(const MatchConfig& config);
  void add_claim_tolerances(const MatchConfig& config);
  void add_rights(const MatchConfig& config);
  void add_role_limits(const MatchConfig& config);
  void add_layer_limits(const MatchConfig& config);
  void add_selection_limits(const MatchConfig& config);
  void add_templates(const MatchConfig& config);
  void add_masks(std::span<const MaskConfig> masks);
  void add_event(const collision::Event& event);
  template <typename Change>
  void add_outcome(FrameChange kind, const Change& change, bool is_made);

  std::uint32_t version_;
  bool hashes_delays_;      ///< Of every frame, not of claims alone.
  bool hashes_messages_;    ///< Those that the log has.
  base::WordHash hash_;     ///< Of the tick in progress.
  bool has_begun_ = false;  ///< There is one.
  std::uint64_t value_ = 0;
  // Of the frame that applies.
  const Frame* frame_ = nullptr;
  ParticipantNumber sender_ = 0;
  std::array<std::uint32_t, kChangeKindsEnd> refused_ = {};  ///< By kind.
  bool has_refused_ = false;
};

}  // namespace sweepd::match
