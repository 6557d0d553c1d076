// SPDX-License-Identifier: MIT
#include "tools/sweepctl/testimony_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <vector>

#include "replay/file_format.h"
#include "replay/pace.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/utc_time.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

using replay::FramePace;
using replay::Reader;
using replay::TicketSubject;

bool has_testimony(const Reader& reader) {
  return reader.head().digest_version >= replay::kDigestVersionWithStatements;
}

/// "2026-11-25T18:30:00.250Z"; "-" of 0 and of what no clock shows.
std::string time_text(std::int64_t unix_ms) {
  constexpr std::int64_t kMsMax = 253'402'300'800'000;  // Of the year 10000.
  if (unix_ms <= 0 || unix_ms >= kMsMax) return "-";
  std::string text = utc_text(unix_ms / 1000);
  const std::string fraction = std::to_string(1000 + unix_ms % 1000).substr(1);
  return text.insert(text.size() - 1, "." + fraction);
}

double wall_seconds(const replay::Timeline& timeline) {
  return (static_cast<double>(timeline.end_unix_ms) - static_cast<double>(timeline.start_unix_ms)) / 1000;
}

/// "59.4"
std::string decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

double inputs_per_second(const FramePace& pace, const replay::Timeline& timeline) {
  const double seconds = wall_seconds(timeline);
  return seconds > 0 ? static_cast<double>(pace.inputs) / seconds : 0;
}

std::string change_text(const replay::ClockChange& change) {
  return "after tick " + std::to_string(change.tick) + (change.is_restart ? " back after a restart, " : " ") +
         (change.is_paused ? "paused" : std::to_string(change.tick_rate_hz) + " Hz") + " at " +
         time_text(change.unix_ms);
}

