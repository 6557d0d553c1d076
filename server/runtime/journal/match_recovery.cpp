// SPDX-License-Identifier: MIT
#include "runtime/journal/match_recovery.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "match/digest_version.h"
#include "replay/config_codec.h"
#include "replay/player.h"

namespace sweepd::runtime {
namespace {

constexpr match::Tick kNoEnd = std::numeric_limits<match::Tick>::max();

std::string range_text(match::Tick first, match::Tick last) {
  return "ticks " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

void MatchRecovery::note(const std::string& what) {
  damage_.push_back("match " + (stored_.origin ? stored_.origin->id : std::to_string(stored_.key)) + ": " +
                    what);
}

/// What stands on a page that cannot be read is as good as not there.
template <typename Read>
auto MatchRecovery::read(const std::string& what, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const StorageFailure& failure) {
    if (!failure.is_corruption()) throw;
    note(what + " cannot be read: " + failure.what());
    return {};
  }
}

std::optional<RecoveredMatch> MatchRecovery::run() {
  if (!stored_.origin) {
    note("what it begins with is damaged; it is lost");
    return std::nullopt;
  }
  const replay::Head& head = stored_.origin->head;
  const auto config = replay::decode_config(head.config_bytes);
  if (!config || !match::is_known_digest_version(head.digest_version)) {
    note("this build does not know its rules; it is lost");
    return std::nullopt;
  }
  auto attempt = begin(config.value());
  if (attempt && !play(*attempt, kNoEnd)) {
    // The match has run the tick that differs: once more, up to the one before.
    attempt = begin(config.value());
    if (attempt) play(*attempt, *diverges_in_ - 1);
  }
  if (!attempt) return std::nullopt;
  note_what_is_missing(attempt->match->tick());
  RecoveredMatch recovered{.key = stored_.key, .origin = *stored_.origin, .cast = std::move(attempt->cast)};
  recovered.match = std::move(attempt->match);
  take_state(recovered);
  return recovered;
}

void MatchRecovery::take_state(RecoveredMatch& recovered) {
  const match::Tick tick = recovered.match->tick();
  if (!stored_.extent) note("how far it went is damaged; it goes on after tick " + std::to_string(tick));
  if (stored_.state) {
    recovered.state = *stored_.state;
  } else {
    // Before its first tick the server may have died before there was one.
    if (stored_.is_damaged || tick > 0)
      note("who sat where is damaged; no participant can come back to its seat");
    recovered.state.clock.tick_rate_hz = recovered.match->config().tick_rate_hz;
  }
  if (recovered.state.tick != tick) recovered.state.arrivals.clear();
  take_holders(recovered);
}

/// Of lost ticks' seats there may be other holders from now on.
void MatchRecovery::take_holders(RecoveredMatch& recovered) {
  const std::vector<match::Join>& participants = recovered.cast.participants;
  if (recovered.state.tick != recovered.match->tick()) {
    std::erase_if(recovered.state.holders, [&](const replay::SeatHolder& holder) {
      return std::ranges::none_of(participants, [&](const match::Join& join) {
        return join.number == holder.number && join.name == holder.name;
      });
    });
  }
  for (const replay::SeatHolder& holder : recovered.state.holders)
    recovered.cast.note(holder, *recovered.match);
}

std::optional<MatchRecovery::Attempt> MatchRecovery::begin(const match::MatchConfig& config) {
  const auto key_frames =
      read("the list of its key frames", [this] { return store_.key_frames(stored_.key); });
  for (auto tick = key_frames.rbegin(); tick != key_frames.rend(); ++tick) {
    if (auto attempt = from_key_frame(config, *tick)) return attempt;
    note("the key frame of tick " + std::to_string(*tick) + " is damaged");
  }
  auto match = match::Match::create(config, stored_.origin->head.digest_version);
  if (match && match.value()->digest() == stored_.origin->head.initial_digest)
    return Attempt{std::move(match.value()), {}};
  note("no match can have its config; it is lost");
  return std::nullopt;
}

std::optional<MatchRecovery::Attempt> MatchRecovery::from_key_frame(const match::MatchConfig& config,
                                                                    match::Tick tick) {
  const auto key_frame = read("its key frame", [&] { return store_.read_key_frame(stored_.key, tick); });
  if (!key_frame || key_frame->version != match::kSnapshotVersion) return std::nullopt;
  auto match = match::Match::restore(config, key_frame->snapshot, stored_.origin->head.digest_version);
  if (!match || match.value()->tick() != tick || match.value()->digest() != key_frame->digest)
    return std::nullopt;
  return Attempt{std::move(match.value()), key_frame->cast};
}

/// Up to `last`, or as far as there are ticks. False: one led to another match than it had.
bool MatchRecovery::play(Attempt& attempt, match::Tick last) {
  replay::Player player(std::move(attempt.match));
  bool is_good = true;
  while (is_good && player.match().tick() < last) {
    auto records = next_ticks(player.match().tick() + 1);
    if (!records) break;
    for (replay::TickRecord& record : *records) {
      if (record.tick > last) break;
      attempt.cast.note(record.inputs);
      const match::Tick tick = record.tick;
      const auto divergence = player.play(std::move(record));
      if (!divergence) continue;
      note("tick " + std::to_string(tick) + " diverges: " + divergence->what);
      diverges_in_ = tick;
      is_good = false;
      break;
    }
  }
  attempt.match = player.take_match();
  return is_good;
}

std::optional<std::vector<replay::TickRecord>> MatchRecovery::next_ticks(match::Tick first) {
  for (const JournalStore::SegmentPlace& place : segments()) {
    if (first < place.first_tick || first > place.last_tick) continue;
    const auto segment =
        read("its segment", [&] { return store_.read_segment(stored_.key, place.first_tick); });
    auto records = segment ? unpack(*segment) : std::nullopt;
    if (!records) break;  // Its ticks may not have left the commits yet.
    if (records->back().tick < first) break;
    std::erase_if(*records, [first](const replay::TickRecord& record) { return record.tick < first; });
    return records;
  }
  return next_recent(first);
}

const std::vector<JournalStore::SegmentPlace>& MatchRecovery::segments() {
  if (!segments_)
    segments_ = read("the list of its segments", [this] { return store_.segments(stored_.key); });
  return *segments_;
}

std::optional<std::vector<replay::TickRecord>> MatchRecovery::next_recent(match::Tick first) {
  std::vector<replay::TickRecord> records;
  for (const RecentTicks::EncodedTick& tick : recent_.of(stored_.key, first, kNoEnd)) {
    if (tick.tick != first + records.size()) break;
    auto record = decode_tick(tick);
    if (!record) break;
    records.push_back(*std::move(record));
  }
  if (records.empty()) return std::nullopt;
  return records;
}

match::Tick MatchRecovery::last_known_tick() {
  const MatchExtent extent = stored_.extent.value_or(MatchExtent{});
  match::Tick last = std::max(extent.last_packed_tick, extent.last_key_frame_tick);
  for (const JournalStore::SegmentPlace& place : segments()) last = std::max(last, place.last_tick);
  const auto recent = recent_.of(stored_.key, last + 1, kNoEnd);
  return recent.empty() ? last : recent.back().tick;
}

void MatchRecovery::note_what_is_missing(match::Tick last) {
  const match::Tick last_known = last_known_tick();
  if (last_known <= last) return;
  note(range_text(last + 1, last_known) + " are lost; it goes on after tick " + std::to_string(last));
}

}  // namespace sweepd::runtime
