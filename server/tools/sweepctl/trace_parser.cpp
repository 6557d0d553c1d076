// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_parser.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/sweepctl/trace_fields.h"
#include "tools/sweepctl/trace_objects.h"

namespace sweepd::tools {
namespace {

// What a server takes: more would only be refused later, without a line number.
constexpr std::size_t kLayersMax = 64;
constexpr std::size_t kParticipantsMax = 64;
constexpr std::size_t kNameBytesMax = 64;
constexpr std::uint32_t kObjectsPerParticipantMax = 100'000;
constexpr NumberRange kBoxCountRange{1, 32};
// 46 hours at 60 Hz; keeps a mistyped tick from running for weeks.
constexpr NumberRange kTickRange{1, 10'000'000};

/// Layers or participants as they are declared: any numbers, ranked by number once the header is over.
using Declarations = std::map<std::uint32_t, std::string>;

std::uint32_t rank_of(const Declarations& declarations, std::uint32_t number) {
  return static_cast<std::uint32_t>(std::distance(declarations.begin(), declarations.find(number)));
}

class TraceParser {
 public:
  Result<Trace> parse(std::istream& input) {
    std::string line;
    while (std::getline(input, line)) {
      ++line_;
      if (Status status = parse_line(line); !status.ok()) return with_line(status);
    }
    if (input.bad()) return Status(ErrorCode::kUnavailable, "the trace cannot be read");
    ++line_;
    if (line_ == 1) return with_line(trace_error("the trace is empty; 'TRACE 1' is expected"));
    if (!ended_) return with_line(trace_error("the trace ends without 'E'"));
    return std::move(trace_);
  }

 private:
  Status with_line(const Status& status) const {
    return Status(status.code(), "trace line " + std::to_string(line_) + ": " + status.message());
  }

  Status parse_line(std::string_view line) {
    TraceFields fields(line);
    if (line_ == 1) return parse_version(fields);
    if (fields.empty()) return {};
    const std::string_view command = fields.next();
    if (command.front() == '#') return {};
    if (ended_) return trace_error("nothing is expected after 'E'");
    if (Status status = parse_command(command, fields); !status.ok()) return status;
    return fields.expect_end();
  }

  Status parse_version(TraceFields& fields) {
    if (fields.next() != "TRACE") return trace_error("a trace begins with 'TRACE 1'");
    std::uint32_t version = 0;
    if (Status status = fields.next_number("version", kNumberRange, version); !status.ok()) return status;
    if (version != 1)
      return trace_error("version " + std::to_string(version) + " is not known; this reads version 1");
    return fields.expect_end();
  }

  Status parse_command(std::string_view command, TraceFields& fields) {
    if (command == "S") return parse_spawn(fields);
    if (command == "U") return parse_move(fields);
    if (command == "D") return parse_despawn(fields);
    if (command == "F") return parse_frame(fields);
    if (command == "T") return parse_tick(fields);
    if (command == "E") return parse_end();
    if (command == "L") return parse_declaration(fields, "layer", kLayersMax, layers_);
    if (command == "P") return parse_declaration(fields, "participant", kParticipantsMax, participants_);
    if (command == "M") return parse_colliding(fields);
    return trace_error(quoted(command) + " is no command");
  }

  Status parse_declaration(TraceFields& fields, const std::string& what, std::size_t count_max,
                           Declarations& declarations) {
    if (trace_.last_tick > 0) return trace_error("a " + what + " is declared before the first 'T'");
    std::uint32_t number = 0;
    if (Status status = fields.next_number(what, kNumberRange, number); !status.ok()) return status;
    const std::string name(fields.next());
    if (name.empty())
      return trace_error("the name of " + what + " " + std::to_string(number) + " is missing");
    if (name.size() > kNameBytesMax) {
      return trace_error("a name of " + std::to_string(name.size()) + " bytes is longer than " +
                         std::to_string(kNameBytesMax));
    }
    if (!declarations.emplace(number, name).second) {
      return trace_error(what + " " + std::to_string(number) + " is declared twice");
    }
    if (declarations.size() <= count_max) return {};
    return trace_error("there are more than " + std::to_string(count_max) + " " + what + "s");
  }

