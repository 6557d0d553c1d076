// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "replay/tick_record.h"
#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::replay {

enum class FaultKind : std::uint8_t {
  kMalformed,
  kCutOff,              ///< The file ends before its footer does.
  kUnsupportedVersion,  ///< It is of a version that is not known here.
};

/// Why a replay cannot be read from a place on.
struct FileFault {
  FaultKind kind = FaultKind::kMalformed;
  std::uint64_t offset = 0;  ///< Of the record at fault, from the beginning of the file.
  std::string record = {};   ///< "header", "chunk 3", "footer"; empty where that is not known.
  Tick tick = 0;             ///< 0: of no tick.
  std::string what = {};
};

/// For people: "byte 1234, chunk 3, tick 700: ...".
std::string text_of(const FileFault& fault);

/// Reads the records of a file one after the other, as the file format has them, and checks their sums.
class RecordReader {
 public:
  RecordReader(std::string_view file, std::uint64_t offset) : file_(file), offset_(offset) {}

  struct Item {
    std::uint64_t offset = 0;
    std::string_view content = {};
    v1::Record record = {};
  };
  base::Result<Item, FileFault> next();

  /// Of what comes next.
  std::uint64_t offset() const { return offset_; }
  std::string_view rest() const { return file_.substr(offset_); }

 private:
  FileFault malformed(std::string what) const { return {.offset = offset_, .what = std::move(what)}; }
  FileFault cut_off(std::string what) const {
    return {.kind = FaultKind::kCutOff, .offset = offset_, .what = std::move(what)};
  }

  std::string_view file_;
  std::uint64_t offset_;
};

}  // namespace sweepd::replay
