// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "replay/ending.h"
#include "replay/head.h"
#include "replay/key_frame.h"
#include "replay/receipt.h"
#include "replay/record_chain.h"
#include "replay/record_reader.h"
#include "replay/tick_decoder.h"

namespace sweepd::replay {

/// A replay that is whole. Where it is not, what can be trusted of it ends before the fault.
struct Footer {
  Ending ending = {};
  std::optional<Receipt> receipt = {};
  std::string records_digest = {};  ///< The last link; without it a receipt of version 2 proves nothing.
};

/// Reads a replay file from memory, which must outlive it. It believes nothing: whatever the bytes are, they
/// are read or refused with the place of the fault, and take no more memory than their limits allow.
class Reader {
 public:
  struct ChunkPlace {
    Tick first_tick = 0;
    std::uint64_t tick_count = 0;
    std::uint64_t offset = 0;
  };
  struct KeyFramePlace {
    Tick tick = 0;
    std::uint64_t digest = 0;   ///< Not known where the file was opened by its index;
    std::uint32_t version = 0;  ///< nor this.
    std::uint64_t offset = 0;
    std::int64_t unix_ms = 0;  ///< As KeyFrame; nor this.
  };

  /// Walks over all records and checks what ties them together, but unpacks none. Refused where even the
  /// header cannot be read; every later fault is that of what comes after the records before it.
  static base::Result<Reader, FileFault> open(std::string_view bytes);

  /// Of a whole file, by the index in its footer, without a look at anything between header and footer: to
  /// see a tick of a large file at once. UNVERIFIED: a chunk or key frame is checked when it is read, and
  /// then only in itself; that they belong together only `open` can tell. Of key frames digest and version
  /// are not known before they are read. Refused where header, footer or index cannot be read.
  static base::Result<Reader, FileFault> open_by_index(std::string_view bytes);

  const Head& head() const { return head_; }
  const match::MatchConfig& config() const { return config_; }
  const std::vector<ChunkPlace>& chunks() const { return chunks_; }
  const std::vector<KeyFramePlace>& key_frames() const { return key_frames_; }
  /// Ticks in all chunks.
  std::uint64_t tick_count() const { return tick_count_; }
  /// Absent where there is a fault.
  const std::optional<Footer>& footer() const { return footer_; }
  std::uint64_t footer_offset() const { return footer_offset_; }
  std::uint64_t byte_count() const { return bytes_.size(); }
  const std::optional<FileFault>& fault() const { return fault_; }

  /// The index of the chunk that has a tick, from 1 to tick_count().
  std::size_t chunk_of(Tick tick) const;

  /// A chunk's ticks, to be read one after the other.
  base::Result<TickDecoder, FileFault> open_chunk(std::size_t index) const;
  /// A fault in one of them, with its place in the file.
  FileFault place(std::size_t chunk, const TickFault& fault) const;
  /// What is wrong with a key frame, with its place in the file.
  FileFault place_of_key_frame(std::size_t index, std::string what) const;
  /// What the content of the chunk or key frame that begins there takes unpacked, as it says itself; 0: it
  /// does not. Unpacks nothing.
  std::uint64_t unpacked_bytes_at(std::uint64_t offset) const;
  base::Result<std::vector<TickRecord>, FileFault> read_chunk(std::size_t index) const;
  base::Result<KeyFrame, FileFault> read_key_frame(std::size_t index) const;

 private:
  using Fault = std::optional<std::string>;

  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  /// `records` are those behind it after that.
  std::optional<FileFault> read_start(RecordReader& records);
  std::optional<FileFault> read_header(RecordReader& records);
  void walk(RecordReader& records);
  bool take(const RecordReader::Item& item, std::string_view rest, FileFault& fault);
  Fault take(const v1::Chunk& chunk, std::uint64_t offset);
  Fault take(const v1::KeyFrame& key_frame, std::uint64_t offset);
  Fault take(const v1::Footer& message);
  Fault compare_index(const v1::Footer& message) const;
  std::optional<FileFault> read_footer(std::uint64_t records_begin);
  Fault take_index(const v1::Footer& message, std::uint64_t records_begin);

  std::string_view bytes_;
  Head head_;
  match::MatchConfig config_;
  std::optional<RecordChain> chain_;
  std::vector<ChunkPlace> chunks_;
  std::vector<KeyFramePlace> key_frames_;
  std::uint64_t tick_count_ = 0;
  std::optional<Footer> footer_;
  std::uint64_t footer_offset_ = 0;
  std::optional<FileFault> fault_;
};

}  // namespace sweepd::replay
