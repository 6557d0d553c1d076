// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "clock_codec.h"
#include "input_log_impl.h"
#include "match_codec.h"
#include "nonce_seed.h"
#include "part_file.h"
#include "scoring_codec.h"

namespace sweepd {
namespace {

constexpr std::string_view kMagic = "\x89SWPI\r\n\x1a";
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kLogBytesMax = std::size_t{64} << 20;
/// Of a record, and of an end record and a little more.
constexpr std::size_t kRecordBytesMax = std::size_t{1} << 20;
constexpr Tick kTicksMax = Tick{1} << 20;
constexpr ParticipantNumber kNumbersMax = 1 << 20;
constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kNonceBytesMax = 64;
constexpr std::size_t kClaimsMax = 4096;

Status bad_field(const std::string& field, const std::string& what) {
  return {ErrorCode::kInvalidArgument, field + " " + what, {}, field};
}

Status finished() { return {ErrorCode::kFailedPrecondition, "the log is finished"}; }
Status unfinished() { return {ErrorCode::kFailedPrecondition, "the log is not finished: finish it first"}; }

Status full() {
  return {ErrorCode::kResourceExhausted, "the log has all that it can have: 64 MiB or 1048576 ticks"};
}

}  // namespace

Status InputLog::Impl::take_nonce(const std::string& nonce) {
  if (nonce.size() > kNonceBytesMax) {
    return bad_field("nonce", "has " + std::to_string(nonce.size()) + " bytes; at most 64 are allowed");
  }
  if (nonce.empty()) return {};
  const std::uint64_t seed = internal::seed_of(nonce);
  if (config_.seed != 0 && config_.seed != seed) {
    return bad_field("config.seed", "is " + std::to_string(config_.seed) + "; with this nonce it has to be " +
                                        std::to_string(seed) + ", or 0 to be set to that");
  }
  config_.seed = seed;
  return {};
}

Status InputLog::Impl::begin(const std::string& nonce) {
  if (Status error = take_nonce(nonce); !error.ok()) return error;
  if (config_.slots.size() > kParticipantsMax) {
    return bad_field("config.slots",
                     "has " + std::to_string(config_.slots.size()) + " entries; at most 64 are allowed");
  }
  v1::InputLogRecord record;
  if (auto error = internal::encode(config_, record.mutable_header()->mutable_config()))
    return error->status();
  record.mutable_header()->set_nonce(nonce);
  if (record.ByteSizeLong() > kRecordBytesMax) return bad_field("config", "has more than 1 MiB");
  bytes_ = kMagic;
  bytes_ += {static_cast<char>(kVersion), '\0', '\0', '\0'};
  append(record);
  return {};
}

void InputLog::Impl::append(const v1::InputLogRecord& record) {
  std::uint64_t length = record.ByteSizeLong();
  for (; length >= 0x80; length >>= 7) bytes_ += static_cast<char>((length & 0x7f) | 0x80);
  bytes_ += static_cast<char>(length);
  record.AppendToString(&bytes_);
}

Result<ParticipantNumber> InputLog::Impl::number_for(const std::string& name, Role role) const {
  const auto slot = std::ranges::find(config_.slots, name, &ParticipantSlot::name);
  if (slot != config_.slots.end()) {
    if (slot->role == role) return static_cast<ParticipantNumber>(slot - config_.slots.begin());
    return Status(ErrorCode::kNotFound, "the slot of name \"" + name + "\" is of another role");
  }
  if (!config_.slots.empty() && role != Role::kObserver) {
    return Status(ErrorCode::kNotFound, "no slot of name \"" + name + "\"");
  }
  const bool is_observer = role == Role::kObserver;
  ParticipantNumber number = is_observer ? first_free_observer_ : 0;
  while (seats_.contains(number)) ++number;
  if (number < (is_observer ? kNumbersMax : kParticipantsMax)) return number;
  return Status(ErrorCode::kResourceExhausted, "the match is full");
}

internal::ObjectIds InputLog::Impl::ids_of(ParticipantNumber number, Role role) const {
  if (role == Role::kObserver) return {};
  if (number < config_.slots.size() && config_.slots[number].first_id != 0) {
    return {config_.slots[number].first_id, config_.slots[number].last_id};
  }
  const ObjectId first = 1 + number * config_.ids_per_participant;
  return {first, first + config_.ids_per_participant - 1};
}

Result<ParticipantNumber> InputLog::Impl::join(const std::string& name, Role role) {
  if (is_finished_) return finished();
  if (has_left_) {
    return Status(ErrorCode::kFailedPrecondition, "a participant leaves in this tick: join in the next");
  }
  if (name.empty() || name.size() > kNameBytesMax) {
    return bad_field("name", "has " + std::to_string(name.size()) + " bytes; 1 to 64 are allowed");
  }
  if (names_.contains(name)) {
    return Status(ErrorCode::kAlreadyExists, "a participant of name \"" + name + "\" is in the match");
  }
  const auto number = number_for(name, role);
  if (!number.ok()) return number;
  v1::InputLogInput input;
  input.set_participant(*number);
  input.mutable_join()->set_name(name);
  input.mutable_join()->set_role(internal::encode(role));
  if (Status error = add(std::move(input)); !error.ok()) return error;
  seats_.insert_or_assign(*number, Seat{name, {config_, ids_of(*number, role)}});
  names_.insert(name);
  if (*number >= kParticipantsMax) first_free_observer_ = *number + 1;
  return number;
}

Status InputLog::Impl::leave(ParticipantNumber number) {
  v1::InputLogInput input;
  input.set_participant(number);
  input.mutable_leave();
  if (Status error = add(std::move(input)); !error.ok()) return error;
  const auto seat = seats_.find(number);
  names_.erase(seat->second.name);
  seats_.erase(seat);
  if (number >= kParticipantsMax) first_free_observer_ = std::min(first_free_observer_, number);
  has_left_ = true;
  return {};
}

Status InputLog::Impl::add_frame(ParticipantNumber number, Tick tick) {
  Seat& seat = *find(number);
  v1::InputLogInput input;
  input.set_participant(number);
  seat.draft.frame.finish(tick, 0, input.mutable_frame());
  seat.draft.ids.frame_sent();
  // A frame that says nothing and names no tick is as none, unless a tick waits for it: none does here.
  if (input.frame().ByteSizeLong() == 0) return {};
  return add(std::move(input));
}

/// To what comes in in this tick.
Status InputLog::Impl::add(v1::InputLogInput input) {
  if (is_full_) return full();
  constexpr std::size_t kOverhead = 64;
  const std::size_t bytes = input.ByteSizeLong() + kOverhead;
  if (current_bytes_ + bytes + kOverhead > kRecordBytesMax) {
    return {ErrorCode::kResourceExhausted,
            "inputs of tick " + std::to_string(tick_ + 1) + ": joins, leaves and frames have " +
                std::to_string(current_bytes_ + bytes) +
                " bytes; at most 1048576 are allowed, and this one is given up",
            {},
            "inputs"};
  }
  *current_.add_inputs() = std::move(input);
  current_bytes_ += bytes;
  return {};
}

Status InputLog::Impl::end_tick() {
  if (is_finished_) return finished();
  if (is_full_) return full();
  // What is left is for the end record, and for what comes with it.
  is_full_ = tick_ + 1 >= kTicksMax || bytes_.size() + current_bytes_ + 2 * kRecordBytesMax > kLogBytesMax;
  if (is_full_) {
    // The log ends with the tick before this one.
    current_.Clear();
    return full();
  }
  close_tick();
  return {};
}

void InputLog::Impl::close_tick() {
  ++tick_;
  has_left_ = false;
  current_bytes_ = 0;
  if (current_.inputs_size() == 0) return;
  current_.set_tick(tick_);
  v1::InputLogRecord record;
  record.mutable_tick()->Swap(&current_);
  append(record);
}

Status InputLog::Impl::check(const InputLogEnding& ending) const {
  if (ending.claimed_scores.size() > kClaimsMax) {
    return bad_field("claimed_scores", "has " + std::to_string(ending.claimed_scores.size()) +
                                           " entries; at most 4096 are allowed");
  }
  for (std::size_t i = 0; i < ending.claimed_scores.size(); ++i) {
    const std::size_t bytes = ending.claimed_scores[i].name.size();
    if (bytes > 0 && bytes <= kNameBytesMax) continue;
    return bad_field("claimed_scores[" + std::to_string(i) + "].name",
                     "has " + std::to_string(bytes) + " bytes; 1 to 64 are allowed");
  }
  if (ending.match_ended && is_full_) {
    return {ErrorCode::kFailedPrecondition,
            "match_ended: the log was full " + std::to_string(tick_) + " ticks in, before the match ended",
            {},
            "match_ended"};
  }
  if (!ending.match_ended && current_.inputs_size() > 0) {
    return {ErrorCode::kFailedPrecondition, "something came in since the last tick: end_tick first"};
  }
  return {};
}

Status InputLog::Impl::finish(const InputLogEnding& ending) {
  if (is_finished_) return finished();
  if (Status error = check(ending); !error.ok()) return error;
  if (ending.match_ended) close_tick();
  v1::InputLogRecord record;
  v1::InputLogEnd& end = *record.mutable_end();
  end.set_tick_count(tick_);
  end.set_match_ended(ending.match_ended);
  if (ending.final_digest) end.set_final_digest(*ending.final_digest);
  for (const Score& score : ending.claimed_scores) internal::encode(score, end.add_claimed_scores());
  append(record);
  is_finished_ = true;
  return {};
}

InputLog::Impl::Seat* InputLog::Impl::find(ParticipantNumber number) {
  const auto found = seats_.find(number);
  return found == seats_.end() || is_finished_ ? nullptr : &found->second;
}

Result<InputLog> InputLog::create(const MatchConfig& config, const std::string& nonce) {
  auto impl = std::make_shared<Impl>(config);
  if (Status status = impl->begin(nonce); !status.ok()) return status;
  return InputLog(std::move(impl));
}

InputLog::InputLog(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
InputLog::InputLog(InputLog&&) noexcept = default;
InputLog& InputLog::operator=(InputLog&&) noexcept = default;
InputLog::~InputLog() = default;

Result<InputSeat> InputLog::join(const std::string& name, Role role) {
  const auto number = impl_->join(name, role);
  if (!number.ok()) return number.status();
  return InputSeat(impl_, *number);
}

Status InputLog::end_tick() { return impl_->end_tick(); }
Tick InputLog::tick() const { return impl_->tick(); }
Status InputLog::finish(const InputLogEnding& ending) { return impl_->finish(ending); }
bool InputLog::is_finished() const { return impl_->is_finished(); }
std::uint64_t InputLog::seed() const { return impl_->seed(); }

Result<std::string_view> InputLog::bytes() const {
  if (!is_finished()) return unfinished();
  return std::string_view(impl_->bytes());
}

Status InputLog::write(const std::string& path) const {
  if (!is_finished()) return unfinished();
  internal::PartFile file(path);
  if (!file.error().ok() || !file.write(impl_->bytes())) return file.error();
  return file.complete();
}

}  // namespace sweepd
