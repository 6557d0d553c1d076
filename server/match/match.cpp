// SPDX-License-Identifier: MIT
#include "match/match.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "match/claims/claim_desk.h"
#include "match/departures.h"
#include "match/digest.h"
#include "match/frame_applier.h"
#include "match/frame_intake.h"
#include "match/history/past_ticks.h"
#include "match/object_owners.h"
#include "match/rejection_log.h"
#include "match/scoring.h"
#include "match/seats.h"
#include "match/tick_observers.h"
#include "match/world_config.h"

namespace sweepd::match {

/// Wires the parts of a match together. Between two calls, the owners are those of the world's objects, and
/// no frame waits for a tick that has run.
class Match::Impl {
 public:
  Impl(MatchConfig config, std::uint32_t digest_version)
      : config_(std::move(config)),
        world_(world_config_of(config_, digest_version)),
        seats_(config_),
        templates_(config_, world_),
        owners_(world_, templates_),
        digest_(config_, world_config_of(config_), digest_version),
        limits_(config_, world_, owners_, templates_, digest_version >= kStricterRules),
        selections_(config_, world_),
        history_(make_history()),
        claims_(state(), config_, history_.get()),
        intake_(state(), config_),
        applier_(state(), claims_, config_),
        departures_(state(), config_),
        scoring_(config_, digest_version >= kRulesAsSpecified) {}

  Join::Answer apply(const Join& join);
  void apply(const Leave& leave) {
    if (ended_ || seats_.find(leave.number) == nullptr) return;
    empty_seat(leave.number);
    if (log_ != nullptr) log_->took(leave);
  }
  void apply(const Away& away) {
    Seat* seat = seats_.find(away.number);
    if (ended_ || seat == nullptr || seat->participant.is_away) return;
    if (log_ != nullptr) log_->took(away);
    if (config_.reconnect_ticks == 0) return empty_seat(away.number);
    seat->participant.is_away = true;
    seat->away_since = world_.tick();
  }
  bool apply(const Back& back) {
    Seat* seat = seats_.find(back.number);
    if (ended_ || seat == nullptr) return false;
    if (log_ != nullptr && seat->participant.is_away) log_->took(back);
    seat->participant.is_away = false;
    seat->away_since = 0;  // As if it had never been away: of one that comes back at once, no log says more.
    return true;
  }
  Submission::Answer apply(Submission submission);
  void apply(RefusedMessage refused);
  void set_log(InputLog* log) { log_ = log; }
  void set_observer(collision::TickObserver* observer) { observers_.second = observer; }
  const TickOutput& report_refusals();
  bool frames_are_in() const;
  std::size_t frames_waiting() const { return seats_.frames_waiting(); }
  std::optional<Tick> find_place(ParticipantNumber number, Tick frame_tick) const;
  const Lateness& lateness() const { return lateness_; }
  std::uint32_t ready_participants() const { return seats_.ready(); }
  const Rights& rights_of(ParticipantNumber number);
  const TickOutput& step();
  const TickOutput& end();

  const MatchConfig& config() const { return config_; }
  const collision::World& world() const { return world_; }
  bool ended() const { return ended_; }
  std::uint64_t digest() const { return digest_.value(); }
  std::uint32_t digest_version() const { return digest_.version(); }
  const Seats::ByNumber& seats() const { return seats_.by_number(); }
  const std::deque<Participant>& former_participants() const { return seats_.former(); }
  const Scoreboard& scoreboard() const { return scoreboard_; }

  ClaimVerdict judge(const Claimant& claimant, const HitClaim& claim) const {
    return claims_.judge(claimant, claim);
  }
  TickRange known_ticks() const;
  PastWorld world_at(Tick tick, const ObjectPage& page) const;
  std::optional<PastObject> find_object_at(ObjectId id, Tick tick) const;
  std::vector<collision::Encounter> encounters_at(Tick tick, const collision::EncounterPage& page) const {
    return match::encounters_at(world_, history_.get(), tick, page);
  }
  SnapshotParts snapshot_parts() {
    return {config_, world_,         seats_,  owners_,  templates_,  rejections_,
            digest_, history_.get(), claims_, scoring_, scoreboard_, selections_};
  }

