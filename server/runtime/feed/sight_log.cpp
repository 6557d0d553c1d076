// SPDX-License-Identifier: MIT
#include "runtime/feed/sight_log.h"

#include <algorithm>
#include <utility>

#include "match/visibility/lookout.h"
#include "runtime/feed/target_sight.h"

namespace sweepd::runtime {
namespace {

collision::EncounterKey key_of(const collision::Destruction& what) {
  if (what.object < what.by) return {what.object, what.by, what.layer, what.by_layer};
  return {what.by, what.object, what.by_layer, what.layer};
}

constexpr std::uint64_t kAllSeats = ~std::uint64_t{0};

/// A node of a map, about.
constexpr std::size_t kNodeBytes = 5 * sizeof(void*);

}  // namespace

/// All players of a tick.
class SightLog::Eyes {
 public:
  Eyes(const SightLog& log, std::uint32_t tests_max) : match_(log.match_) {
    Seats players = 0;
    for (const match::Participant& one : match_.participants()) {
      if (one.number < roles_.size()) roles_[one.number] = one.role;
      if (one.role == match::Role::kPlayer) players |= match::seat_bit(one.number);
    }
    const auto position_of = [&match = match_](match::ParticipantNumber, match::ObjectId id) {
      const auto object = match.find_object(id);
      return object ? std::optional(object->position) : std::nullopt;
    };
    lookout_.emplace(match_, log.rules_, match::Role::kPlayer, players, position_of, tests_max);
  }

  Seats seats_that_see(const collision::EncounterKey& key, match::ParticipantNumber owner_a,
                       match::ParticipantNumber owner_b) {
    match::Sighted a = sighted(owner_a, key.object_a, key.layer_a);
    match::Sighted b = sighted(owner_b, key.object_b, key.layer_b);
    if (!a.position) a.position = b.position;
    if (!b.position) b.position = a.position;
    const Seats own = (match::seat_bit(owner_a) | match::seat_bit(owner_b)) & lookout_->seats();
    return own | (lookout_->seats_that_see(a) & lookout_->seats_that_see(b));
  }

  bool is_over_budget() const { return lookout_->meter().is_exceeded(); }
  std::uint64_t tests_left() const { return lookout_->meter().left(); }

 private:
  match::Sighted sighted(match::ParticipantNumber owner, match::ObjectId id, collision::LayerId layer) const {
    match::Sighted sighted{.owner = owner, .layer = layer};
    if (owner < roles_.size()) sighted.owner_role = roles_[owner];
    if (const auto object = match_.find_object(id)) sighted.position = object->position;
    return sighted;
  }

