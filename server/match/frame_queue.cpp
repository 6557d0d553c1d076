// SPDX-License-Identifier: MIT
#include "match/frame_queue.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "match/frame_codec.h"

namespace sweepd::match {

namespace {

// A change is a row, and so is each thing that it lists. One with lists does not compile until they count.
template <typename Change>
requires std::is_trivially_copyable_v<Change> std::size_t rows_of(const Change&) { return 1; }
std::size_t rows_of(const collision::ObjectSpec& spawn) { return 1 + spawn.parts.size(); }
std::size_t rows_of(const Reshape& reshape) { return 1 + reshape.parts.size(); }
std::size_t rows_of(const Selection& selection) { return 1 + selection.layers.size(); }
std::size_t rows_of(const Transfer& transfer) { return 1 + transfer.objects.size(); }
std::size_t rows_of(const HitClaim&) { return 0; }          // Bounded by kClaimsWaitingMax.
std::size_t rows_of(const collision::Point&) { return 0; }  // One at most, of a scroll.
std::size_t rows_of(const AppMessage& message) { return 1 + message.bytes.size() / 32; }

}  // namespace

std::size_t count_rows(const Frame& frame) {
  std::size_t rows = 0;
  for_each_change(frame, [&](auto, const auto& change) { rows += rows_of(change); });
  return rows;
}

bool FrameQueue::has_room_for(const Frame& frame) const {
  if (waiting_.empty()) return true;
  return waiting_.size() < kFramesWaitingMax && rows_ + count_rows(frame) <= kRowsWaitingMax;
}

void FrameQueue::add(Tick applies_in, Frame frame, bool is_late) {
  SWEEPD_ASSERT(has_room_for(frame));
  const std::size_t rows = count_rows(frame);
  rows_ += rows;
  late_ += is_late ? 1 : 0;
  claims_ += frame.claims.size();
  SWEEPD_ASSERT(claims_ <= kClaimsWaitingMax);
  const auto place = std::ranges::upper_bound(waiting_, applies_in, {}, &Waiting::applies_in);
  waiting_.insert(place, Waiting{applies_in, is_late, std::move(frame), rows});
}

/// Those of one tick that follow each other count once.
bool FrameQueue::takes_one_more(Tick applies_in, Tick tick) const {
  std::size_t ticks = 0;
  std::optional<Tick> last;
  auto waiting = std::ranges::lower_bound(waiting_, applies_in, {}, &Waiting::applies_in);
  for (; waiting != waiting_.end() && waiting->applies_in == applies_in; ++waiting) {
    if (last != waiting->frame.tick) ++ticks;
    last = waiting->frame.tick;
  }
  return ticks < kSpreadTicksMax || last == tick;
}

Tick FrameQueue::place_behind_late(Tick tick, Tick first) const {
  const Tick meant = std::max(tick, first);
  if (late_ == 0 && (tick == 0 || tick >= first)) return meant;
  const Tick behind = late_ == 0 ? first : last_late();
  if (meant > behind) return meant;
  return tick == 0 || takes_one_more(behind, tick) ? behind : behind + 1;
}

Tick FrameQueue::last_late() const {
  const auto late = std::find_if(waiting_.rbegin(), waiting_.rend(), std::mem_fn(&Waiting::is_late));
  SWEEPD_ASSERT(late != waiting_.rend());
  return late->applies_in;
}

Frame* FrameQueue::first_of(Tick tick) {
  SWEEPD_ASSERT(waiting_.empty() || waiting_.front().applies_in >= tick);
  return has(tick) ? &waiting_.front().frame : nullptr;
}

bool FrameQueue::has_on_time(Tick tick) const {
  for (const Waiting& waiting : waiting_) {
    SWEEPD_ASSERT(waiting.applies_in >= tick);
    if (waiting.applies_in > tick && late_ == 0) return false;
    if (waiting.frame.tick == tick || (waiting.applies_in == tick && !waiting.is_late)) return true;
  }
  return false;
}

void FrameQueue::remove_first() {
  SWEEPD_ASSERT(!waiting_.empty());
  rows_ -= waiting_.front().rows;
  late_ -= waiting_.front().is_late ? 1 : 0;
  claims_ -= waiting_.front().frame.claims.size();
  waiting_.pop_front();
}

void FrameQueue::save(base::ByteWriter& writer, bool with_messages) const {
  writer.number(waiting_.size());
  for (const auto& [applies_in, is_late, frame, rows] : waiting_) {
    writer.number(applies_in);
    writer.boolean(is_late);
    if (with_messages || frame.messages.empty()) {
      write(writer, frame);
      continue;
    }
    Frame silent = frame;
    silent.messages.clear();
    write(writer, silent);
  }
}

void FrameQueue::restore(base::ByteReader& reader, Tick tick) {
  const std::size_t count = reader.count(kFrameBytesMin);
  Tick last = tick + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Tick applies_in = reader.number();
    const bool is_late = reader.boolean();
    Frame frame = read_frame(reader);
    const bool fits = has_room_for(frame) && claims_ + frame.claims.size() <= kClaimsWaitingMax;
    if (!reader.require(fits, "are more frames than may wait")) return;
    if (!reader.require(applies_in >= last, "is a frame out of its order")) return;
    add(applies_in, std::move(frame), is_late);
    last = applies_in;
  }
}

}  // namespace sweepd::match
