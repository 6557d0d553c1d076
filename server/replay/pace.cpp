// SPDX-License-Identifier: MIT
#include "replay/pace.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "replay/file_format.h"

namespace sweepd::replay {
namespace {

/// The bucket of the greatest least value that is not above `value`.
template <std::size_t kSize>
std::size_t bucket_of(const std::array<std::uint32_t, kSize>& buckets, std::uint64_t value) {
  const auto after = std::upper_bound(buckets.begin(), buckets.end(), value);
  return static_cast<std::size_t>(std::distance(buckets.begin(), after)) - 1;
}

class PaceMeter {
 public:
  void take(const TickRecord& record) {
    for (const Input& input : record.inputs) {
      if (const Join* join = std::get_if<Join>(&input)) take(*join);
      if (const Submission* submission = std::get_if<Submission>(&input)) take(record.tick, *submission);
    }
  }

  std::vector<FramePace> take_all() {
    std::erase_if(paces_, [](const FramePace& pace) { return pace.frames == 0; });
    return std::move(paces_);
  }

 private:
  struct Seat {
    std::size_t pace = 0;  ///< Its index.
    Tick last_tick = 0;    ///< Of the last frame; 0: there was none.
  };

  /// A participant that comes back under the same number and name goes on.
  void take(const Join& join) {
    if (join.role == match::Role::kObserver) return;
    const auto known = std::ranges::find_if(
        paces_, [&](const FramePace& pace) { return pace.number == join.number && pace.name == join.name; });
    const auto index = static_cast<std::size_t>(std::distance(paces_.begin(), known));
    if (known == paces_.end() && paces_.size() == kParticipantsListedMax) {
      seats_.erase(join.number);
      return;
    }
    if (known == paces_.end()) paces_.push_back({.number = join.number, .name = join.name});
    seats_[join.number] = {index, 0};
  }

  void take(Tick tick, const Submission& submission) {
    const auto found = seats_.find(submission.number);
    if (found == seats_.end()) return;
    const match::Frame& frame = submission.frame;
    Seat& seat = found->second;
    FramePace& pace = paces_[seat.pace];
    ++pace.frames;
    if (frame.tick != 0 && frame.tick < tick) ++pace.late;
    if (frame.tick > tick) ++pace.early;
    if (seat.last_tick == tick) ++pace.bunched;
    pace.inputs += match::count_changes(frame) - frame.messages.size();
    if (frame.delay_ticks) ++pace.delays[bucket_of(FramePace::kDelayBuckets, *frame.delay_ticks)];
    if (seat.last_tick != 0) ++pace.gaps[bucket_of(FramePace::kGapBuckets, tick - seat.last_tick)];
    seat.last_tick = tick;
  }

  std::vector<FramePace> paces_;
  std::map<match::ParticipantNumber, Seat> seats_;
};

}  // namespace

base::Result<std::vector<FramePace>, FileFault> pace_of(const Reader& reader) {
  PaceMeter meter;
  for (std::size_t i = 0; i < reader.chunks().size(); ++i) {
    auto ticks = reader.open_chunk(i);
    if (!ticks) return ticks.error();
    while (!ticks->is_done()) {
      const auto record = ticks->next();
      if (!record) return reader.place(i, record.error());
      meter.take(*record);
    }
  }
  return meter.take_all();
}

}  // namespace sweepd::replay
