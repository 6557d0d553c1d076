// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/queries.h"
#include "sweepd/replays.h"
#include "sweepd/security.h"
#include "sweepd/session.h"
#include "sweepd/status.h"
#include "sweepd/types.h"
#include "sweepd/world_view.h"

namespace sweepd {

struct ClientOptions {
  /// HOST:PORT, [V6]:PORT, dns:///HOST:PORT, or unix:PATH, where a proxy listens there. With anything else
  /// every call and every session fails with kInvalidArgument.
  std::string server = "127.0.0.1:7777";
  SecurityOptions security = {};  ///< Plain text, unless it says otherwise.
  /// For each blocking call, and for joining. 0 or less: each of them fails at once.
  std::chrono::milliseconds timeout{5'000};
  /// Play and watch on the match's own endpoint: the cheap way. Where that cannot be reached within a second
  /// (a firewall, a port mapping), streams go to `server`, and so do later ones of this client at once. It
  /// also passes by a proxy that stands in front of `server`, to try a bad network, say: false goes through
  /// it.
  bool follow_endpoint = true;
};

struct JoinOptions {
  std::string match_id = {};
  std::string name = {};  ///< 1 to 64 bytes.
  Role role = Role::kPlayer;
  /// Bound of end_frame's queue: 1 or more. Beyond it end_frame fails (kQueueFull). 0: joining fails
  /// (kInvalidArgument).
  std::uint32_t frames_queued_max = 256;
  /// Bound of the events and rejections not yet polled. Beyond it the session fails (kResourceExhausted);
  /// with 0 it does at the first.
  std::uint32_t events_queued_max = 1'000'000;
  EventFilter filter = {};
  QueuePolicy queue_policy = {};
  std::optional<WorldInterest> world = {};  ///< For a WorldView. Absent: nothing of the world is told.
  ReconnectOptions reconnect = {};
  /// Session::reconnect_token of a process that was killed: the seat of `name` comes back, with its objects
  /// and its score, if the match still keeps it (MatchConfig::reconnect_ticks); `role` is not looked at. What
  /// is no token, an old one, or that of another seat or match fails the session; the error's field is
  /// "reconnect_token". Empty: a new seat.
  std::string reconnect_token = {};
  bool shared = false;  ///< Further participants may join on this session's stream: Session::join_also.
};

struct WatchOptions {
  std::string match_id = {};
  /// Bound of the events not yet polled. Beyond it the watcher fails (kResourceExhausted); with 0 it does at
  /// the first.
  std::uint32_t events_queued_max = 1'000'000;
  EventFilter filter = {};
  QueuePolicy queue_policy = {};
  std::optional<WorldInterest> world = {};  ///< As in JoinOptions.
  ReconnectOptions reconnect = {};
};

struct StepResult {
  Tick tick = 0;
  std::uint64_t digest = 0;
  std::uint64_t events = 0;
};

/// A server. The calls that return a Result or a Status block for at most ClientOptions::timeout: they are
/// for lobbies, loading screens, tools and tests. `join` and `watch` return at once: the game loop's way.
/// Thread-safe.
class Client {
 public:
  explicit Client(ClientOptions options = {});
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();  ///< Its sessions stay usable.

  Result<MatchInfo> create_match(const MatchConfig& config);
  /// A match by rules that the server has approved under a name. Of `labels`, name and seed count.
  Result<MatchInfo> create_match_by_rules(const std::string& rules_name, const MatchConfig& labels = {});
  Result<MatchInfo> get_match(const std::string& match_id);
  /// All pages.
  Result<std::vector<MatchInfo>> list_matches();
  Result<MatchInfo> end_match(const std::string& match_id);
  /// Runs ticks of a match with a MANUAL clock: 1 to 100,000; 0 is 1. With `wait_for_frames` each tick waits
  /// for a frame of every player and stage, up to the timeout.
  Result<StepResult> step_match(const std::string& match_id, std::uint32_t ticks = 1,
                                bool wait_for_frames = false);
  /// Pauses or resumes a match, or changes its tick rate, with any clock. All who play or watch it are told.
  Result<MatchInfo> control_clock(const std::string& match_id, const ClockControl& control);

