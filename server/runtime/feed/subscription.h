// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/feed/claim_log.h"
#include "runtime/feed/event_filter.h"
#include "runtime/feed/event_log.h"
#include "runtime/feed/latest_scores.h"
#include "runtime/feed/rejection_box.h"
#include "runtime/feed/sight_log.h"
#include "runtime/feed/subscriber.h"
#include "runtime/feed/world/world_feed.h"
#include "runtime/feed/world/world_place.h"
#include "runtime/loop/loop_figures.h"

namespace sweepd::runtime {

/// What happens when a subscriber falls behind. The numbers are those of the public contract.
enum class WhenFull : std::uint8_t { kDisconnect = 1, kGap = 2, kCoalesce = 3 };

/// Where a subscriber was.
struct ResumePoint {
  std::uint64_t epoch = 0;
  std::uint64_t last_sequence_number = 0;
  match::Tick last_tick = 0;  ///< 0: that of the event.
  WorldResume world = {};
};

struct SubscriptionOptions {
  static constexpr std::uint32_t kEventsMaxMax = 1u << 15;

  std::optional<ResumePoint> resume;
  EventFilter filter;
  match::Viewer viewer = {};             ///< Of a subscriber without seats; else those are the eyes.
  bool own_objects_only = false;         ///< The filter gets the subscriber's participants as its owners.
  bool is_shared = false;                ///< Further participants may come to the subscriber's.
  std::uint32_t stay_every_ticks = 0;    ///< 0: never.
  std::uint32_t digest_every_ticks = 0;  ///< 0: in every report.
  WhenFull when_full = WhenFull::kDisconnect;
  std::uint32_t events_max = kEventsMaxMax;  ///< How many may wait, before the newest tick's.
  /// What is asked for of the world, and how it is encoded.
  struct World {
    WorldInterest interest = {};
    bool has_own_objects = false;  ///< The interest's owners are the subscriber's participants, too.
    WorldEncode encode = nullptr;
  };
  std::optional<World> world = {};  ///< Absent: nothing.
};

/// Who is away, and how often that has changed.
struct Absences {
  std::vector<match::ParticipantNumber> numbers;
  std::uint64_t version = 0;
};

/// Where subscriptions put together what they tell, one at a time. Holds until the next does.
struct ReportBuffers {
  std::vector<collision::Event> unpacked;
  std::vector<collision::Event> events;
  match::TickFacts facts;
  std::vector<match::Score> scores;
  std::vector<collision::Encounter> encounters;
  std::vector<match::Rejection> rejections;
  std::vector<ClaimLog::Claimant> claimants;
  std::vector<match::ClaimVerdict> claim_verdicts;
  std::vector<match::ClaimVerdict> claim_warnings;
  std::vector<std::string_view> world;
};

/// What subscriptions are told of, and where. The host's.
struct Feed {
  const match::Match& match;
  const EventLog& log;
  const Absences& absences;
  const LatestScores& scores;
  const ClaimLog& claims;
  const ClockState& clock;
  ReportBuffers& room;
  std::uint64_t clock_version = 0;  ///< How often it has changed.
  match::Tick durable_tick = 0;
  LoopFigures* figures = nullptr;   ///< Null: nothing is counted.
  const SightLog* sight = nullptr;  ///< Null: all see all.
  WorldFeed* world = nullptr;       ///< Null: the world is told to no subscriber.
};

/// One subscriber's place in the log of a match, what of it is for him, and what becomes of him when he falls
/// behind. It holds no events: its memory is the same however slow he is.
class Subscription {
 public:
  /// A participant of the subscriber's, with what only it is told.
  struct Seat {
    match::ParticipantNumber number = 0;
    const RejectionBox* rejections = nullptr;
    std::uint64_t told_rejections = 0;  ///< How many of them its last stream was told.
    std::uint64_t told_claims = 0;      ///< The same of the match's verdicts on claims.
  };
  struct Own {
    std::vector<Seat> seats = {};  ///< None: it only watches.
    std::uint64_t told_claims =
        0;  ///< Of the match's verdicts, those that he need not be warned of any more.
  };

  Subscription(SubscriptionOptions options, const Feed& feed, Own own);

  /// Whether it goes on where the subscriber was. Else it goes on from the match as it is now.
  bool is_resumed() const { return is_resumed_; }

  const EventFilter& filter() const { return options_.filter; }
  WhenFull when_full() const { return options_.when_full; }
  std::uint32_t events_max() const { return options_.events_max; }
  match::Tick told_tick() const { return told_tick_; }
  const std::vector<Seat>& seats() const { return own_.seats; }
  bool has_seat(match::ParticipantNumber number) const;
  /// Of the world it is told this from now on, beginning with a snapshot.
  void ask_for_world(SubscriptionOptions::World world) {
    options_.world = std::move(world);
    options_.resume.reset();
    is_world_new_ = true;
  }
  /// Under kDisconnect: what it would be told next of the world is gone. One that is told late is not slow:
  /// what it waits for may go before it is due.
  bool has_lost_world() const;
  /// Of the channel by which it is told of the world, or would go on; 0: none.
  std::uint64_t world_id() const {
    if (world_) return world_->channel().id();
    return options_.resume ? options_.resume->world.feed_id : 0;
  }
  bool is_told_world() const { return options_.world.has_value(); }