  Status parse_colliding(TraceFields& fields) {
    if (trace_.last_tick > 0) return trace_error("colliding layers are declared before the first 'T'");
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    if (Status status = parse_known(fields, "layer", layers_, a); !status.ok()) return status;
    if (Status status = parse_known(fields, "layer", layers_, b); !status.ok()) return status;
    collides_.emplace_back(std::min(a, b), std::max(a, b));
    return {};
  }

  Status parse_known(TraceFields& fields, const std::string& what, const Declarations& declarations,
                     std::uint32_t& number) {
    if (Status status = fields.next_number(what, kNumberRange, number); !status.ok()) return status;
    if (declarations.contains(number)) return {};
    return trace_error(what + " " + std::to_string(number) + " is not declared");
  }

  Status parse_tick(TraceFields& fields) {
    std::uint64_t tick = 0;
    if (Status status = fields.next_number("tick", kTickRange, tick); !status.ok()) return status;
    if (trace_.last_tick == 0) {
      if (Status status = close_header(); !status.ok()) return status;
    }
    if (tick <= trace_.last_tick) {
      return trace_error("tick " + std::to_string(tick) + " comes after tick " +
                         std::to_string(trace_.last_tick));
    }
    if (Status status = close_tick(); !status.ok()) return status;
    trace_.last_tick = tick;
    return {};
  }

  Status close_header() {
    if (layers_.empty()) return trace_error("no layer is declared before the first 'T'");
    if (participants_.empty()) return trace_error("no participant is declared before the first 'T'");
    for (const auto& [number, name] : layers_) trace_.layers.push_back(name);
    for (const auto& [number, name] : participants_) trace_.participants.emplace_back().name = name;
    for (const auto& [a, b] : collides_)
      trace_.collides.emplace_back(rank_of(layers_, a), rank_of(layers_, b));
    std::sort(trace_.collides.begin(), trace_.collides.end());
    trace_.collides.erase(std::unique(trace_.collides.begin(), trace_.collides.end()), trace_.collides.end());
    return {};
  }

  Status parse_frame(TraceFields& fields) {
    if (trace_.last_tick == 0) return trace_error("a frame ('F') comes before the first 'T'");
    std::uint32_t number = 0;
    if (Status status = parse_known(fields, "participant", participants_, number); !status.ok())
      return status;
    TraceParticipant& participant = trace_.participants[rank_of(participants_, number)];
    if (!participant.frames.empty() && participant.frames.back().tick == trace_.last_tick) {
      return trace_error("participant " + std::to_string(number) + " has a frame in tick " +
                         std::to_string(trace_.last_tick) + " already");
    }
    participant.frames.push_back({trace_.last_tick, {}});
    frame_ = &participant;
    return {};
  }

  Status begin_command(TraceFields& fields, TraceCommandKind kind, TraceCommand& command) {
    if (trace_.last_tick == 0) return trace_error("a command comes before the first 'T'");
    if (frame_ == nullptr) return trace_error("a command comes before the tick's first 'F'");
    command.kind = kind;
    command.line = line_;
    return fields.next_number("object id", kObjectIdRange, command.object);
  }

  Status parse_position(TraceFields& fields, TraceCommand& command) {
    if (Status status = fields.next_number("x", kCoordinateRange, command.x); !status.ok()) return status;
    return fields.next_number("y", kCoordinateRange, command.y);
  }