  // What there is, and where, after the last tick or, as long as the match knows it
  // (MatchConfig::history_ticks), after an earlier one: `at_tick`; 0 is the last. kOutOfRange for a tick that
  // it does not know: the message says which it does. Shapes count, not the boxes around them. `layers`: only
  // parts on these; none: on any.
  /// All pages: the match may go on in between. `object` 0: of all objects.
  Result<std::vector<Encounter>> list_encounters(const std::string& match_id, ObjectId object = 0,
                                                 Tick at_tick = 0);
  /// All parts that touch `region`, by object and part; none of the disabled. In several calls if there are
  /// more than 10,000: the match may go on in between.
  Result<std::vector<PartName>> query_region(const std::string& match_id, const Box& region,
                                             const std::vector<std::uint32_t>& layers = {}, Tick at_tick = 0);
  /// What a ray from `from` to `to` meets, nearest first: at most `hits_max` (1 to 10,000).
  Result<std::vector<RayHit>> cast_ray(const std::string& match_id, Vec2 from, Vec2 to,
                                       const std::vector<std::uint32_t>& layers = {},
                                       std::uint32_t hits_max = 1, Tick at_tick = 0);
  /// The part nearest to `point`, if there is any.
  Result<std::optional<NearPart>> find_nearest(const std::string& match_id, Vec2 point,
                                               const std::vector<std::uint32_t>& layers = {},
                                               Tick at_tick = 0);
  /// Everything. In several calls if there are more than 2,000 objects, all about the tick of the first: then
  /// the match must know it for so long, or stand still. A game loop calls it on a thread of its own.
  Result<World> get_world(const std::string& match_id, Tick at_tick = 0);
  /// What the match would find of claims that `participant` made now, one verdict for each. It remembers
  /// nothing of them.
  Result<std::vector<ClaimVerdict>> validate_hits(const std::string& match_id, ParticipantNumber participant,
                                                  const std::vector<HitClaim>& claims);

  /// The replay of a match, a piece at a time, in order: of one that is over as the server keeps it, of one
  /// that runs up to its last tick. It may take as long as it takes; kDeadlineExceeded if the server sends
  /// nothing for ClientOptions::timeout (for the first piece at least 30 seconds: it may have to be written
  /// first). kUnavailable if `sink` wants no more. What a sink got before an error is no replay.
  /// kNotFound: no such match, or its replay has been removed by age or size. kDataLoss: its log is damaged.
  /// kFailedPrecondition: the server keeps nothing.
  Result<ReplayInfo> get_replay(const std::string& match_id, const ReplaySink& sink,
                                const KeepGoing& keep_going = {});
  /// The same into a file (.swpr), which is there once it is whole: until then it is `path` + ".part".
  Result<ReplayInfo> get_replay(const std::string& match_id, const std::string& path,
                                const KeepGoing& keep_going = {});
  /// What a match came to, and the server's word for it: see check_receipt. Of a match that runs, without.
  Result<Receipt> get_receipt(const std::string& match_id);
  /// The key whose signatures this server's receipts have.
  Result<PublicKey> get_public_key();
  /// Has the server play a replay again (.swpr, or an InputLog), and say whether it is what it says; at most
  /// 64 MiB. Whatever is wrong with the bytes is a verdict. kResourceExhausted: too large, or too many at
  /// once, or more in it than the server plays; the reason says which.
  Result<Verification> verify_replay(std::string_view bytes, const VerificationOptions& options = {});
  /// The same of a file, which is read a piece at a time.
  Result<Verification> verify_replay_file(const std::string& path, const VerificationOptions& options = {});

  Session join(const JoinOptions& options);
  Watcher watch(const WatchOptions& options);
  Watcher watch(const std::string& match_id, std::uint32_t events_queued_max = 1'000'000);

 private:
  friend class Admin;
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace sweepd
