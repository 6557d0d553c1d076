// SPDX-License-Identifier: MIT
#include "recordings/replay_bytes.h"

#include <utility>

#include "base/assert.h"
#include "recordings/random_match.h"
#include "replay/player.h"

namespace sweepd::recordings {
namespace {

replay::KeyFrame key_frame_of(const match::Match& match, bool has_snapshot) {
  replay::KeyFrame key_frame{.tick = match.tick(), .digest = match.digest()};
  const bool is_known = has_snapshot && !match.ended();
  key_frame.version = is_known ? match::kSnapshotVersion : 7;
  key_frame.content = is_known ? match.save() : "state " + std::to_string(match.tick());
  return key_frame;
}

}  // namespace

std::string write_replay(const match::MatchConfig& config, const std::vector<replay::TickRecord>& records,
                         const ReplayOptions& options) {
  replay::Player player(std::move(match::Match::create(config).value()));
  replay::Writer writer(replay::head_of(player.match(), options.match_id, options.nonce), options.writer);
  std::string bytes;
  for (const replay::TickRecord& record : records) {
    SWEEPD_ASSERT(!player.play(record));
    SWEEPD_ASSERT(writer.add(record));
    if (options.key_frame_ticks != 0 && record.tick % options.key_frame_ticks == 0) {
      SWEEPD_ASSERT(writer.add_key_frame(key_frame_of(player.match(), options.has_snapshots)));
    }
    bytes += writer.take_bytes();
  }
  const auto reason =
      player.match().ended() ? replay::EndReason::kMatchEnded : replay::EndReason::kStillRunning;
  writer.finish(reason, replay::scores_of(player.match()), options.key);
  return bytes + writer.take_bytes();
}

std::string random_replay(std::uint64_t seed, std::uint32_t ticks, const ReplayOptions& options) {
  return write_replay(random_match_config(seed), record_random_match(seed, ticks), options);
}

}  // namespace sweepd::recordings
