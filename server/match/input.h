// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "match/frame.h"
#include "match/participant.h"
#include "match/rejection.h"
#include "match/role.h"

// What comes into a match from outside, and what the match answers to it.
namespace sweepd::match {

enum class JoinError : std::uint8_t {
  kInvalidName,  ///< Empty or longer than kNameBytesMax.
  kNameTaken,    ///< A participant of that name is in the match (no slots).
  kNoSuchSlot,   ///< The match has slots, and none of that name and role. Observers need none.
  kSlotTaken,    ///< A participant of that name is in the match (slots), or the previous holder's objects
                 ///< remain.
  kMatchFull,    ///< kParticipantsMax or kObserversMax is reached.
  kMatchEnded,
};

/// Takes a seat at once. Without slots, participant numbers are the lowest free ones and blocks of ids go
/// with the numbers; with slots, both are the slot's. A number whose objects are not all gone yet is not
/// free. Observers without a slot have numbers from kParticipantsMax on, so that they use up no block.
struct Join {
  using Answer = base::Result<Participant, JoinError>;
  std::string name = {};
  Role role = Role::kPlayer;
  ParticipantNumber number = 0;  ///< Of the seat that it got: known of a join that the match has taken.
  friend bool operator==(const Join&, const Join&) = default;
};

/// The participant is gone at once; its waiting frames are given up, its objects leave in the next tick
/// (OWNER_LEFT) before any frame applies. Ignored for an unknown number and after the end.
struct Leave {
  using Answer = void;
  ParticipantNumber number = 0;
  friend bool operator==(const Leave&, const Leave&) = default;
};

/// Its connection broke. Its seat is kept while config().reconnect_ticks more ticks run, its waiting frames
/// apply in their time, and no tick waits for further ones; in the tick after those it leaves. With
/// reconnect_ticks 0 it leaves at once. Ignored for an unknown number, one that is away already, and after
/// the end.
struct Away {
  using Answer = void;
  ParticipantNumber number = 0;
  friend bool operator==(const Away&, const Away&) = default;
};

/// It is back on its seat. False: it has left for good, or the match has ended.
struct Back {
  using Answer = bool;
  ParticipantNumber number = 0;
  friend bool operator==(const Back&, const Back&) = default;
};

/// A frame for the tick it names: taken, or refused whole (TOO_LATE, TOO_FAR_AHEAD, TOO_MANY_FRAMES,
/// NOT_ALLOWED). The rejection also is part of the next tick's output. A frame without changes from an
/// observer acknowledges only. For an unknown number and after the end the frame is refused (NOT_ALLOWED)
/// and that is all: there is no participant to count it for, or no tick to list it in.
struct Submission {
  using Answer = std::optional<Rejection>;
  ParticipantNumber number = 0;
  Frame frame = {};
};

/// Participants come and go by these.
using SeatChange = std::variant<Join, Leave, Away, Back>;

/// What determines a match, together with its config, if the match takes it.
using Input = std::variant<Join, Leave, Away, Back, Submission>;

/// A frame or another message that was refused before the match could judge it: part of the next tick's
/// output. Ignored for an unknown number and after the end. It changes counters and nothing else, so it is no
/// Input, and no log has it.
struct RefusedMessage {
  using Answer = void;
  ParticipantNumber number = 0;
  RejectionReason reason = RejectionReason::kMalformed;
  Tick frame_tick = 0;
  std::string field = {};
  std::string message = {};
  std::optional<BrokenRule> broken_rule = {};
};

/// Is told every input that a match takes, as it takes it. Not told is what was refused whole or changes
/// counters only: a return from no absence, how far a participant says it has seen the match
/// (`acknowledged_tick`), the frames of observers, which can do no more than say that; and messages, unless
/// MatchConfig::app_messages_recorded.
class InputLog {
 public:
  virtual void took(const SeatChange& change) = 0;
  virtual void took(const Submission& submission) = 0;  ///< As it came in, else.

 protected:
  ~InputLog() = default;
};

}  // namespace sweepd::match
