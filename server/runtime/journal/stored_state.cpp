// SPDX-License-Identifier: MIT
#include "runtime/journal/stored_state.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "replay/file_format.h"
#include "replay/tick_kinds.h"

namespace sweepd::runtime {
namespace {

using replay::kAway;
using replay::kBack;
using replay::kJoin;
using replay::kLeave;

constexpr std::size_t kOwnerBytesMax = 1024;

void write(base::ByteWriter& writer, const Lives& lives) {
  writer.number(lives.all().size());
  for (const Lives::Life& life : lives.all()) {
    writer.word(life.epoch);
    writer.number(life.first_tick);
    writer.number(life.first_sequence_number);
  }
}

Lives read_lives(base::ByteReader& reader) {
  Lives lives;
  for (std::size_t i = reader.count(10); i > 0 && reader.ok(); --i) {
    const std::uint64_t epoch = reader.word();
    const match::Tick tick = reader.number();
    lives.begin({epoch, tick, reader.number()});
  }
  return lives;
}

void write(base::ByteWriter& writer, const std::vector<match::SeatChange>& arrivals) {
  writer.number(arrivals.size());
  for (const match::SeatChange& arrival : arrivals) {
    writer.byte(static_cast<std::uint8_t>(arrival.index() + 1));
    writer.number(std::visit([](const auto& any) { return any.number; }, arrival));
    const auto* join = std::get_if<match::Join>(&arrival);
    if (join == nullptr) continue;
    writer.text(join->name);
    writer.byte(static_cast<std::uint8_t>(join->role));
  }
}

match::Join read_join(base::ByteReader& reader, match::ParticipantNumber number) {
  std::string name(reader.text(match::kNameBytesMax));
  const std::uint8_t role = reader.byte();
  reader.require(role >= 1 && role <= 3, "is no role");
  return {std::move(name), static_cast<match::Role>(role), number};
}

std::vector<match::SeatChange> read_arrivals(base::ByteReader& reader) {
  std::vector<match::SeatChange> arrivals;
  for (std::size_t i = reader.count(2); i > 0 && reader.ok(); --i) {
    const std::uint8_t kind = reader.byte();
    const match::ParticipantNumber number = reader.number32();
    reader.require(kind >= kJoin && kind <= kBack, "is no way to come or go");
    if (kind == kJoin) arrivals.push_back(read_join(reader, number));
    if (kind == kLeave) arrivals.push_back(match::Leave{number});
    if (kind == kAway) arrivals.push_back(match::Away{number});
    if (kind == kBack) arrivals.push_back(match::Back{number});
  }
  return arrivals;
}

void write_losses(base::ByteWriter& writer, const StoredState& state) {
  writer.number(state.durable_tick_before);
  for (const Lives::Life& life : state.lives.all()) writer.number(life.lost_ticks);
}

void read_losses(base::ByteReader& reader, StoredState& state) {
  state.durable_tick_before = reader.number();
  Lives lives;
  for (Lives::Life life : state.lives.all()) {
    life.lost_ticks = reader.number();
    lives.begin(life);
  }
  state.lives = lives;
}

void write_owners(base::ByteWriter& writer, const StoredState& state) {
  writer.number(state.owners.size());
  for (const StoredState::Owner& owner : state.owners) {
    writer.number(owner.number);
    writer.text(owner.key.text());
  }
}

void read_owners(base::ByteReader& reader, StoredState& state) {
  for (std::size_t i = reader.count(2); i > 0 && reader.ok(); --i) {
    const match::ParticipantNumber number = reader.number32();
    state.owners.push_back({number, BudgetKey(std::string(reader.text(kOwnerBytesMax)))});
  }
}

void write_timeline(base::ByteWriter& writer, const replay::Timeline& timeline) {
  writer.signed_number(timeline.start_unix_ms);
  writer.signed_number(timeline.end_unix_ms);
  writer.number(timeline.changes.size());
  for (const replay::ClockChange& change : timeline.changes) {
    writer.number(change.tick);
    writer.signed_number(change.unix_ms);
    writer.boolean(change.is_paused);
    writer.number(change.tick_rate_hz);
    writer.boolean(change.is_restart);
  }
  writer.number(timeline.changes_omitted);
}

void read_timeline(base::ByteReader& reader, replay::Timeline& timeline) {
  timeline.start_unix_ms = reader.signed_number();
  timeline.end_unix_ms = reader.signed_number();
  const std::size_t count = reader.count(5);
  reader.require(count <= replay::Timeline::kClockChangesMax, "are too many changes of a clock");
  for (std::size_t i = count; i > 0 && reader.ok(); --i) {
    replay::ClockChange change;
    change.tick = reader.number();
    change.unix_ms = reader.signed_number();
    change.is_paused = reader.boolean();
    change.tick_rate_hz = reader.number32();
    change.is_restart = reader.boolean();
    timeline.changes.push_back(change);
  }
  timeline.changes_omitted = reader.number();
}

void write_holders(base::ByteWriter& writer, const std::vector<replay::SeatHolder>& holders) {
  writer.number(holders.size());
  for (const replay::SeatHolder& holder : holders) {
    writer.number(holder.number);
    writer.text(holder.name);
    writer.text(holder.subject.name);
    writer.text(holder.subject.issuer);
    writer.text(holder.subject.tenant);
  }
}

void read_holders(base::ByteReader& reader, StoredState& state) {
  const std::size_t count = reader.count(5);
  reader.require(count > 0 && count <= replay::kSeatHoldersListedMax, "are none, or too many, holders of seats");
  for (std::size_t i = count; i > 0 && reader.ok(); --i) {
    replay::SeatHolder holder;
    holder.number = reader.number32();
    holder.name = reader.text(match::kNameBytesMax);
    for (std::string* part : {&holder.subject.name, &holder.subject.issuer, &holder.subject.tenant})
      *part = reader.text(replay::kSubjectBytesMax);
    state.holders.push_back(std::move(holder));
  }
}

/// Nothing where there is nothing to say: such a state is what earlier versions wrote. What comes later has
/// all before it.
void write_additions(base::ByteWriter& writer, const StoredState& state) {
  const bool has_losses = state.durable_tick_before != 0 || state.lives.lost_ticks() != 0;
  const bool has_holders = !state.holders.empty();
  const bool has_timeline = has_holders || state.timeline != replay::Timeline();
  const bool has_owners = !state.owners.empty() || has_timeline;
  if (has_losses || has_owners) write_losses(writer, state);
  if (has_owners) write_owners(writer, state);
  if (has_timeline) write_timeline(writer, state.timeline);
  if (has_holders) write_holders(writer, state.holders);
}

}  // namespace

std::string encode(const StoredState& state) {
  base::ByteWriter writer;
  writer.number(state.tick);
  writer.boolean(state.clock.is_paused);
  writer.number(state.clock.tick_rate_hz);
  write(writer, state.lives);
  writer.number(state.tokens.size());
  for (const StoredState::Token& token : state.tokens) {
    writer.number(token.number);
    writer.raw({token.digest.data(), token.digest.size()});
  }
  write(writer, state.arrivals);
  write_additions(writer, state);
  return writer.take();
}

std::optional<StoredState> decode_state(std::string_view bytes) {
  base::ByteReader reader(bytes);
  StoredState state;
  state.tick = reader.number();
  state.clock.is_paused = reader.boolean();
  state.clock.tick_rate_hz = reader.number32();
  const bool is_rate = state.clock.tick_rate_hz >= match::kTickRateRangeHz.min &&
                       state.clock.tick_rate_hz <= match::kTickRateRangeHz.max;
  reader.require(is_rate, "is no tick rate");
  state.lives = read_lives(reader);
  for (std::size_t i = reader.count(1 + sizeof(TokenDigest)); i > 0 && reader.ok(); --i) {
    StoredState::Token token{.number = reader.number32()};
    const std::string_view digest = reader.raw(token.digest.size());
    std::ranges::copy(digest, token.digest.begin());
    state.tokens.push_back(token);
  }
  state.arrivals = read_arrivals(reader);
  if (reader.remaining() > 0) read_losses(reader, state);
  if (reader.remaining() > 0) read_owners(reader, state);
  if (reader.remaining() > 0) read_timeline(reader, state.timeline);
  if (reader.remaining() > 0) read_holders(reader, state);
  reader.finish();
  if (!reader.ok()) return std::nullopt;
  return state;
}

}  // namespace sweepd::runtime
