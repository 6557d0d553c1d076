// SPDX-License-Identifier: MIT
#include "replay/cut.h"

#include "replay/replay_player.h"
#include "replay/writer.h"

namespace sweepd::replay {
namespace {

/// Those of the tick that has just been written.
std::optional<FileFault> copy_key_frames(const Reader& reader, const TickRecord& record, Writer& writer) {
  for (std::size_t i = 0; i < reader.key_frames().size(); ++i) {
    if (reader.key_frames()[i].tick != record.tick) continue;
    const auto key_frame = reader.read_key_frame(i);
    if (!key_frame) return key_frame.error();
    if (key_frame->digest != record.digest) {
      return reader.place_of_key_frame(i, "its digest is not that of its tick");
    }
    writer.add_key_frame(*key_frame);
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::string, FileFault> cut(std::string_view bytes, std::uint64_t ticks) {
  const auto reader = Reader::open(bytes);
  if (!reader) return reader.error();
  if (ticks < 1 || ticks > reader->tick_count()) {
    return FileFault{.offset = reader->footer_offset(),
                     .record = "footer",
                     .what = std::to_string(ticks) + " ticks are asked for; must be 1 to " +
                             std::to_string(reader->tick_count())};
  }
  auto player = ReplayPlayer::open(*reader);
  if (!player) return player.error();
  Writer writer(reader->head());
  std::string cut_bytes;
  while (player->match().tick() < ticks) {
    const auto record = player->play();
    if (!record) return record.error();
    if (!writer.add(*record)) return FileFault{.tick = record->tick, .what = "the tick is too large"};
    if (auto fault = copy_key_frames(*reader, *record, writer)) return *std::move(fault);
    cut_bytes += writer.take_bytes();
  }
  const EndReason reason = player->match().ended() ? EndReason::kMatchEnded : EndReason::kCut;
  writer.finish(reason, scores_of(player->match()), nullptr);
  return cut_bytes + writer.take_bytes();
}

}  // namespace sweepd::replay
