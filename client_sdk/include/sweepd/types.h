// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweepd/claims.h"
#include "sweepd/clock.h"
#include "sweepd/ids.h"
#include "sweepd/limits.h"
#include "sweepd/outcome.h"
#include "sweepd/role.h"
#include "sweepd/scoring.h"
#include "sweepd/shapes.h"
#include "sweepd/templates.h"
#include "sweepd/visibility.h"

/// The nouns of a match, in the game's words. Lengths are in playfield units as floating point; the SDK
/// rounds them to the server's integers (1/256 unit, half away from zero). A unit is whatever the game says:
/// usually a pixel. Every multiple of 1/256 up to the range of +-8,388,607 units is exact.
namespace sweepd {

/// What becomes of frames that come late: they apply in the next tick, are refused, or apply one after the
/// other, so that being late is never better than being in time.
enum class LateFramePolicy { kApplyNext, kDrop, kSpread };
/// How overlaps are found. Every kind yields the same events; they differ in speed.
enum class BroadphaseKind { kSweepAndPrune, kBruteForce, kSectorGrid, kApproach };
enum class MatchState { kWaiting, kRunning, kPaused, kEnded };
/// Why a match ended; kNone: it has not. From kOverlappingPairs on, as it exceeded a budget: see Budgets.
enum class EndReason {
  kNone,
  kRequested,
  kIdle,
  kOverlappingPairs,
  kTests,
  kEvents,
  kCpuTime,
  kStartTimeout
};

/// Movement by the server, so that a straight bullet costs one spawn and no updates. Once a tick, the tick of
/// the spawn included: velocity += acceleration, then position += velocity.
struct Motion {
  Vec2 velocity = {};      ///< Units per tick.
  Vec2 acceleration = {};  ///< Units per tick per tick.
};

struct ObjectSpec {
  Vec2 position = {};
  std::vector<Part> parts = {};  ///< 1 to 32.
  std::optional<Motion> motion = {};
  std::uint32_t time_to_live_ticks = 0;  ///< 0: no limit.
  /// Gone, without a rejection, in the first tick after whose moves the boxes around its parts are all
  /// outside the playfield, be it the tick of its spawn. So what flies in from outside begins with an edge
  /// inside, or has a time to live instead.
  bool despawn_outside_playfield = false;
  /// Its way within each tick, a straight line, is swept: it meets what it passes, however fast. A contact
  /// that begins and ends within a tick is an ENTER and an EXIT (kSwept); see Event::time_of_impact.
  bool continuous = false;
  /// The first contact that it enters, of those that are no sensors, uses it up: it is gone after that tick
  /// (kConsumed), and what it would have met later in the tick never happened.
  bool single_use = false;
  std::uint32_t hit_points = 0;  ///< When contact has taken them all it is gone (kDestroyed). 0: takes none.
  std::uint32_t damage = 0;      ///< How many a contact takes from the other: see CollidingLayers.
  ObjectId id = 0;               ///< 0: the SDK takes the next free id of the session's block.
  /// A template by its place in MatchConfig::templates, from 1 on; 0: none. With one, position, motion and
  /// time to live are all that may be given beside it.
  std::uint32_t template_number = 0;
  /// The game's own, for instance what to draw: told with the object by WorldView. Needs
  /// MatchConfig::object_tags. 0: none.
  std::uint64_t tag = 0;
};

struct ParticipantSlot {
  std::string name = {};  ///< 1 to 64 bytes; unique.
  Role role = Role::kPlayer;
  ObjectId first_id = 0;  ///< Both 0: the server gives the block. An observer has none.
  ObjectId last_id = 0;   ///< Inclusive; at least first_id.
};

/// How the broadphase kSectorGrid divides the plane.
enum class SectorScheme { kFourShifts, kPlain, kHorizontalStrips, kVerticalStrips };

struct SectorGrid {
  SectorScheme scheme = SectorScheme::kFourShifts;
  double sector_size = 0;  ///< Units, 1 to 4194304. 0: the server finds it.
};

/// What those whose tickets are for a seat of a match may do beside playing, by the ticket's role. Not given:
/// none of the roles. Where the server asks for no tickets, all of it is allowed to all.
struct Permissions {
  std::optional<std::vector<Role>> query_roles = {};  ///< Ask where everything is and was.
  std::optional<std::vector<Role>> watch_roles = {};  ///< Watch; observers and stages may anyway.
  /// Fetch the replay, while the match runs: players and observers only if secret_roles has them, too.
  std::optional<std::vector<Role>> replay_roles = {};
  std::optional<std::vector<Role>> secret_roles = {};  ///< Be told the seed, and the counters of others.
  std::optional<std::vector<Role>> end_roles = {};     ///< End the match.
  std::optional<std::vector<Role>> step_roles = {};    ///< Step it, with a kManual clock.
};

/// Everything about a match that is settled before it starts. Only `layers` has to be given. The server
/// refuses to create a match with a number out of range (kInvalidArgument), and names the field.
struct MatchConfig {
  std::string name = {};                       ///< For people; at most 128 bytes.
  std::vector<std::string> layers = {};        ///< 1 to 64 unique names of 1 to 64 bytes.
  std::vector<CollidingLayers> collides = {};  ///< What is not listed never meets. At most 2080.
  ClockKind clock = ClockKind::kRealtime;
  /// 1 to 240; 0: 60. With another clock than kRealtime it is what participants are told, the game's pace.
  std::uint32_t tick_rate_hz = 60;
  LateFramePolicy late_frames = LateFramePolicy::kSpread;
  /// How far ahead of the next tick a frame may be: 0 to 3600. 0: it has to be for the next tick.
  std::uint32_t max_lead_ticks = 120;
  /// How late a frame may be, with kApplyNext and kSpread: 0 to 3600. 0: late frames are refused.
  std::uint32_t max_late_ticks = 120;
  /// For so many ticks before the last, the queries of Client can be asked: 0 to 3600. 0: the last tick only.
  std::uint32_t history_ticks = 120;
  ClaimRules claims = {};  ///< How hit claims are judged.
  /// For objects that despawn outside it; not given: the whole range of coordinates.
  std::optional<Box> playfield = {};
  /// kRealtime, kLockstep: the clock waits until so many players and stages have joined and sent a frame. 0
  /// to 64, and no more than `slots` has, where it has any. 0: it runs from the start.
  std::uint32_t start_after_participants = 0;
  /// At most 64. Given: only these may join, and observers.
  std::vector<ParticipantSlot> slots = {};
  /// The size of a block of object ids that the server gives: 16 to 16,777,216; 0: 1,048,576.
  std::uint32_t ids_per_participant = 1u << 20;
  std::uint32_t objects_per_participant_max = 20'000;  ///< 1 to 100,000; 0: 20,000.
  /// An update comes at least each so many ticks; 1 to 3600. 0: 6, and with kLockstep 1, so that every tick
  /// is seen. Take 1 where a game draws or claims by Session::tick().
  std::uint32_t heartbeat_ticks = 0;
  /// How long the seat and the objects of a participant whose connection broke are kept for it; 0 to 36,000.
  /// 300 are 5 s at 60 Hz, 1800 half a minute. 0: they go at once. Kept for the session that had it: a
  /// process that was started again cannot join under the name (kAlreadyExists) until they are over.
  std::uint32_t reconnect_ticks = 300;
  /// The log of so many ticks is kept for those who come back; 0 to 36,000. 0: they miss what ticks brought
  /// meanwhile.
  std::uint32_t retained_ticks = 600;
  BroadphaseKind broadphase = BroadphaseKind::kSweepAndPrune;
  SectorGrid sector_grid = {};  ///< For kSectorGrid.
  /// At most 256, with at most 524,288 bytes of rows in all. Part::mask names one by its place here. In what
  /// the server tells of a match, only create_match and get_match have the pixels.
  std::vector<BitMask> masks = {};
  std::vector<ScoringRule> scoring = {};  ///< At most 64, and 16 for the same layers and `when`.
  StageHandover stage_handover = StageHandover::kNone;
  std::vector<std::string> clearable_layers = {};  ///< See Selection. At most 64.
  Ruleset ruleset = {};
  std::uint64_t seed = 0;  ///< For patterns that clients compute: told to all. 0: the server draws one.
  std::vector<RoleLimits> limits = {};          ///< At most one for each role.
  std::vector<LayerLimits> layer_limits = {};   ///< At most one for each layer.
  std::vector<ObjectTemplate> templates = {};   ///< At most 64.
  std::vector<VisibilityRule> visibility = {};  ///< Who sees what; empty: all see all. At most 128.
  /// Observers are told all so late; at most 3600, history_ticks and retained_ticks. 0: in time.
  std::uint32_t observer_delay_ticks = 0;
  bool object_tags = false;  ///< Objects may have tags: ObjectSpec::tag.
  /// How many messages each participant may send others (FrameAuthor::send_message); at most 1000. 0: none.
  std::uint32_t app_messages_per_second = 0;
  bool app_messages_recorded = false;  ///< They are in replays.
  Budgets budgets = {};
  Lockstep lockstep = {};  ///< For kLockstep.
  ClockWaits waits = {};   ///< For participants, before the clock starts and after a restart of the server.
  /// Who may pause the match and change its rate; not given: kStage. Given and empty: no role.
  std::optional<std::vector<Role>> clock_control_roles = {};
  Permissions permissions = {};  ///< What tickets for its seats allow beside playing.
};

struct Participant {
  std::uint32_t number = 0;
  std::string name;
  Role role = Role::kPlayer;
  ObjectId first_id = 0;
  ObjectId last_id = 0;
  std::uint32_t objects = 0;
  std::uint64_t rejections = 0;
  std::uint64_t late_frames = 0;
  std::uint32_t delay_ms = 0;       ///< How far it lags, as the server measures it; 0: not measured yet.
  ClaimCounts claims;               ///< What the claims of its frames came to.
  bool acts_as_stage = false;       ///< Its role is kStage, or the stage was handed over to it.
  std::uint64_t frames_missed = 0;  ///< kLockstep: ticks that ran without its frame.
  bool is_away = false;             ///< Its connection broke; its seat is kept for a while.
  std::vector<RejectionCount> rejections_by_reason = {};  ///< `rejections`, rule by rule.
  std::uint64_t late_ticks_max = 0;                       ///< How late the latest of its late frames came.
  /// Frames that applied in a tick in which one of another tick, or of no named tick, had applied.
  std::uint64_t bunched_frames = 0;
  std::vector<TemplateRefusals> template_refusals = {};  ///< Of `rejections`, those by rules of templates.
};

/// Where a match is reached best. Everything works at the server's own address, too.
struct Endpoint {
  std::string host;        ///< Empty: the host under which you reached the server.
  std::uint32_t port = 0;  ///< 0: the very address under which you reached the server.
};

/// How a kRealtime match's ticks keep time on the server, over the last ten to twenty seconds that were no
/// pause. All 0 before the first tick.
struct TickTiming {
  double achieved_rate_hz = 0;  ///< Below the clock's rate: time in the match goes slower than it should.
  std::chrono::microseconds
      lateness_p50{};  ///< From when a tick was due until it began; to within an eighth.
  std::chrono::microseconds lateness_p99{};
  std::chrono::microseconds lateness_max{};
  std::chrono::microseconds duration_p50{};  ///< What a tick took, with its updates to subscribers.
  std::chrono::microseconds duration_p99{};
  std::uint64_t ticks_skipped =
      0;  ///< Since the match began to run there: time that the server could not make up for.
  std::uint32_t loop = 0;  ///< Which of the server's loops runs it.
};

struct MatchInfo {
  std::string match_id;
  MatchConfig config;
  MatchState state = MatchState::kWaiting;
  Tick tick = 0;
  std::uint64_t digest = 0;
  std::uint64_t events = 0;
  std::uint32_t objects = 0;
  std::uint32_t open_encounters = 0;
  std::vector<Participant> participants;
  Endpoint endpoint;
  /// Of players and stages, by number; then of those that left with a score. Who left and joined again is
  /// there more than once: add up what is of one name.
  std::vector<Score> scores = {};
  Vec2 playfield_origin = {};  ///< How far it has scrolled from where the config has it.
  ClockState clock = {};
  /// The match's log up to this tick is on the server's disk: should the server die, the match goes on from
  /// there or later. 0 where the server keeps no journal, and where nothing is on its disk yet.
  Tick durable_tick = 0;
  /// Ticks that had been durable and were lost to damage of the server's files, in all. Ticks of the same
  /// numbers that have run since are others.
  std::uint64_t lost_ticks = 0;
  /// Its log is written to a journal: it goes on after a restart of the server, and sessions wait for that.
  bool is_kept = false;
  EndReason end_reason = EndReason::kNone;
  /// Random bytes, drawn when the match was created. Its replay and its receipt have them: a run that was
  /// recorded earlier has others, so what the server has signed shows that.
  std::string nonce = {};
  /// 32 bytes, SHA-256 over the rules of `config`: what its outcome depends on, and not its names, seed,
  /// broadphase or transport. Equal for all matches of one match file, and in their receipts.
  std::string rules_digest = {};
  std::string rules_name = {};            ///< Under which the server has approved its rules; empty: UNRANKED.
  std::optional<TickTiming> timing = {};  ///< Of kRealtime.
  /// Players and stages that left, as they left, in that order; the last 256. Not told when a stream begins.
  std::vector<Participant> former_participants = {};
};

enum class EventKind { kEnter, kExit };

enum class ExitReason {
  kNone,
  kMoved,
  kDespawned,
  kExpired,
  kLeftPlayfield,
  kLayerChanged,
  kDisabled,
  kReshaped,
  kOwnerLeft,
  kMatchEnded,
  kSwept,      ///< The contact began and ended within this one tick: a continuous object passed through.
  kConsumed,   ///< One of the two was single-use, and is used up.
  kDestroyed,  ///< One of the two lost its last hit point: see Destruction.
};

/// "MOVED", "OWNER_LEFT", …; "" for kNone.
const char* to_string(ExitReason reason);

/// Event::time_of_impact of what is judged at the end of its tick, as most contacts are.
inline constexpr std::uint32_t kEndOfTick = 256;

/// Something entered contact or left it.
struct Event {
  std::uint64_t sequence_number = 0;  ///< From 1, without gaps.
  Tick tick = 0;
  EventKind kind = EventKind::kEnter;
  ExitReason reason = ExitReason::kNone;
  ObjectId object_a = 0;  ///< The smaller id.
  ObjectId object_b = 0;  ///< The larger id.
  std::uint32_t layer_a = 0;
  std::uint32_t layer_b = 0;
  std::uint32_t part_a = 0;
  std::uint32_t part_b = 0;
  /// When within the tick contact began, in 1/256 tick after its beginning, rounded up. Less than kEndOfTick
  /// only where a continuous object takes part, in an ENTER or in the EXIT of a contact that did not last to
  /// the tick's end.
  std::uint32_t time_of_impact = kEndOfTick;

  /// Whether `id` takes part; `other` is then the one it met.
  bool involves(ObjectId id) const { return object_a == id || object_b == id; }
  ObjectId other(ObjectId id) const { return object_a == id ? object_b : object_a; }
};

/// An open encounter.
struct Encounter {
  ObjectId object_a = 0;
  ObjectId object_b = 0;
  std::uint32_t layer_a = 0;
  std::uint32_t layer_b = 0;
  std::uint32_t part_a = 0;
  std::uint32_t part_b = 0;
  Tick since_tick = 0;
};

/// A change, or a whole frame, that the server refused. It changed nothing.
struct Rejection {
  Tick tick = 0;
  Tick frame_tick = 0;
  std::string reason;                                 ///< "NOT_OWNER", "INVERTED_BOX", …
  std::string field;                                  ///< "spawns[2].parts[0].box.min_x"
  ObjectId object = 0;                                ///< 0: the whole frame.
  std::string message;                                ///< What was found, and the limit.
  std::optional<ParticipantNumber> participant = {};  ///< Whose frame it was, on a shared stream.
  std::optional<BrokenRule> broken_rule = {};         ///< Of the match's config, where it breaks one.
};

}  // namespace sweepd
