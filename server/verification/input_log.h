// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "match/config.h"
#include "replay/record_reader.h"
#include "sweepd/v1/input_log.pb.h"

namespace sweepd::verification {

inline constexpr std::string_view kInputLogMagic = "\x89SWPI\r\n\x1a";
inline constexpr std::uint32_t kInputLogVersion = 1;
inline constexpr std::size_t kInputLogRecordBytesMax = std::size_t{1} << 20;
/// So that a small file cannot ask for days of work; how much there is in a tick is for the clock to bound.
inline constexpr std::uint64_t kInputLogTicksMax = std::uint64_t{1} << 20;

/// Whether the bytes begin as an input log does.
bool is_input_log(std::string_view bytes);

/// A client's own input log, in memory that must outlive this. `open` has looked at every record: those that
/// are read are whole, in their order and within their limits; what is in a frame is not checked.
class InputLog {
 public:
  static base::Result<InputLog, replay::FileFault> open(std::string_view bytes);

  const v1::InputLogHeader& header() const { return header_; }
  const match::MatchConfig& config() const { return config_; }
  const v1::InputLogEnd& end() const { return end_; }

  /// The ticks in their order.
  class Ticks {
   public:
    explicit Ticks(const InputLog& log) : bytes_(log.bytes_), offset_(log.ticks_offset_) {}
    /// The next tick that has inputs; nullptr: there are no more.
    const v1::InputLogTick* next();
    /// Of the record that was read last.
    std::uint64_t offset() const { return record_offset_; }

   private:
    std::string_view bytes_;
    std::uint64_t offset_;
    std::uint64_t record_offset_ = 0;
    v1::InputLogRecord record_;
  };

 private:
  explicit InputLog(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
  v1::InputLogHeader header_;
  match::MatchConfig config_;
  v1::InputLogEnd end_;
  std::uint64_t ticks_offset_ = 0;
};

}  // namespace sweepd::verification
