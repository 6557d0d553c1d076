// SPDX-License-Identifier: MIT
#include "fuzz/decoders/played_trace.h"

#include <map>
#include <memory>
#include <utility>

#include "app/sweepctl/trace_match.h"
#include "base/assert.h"
#include "match/match.h"
#include "match_codec.h"
#include "rpc/config_codec.h"

namespace sweepd::fuzz {
namespace {

std::unique_ptr<match::Match> match_of(const app::Trace& trace) {
  v1::MatchConfig message;
  SWEEPD_ASSERT(!internal::encode(app::match_config_of(trace, {.name = "trace"}), &message));
  auto config = rpc::decode_config(message);
  SWEEPD_ASSERT(config.ok());
  auto match = match::Match::create(std::move(*config));
  if (match.ok()) return std::move(*match);
  SWEEPD_ASSERT(match.error().field.starts_with("slots["));  // The ids of two participants overlap.
  return nullptr;
}

match::Frame frame_of(const app::Trace& trace, const app::TraceFrame& frame) {
  match::Frame out;
  for (const app::TraceCommand& command : frame.commands) {
    if (command.kind == app::TraceCommandKind::kMove) {
      out.moves.push_back({command.object, {command.x, command.y}});
    } else if (command.kind == app::TraceCommandKind::kDespawn) {
      out.despawns.push_back(command.object);
    } else {
      collision::ObjectSpec& spawn = out.spawns.emplace_back();
      spawn.id = command.object;
      spawn.position = {command.x, command.y};
      for (const app::TraceBox& box : trace.boxes_of(command)) {
        spawn.parts.push_back({.box = {box.min_x, box.min_y, box.max_x, box.max_y},
                               .layer = static_cast<collision::LayerId>(command.layer)});
      }
    }
  }
  return out;
}

}  // namespace

void play(const app::Trace& trace) {
  const auto match = match_of(trace);
  if (match == nullptr) return;
  for (const match::ParticipantSlot& slot : match->config().slots) {
    SWEEPD_ASSERT(match->apply(match::Join{slot.name, slot.role}).ok());
  }
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, const app::TraceFrame*>>> frames;
  for (std::uint32_t number = 0; number < trace.participants.size(); ++number) {
    for (const app::TraceFrame& frame : trace.participants[number].frames) {
      frames[frame.tick].emplace_back(number, &frame);
    }
  }
  while (match->tick() < trace.last_tick) {
    for (const auto& [number, frame] : frames[match->tick() + 1]) {
      SWEEPD_ASSERT(!match->apply(match::Submission{number, frame_of(trace, *frame)}));
    }
    SWEEPD_ASSERT(match->step().rejections.empty());
  }
}

}  // namespace sweepd::fuzz
