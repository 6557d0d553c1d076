// SPDX-License-Identifier: MIT
#include "replay/tick_decoder.h"

#include <optional>
#include <utility>

#include "base/assert.h"
#include "base/visible_text.h"
#include "replay/change_codec.h"
#include "replay/tick_kinds.h"

namespace sweepd::replay {
namespace {

using Fault = std::optional<std::string>;

constexpr Tick kTickMax = Tick{1} << 62;  // So that differences of ticks are numbers.

std::string ends_early(const char* column) {
  return std::string("the column ") + column + " ends early or is broken";
}

std::uint64_t word_at(const std::string& column, std::size_t index) {
  std::uint64_t word = 0;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    word |= std::uint64_t{static_cast<unsigned char>(column[index * 8 + byte])} << 8 * byte;
  }
  return word;
}

Fault find_fault(const v1::Ticks& message) {
  const std::size_t bytes = message.digests().size();
  if (bytes == 0 || bytes % 8 != 0) return "the column digests has " + std::to_string(bytes) + " bytes";
  const bool is_possible = message.first_tick() >= 1 && message.first_tick() <= kTickMax;
  if (!is_possible) return "the first tick is " + std::to_string(message.first_tick());
  return std::nullopt;
}

}  // namespace

base::Result<TickDecoder, TickFault> TickDecoder::open(std::string_view bytes) {
  auto arena = std::make_unique<google::protobuf::Arena>();
  auto* message = google::protobuf::Arena::CreateMessage<v1::Ticks>(arena.get());
  if (!message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return TickFault{.what = "the bytes are no message of ticks"};
  }
  if (Fault fault = find_fault(*message)) return TickFault{.what = *std::move(fault)};
  return TickDecoder(std::move(arena), message);
}

TickDecoder::TickDecoder(std::unique_ptr<google::protobuf::Arena> arena, v1::Ticks* message)
    : arena_(std::move(arena)),
      message_(message),
      input_counts_(message_->input_counts()),
      numbers_(message_->numbers()),
      frame_ticks_(message_->frame_ticks()),
      frame_delays_(message_->frame_delays()),
      move_counts_(message_->move_counts()),
      absolute_moves_(message_->absolute_moves()),
      objects_(message_->move_objects()),
      xs_(message_->move_x()),
      ys_(message_->move_y()) {}

base::Result<TickRecord, TickFault> TickDecoder::next() {
  SWEEPD_ASSERT(!is_done());
  TickRecord record;
  record.tick = first_tick() + next_tick_;
  record.digest = word_at(message_->digests(), next_tick_);
  if (Fault fault = decode(record)) return TickFault{record.tick, *std::move(fault)};
  ++next_tick_;
  if (!is_done()) return record;
  record.ends_match = message_->ends_match();
  if (Fault fault = find_rest()) return TickFault{record.tick, *std::move(fault)};
  return record;
}

TickDecoder::Fault TickDecoder::decode(TickRecord& record) {
  const auto count = input_counts_.next();
  if (!count) return ends_early("input_counts");
  if (*count > message_->kinds().size() - next_kind_) return ends_early("kinds");
  record.inputs.resize(*count);
  for (Input& input : record.inputs) {
    if (Fault fault = decode(record.tick, input)) return fault;
  }
  return std::nullopt;
}

TickDecoder::Fault TickDecoder::decode(Tick tick, Input& input) {
  const auto kind = static_cast<std::uint8_t>(message_->kinds()[next_kind_++]);
  const auto number = numbers_.next_small();
  if (!number) return ends_early("numbers");
  if (*number >= kNumbersEnd) return "there is no participant " + std::to_string(*number);
  switch (kind & kInputKindMask) {
    case kFrame: {
      Submission& submission = input.emplace<Submission>();
      submission.number = *number;
      return decode_frame(tick, kind, submission);
    }
    case kJoin:
      return kind == kJoin ? decode_join(*number, input) : "a join has the traits of a frame";
    case kLeave:
      input = Leave{*number};
      break;
    case kAway:
      input = Away{*number};
      break;
    case kBack:
      input = Back{*number};
      break;
    default:
      return "there is no kind of input " + std::to_string(kind & kInputKindMask);
  }
  if ((kind & ~kInputKindMask) != 0) return "an input has the traits of a frame, and is none";
  return std::nullopt;
}