  std::span<const ObjectId> anchors_of(ParticipantNumber number, TemplateNumber template_number) const {
    return templates_.count_of(number, template_number).anchors;
  }

  TemplateNumber template_of(ObjectId id) const { return templates_.template_of(id); }
  std::uint64_t roster_version() const { return roster_version_; }

  Participant describe(const Seat& seat) const {
    Participant participant = seat.participant;
    participant.objects = owners_.count_of(participant.number);
    return participant;
  }

 private:
  FrameApplierState state() {
    return {world_, owners_, seats_, digest_, rejections_, limits_, selections_, facts_};
  }
  std::unique_ptr<History> make_history() const {
    if (config_.history_ticks == 0) return nullptr;
    return std::make_unique<History>(config_.history_ticks,
                                     templates_.has_any_for_claims() ? &templates_ : nullptr);
  }
  Tick next_tick() const { return world_.tick() + 1; }
  void empty_seat(ParticipantNumber number);
  void give_up_seats_of_those_away();
  void clear_facts() {
    for_each_fact([](auto& facts) { facts.clear(); }, facts_);
  }
  void note_destructions();
  void note_event_owners(std::span<collision::Event> events);
  void note_arrivals();
  bool is_required(const Seat& seat) const;
  bool is_frame_in(const Seat& seat) const;
  void note_late_participants();
  void note_bunched(Participant& participant) {
    ++participant.bunched_frames;
    ++lateness_.bunched_frames;
  }
  void apply_frames();
  const TickOutput& close_last_tick();
  const TickOutput& close_tick(std::span<const collision::Event> events);

