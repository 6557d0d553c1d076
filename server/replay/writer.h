// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/ending.h"
#include "replay/head.h"
#include "replay/key_frame.h"
#include "replay/packed_ticks.h"
#include "replay/receipt.h"
#include "replay/record_chain.h"
#include "replay/tick_encoder.h"
#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::replay {

struct WriterOptions {
  std::uint32_t ticks_per_chunk = 600;  ///< At least 1. A chunk that grows large is closed before.
  int compression_level = 9;            ///< Of zstd.
};

/// Writes a replay as it comes about. It holds one chunk at most; its bytes are taken from time to time, and
/// make a file that can be read up to its last whole chunk.
class Writer {
 public:
  explicit Writer(const Head& head, WriterOptions options = {});

  /// The next tick, from 1 on. False: it takes more than kContentBytesMax by itself; nothing can be added any
  /// more, and the file remains without a footer.
  bool add(const TickRecord& record);

  /// The next ticks, as a chunk of their own. Joins in them are not looked at: give `finish` an Ending.
  bool add(const PackedTicks& ticks);

  /// Of the tick that was added last. False: its content is larger than kContentBytesMax, and it is left out.
  bool add_key_frame(const KeyFrame& key_frame);

  /// The footer; nothing can be added after it. `scores` as of scores_of, kScoresListedMax at most. `key`:
  /// signs the receipt, where there is one.
  Ending finish(EndReason reason, std::vector<match::Score> scores, const SigningKey* key);

  /// The same with what was kept beside the ticks; of the last tick that was added.
  void finish(const Ending& ending, const SigningKey* key);

  /// The bytes since the last call.
  std::string take_bytes();

  std::uint64_t moves() const { return moves_; }

 private:
  bool close_chunk();
  void append_chunk(Tick first_tick, std::uint64_t tick_count, std::string content);
  void append(const v1::Record& record);
  void append_footer(const Ending& ending, const std::optional<Receipt>& receipt);

  Head head_;
  WriterOptions options_;
  TickEncoder ticks_;
  std::string bytes_;
  std::uint64_t offset_ = 0;  ///< Of the end of bytes_ in the file.
  std::optional<RecordChain> chain_;
  Ending ending_;
  v1::Footer footer_;
  std::uint64_t moves_ = 0;
  bool is_closed_ = false;
};

}  // namespace sweepd::replay
