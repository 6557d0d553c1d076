// SPDX-License-Identifier: MIT
#include "replay/tick_encoder.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "replay/change_codec.h"
#include "replay/tick_kinds.h"
#include "replay/varint.h"

namespace sweepd::replay {
namespace {

static_assert(std::is_same_v<std::variant_alternative_t<kJoin - 1, SeatChange>, Join>);
static_assert(std::is_same_v<std::variant_alternative_t<kLeave - 1, SeatChange>, Leave>);
static_assert(std::is_same_v<std::variant_alternative_t<kAway - 1, SeatChange>, Away>);
static_assert(std::is_same_v<std::variant_alternative_t<kBack - 1, SeatChange>, Back>);
static_assert(std::variant_size_v<SeatChange> == kBack && kFrame == kBack + 1);

std::uint8_t kind_of(const match::Frame& frame) {
  unsigned traits = kFrame;
  if (!frame.moves.empty()) traits |= kHasMoves;
  if (has_changes(frame)) traits |= kHasChanges;
  if (frame.tick != 0) traits |= kNamesTick;
  if (frame.delay_ticks) traits |= kHasDelay;
  return static_cast<std::uint8_t>(traits);
}

void append_word(std::string& column, std::uint64_t word) {
  for (int byte = 0; byte < 8; ++byte) column.push_back(static_cast<char>(word >> 8 * byte));
}

}  // namespace

void TickEncoder::add(Tick, const SeatChange& change) {
  const auto number = std::visit([](const auto& any) { return any.number; }, change);
  entries_.push_back({number, static_cast<std::uint8_t>(change.index() + 1)});
  const Join* join = std::get_if<Join>(&change);
  if (join == nullptr) return;
  v1::Join& entry = *message_.add_joins();
  entry.set_name(join->name);
  entry.set_role(static_cast<std::uint32_t>(join->role));
}

void TickEncoder::add(Tick tick, const Submission& submission) {
  const match::Frame& frame = submission.frame;
  entries_.push_back({submission.number, kind_of(frame)});
  if (frame.tick != 0) {
    append_varint(*message_.mutable_frame_ticks(), zigzag(static_cast<std::int64_t>(frame.tick - tick)));
  }
  if (frame.delay_ticks) append_varint(*message_.mutable_frame_delays(), *frame.delay_ticks);
  if (has_changes(frame)) {
    v1::Changes& changes = *message_.add_changes();
    encode_changes(frame, changes);
    change_bytes_ += changes.ByteSizeLong();
  }
  tracks_.note_spawns(frame);
  if (!frame.moves.empty()) add_moves(submission.number, frame);
  tracks_.note_teleports(frame);
}

bool TickEncoder::take_back_away(ParticipantNumber number) {
  const auto last = std::find_if(entries_.rbegin(), entries_.rend(), [number](const Entry& entry) {
    return entry.kind == kAway && entry.number == number;
  });
  if (last == entries_.rend()) return false;
  entries_.erase(std::next(last).base());
  return true;
}

void TickEncoder::close(Tick tick, std::uint64_t digest, bool ends_match) {
  if (tick_count() == 0) message_.set_first_tick(tick);
  SWEEPD_ASSERT(tick == first_tick() + tick_count() && !message_.ends_match());
  append_word(*message_.mutable_digests(), digest);
  message_.set_ends_match(ends_match);
  append_varint(*message_.mutable_input_counts(), entries_.size());
  for (const Entry& entry : entries_) {
    append_varint(*message_.mutable_numbers(), entry.number);
    message_.mutable_kinds()->push_back(static_cast<char>(entry.kind));
  }
  entries_.clear();
}

std::size_t TickEncoder::add(const TickRecord& record) {
  std::size_t moves = 0;
  for (const Input& input : record.inputs) {
    std::visit([&](const auto& any) { add(record.tick, any); }, input);
    if (const Submission* submission = std::get_if<Submission>(&input))
      moves += submission->frame.moves.size();
  }
  close(record.tick, record.digest, record.ends_match);
  return moves;
}

void TickEncoder::add_moves(ParticipantNumber number, const match::Frame& frame) {
  SWEEPD_ASSERT(frame.relative_moves <= frame.moves.size());
  append_varint(*message_.mutable_move_counts(), frame.moves.size());
  append_varint(*message_.mutable_absolute_moves(), frame.moves.size() - frame.relative_moves);
  std::string& objects = *message_.mutable_move_objects();
  std::string& xs = *message_.mutable_move_x();
  std::string& ys = *message_.mutable_move_y();
  tracks_.begin_moves(number);
  for (const match::Move& move : frame.moves) {
    const MoveTracks::Code code = tracks_.encode(move);
    append_varint(objects, code.object);
    append_varint(xs, code.x);
    append_varint(ys, code.y);
  }
  tracks_.end_moves();
}

std::size_t TickEncoder::byte_count() const {
  return change_bytes_ + message_.digests().size() + message_.kinds().size() +
         message_.move_objects().size() + message_.move_x().size() + message_.move_y().size();
}

std::string TickEncoder::take() {
  SWEEPD_ASSERT(tick_count() > 0);
  std::string bytes = message_.SerializeAsString();
  *this = TickEncoder();
  return bytes;
}

}  // namespace sweepd::replay