TickDecoder::Fault TickDecoder::decode_join(ParticipantNumber number, Input& input) {
  if (next_join_ == message_->joins_size()) return "there are fewer joins than inputs that join";
  const v1::Join& join = message_->joins(next_join_++);
  if (join.role() < 1 || join.role() > 3) return "there is no role " + std::to_string(join.role());
  if (join.name().empty() || join.name().size() > match::kNameBytesMax) {
    return "a participant's name has " + std::to_string(join.name().size()) + " bytes";
  }
  if (!base::is_utf8(join.name())) return "a participant's name is not UTF-8";
  input = Join{join.name(), static_cast<match::Role>(join.role()), number};
  return std::nullopt;
}

TickDecoder::Fault TickDecoder::decode_frame(Tick tick, std::uint8_t traits, Submission& submission) {
  match::Frame& frame = submission.frame;
  if ((traits & kNamesTick) != 0) {
    const auto difference = frame_ticks_.next();
    if (!difference) return ends_early("frame_ticks");
    frame.tick = tick + static_cast<std::uint64_t>(unzigzag(*difference));
    if (frame.tick == 0) return "a frame names the tick 0, which is none";
  }
  if ((traits & kHasDelay) != 0) {
    frame.delay_ticks = frame_delays_.next_small();
    if (!frame.delay_ticks) return ends_early("frame_delays");
  }
  if ((traits & kHasChanges) != 0) {
    if (next_changes_ == message_->changes_size())
      return "there are fewer changes than frames that have some";
    if (Fault fault = decode_changes(*message_->mutable_changes(next_changes_++), frame)) return fault;
  }
  tracks_.note_spawns(frame);
  if ((traits & kHasMoves) != 0) {
    if (Fault fault = decode_moves(submission.number, frame)) return fault;
  }
  tracks_.note_teleports(frame);
  return std::nullopt;
}

TickDecoder::Fault TickDecoder::decode_moves(ParticipantNumber number, match::Frame& frame) {
  const auto count = move_counts_.next();
  const auto absolute = absolute_moves_.next();
  if (!count || *count > objects_.bytes_left()) return ends_early("move_counts");
  if (!absolute || *absolute > *count) return ends_early("absolute_moves");
  frame.moves.resize(*count);
  frame.relative_moves = static_cast<std::size_t>(*count - *absolute);
  tracks_.begin_moves(number);
  switch (tracks_.decode(objects_, xs_, ys_, frame.moves)) {
    case MoveTracks::Decoded::kEndsEarly:
      return ends_early("move_objects, move_x or move_y");
    case MoveTracks::Decoded::kNoObject:
      return "a move is of no object";
    case MoveTracks::Decoded::kAll:
      break;
  }
  tracks_.end_moves();
  return std::nullopt;
}

TickDecoder::Fault TickDecoder::find_rest() const {
  const bool is_whole = input_counts_.is_at_end() && numbers_.is_at_end() && frame_ticks_.is_at_end() &&
                        frame_delays_.is_at_end() && move_counts_.is_at_end() &&
                        absolute_moves_.is_at_end() && objects_.is_at_end() && xs_.is_at_end() &&
                        ys_.is_at_end() && next_kind_ == message_->kinds().size() &&
                        next_join_ == message_->joins_size() && next_changes_ == message_->changes_size();
  if (is_whole) return std::nullopt;
  return "the columns hold more than their ticks";
}

base::Result<std::vector<TickRecord>, TickFault> decode_ticks(std::string_view bytes) {
  auto decoder = TickDecoder::open(bytes);
  if (!decoder) return decoder.error();
  std::vector<TickRecord> records;
  while (!decoder->is_done()) {
    auto record = decoder->next();
    if (!record) return record.error();
    records.push_back(std::move(record.value()));
  }
  return records;
}

}  // namespace sweepd::replay