  /// A further participant. `is_back`: it had its seat before, on another stream. Where own objects only are
  /// told of, those in contact are then told as a snapshot: what it has missed is in no order with what was
  /// told here.
  void add_seat(const Seat& seat, bool is_back, const Feed& feed);
  /// Not the last one. What it has been told.
  Seat remove_seat(match::ParticipantNumber number);
  /// Rejections that a participant has not been told are told nevertheless, when its seat is gone.
  void keep_rejections_of(match::ParticipantNumber number);

  /// More waits than may.
  bool is_full(const EventLog& log) const;
  /// So much waits that a match which can wait should.
  bool is_behind(const EventLog& log) const;

  /// Tells `sink` what has come since the last call, if that is anything or a heartbeat is due. `is_last`: in
  /// any case.
  void collect(const Feed& feed, ReportSink& sink, bool is_last);

  /// The open encounters that pass the filter.
  std::vector<collision::Encounter> open_encounters(const match::Match& match) const;

 private:
  void resume(const ResumePoint& point, const Feed& feed);
  void resume(Seat& seat, const Feed& feed) const;
  void list_seats();
  /// What it may be told changes with its seats, and with the participant that acts as the stage.
  void update_viewer(const match::Match& match);
  /// Not all is told it.
  bool is_limited() const { return sight_ != nullptr && !viewer_.sees_all; }
  /// The last tick that may be told.
  match::Tick due_tick(match::Tick last) const { return last - std::min<match::Tick>(last, delay_ticks_); }
  /// What a stream that resumes has missed counts for the log, not for the stream's queue.
  bool is_catching_up() const { return told_sequence_number_ < start_sequence_number_; }
  std::uint64_t due_sequence_number(const EventLog& log) const;
  std::uint64_t before_newest_due(const EventLog& log) const;
  bool can_tell_snapshot(const EventLog& log) const;
  void add_rejections(TickReport& report, std::vector<match::Rejection>& rejections);
  void add_claims(const Feed& feed, TickReport& report);
  bool are_claims_told(const Feed& feed) const;
  bool drop_what_does_not_fit(const Feed& feed, ReportSink& sink);
  void drop_oldest(const Feed& feed, ReportSink& sink);
  void tell_snapshot(const Feed& feed, ReportSink& sink);
  bool tell_logged_ticks(const Feed& feed, ReportSink& sink);
  void tell_end(const Feed& feed, ReportSink& sink, bool must_tell, bool is_last);
  bool is_warned(const match::Match& match) const;
  bool may_know_delays(const match::Match& match) const;
  /// The digest of a running match tells whether a guess at what is hidden is right.
  bool may_know_digest(const match::Match& match) const { return !is_limited() || match.ended(); }
  std::uint64_t digest_if_due(std::uint64_t digest, const match::Match& match) const {
    return is_digest_due_ && may_know_digest(match) ? digest : 0;
  }
  WorldScope world_scope() const;
  /// Of the world it is told what its eyes see now.
  void update_world(const Feed& feed);
  void add_world(const Feed& feed, TickReport& report, bool is_last);
  void add_stays(const Feed& feed, TickReport& report);
  std::span<const collision::Event> passing(const Feed& feed, const LoggedTick& tick) const;
  void add_facts(const Feed& feed, const LoggedTick& tick, TickReport& report) const;
  bool passes(const collision::Event& event) const {
    return options_.filter.passes(event) && (!is_limited() || sight_->sees(viewer_, event));
  }
  void limit_claims(std::vector<match::ClaimVerdict>& verdicts,
                    std::vector<match::ClaimVerdict>& warnings) const;

  SubscriptionOptions options_;
  Own own_;
  const SightLog* sight_;
  match::Viewer viewer_ = {};
  std::uint32_t delay_ticks_ = 0;
  std::vector<match::ParticipantNumber> numbers_;  ///< Of the seats, sorted.
  bool is_resumed_ = false;
  match::Tick resumed_tick_ = 0;
  bool is_snapshot_due_ = false;
  match::Tick told_tick_ = 0;  ///< All of it, and all before.
  std::uint64_t told_sequence_number_ = 0;
  std::uint64_t start_sequence_number_ = 0;  ///< What is older had happened before this began.
  match::Tick start_tick_ = 0;               ///< The last one then.
  match::Tick told_scores_ = 0;              ///< As they were after that tick.
  match::Tick last_update_ = 0;
  match::Tick told_durable_ = 0;
  match::Tick last_stays_ = 0;
  match::Tick last_digest_ = 0;
  bool is_digest_due_ = true;
  bool were_stays_empty_ = true;
  std::uint64_t absences_version_ = 0;
  std::uint64_t clock_version_ = 0;
  std::vector<match::Rejection>
      kept_rejections_;  ///< Of participants that have left, at most RejectionBox::kKeptMax.
  std::uint64_t kept_not_listed_ = 0;
  bool is_world_new_ = false;        ///< It has been asked for since the last report.
  std::optional<WorldPlace> world_;  ///< Absent: it has not asked, or there is no room for its eyes.
};

}  // namespace sweepd::runtime