  const match::Match& match_;
  std::array<std::optional<match::Role>, match::kParticipantsMax> roles_ = {};
  std::optional<match::Lookout> lookout_;  ///< There from the end of the constructor on.
};

SightLog::SightLog(const match::Match& match)
    : match_(match), rules_(match.config()), forgotten_(match.last_sequence_number()) {
  if (!rules_.depends_on_seats()) return;
  // Once in a life of the match, and of no tick: a match that has come so far is not ended for it.
  Eyes eyes(*this, collision::TickBudget::kNoLimit);
  const auto owner_of = [&](match::ObjectId id) { return match.find_object(id)->owner; };
  for (const collision::Encounter& encounter : match.open_encounters()) {
    const collision::EncounterKey& key = encounter.key;
    if (sees_layers(match::Role::kPlayer, key.layer_a, key.layer_b)) continue;
    open_[key] = eyes.seats_that_see(key, owner_of(key.object_a), owner_of(key.object_b));
  }
}

void SightLog::take(const match::TickOutput& output) {
  is_over_budget_ = false;
  are_targets_hidden_.clear();
  if (!rules_.depends_on_seats()) return;
  const std::uint32_t tests_max = tick_budget_of(match_.config().budgets).tests_max;
  std::optional<Eyes> lazy_eyes;  // Most ticks have nothing to look at.
  const auto seats_that_see = [&](const auto&... what) {
    if (!lazy_eyes) lazy_eyes.emplace(*this, tests_max);
    return lazy_eyes->seats_that_see(what...);
  };
  std::vector<collision::EncounterKey> closed;
  for (const collision::Event& event : output.events) {
    Seats seats = kAllSeats;
    if (sees_layers(match::Role::kPlayer, event.key.layer_a, event.key.layer_b)) {
      // Nothing to decide.
    } else if (event.kind == collision::EventKind::kEnter) {
      seats = seats_that_see(event.key, event.owners.a, event.owners.b);
      open_[event.key] = seats;
    } else {
      seats = open_[event.key];
      closed.push_back(event.key);
    }
    events_.push_back(seats);
  }
  std::vector<Seats> destroyed;
  for (const match::Destruction& destruction : output.destructions) {
    const collision::EncounterKey key = key_of(destruction.what);
    const bool is_first = key.object_a == destruction.what.object;
    const auto open = open_.find(key);
    // A claim destroys without contact.
    destroyed.push_back(open != open_.end() ? open->second
                        : is_first          ? seats_that_see(key, destruction.owner, destruction.by_owner)
                                            : seats_that_see(key, destruction.by_owner, destruction.owner));
  }
  is_over_budget_ = lazy_eyes && lazy_eyes->is_over_budget();
  destruction_count_ += destroyed.size();
  if (!destroyed.empty()) destructions_[output.tick] = std::move(destroyed);
  for (const collision::EncounterKey& key : closed) open_.erase(key);
  if (!output.claim_verdicts.empty())
    take_claims(output.claim_verdicts, lazy_eyes ? lazy_eyes->tests_left() : tests_max);
}

/// With the tests that the tick's events have left: a claimant is told less where they are too few.
void SightLog::take_claims(std::span<const match::ClaimVerdict> verdicts, std::uint64_t tests_left) {
  TargetSight sight(match_, rules_, tests_left);
  for (const match::ClaimVerdict& verdict : verdicts)
    are_targets_hidden_.push_back(verdict.verdict != match::Verdict::kConfirmed && !sight.sees(verdict));
}

void SightLog::forget(std::uint64_t sequence_number, match::Tick tick) {
  while (forgotten_ < sequence_number && !events_.empty()) {
    events_.pop_front();
    ++forgotten_;
  }
  while (!destructions_.empty() && destructions_.begin()->first <= tick) {
    destruction_count_ -= destructions_.begin()->second.size();
    destructions_.erase(destructions_.begin());
  }
}

std::size_t SightLog::bytes() const {
  return (events_.size() + destruction_count_) * sizeof(Seats) +
         destructions_.size() * (kNodeBytes + sizeof(std::vector<Seats>)) +
         open_.size() * (kNodeBytes + sizeof(collision::EncounterKey) + sizeof(Seats));
}

void SightLog::begin_seat(match::ParticipantNumber number) {
  if (number >= begins_.size()) return;
  begins_[number] = {match_.last_sequence_number(), match_.tick()};
  for (auto& [key, seats] : open_) seats &= ~match::seat_bit(number);
}

SightLog::Seats SightLog::seats_of(const match::Viewer& viewer) const {
  return viewer.role == match::Role::kPlayer ? viewer.bits() : 0;
}

bool SightLog::sees(const match::Viewer& viewer, const collision::Event& event) const {
  if (sees_layers(viewer.role, event.key.layer_a, event.key.layer_b)) return true;
  if (event.sequence_number <= forgotten_ || event.sequence_number - forgotten_ > events_.size())
    return false;
  Seats seats = seats_of(viewer) & events_[event.sequence_number - forgotten_ - 1];
  for (const match::ParticipantNumber number : viewer.seats) {
    if ((seats & match::seat_bit(number)) != 0 && event.sequence_number > begins_[number].sequence_number)
      return true;
  }
  return false;
}

bool SightLog::sees_destruction(const match::Viewer& viewer, match::Tick tick, std::size_t index,
                                const match::Destruction& destruction) const {
  if (sees_layers(viewer.role, destruction.what.layer, destruction.what.by_layer)) return true;
  const auto found = destructions_.find(tick);
  if (found == destructions_.end() || index >= found->second.size()) return false;
  const Seats seats = seats_of(viewer) & found->second[index];
  return std::ranges::any_of(viewer.seats, [&](match::ParticipantNumber number) {
    return (seats & match::seat_bit(number)) != 0 && tick > begins_[number].tick;
  });
}

bool SightLog::sees_open(const match::Viewer& viewer, const collision::EncounterKey& key) const {
  if (sees_layers(viewer.role, key.layer_a, key.layer_b)) return true;
  const auto open = open_.find(key);
  return open != open_.end() && (open->second & seats_of(viewer)) != 0;
}

}  // namespace sweepd::runtime
