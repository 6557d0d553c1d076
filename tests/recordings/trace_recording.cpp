// SPDX-License-Identifier: MIT
#include "recordings/trace_recording.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "base/assert.h"
#include "match/match.h"
#include "recordings/recorded_tick.h"

namespace sweepd::recordings {
namespace {

std::string unpack(const std::filesystem::path& packed) {
  const std::string command = "xz -dc '" + packed.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  SWEEPD_ASSERT(pipe != nullptr);
  std::string text;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t bytes = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    text.append(buffer.data(), bytes);
  }
  return text;
}

struct Script {
  match::MatchConfig config = {};
  /// By tick, from 1; by participant.
  std::vector<std::map<match::ParticipantNumber, match::Frame>> ticks = {};
};

collision::ObjectSpec read_spawn(std::istream& fields) {
  collision::ObjectSpec spec;
  unsigned layer = 0, boxes = 0;
  fields >> spec.id >> layer >> spec.position.x >> spec.position.y >> boxes;
  for (unsigned i = 0; i < boxes; ++i) {
    collision::Box box;
    fields >> box.min_x >> box.min_y >> box.max_x >> box.max_y;
    spec.parts.push_back({.box = box, .layer = static_cast<collision::LayerId>(layer)});
  }
  return spec;
}

/// Names are of no use here, and two of a trace's may be the same.
void read_head(char kind, std::istream& fields, match::MatchConfig& config) {
  unsigned a = 0, b = 0;
  fields >> a;
  if (kind == 'L') {
    config.layers.push_back("layer " + std::to_string(a));
  } else if (kind == 'M') {
    fields >> b;
    config.collides.push_back({config.layers[a], config.layers[b]});
  } else if (kind == 'P') {
    config.slots.push_back({.name = "participant " + std::to_string(a)});
  }
}

void read_change(char kind, std::istream& fields, match::Frame& frame) {
  if (kind == 'S') {
    frame.spawns.push_back(read_spawn(fields));
    return;
  }
  match::Move move;
  fields >> move.object;
  if (kind == 'D') {
    frame.despawns.push_back(move.object);
  } else if (kind == 'U') {
    fields >> move.position.x >> move.position.y;
    frame.moves.push_back(move);
    frame.relative_moves = frame.moves.size();
  }
}

void give_blocks(Script& script) {
  for (std::size_t number = 0; number < script.config.slots.size(); ++number) {
    match::ParticipantSlot& slot = script.config.slots[number];
    for (auto& frames : script.ticks) {
      for (const auto& spawn : frames[static_cast<match::ParticipantNumber>(number)].spawns) {
        slot.first_id = slot.first_id == 0 ? spawn.id : std::min(slot.first_id, spawn.id);
        slot.last_id = std::max(slot.last_id, spawn.id);
      }
    }
  }
}

Script read_script(const std::string& text) {
  Script script;
  script.config.clock = match::ClockKind::kManual;
  match::ParticipantNumber participant = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string kind;
    fields >> kind;
    std::size_t number = 0;
    if (kind == "T") {
      fields >> number;
      script.ticks.resize(number);
    } else if (kind == "F") {
      fields >> participant;
      script.ticks.back()[participant];
    } else if (kind.size() == 1 && !script.ticks.empty()) {
      read_change(kind[0], fields, script.ticks.back()[participant]);
    } else if (kind.size() == 1) {
      read_head(kind[0], fields, script.config);
    }
  }
  give_blocks(script);
  return script;
}

}  // namespace

TraceRecording record_trace(const std::filesystem::path& packed) {
  Script script = read_script(unpack(packed));
  SWEEPD_ASSERT(!script.ticks.empty());
  TraceRecording recording{.config = script.config};
  replay::Recorder recorder(std::move(match::Match::create(script.config).value()));
  for (const match::ParticipantSlot& slot : script.config.slots) {
    SWEEPD_ASSERT(recorder.apply(match::Join{.name = slot.name, .role = slot.role}).ok());
  }
  for (std::size_t i = 0; i < script.ticks.size(); ++i) {
    for (auto& [participant, frame] : script.ticks[i]) {
      frame.tick = i + 1;
      recording.moves += frame.moves.size();
      SWEEPD_ASSERT(!recorder.apply(match::Submission{participant, std::move(frame)}));
    }
    SWEEPD_ASSERT(recorder.step().rejections.empty());
    recording.ticks.push_back(take_record(recorder));
  }
  recorder.end();
  recording.ticks.push_back(take_record(recorder));
  return recording;
}

}  // namespace sweepd::recordings