  const MatchConfig config_;
  collision::World world_;
  Seats seats_;
  TemplateObjects templates_;
  ObjectOwners owners_;
  RejectionLog rejections_;
  Digest digest_;
  ObjectLimits limits_;
  SelectionRules selections_;
  const std::unique_ptr<History> history_;  ///< Watches only. Null: none is kept.
  ClaimDesk claims_;
  FrameIntake intake_;
  FrameApplier applier_;
  Departures departures_;
  TickFacts facts_;  ///< Of the tick in progress, or the last.
  Scoring scoring_;
  Scoreboard scoreboard_;
  TickOutput output_;
  Lateness lateness_;
  TickObservers observers_{history_.get()};
  InputLog* log_ = nullptr;
  std::uint64_t roster_version_ = 0;
  bool ended_ = false;
};

Join::Answer Match::Impl::apply(const Join& join) {
  if (ended_) return JoinError::kMatchEnded;
  const auto seat =
      seats_.take(join, [this](ObjectId first, ObjectId last) { return world_.has_any_in(first, last); });
  if (!seat) return seat.error();
  const ParticipantNumber number = seat.value()->participant.number;
  if (!config_.scoring.empty() && seat.value()->may_change()) scoreboard_.join(number, join.name);
  if (log_ != nullptr) log_->took(Join{join.name, join.role, number});
  ++roster_version_;
  return describe(*seat.value());
}

void Match::Impl::empty_seat(ParticipantNumber number) {
  ++roster_version_;
  rejections_.forget(number);
  scoreboard_.leave(number);
  scoring_.forget(number);
  claims_.forget(number);
  seats_.leave(number, owners_.count_of(number) > 0);
}

Submission::Answer Match::Impl::apply(Submission submission) {
  const auto& [number, frame] = submission;
  Seat* seat = seats_.find(number);
  if (ended_ || seat == nullptr) {
    return Rejection{.participant = number,
                     .tick = next_tick(),
                     .frame_tick = frame.tick,
                     .reason = RejectionReason::kNotAllowed,
                     .field = {},
                     .message = ended_ ? "the match has ended" : "no participant has this number"};
  }
  const std::uint64_t late_before = seat->participant.late_frames;
  auto answer = intake_.take(*seat, std::move(submission), log_);
  lateness_.late_frames += seat->participant.late_frames - late_before;
  return answer;
}

void Match::Impl::apply(RefusedMessage refused) {
  Seat* seat = seats_.find(refused.number);
  if (!ended_ && seat != nullptr) intake_.refuse(*seat, std::move(refused));
}

const TickOutput& Match::Impl::report_refusals() {
  rejections_.close_tick();
  output_ = {.tick = world_.tick(),
             .digest = digest_.value(),
             .events = {},
             .rejections = rejections_.listed(),
             .rejections_not_listed = rejections_.not_listed()};
  return output_;
}

bool Match::Impl::is_required(const Seat& seat) const {
  if (!seat.is_expected_to_play()) return false;
  return config_.clock != ClockKind::kLockstep || seat.participant.is_any_of(config_.lockstep.required_roles);
}

// A step of a MANUAL clock waits for a sign of life, which a late frame is, too.
bool Match::Impl::is_frame_in(const Seat& seat) const {
  const bool is_lockstep = config_.clock == ClockKind::kLockstep;
  return is_lockstep ? seat.frames.has_on_time(next_tick()) : seat.frames.has(next_tick());
}

bool Match::Impl::frames_are_in() const {
  bool anybody = false;
  for (const auto& [number, seat] : seats_.by_number()) {
    if (!is_required(seat)) continue;
    if (!is_frame_in(seat)) return false;
    anybody = true;
  }
  return anybody;
}

std::optional<Tick> Match::Impl::find_place(ParticipantNumber number, Tick frame_tick) const {
  const auto it = seats_.by_number().find(number);
  if (ended_ || it == seats_.by_number().end()) return std::nullopt;
  return intake_.find_place(it->second, frame_tick);
}

void Match::Impl::give_up_seats_of_those_away() {
  std::vector<ParticipantNumber> expired;
  for (const auto& [number, seat] : seats_.by_number()) {
    const bool is_over = world_.tick() - seat.away_since >= config_.reconnect_ticks;
    if (seat.participant.is_away && is_over) expired.push_back(number);
  }
  for (const ParticipantNumber number : expired) empty_seat(number);
}

const Rights& Match::Impl::rights_of(ParticipantNumber number) {
  static const Rights kNoOwners;
  const Seat* seat = seats_.find(number);
  return seat == nullptr ? kNoOwners : limits_.rights_of(seat->participant);
}

void Match::Impl::note_arrivals() {
  for (auto& [number, seat] : seats_.by_number()) {
    if (seat.is_new && seat.may_change()) digest_.add_arrival(seat.participant);
    seat.is_new = false;
  }
}

void Match::Impl::note_late_participants() {
  if (config_.clock != ClockKind::kLockstep) return;
  for (auto& [number, seat] : seats_.by_number()) {
    if (!is_required(seat) || is_frame_in(seat)) continue;
    ++seat.participant.frames_missed;
    facts_.late_participants.push_back(number);
  }
}

void Match::Impl::apply_frames() {
  const Tick tick = next_tick();
  for (auto& [number, seat] : seats_.by_number()) {
    std::optional<Tick> before;
    while (Frame* frame = seat.frames.first_of(tick)) {
      if (!before) limits_.begin_frames(seat.participant);
      if (before && (*before != frame->tick || frame->tick == 0)) note_bunched(seat.participant);
      before = frame->tick;
      applier_.apply(seat.participant, *frame);
      seat.frames.remove_first();
    }
  }
}

const TickOutput& Match::Impl::step() {
  SWEEPD_ASSERT(!ended_);
  digest_.begin_tick(next_tick());
  give_up_seats_of_those_away();
  clear_facts();
  departures_.apply();
  note_arrivals();
  note_late_participants();
  apply_frames();
  const std::span<collision::Event> events = world_.finish_tick(&observers_);
  for (const collision::RemovedObject& removed : world_.removed_by_world()) owners_.remove(removed);
  if (world_.excess() != collision::Excess::kNone) {
    digest_.add_excess(world_.excess(), tick_budget_of(config_.budgets));
    return close_last_tick();
  }
  note_destructions();
  note_event_owners(events);
  scoring_.score(world_, events, owners_, scoreboard_);
  return close_tick(events);
}

void Match::Impl::note_destructions() {
  for (const auto& what : world_.destructions()) {
    facts_.destructions.push_back(
        {what, *owners_.owner_in_tick(what.object), *owners_.owner_in_tick(what.by)});
  }
}

void Match::Impl::note_event_owners(std::span<collision::Event> events) {
  for (collision::Event& event : events) {
    event.owners =
        event_owners(*owners_.owner_in_tick(event.key.object_a), *owners_.owner_in_tick(event.key.object_b));
  }
}

const TickOutput& Match::Impl::end() {
  SWEEPD_ASSERT(!ended_);
  digest_.begin_tick(next_tick());
  return close_last_tick();
}

const TickOutput& Match::Impl::close_last_tick() {
  ended_ = true;
  clear_facts();
  owners_.remove_all();
  const std::span<collision::Event> events = world_.end();
  note_event_owners(events);
  return close_tick(events);
}

const TickOutput& Match::Impl::close_tick(std::span<const collision::Event> events) {
  SWEEPD_ASSERT(owners_.size() == world_.object_count());
  digest_.finish_tick(events, world_.state_hash());
  rejections_.close_tick();
  claims_.close_tick();
  owners_.finish_tick();
  output_ = {.tick = world_.tick(),
             .digest = digest_.value(),
             .events = events,
             .rejections = rejections_.listed(),
             .scores = scoreboard_.take_changed(),
             .claim_verdicts = claims_.verdicts(),
             .rejections_not_listed = rejections_.not_listed()};
  for_each_fact([](auto& told, const auto& facts) { told = facts; }, output_, facts_);
  return output_;
}

TickRange Match::Impl::known_ticks() const {
  if (history_ && !ended_) return {history_->oldest(), history_->latest()};
  return {world_.tick(), world_.tick()};
}

PastWorld Match::Impl::world_at(Tick tick, const ObjectPage& page) const {
  SWEEPD_ASSERT(known_ticks().has(tick) || tick == world_.tick());
  return match::world_at(world_, history_.get(), tick, page);
}

std::optional<PastObject> Match::Impl::find_object_at(ObjectId id, Tick tick) const {
  SWEEPD_ASSERT(known_ticks().has(tick) || tick == world_.tick());
  return match::find_object_at(world_, history_.get(), id, tick);
}

Match::Match(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Match::~Match() = default;

base::Result<std::unique_ptr<Match>, FieldError> Match::create(MatchConfig config,
                                                               std::uint32_t digest_version) {
  SWEEPD_ASSERT(is_known_digest_version(digest_version));
  if (auto error = find_error(config)) return *std::move(error);
  return std::unique_ptr<Match>(new Match(std::make_unique<Impl>(std::move(config), digest_version)));
}

std::string Match::save() const {
  SWEEPD_ASSERT(!impl_->ended());
  return match::save(impl_->snapshot_parts());
}

base::Result<std::unique_ptr<Match>, SnapshotError> Match::restore(MatchConfig config,
                                                                   std::string_view snapshot,
                                                                   std::uint32_t digest_version, Past past) {
  auto match = create(std::move(config), digest_version);
  if (!match) return SnapshotError{"config." + match.error().field, match.error().description};
  if (auto error = match::restore((*match)->impl_->snapshot_parts(), snapshot, past))
    return *std::move(error);
  return std::move(*match);
}

base::Result<std::unique_ptr<Match>, SnapshotError> Match::restore(MatchConfig config,
                                                                   std::string_view snapshot,
                                                                   std::uint32_t digest_version) {
  return restore(std::move(config), snapshot, digest_version, Past::kRestored);
}

base::Result<std::unique_ptr<Match>, SnapshotError> Match::restore_without_past(
    MatchConfig config, std::string_view snapshot, std::uint32_t digest_version) {
  SWEEPD_ASSERT(config.history_ticks == 0);
  return restore(std::move(config), snapshot, digest_version, Past::kLeftOut);
}

std::optional<SnapshotError> Match::compare(std::string_view snapshot) const {
  SWEEPD_ASSERT(!impl_->ended());
  return match::compare(impl_->snapshot_parts(), snapshot);
}

template <typename Any>
typename Any::Answer Match::apply(Any input) {
  return impl_->apply(std::move(input));
}
template Join::Answer Match::apply(Join);
template Leave::Answer Match::apply(Leave);
template Away::Answer Match::apply(Away);
template Back::Answer Match::apply(Back);
template Submission::Answer Match::apply(Submission);
template RefusedMessage::Answer Match::apply(RefusedMessage);

void Match::set_log(InputLog* log) { impl_->set_log(log); }
void Match::set_observer(collision::TickObserver* observer) { impl_->set_observer(observer); }
const TickOutput& Match::report_refusals() { return impl_->report_refusals(); }

bool Match::frames_are_in() const { return impl_->frames_are_in(); }
std::size_t Match::frames_waiting() const { return impl_->frames_waiting(); }
std::optional<Tick> Match::find_place(ParticipantNumber number, Tick frame_tick) const {
  return impl_->find_place(number, frame_tick);
}
const Lateness& Match::lateness() const { return impl_->lateness(); }
std::uint32_t Match::ready_participants() const { return impl_->ready_participants(); }
const Rights& Match::rights_of(ParticipantNumber number) const { return impl_->rights_of(number); }
const TickOutput& Match::step() { return impl_->step(); }
const TickOutput& Match::end() { return impl_->end(); }

const MatchConfig& Match::config() const { return impl_->config(); }
bool Match::ended() const { return impl_->ended(); }
collision::Excess Match::excess() const { return impl_->world().excess(); }
Tick Match::tick() const { return impl_->world().tick(); }
std::uint64_t Match::digest() const { return impl_->digest(); }
std::uint32_t Match::digest_version() const { return impl_->digest_version(); }
std::uint64_t Match::last_sequence_number() const { return impl_->world().last_sequence_number(); }
std::size_t Match::object_count() const { return impl_->world().object_count(); }
collision::Point Match::playfield_origin() const { return impl_->world().playfield_origin(); }
std::size_t Match::encounter_count() const { return impl_->world().encounter_count(); }
std::vector<collision::Encounter> Match::open_encounters() const { return impl_->world().open_encounters(); }

collision::Queries Match::queries() const { return impl_->world().queries(); }
const Scoreboard& Match::scoreboard() const { return impl_->scoreboard(); }
ClaimVerdict Match::judge(const Claimant& claimant, const HitClaim& claim) const {
  return impl_->judge(claimant, claim);
}
TickRange Match::known_ticks() const { return impl_->known_ticks(); }
PastWorld Match::world_at(Tick tick, const ObjectPage& page) const { return impl_->world_at(tick, page); }
std::optional<PastObject> Match::find_object_at(ObjectId id, Tick tick) const {
  return impl_->find_object_at(id, tick);
}
std::vector<collision::Encounter> Match::encounters_at(Tick tick,
                                                       const collision::EncounterPage& page) const {
  return impl_->encounters_at(tick, page);
}

std::vector<Participant> Match::participants() const {
  std::vector<Participant> participants;
  participants.reserve(impl_->seats().size());
  for (const auto& [number, seat] : impl_->seats()) participants.push_back(impl_->describe(seat));
  return participants;
}

const std::deque<Participant>& Match::former_participants() const { return impl_->former_participants(); }

std::optional<Participant> Match::find_participant(ParticipantNumber number) const {
  const auto seat = impl_->seats().find(number);
  return seat == impl_->seats().end() ? std::nullopt : std::optional(impl_->describe(seat->second));
}

std::span<const ObjectId> Match::anchors_of(ParticipantNumber number, TemplateNumber template_number) const {
  return impl_->anchors_of(number, template_number);
}

std::optional<collision::ObjectView> Match::find_object(ObjectId id) const { return impl_->world().find(id); }
std::vector<ObjectId> Match::object_ids() const { return impl_->world().ids(); }
collision::ObjectSlot Match::slot_of(ObjectId id) const { return impl_->world().slot_of(id); }
std::uint32_t Match::template_of(ObjectId id) const { return impl_->template_of(id); }
std::uint64_t Match::roster_version() const { return impl_->roster_version(); }

}  // namespace sweepd::match
