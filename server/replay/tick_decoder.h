// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/arena.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "replay/move_tracks.h"
#include "replay/tick_record.h"
#include "replay/varint.h"
#include "sweepd/replay/v1/ticks.pb.h"

namespace sweepd::replay {

/// Where bytes are none that a TickEncoder made.
struct TickFault {
  Tick tick = 0;  ///< 0: of none.
  std::string what = {};
};

/// Reads what a TickEncoder wrote, a tick at a time. Nothing is taken at its word: each number of rows is
/// checked against the bytes that are there before room is made for them.
class TickDecoder {
 public:
  static base::Result<TickDecoder, TickFault> open(std::string_view bytes);

  Tick first_tick() const { return message_->first_tick(); }
  std::size_t tick_count() const { return message_->digests().size() / 8; }
  bool is_done() const { return next_tick_ == tick_count(); }

  /// The next tick; not when it is done. After a fault there is none.
  base::Result<TickRecord, TickFault> next();

 private:
  using Fault = std::optional<std::string>;

  TickDecoder(std::unique_ptr<google::protobuf::Arena> arena, v1::Ticks* message);

  Fault decode(TickRecord& record);
  Fault decode(Tick tick, Input& input);
  Fault decode_join(ParticipantNumber number, Input& input);
  Fault decode_frame(Tick tick, std::uint8_t traits, Submission& submission);
  Fault decode_moves(ParticipantNumber number, match::Frame& frame);
  Fault find_rest() const;

  std::unique_ptr<google::protobuf::Arena>
      arena_;  ///< Has the message: thousands of small parts, gone at once.
  v1::Ticks* message_;
  VarintReader input_counts_, numbers_, frame_ticks_, frame_delays_, move_counts_, absolute_moves_;
  VarintReader objects_, xs_, ys_;
  std::size_t next_tick_ = 0;
  std::size_t next_kind_ = 0;
  int next_join_ = 0;
  int next_changes_ = 0;
  MoveTracks tracks_;
};

/// All ticks at once.
base::Result<std::vector<TickRecord>, TickFault> decode_ticks(std::string_view bytes);

}  // namespace sweepd::replay
