// SPDX-License-Identifier: MIT
#include "verification/input_log.h"

#include <optional>
#include <string>
#include <utility>

#include "match/participant.h"
#include "replay/file_format.h"
#include "replay/little_endian.h"
#include "replay/sha256.h"
#include "replay/varint.h"
#include "wire/config_codec.h"
#include "wire/replay_codec.h"

namespace sweepd::verification {
namespace {

using replay::FaultKind;
using replay::FileFault;
using Fault = std::optional<FileFault>;

constexpr std::size_t kStartBytes = kInputLogMagic.size() + sizeof(kInputLogVersion);

Fault find_fault_of_start(std::string_view bytes) {
  if (!is_input_log(bytes)) return FileFault{.what = "this is no input log: it begins otherwise"};
  if (bytes.size() < kStartBytes) {
    return FileFault{.kind = FaultKind::kCutOff, .what = "the log ends within its first bytes"};
  }
  const auto version = replay::read_number<std::uint32_t>(bytes.substr(kInputLogMagic.size()));
  if (version == kInputLogVersion) return std::nullopt;
  return FileFault{.kind = FaultKind::kUnsupportedVersion,
                   .offset = kInputLogMagic.size(),
                   .what = "the log is of format version " + std::to_string(version) + "; this build reads " +
                           std::to_string(kInputLogVersion) +
                           (version > kInputLogVersion ? ": take a newer one" : "")};
}

/// Reads the record at `offset`, which then is that of the next.
Fault read_record(std::string_view bytes, std::uint64_t& offset, v1::InputLogRecord& record) {
  const auto fault = [&](FaultKind kind, std::string what) {
    return FileFault{.kind = kind, .offset = offset, .what = std::move(what)};
  };
  const std::string_view rest = bytes.substr(offset);
  if (rest.empty()) return fault(FaultKind::kCutOff, "the log ends without an end record");
  replay::VarintReader numbers(rest);
  const auto length = numbers.next();
  // No length that is allowed takes more than three bytes.
  if (!length && rest.size() < 3) return fault(FaultKind::kCutOff, "the log ends within a record's length");
  if (!length || *length > kInputLogRecordBytesMax) {
    return fault(FaultKind::kMalformed,
                 "a record's length is more than " + std::to_string(kInputLogRecordBytesMax) + " bytes");
  }
  if (numbers.bytes_left() < *length) return fault(FaultKind::kCutOff, "the log ends within a record");
  const std::string_view content = rest.substr(rest.size() - numbers.bytes_left(), *length);
  if (!record.ParseFromArray(content.data(), static_cast<int>(content.size()))) {
    return fault(FaultKind::kMalformed, "the record is no message of one");
  }
  offset += rest.size() - numbers.bytes_left() + *length;
  return std::nullopt;
}

std::optional<std::string> find_fault_of_end(const v1::InputLogEnd& end, std::uint64_t last_tick) {
  if (end.tick_count() > kInputLogTicksMax) {
    return "tick_count is " + std::to_string(end.tick_count()) + "; at most " +
           std::to_string(kInputLogTicksMax) + " are allowed";
  }
  if (end.tick_count() < last_tick) {
    return "tick_count is " + std::to_string(end.tick_count()) + "; there are inputs for tick " +
           std::to_string(last_tick);
  }
  if (end.match_ended() && end.tick_count() == 0) return "the match ended, and tick_count is 0";
  if (end.claimed_scores_size() > wire::kClaimedScoresMax) {
    return "claimed_scores has " + std::to_string(end.claimed_scores_size()) + " entries; at most " +
           std::to_string(wire::kClaimedScoresMax) + " are allowed";
  }
  for (const v1::Score& score : end.claimed_scores()) {
    if (score.name().empty() || score.name().size() > match::kNameBytesMax) {
      return "claimed_scores: a name has " + std::to_string(score.name().size()) + " bytes";
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_fault_of_tick(const v1::InputLogTick& tick, std::uint64_t last_tick) {
  if (tick.tick() <= last_tick) {
    return "it is of tick " + std::to_string(tick.tick()) + ", and comes after tick " +
           std::to_string(last_tick);
  }
  if (tick.tick() > kInputLogTicksMax) {
    return "it is of tick " + std::to_string(tick.tick()) + "; at most " + std::to_string(kInputLogTicksMax) +
           " are allowed";
  }
  return std::nullopt;
}

/// A nonce that has no part in the run would bind nothing: it gives the run its seed.
std::optional<std::string> find_fault_of_seed(const v1::InputLogHeader& header) {
  if (header.nonce().empty()) return std::nullopt;
  const auto seed = replay::read_number<std::uint64_t>(replay::sha256({header.nonce()}));
  if (header.config().seed() == seed) return std::nullopt;
  return "config.seed: is " + std::to_string(header.config().seed()) + "; with this nonce it has to be " +
         std::to_string(seed) + ", the first 8 bytes of its SHA-256";
}

std::optional<std::string> decode_header(const v1::InputLogHeader& header, match::MatchConfig& config) {
  if (header.nonce().size() > replay::kIdBytesMax) {
    return "nonce has " + std::to_string(header.nonce().size()) + " bytes; at most " +
           std::to_string(replay::kIdBytesMax) + " are allowed";
  }
  auto decoded = wire::decode_config(header.config());
  const auto error = decoded ? match::find_error(*decoded) : std::optional(decoded.error());
  if (error) return "config." + error->field + ": " + error->description;
  if (auto fault = find_fault_of_seed(header)) return fault;
  config = std::move(*decoded);
  return std::nullopt;
}

}  // namespace

bool is_input_log(std::string_view bytes) { return bytes.starts_with(kInputLogMagic); }

base::Result<InputLog, FileFault> InputLog::open(std::string_view bytes) {
  if (auto fault = find_fault_of_start(bytes)) return *std::move(fault);
  InputLog log(bytes);
  std::uint64_t offset = kStartBytes;
  std::uint64_t last_tick = 0;
  v1::InputLogRecord record;
  for (bool is_first = true;; is_first = false) {
    const std::uint64_t record_offset = offset;
    if (auto fault = read_record(bytes, offset, record)) return *std::move(fault);
    const auto refuse = [record_offset](const char* name, std::string what) {
      return FileFault{.offset = record_offset, .record = name, .what = std::move(what)};
    };
    if (is_first != record.has_header())
      return refuse("header", "the first record has to be it, and no other");
    if (record.has_header()) {
      log.header_.Swap(record.mutable_header());
      log.ticks_offset_ = offset;
      if (auto what = decode_header(log.header_, log.config_)) return refuse("header", *std::move(what));
    } else if (record.has_tick()) {
      if (auto what = find_fault_of_tick(record.tick(), last_tick)) return refuse("tick", *std::move(what));
      last_tick = record.tick().tick();
    } else if (record.has_end()) {
      if (auto what = find_fault_of_end(record.end(), last_tick)) return refuse("end", *std::move(what));
      if (offset != bytes.size()) return refuse("end", "something follows it");
      log.end_.Swap(record.mutable_end());
      return log;
    } else {
      return refuse("", "the record is none that is known");
    }
  }
}

const v1::InputLogTick* InputLog::Ticks::next() {
  record_offset_ = offset_;
  if (read_record(bytes_, offset_, record_) || !record_.has_tick()) return nullptr;
  return &record_.tick();
}

}  // namespace sweepd::verification