  Status parse_spawn(TraceFields& fields) {
    TraceCommand command;
    if (Status status = begin_command(fields, TraceCommandKind::kSpawn, command); !status.ok()) return status;
    std::uint32_t layer = 0;
    if (Status status = parse_known(fields, "layer", layers_, layer); !status.ok()) return status;
    command.layer = rank_of(layers_, layer);
    if (Status status = parse_position(fields, command); !status.ok()) return status;
    if (Status status = fields.next_number("number of boxes", kBoxCountRange, command.box_count);
        !status.ok()) {
      return status;
    }
    if (fields.remaining() != command.box_count * std::size_t{4}) {
      return trace_error(std::to_string(command.box_count) + " boxes have " +
                         std::to_string(command.box_count * 4) + " numbers, found " +
                         std::to_string(fields.remaining()));
    }
    command.first_box = static_cast<std::uint32_t>(trace_.boxes.size());
    for (std::uint32_t box = 0; box < command.box_count; ++box) {
      if (Status status = parse_box(fields, box); !status.ok()) return status;
    }
    widen_block(command.object);
    frame_->frames.back().commands.push_back(command);
    return {};
  }

  Status parse_box(TraceFields& fields, std::uint32_t index) {
    const std::string name = "box " + std::to_string(index);
    TraceBox box;
    for (std::int32_t* edge : {&box.min_x, &box.min_y, &box.max_x, &box.max_y}) {
      if (Status status = fields.next_number(name, kCoordinateRange, *edge); !status.ok()) return status;
    }
    if (box.min_x > box.max_x || box.min_y > box.max_y)
      return trace_error(name + ": min is greater than max");
    trace_.boxes.push_back(box);
    return {};
  }

  void widen_block(std::uint32_t object) {
    if (frame_->last_id == 0) frame_->first_id = object;
    frame_->first_id = std::min(frame_->first_id, object);
    frame_->last_id = std::max(frame_->last_id, object);
  }

  Status parse_move(TraceFields& fields) {
    TraceCommand command;
    if (Status status = begin_command(fields, TraceCommandKind::kMove, command); !status.ok()) return status;
    if (Status status = parse_position(fields, command); !status.ok()) return status;
    frame_->frames.back().commands.push_back(command);
    return {};
  }

  Status parse_despawn(TraceFields& fields) {
    TraceCommand command;
    if (Status status = begin_command(fields, TraceCommandKind::kDespawn, command); !status.ok())
      return status;
    frame_->frames.back().commands.push_back(command);
    return {};
  }

  Status parse_end() {
    if (trace_.last_tick == 0) return trace_error("the trace has no tick");
    ended_ = true;
    return close_tick();
  }

  /// Frames apply in the order of the participants, whatever the order of their lines: only now can they be
  /// judged.
  Status close_tick() {
    for (std::uint32_t number = 0; number < trace_.participants.size(); ++number) {
      TraceParticipant& participant = trace_.participants[number];
      if (participant.frames.empty() || participant.frames.back().tick != trace_.last_tick) continue;
      if (Status status = apply_frame(number, participant); !status.ok()) return status;
    }
    frame_ = nullptr;
    return {};
  }

  Status apply_frame(std::uint32_t number, TraceParticipant& participant) {
    // A server applies all spawns of a frame before its despawns.
    std::uint32_t objects = objects_.count_of(number);
    for (const TraceCommand& command : participant.frames.back().commands) {
      Status status = objects_.apply(trace_.last_tick, number, command, trace_.boxes_of(command));
      if (command.kind == TraceCommandKind::kSpawn && ++objects > kObjectsPerParticipantMax) {
        status = trace_error("more than " + std::to_string(kObjectsPerParticipantMax) + " objects at once");
      }
      if (status.ok()) continue;
      line_ = command.line;
      return status;
    }
    participant.objects_max = std::max(participant.objects_max, objects);
    return {};
  }

  Trace trace_;
  Declarations layers_;
  Declarations participants_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> collides_;  ///< As declared.
  TraceObjects objects_;
  TraceParticipant* frame_ = nullptr;  ///< Whose frame the lines belong to.
  std::uint32_t line_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<Trace> parse_trace(std::istream& input) { return TraceParser().parse(input); }

}  // namespace sweepd::tools
