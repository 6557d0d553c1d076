// SPDX-License-Identifier: MIT
#include "match/scoreboard.h"

#include <algorithm>
#include <utility>

#include "base/byte_list.h"
#include "base/saturating_sum.h"

namespace sweepd::match {
namespace {

constexpr std::size_t kScoreBytesMin = 4;

void write(base::ByteWriter& writer, const std::vector<Score>& scores) {
  base::write_list(writer, scores, [&](const Score& entry) {
    const auto& [participant, name, score, has_left] = entry;
    writer.number(participant);
    writer.text(name);
    writer.signed_number(score);
    writer.boolean(has_left);
  });
}

std::vector<Score> read_scores(base::ByteReader& reader) {
  return base::read_list<Score>(reader, kScoreBytesMin, [&] {
    Score score{.participant = reader.number32()};
    score.name = reader.text(kNameBytesMax);
    score.score = reader.signed_number();
    score.has_left = reader.boolean();
    return score;
  });
}

}  // namespace

Score* Scoreboard::find(ParticipantNumber number) {
  const auto found = std::ranges::find(present_, number, &Score::participant);
  return found == present_.end() ? nullptr : &*found;
}

bool Scoreboard::has(ParticipantNumber number) const {
  return std::ranges::find(present_, number, &Score::participant) != present_.end();
}

void Scoreboard::join(ParticipantNumber number, const std::string& name) {
  present_.push_back({number, name, 0, false});
  note(present_.back());
}

void Scoreboard::leave(ParticipantNumber number) {
  const auto found = std::ranges::find(present_, number, &Score::participant);
  if (found == present_.end()) return;
  Score score = *found;
  score.has_left = true;
  present_.erase(found);
  note(score);
  if (score.score == 0) return;
  if (former_.size() == kFormerScoresMax) former_.erase(former_.begin());
  former_.push_back(std::move(score));
}

void Scoreboard::add(ParticipantNumber number, std::int64_t points) {
  Score* score = find(number);
  if (score == nullptr || points == 0) return;
  score->score = base::saturating_sum(score->score, points);
  note(*score);
}

void Scoreboard::note(const Score& score) {
  const auto known = std::ranges::find_if(changed_, [&](const Score& changed) {
    return changed.participant == score.participant && changed.name == score.name && !changed.has_left;
  });
  if (known != changed_.end()) {
    *known = score;
  } else {
    changed_.push_back(score);
  }
}

std::vector<Score> Scoreboard::present() const {
  std::vector<Score> scores = present_;
  std::ranges::sort(scores, {}, &Score::participant);
  return scores;
}

std::span<const Score> Scoreboard::take_changed() {
  told_ = std::exchange(changed_, {});
  std::ranges::stable_sort(told_, {}, &Score::participant);
  return told_;
}

/// Names every member: a new one does not compile until it is saved, or found to need no saving.
void Scoreboard::save(base::ByteWriter& writer) const {
  const auto& [present, former, changed, told] = *this;
  write(writer, present);
  write(writer, former);
  write(writer, changed);
}

void Scoreboard::restore(base::ByteReader& reader) {
  present_ = read_scores(reader);
  former_ = read_scores(reader);
  reader.require(former_.size() <= kFormerScoresMax, "are too many scores of who left");
  changed_ = read_scores(reader);
}

}  // namespace sweepd::match
