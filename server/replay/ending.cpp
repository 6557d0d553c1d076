// SPDX-License-Identifier: MIT
#include "replay/ending.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "replay/file_format.h"

namespace sweepd::replay {
namespace {

using Seat = std::pair<match::ParticipantNumber, std::string_view>;

/// Those that are taken, and those of rows of scores.
std::set<Seat> seats_that_count(const std::vector<match::Participant>& present,
                                const std::vector<match::Score>& former) {
  std::set<Seat> seats;
  for (const match::Participant& participant : present) seats.emplace(participant.number, participant.name);
  for (const match::Score& score : former) seats.emplace(score.participant, score.name);
  return seats;
}

}  // namespace

void Cast::note(const Join& join) {
  if (join.role == match::Role::kObserver) return;
  if (std::ranges::find(participants, join) != participants.end()) return;
  if (participants.size() < kParticipantsListedMax) {
    participants.push_back(join);
  } else {
    ++omitted;
  }
}

bool Cast::note(const SeatHolder& holder) {
  if (std::ranges::find(holders, holder) != holders.end()) return false;
  if (holders.size() == kSeatHoldersListedMax) {
    ++holders_omitted;
    return false;
  }
  holders.push_back(holder);
  return true;
}

bool Cast::note(const SeatHolder& holder, const match::Match& match) {
  const bool is_full = holders.size() == kSeatHoldersListedMax;
  if (is_full && std::ranges::find(holders, holder) == holders.end()) {
    const std::vector<match::Participant> present = match.participants();
    const std::set<Seat> seats = seats_that_count(present, match.scoreboard().former());
    const auto former = std::ranges::find_if(holders, [&](const SeatHolder& held) {
      return !seats.contains({held.number, held.name});
    });
    if (former != holders.end()) holders.erase(former);
  }
  return note(holder);
}

std::vector<match::Score> scores_of(const match::Match& match) {
  std::vector<match::Score> scores = match.scoreboard().present();
  const auto& former = match.scoreboard().former();
  scores.insert(scores.end(), former.begin(), former.end());
  return scores;
}

bool is_equal(const match::Score& a, const match::Score& b) {
  return a.participant == b.participant && a.name == b.name && a.score == b.score && a.has_left == b.has_left;
}

}  // namespace sweepd::replay
