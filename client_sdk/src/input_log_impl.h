// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "frame_draft.h"
#include "sweepd/input_log.h"
#include "sweepd/v1/input_log.pb.h"

namespace sweepd {

class InputLog::Impl {
 public:
  /// A stream that plays.
  struct Seat {
    std::string name;
    internal::FrameDraft draft;
  };

  static constexpr ParticipantNumber kParticipantsMax = 64;  ///< From here on numbers are of observers.

  explicit Impl(const MatchConfig& config) : config_(config) {}

  Status begin(const std::string& nonce);
  Result<ParticipantNumber> join(const std::string& name, Role role);
  Status leave(ParticipantNumber number);
  Status add_frame(ParticipantNumber number, Tick tick);
  Status end_tick();
  Status finish(const InputLogEnding& ending);

  /// nullptr: it has left, or the log is finished.
  Seat* find(ParticipantNumber number);

  Tick tick() const { return tick_; }
  std::uint64_t seed() const { return config_.seed; }
  bool is_finished() const { return is_finished_; }
  const std::string& bytes() const { return bytes_; }

 private:
  Result<ParticipantNumber> number_for(const std::string& name, Role role) const;
  internal::ObjectIds ids_of(ParticipantNumber number, Role role) const;
  Status take_nonce(const std::string& nonce);
  Status add(v1::InputLogInput input);
  Status check(const InputLogEnding& ending) const;
  void append(const v1::InputLogRecord& record);
  void close_tick();

  MatchConfig config_;
  std::string bytes_;
  Tick tick_ = 0;
  bool is_finished_ = false;
  bool is_full_ = false;   ///< It takes no more ticks.
  bool has_left_ = false;  ///< A participant, in this tick.
  v1::InputLogTick current_;
  std::size_t current_bytes_ = 0;  ///< About.
  std::map<ParticipantNumber, Seat> seats_;
  std::set<std::string> names_;                               ///< Of the seats.
  ParticipantNumber first_free_observer_ = kParticipantsMax;  ///< Those below are all in seats_.
};

}  // namespace sweepd
