// SPDX-License-Identifier: MIT
#include "replay/tick_encoder.h"

#include "base/assert.h"
#include "replay/change_codec.h"
#include "replay/tick_kinds.h"
#include "replay/varint.h"

namespace sweepd::replay {
namespace {

InputKind kind_of(const Input& input) {
  static_assert(std::variant_size_v<Input> == 5);
  return static_cast<InputKind>(input.index() + 1);
}
static_assert(std::is_same_v<std::variant_alternative_t<kJoin - 1, Input>, Join>);
static_assert(std::is_same_v<std::variant_alternative_t<kLeave - 1, Input>, Leave>);
static_assert(std::is_same_v<std::variant_alternative_t<kAway - 1, Input>, Away>);
static_assert(std::is_same_v<std::variant_alternative_t<kBack - 1, Input>, Back>);
static_assert(std::is_same_v<std::variant_alternative_t<kFrame - 1, Input>, Submission>);

std::uint8_t traits_of(const match::Frame& frame) {
  unsigned traits = 0;
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

std::size_t TickEncoder::add(const TickRecord& record) {
  if (tick_count() == 0) message_.set_first_tick(record.tick);
  SWEEPD_ASSERT(record.tick == first_tick() + tick_count() && !message_.ends_match());
  append_word(*message_.mutable_digests(), record.digest);
  message_.set_ends_match(record.ends_match);
  append_varint(*message_.mutable_input_counts(), record.inputs.size());
  std::size_t moves = 0;
  for (const Input& input : record.inputs) {
    const auto number = std::visit([](const auto& any) { return any.number; }, input);
    append_varint(*message_.mutable_numbers(), number);
    std::uint8_t kind = kind_of(input);
    if (const Submission* submission = std::get_if<Submission>(&input)) {
      kind |= traits_of(submission->frame);
      moves += add_frame(record.tick, *submission);
    }
    message_.mutable_kinds()->push_back(static_cast<char>(kind));
    if (const Join* join = std::get_if<Join>(&input)) {
      v1::Join& entry = *message_.add_joins();
      entry.set_name(join->name);
      entry.set_role(static_cast<std::uint32_t>(join->role));
    }
  }
  return moves;
}

std::size_t TickEncoder::add_frame(Tick tick, const Submission& submission) {
  const match::Frame& frame = submission.frame;
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
  return frame.moves.size();
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
