// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/load/client_loop.h"
#include "tools/load/scene.h"

namespace sweepd::tools::load {

/// Which side moves what goes straight on.
enum class MotionKind : std::uint8_t {
  kExplicit,  ///< Clients: every object's position in every tick.
  kServer,    ///< The server: bullets and shots are spawned with a velocity and despawn by themselves.
  kServerButPlayers,  ///< The server everything but players: what turns is given another velocity then.
};
/// As on the command line.
std::string to_string(MotionKind motion);
/// For a reader.
std::string title_of(MotionKind motion);

/// The loop of one client that plays its share of a scene.
class FrameLoop final : public ClientLoop {
 public:
  /// Of `actors`, which are the share of one client; their ids start at `first_id`. The scene must outlive
  /// the loop; its ticks are a multiple of 2 * kProbeTicks.
  struct Share {
    const Scene* scene = nullptr;
    std::vector<const Actor*> actors;
    MotionKind motion = MotionKind::kExplicit;
    std::uint32_t first_id = 1;
    ProbePath::Place probe;
  };
  explicit FrameLoop(const Share& share);

  std::string opening(std::uint32_t tick) const override;
  std::string restart(std::uint32_t tick) const override;

 private:
  struct Seat {
    const Actor* actor = nullptr;
    std::uint32_t first_id = 0;  ///< Of its flights, where it flies; else its only one.
    bool flies = false;          ///< The server moves it from where it enters to where it leaves.
    bool turns = false;          ///< The server moves it on; it stays, and turns.
    Point velocity_in(std::uint32_t tick) const;
  };

  static std::vector<Seat> seats_of(const Share& share);
  static std::uint32_t ids_of(const Seat& seat);
  void encode(std::uint32_t tick);

  const Scene& scene_;
  std::vector<Seat> seats_;
};

/// The loops of all clients of a match, which share the scene's actors evenly; client n's ids follow those of
/// client n - 1. The layer of the probes comes after the scene's own and collides with itself. The scene must
/// outlive them.
std::vector<FrameLoop> make_loops(const Scene& scene, MotionKind motion, std::uint32_t clients,
                                  std::uint32_t subunits_per_pixel = kSubunitsPerPixel);

}  // namespace sweepd::tools::load
