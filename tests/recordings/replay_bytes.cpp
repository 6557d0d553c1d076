// SPDX-License-Identifier: MIT
#include "recordings/replay_bytes.h"

#include <utility>

#include "base/assert.h"
#include "recordings/random_match.h"
#include "recordings/recorded_tick.h"
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

std::string slow_replay(std::chrono::milliseconds time) {
  match::MatchConfig config;
  config.layers = {"ship"};
  config.history_ticks = 0;
  auto match = match::Match::create(config);
  replay::Recorder recorder(std::move(match.value()));
  replay::Writer writer(replay::head_of(recorder.match(), "slow", ""), {.compression_level = 1});
  const auto seat = recorder.apply(match::Join{.name = "ann"});
  match::Frame frame;
  for (std::uint32_t i = 0; i < 500; ++i) {
    collision::ObjectSpec spec;
    spec.id = seat->first_id + i;
    spec.position = {static_cast<std::int32_t>(i) * 100, 0};
    spec.parts = {{.box = {-10, -10, 10, 10}}};
    spec.motion.velocity = {1, 1};
    frame.spawns.push_back(spec);
  }
  (void)recorder.apply(match::Submission{seat->number, frame});
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
    recorder.step();
    SWEEPD_ASSERT(writer.add(take_record(recorder)));
  }
  recorder.end();
  SWEEPD_ASSERT(writer.add(take_record(recorder)));
  writer.finish(replay::EndReason::kMatchEnded, replay::scores_of(recorder.match()), nullptr);
  return writer.take_bytes();
}

}  // namespace sweepd::recordings
