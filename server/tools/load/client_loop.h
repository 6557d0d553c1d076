// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sweepd::tools::load {

/// Ids of the objects that move in and out of contact so that latency can be measured. 0: none.
struct ProbeIds {
  std::uint32_t mover = 0;
  std::uint32_t partner = 0;  ///< It rests.
};

/// What one client sends in each tick, for ever: after the last tick comes the first again. Encoded once, so
/// that sending costs next to nothing; a frame lacks only the tick that it acknowledges: see
/// kAcknowledgementBytes. Immutable; clients of many matches and threads share one.
class ClientLoop {
 public:
  virtual ~ClientLoop() = default;

  virtual std::uint32_t ticks() const = 0;

  /// A serialized PlayRequest without its last bytes, the acknowledgement.
  virtual std::string_view frame(std::uint32_t tick) const = 0;
  /// Whether the probe changes sides in this frame; and whether it is in contact after it.
  virtual bool probes_in(std::uint32_t tick) const = 0;
  virtual bool in_contact_after(std::uint32_t tick) const = 0;

  /// What to send first, so that frame(tick + 1) can follow: everything is spawned where it is after `tick`.
  /// Whole, with an acknowledgement of 0.
  virtual std::string opening(std::uint32_t tick) const = 0;

  /// What to send first on a new stream of the same seat instead: the same places, of what is there already.
  virtual std::string restart(std::uint32_t tick) const = 0;

  virtual std::uint32_t last_id() const = 0;
  virtual const ProbeIds& probe() const = 0;
};

/// One for each client of a match; client n's ids follow those of client n - 1, from 1 on.
using Loops = std::shared_ptr<const std::vector<std::unique_ptr<const ClientLoop>>>;

}  // namespace sweepd::tools::load
