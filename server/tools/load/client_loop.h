// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/load/probe_path.h"

namespace sweepd::tools::load {

class MoveRows;

/// What one client sends in each tick, for ever: after the last tick comes the first again. Encoded once, so
/// that sending costs next to nothing; a frame lacks only the tick that it acknowledges: see
/// kAcknowledgementBytes. Immutable; clients of many matches and threads share one.
class ClientLoop {
 public:
  virtual ~ClientLoop() = default;

  std::uint32_t ticks() const { return static_cast<std::uint32_t>(frames_.size()); }

  /// A serialized PlayRequest without its last bytes, the acknowledgement.
  std::string_view frame(std::uint32_t tick) const { return frames_[tick].bytes; }
  /// Whether the probe changes sides in this frame; and whether it is in contact after it.
  bool probes_in(std::uint32_t tick) const { return frames_[tick].probes; }
  bool in_contact_after(std::uint32_t tick) const { return probe_.in_contact_after(tick); }

  /// What to send first, so that frame(tick + 1) can follow: everything is spawned where it is after `tick`.
  /// Whole, with an acknowledgement of 0.
  virtual std::string opening(std::uint32_t tick) const = 0;

  /// What to send first on a new stream of the same seat instead: the same places, of what is there already.
  virtual std::string restart(std::uint32_t tick) const = 0;

  std::uint32_t last_id() const { return probe_.last_id(); }
  const ProbeIds& probe() const { return probe_.ids(); }

 protected:
  ClientLoop() : probe_({}, 0) {}
  ClientLoop(ClientLoop&&) noexcept = default;

  /// The frame after that of the tick `before`; `rows` are its moves, to which the probe's is added.
  void add_frame(std::uint32_t before, v1::Frame& frame, MoveRows& rows);
  /// The same as `restart`, of a frame that has the places of all but the probe.
  std::string restarted(std::uint32_t tick, v1::Frame& frame) const;

  ProbePath probe_;

 private:
  struct Encoded {
    std::string bytes;
    bool probes = false;
  };

  std::vector<Encoded> frames_;
};

/// One for each client of a match; client n's ids follow those of client n - 1, from 1 on.
using Loops = std::shared_ptr<const std::vector<std::unique_ptr<const ClientLoop>>>;

}  // namespace sweepd::tools::load
