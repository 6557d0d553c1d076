// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/sweepctl/load/scene.h"

namespace sweepd::v1 {
class Frame;
}

namespace sweepd::app::load {

/// After so many ticks a client's probe changes sides.
inline constexpr std::uint32_t kProbeTicks = 30;

/// Who moves what flies straight.
enum class MotionKind : std::uint8_t {
  kExplicit,  ///< Clients: every object's position in every tick.
  kServer,    ///< The server: flying objects are spawned with a velocity and despawn by themselves.
};

/// Ids of the objects that move in and out of contact so that latency can be measured. 0: none.
struct ProbeIds {
  std::uint32_t mover = 0;
  std::uint32_t partner = 0;  ///< It rests.
};

/// The loop of one client: what it sends in each tick, encoded once. A frame lacks only the tick that it
/// acknowledges: see kAcknowledgementBytes. Immutable; clients of many matches and threads share one.
class FrameLoop {
 public:
  /// Of `actors`, which are the share of one client; their ids start at `first_id`. Every `probe_ticks`
  /// ticks, first in tick `probe_phase`, the client's probe changes sides; `probe_ticks` divides the loop
  /// into an even number of parts, or is 0: no probe. `number`: the client's, so that probes do not meet each
  /// other.
  struct Share {
    const Scene* scene = nullptr;
    std::vector<const Actor*> actors;
    MotionKind motion = MotionKind::kExplicit;
    std::uint32_t first_id = 1;
    std::uint32_t number = 0;
    std::uint32_t probe_ticks = 30;
    std::uint32_t probe_phase = 0;
    std::uint32_t probe_layer = 0;
    std::uint32_t subunits_per_pixel = kSubunitsPerPixel;
  };
  explicit FrameLoop(const Share& share);

  std::uint32_t ticks() const { return static_cast<std::uint32_t>(frames_.size()); }

  /// A serialized PlayRequest without its last bytes, the acknowledgement.
  std::string_view frame(std::uint32_t tick) const { return frames_[tick].bytes; }
  /// Whether the probe changes sides in this frame; and whether it is in contact after it.
  bool probes_in(std::uint32_t tick) const { return frames_[tick].probes; }
  bool in_contact_after(std::uint32_t tick) const;

  /// What to send first, so that frame(tick + 1) can follow: everything is spawned where it is after `tick`.
  /// Whole, with an acknowledgement of 0.
  std::string opening(std::uint32_t tick) const;

  /// What to send first on a new stream of the same seat instead: the same places, of what is there already.
  std::string restart(std::uint32_t tick) const;

  std::uint32_t last_id() const { return next_id_ - 1; }
  const ProbeIds& probe() const { return probe_; }

 private:
  struct Encoded {
    std::string bytes;
    bool probes = false;
  };
  struct Seat {
    const Actor* actor = nullptr;
    std::uint32_t first_id = 0;  ///< Of its flights, where the server moves it; else its only one.
    bool is_moved_by_server = false;
  };

  Encoded encode(std::uint32_t tick) const;
  void add_probes(std::uint32_t tick, v1::Frame& frame) const;
  Point partner_position() const;
  Point probe_position(std::uint32_t tick) const;

  Share share_;
  std::vector<Seat> seats_;
  std::uint32_t next_id_;
  ProbeIds probe_;
  std::vector<Encoded> frames_;
};

/// What is appended to FrameLoop::frame: always so many bytes, whatever the tick, up to 2^28 - 1.
inline constexpr std::size_t kAcknowledgementBytes = 5;
void write_acknowledgement(std::uint64_t tick, char (&bytes)[kAcknowledgementBytes]);

/// The loops of all clients of a match, which share the scene's actors evenly; client n's ids follow those of
/// client n - 1. The layer of the probes comes after the scene's own and collides with itself. The scene must
/// outlive them.
std::vector<FrameLoop> make_loops(const Scene& scene, MotionKind motion, std::uint32_t clients,
                                  std::uint32_t subunits_per_pixel = kSubunitsPerPixel);

}  // namespace sweepd::app::load
