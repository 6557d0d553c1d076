// SPDX-License-Identifier: MIT
#include "fuzz/decoders/played_trace.h"

#include <map>
#include <memory>
#include <utility>

#include "base/assert.h"
#include "match/match.h"
#include "match_codec.h"
#include "tools/sweepctl/trace_match.h"
#include "wire/config_codec.h"

namespace sweepd::fuzz {
namespace {

std::unique_ptr<match::Match> match_of(const tools::Trace& trace) {
  v1::MatchConfig message;
  SWEEPD_ASSERT(!internal::encode(tools::match_config_of(trace, {.name = "trace"}), &message));
  auto config = wire::decode_config(message);
  SWEEPD_ASSERT(config.ok());
  auto match = match::Match::create(std::move(*config));
  if (match.ok()) return std::move(*match);
  SWEEPD_ASSERT(match.error().field.starts_with("slots["));  // The ids of two participants overlap.
  return nullptr;
}

match::Frame frame_of(const tools::Trace& trace, const tools::TraceFrame& frame) {
  match::Frame out;
  for (const tools::TraceCommand& command : frame.commands) {
    if (command.kind == tools::TraceCommandKind::kMove) {
      out.moves.push_back({command.object, {command.x, command.y}});
    } else if (command.kind == tools::TraceCommandKind::kDespawn) {
      out.despawns.push_back(command.object);
    } else {
      collision::ObjectSpec& spawn = out.spawns.emplace_back();
      spawn.id = command.object;
      spawn.position = {command.x, command.y};
      for (const tools::TraceBox& box : trace.boxes_of(command)) {
        spawn.parts.push_back({.box = {box.min_x, box.min_y, box.max_x, box.max_y},
                               .layer = static_cast<collision::LayerId>(command.layer)});
      }
    }
  }
  return out;
}

}  // namespace

void play(const tools::Trace& trace) {
  const auto match = match_of(trace);
  if (match == nullptr) return;
  for (const match::ParticipantSlot& slot : match->config().slots) {
    SWEEPD_ASSERT(match->apply(match::Join{slot.name, slot.role}).ok());
  }
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, const tools::TraceFrame*>>> frames;
  for (std::uint32_t number = 0; number < trace.participants.size(); ++number) {
    for (const tools::TraceFrame& frame : trace.participants[number].frames) {
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