/// "0: 12, 1: 300, 20+: 1", buckets without a frame left out.
template <std::size_t kSize>
std::string histogram_text(const std::array<std::uint32_t, kSize>& buckets,
                           const std::array<std::uint64_t, kSize>& counts) {
  std::string text;
  for (std::size_t i = 0; i < kSize; ++i) {
    if (counts[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(buckets[i]);
    if (i + 1 == kSize) text += "+";
    if (i + 1 < kSize && buckets[i + 1] > buckets[i] + 1) text += "-" + std::to_string(buckets[i + 1] - 1);
    text += ": " + std::to_string(counts[i]);
  }
  return text.empty() ? "none" : text;
}

template <std::size_t kSize>
std::string counts_json(const std::array<std::uint64_t, kSize>& counts) {
  std::vector<std::string> entries;
  for (const std::uint64_t count : counts) entries.push_back(std::to_string(count));
  return json_array(entries);
}

std::string pace_text(const FramePace& pace, const replay::Timeline& timeline) {
  return name_text(pace.name) + ": " + std::to_string(pace.frames) + " frames, " + std::to_string(pace.late) +
         " late, " + std::to_string(pace.early) + " early, " + std::to_string(pace.bunched) + " bunched; " +
         decimal(inputs_per_second(pace, timeline)) + " inputs a second; delays in ticks " +
         histogram_text(FramePace::kDelayBuckets, pace.delays) + "; gaps in ticks " +
         histogram_text(FramePace::kGapBuckets, pace.gaps);
}

std::string pace_json(const FramePace& pace, const replay::Timeline& timeline) {
  return JsonObject()
      .add("participant", pace.number)
      .add("name", pace.name)
      .add("frames", pace.frames)
      .add("late", pace.late)
      .add("early", pace.early)
      .add("bunched", pace.bunched)
      .add("inputs", pace.inputs)
      .add_json("inputs_per_second", decimal(inputs_per_second(pace, timeline)))
      .add_json("delays", counts_json(pace.delays))
      .add_json("gaps", counts_json(pace.gaps))
      .text();
}

void add_clock_text(std::ostringstream& text, const Reader& reader) {
  const replay::Timeline& timeline = reader.footer()->ending.timeline;
  const double seconds = wall_seconds(timeline);
  text << "time         " << time_text(timeline.start_unix_ms) << " to " << time_text(timeline.end_unix_ms);
  if (seconds > 0)
    text << ", " << decimal(static_cast<double>(reader.tick_count()) / seconds) << " ticks a second";
  text << ", begun at " << reader.config().tick_rate_hz << " Hz\n";
  for (const replay::ClockChange& change : timeline.changes)
    text << "clock        " << change_text(change) << "\n";
  if (timeline.changes_omitted > 0)
    text << "clock        " << timeline.changes_omitted << " further changes\n";
  for (const Reader::KeyFramePlace& place : reader.key_frames()) {
    if (place.unix_ms != 0)
      text << "key frame    tick " << place.tick << " at " << time_text(place.unix_ms) << "\n";
  }
}

void add_clock(JsonObject& object, const Reader& reader) {
  const replay::Timeline& timeline = reader.footer()->ending.timeline;
  std::vector<std::string> changes;
  for (const replay::ClockChange& change : timeline.changes)
    changes.push_back(JsonObject()
                          .add("tick", change.tick)
                          .add("unix_ms", change.unix_ms)
                          .add_json("is_paused", change.is_paused ? "true" : "false")
                          .add("tick_rate_hz", change.tick_rate_hz)
                          .add_json("is_restart", change.is_restart ? "true" : "false")
                          .text());
  std::vector<std::string> times;
  for (const Reader::KeyFramePlace& place : reader.key_frames())
    times.push_back(JsonObject().add("tick", place.tick).add("unix_ms", place.unix_ms).text());
  object.add("start_unix_ms", timeline.start_unix_ms)
      .add("end_unix_ms", timeline.end_unix_ms)
      .add_json("clock_changes", json_array(changes))
      .add("clock_changes_not_listed", timeline.changes_omitted)
      .add_json("key_frame_times", json_array(times));
}

}  // namespace

std::string id_text(std::string_view id) {
  const bool is_plain =
      std::ranges::all_of(id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  return is_plain ? std::string(id) : name_text(id);
}

std::string subject_text(const TicketSubject& subject) {
  if (!subject.is_known()) return "no one with a ticket";
  std::string text = name_text(subject.name);
  if (!subject.issuer.empty()) text += " by " + name_text(subject.issuer);
  if (!subject.tenant.empty()) text += " of " + name_text(subject.tenant);
  return text;
}

std::string subject_json(const TicketSubject& subject) {
  if (!subject.is_known()) return "null";
  return JsonObject()
      .add("name", subject.name)
      .add("issuer", subject.issuer)
      .add("tenant", subject.tenant)
      .text();
}

std::string testimony_text(const Reader& reader) {
  std::ostringstream text;
  const replay::Head& head = reader.head();
  if (has_testimony(reader)) {
    text << "rules digest " << to_hex(head.rules_digest)
         << (head.rules_name.empty() ? ", UNRANKED" : ", approved as " + name_text(head.rules_name))
         << "; unchecked: rules, creator and holders are what the file says\n"
         << "created by   " << subject_text(head.creator) << " at " << time_text(head.create_time_unix_ms)
         << "\n";
  }
  if (!reader.footer()) return text.str();
  const replay::Ending& ending = reader.footer()->ending;
  if (has_testimony(reader)) {
    for (const replay::SeatHolder& holder : ending.cast.holders)
      text << "seat         " << name_text(holder.name) << " of " << subject_text(holder.subject) << "\n";
    if (ending.cast.holders_omitted > 0)
      text << "seat         " << ending.cast.holders_omitted << " further holders are not listed\n";
    add_clock_text(text, reader);
  }
  return text.str();
}

void add_testimony(JsonObject& object, const Reader& reader) {
  const replay::Head& head = reader.head();
  if (has_testimony(reader)) {
    object.add("rules_digest", to_hex(head.rules_digest))
        .add("rules_name", head.rules_name)
        .add_json("creator", subject_json(head.creator))
        .add("create_unix_ms", head.create_time_unix_ms);
  }
  if (!reader.footer()) return;
  const replay::Ending& ending = reader.footer()->ending;
  if (has_testimony(reader)) {
    std::vector<std::string> holders;
    for (const replay::SeatHolder& holder : ending.cast.holders)
      holders.push_back(JsonObject()
                            .add("participant", holder.number)
                            .add("name", holder.name)
                            .add_json("subject", subject_json(holder.subject))
                            .text());
    object.add_json("seat_holders", json_array(holders))
        .add("seat_holders_not_listed", ending.cast.holders_omitted);
    add_clock(object, reader);
  }
}

std::string pace_text(const Reader& reader) {
  if (!reader.footer()) return "";
  const auto paces = replay::pace_of(reader);
  if (!paces) return "pace         " + visible(text_of(paces.error())) + "\n";
  std::string text;
  for (const FramePace& pace : *paces)
    text += "pace         " + pace_text(pace, reader.footer()->ending.timeline) + "\n";
  return text;
}

void add_pace(JsonObject& object, const Reader& reader) {
  if (!reader.footer()) return;
  const auto paces = replay::pace_of(reader);
  if (!paces) {
    object.add("pace_fault", text_of(paces.error()));
    return;
  }
  std::vector<std::string> entries;
  for (const FramePace& pace : *paces) entries.push_back(pace_json(pace, reader.footer()->ending.timeline));
  object.add_json("pace", json_array(entries));
}

}  // namespace sweepd::tools
