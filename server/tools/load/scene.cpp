// SPDX-License-Identifier: MIT
#include "tools/load/scene.h"

#include <algorithm>

#include "base/dice.h"

namespace sweepd::tools::load {
namespace {

constexpr std::uint64_t kSeed = 20240229;
// Eight seconds at 60 Hz: long enough that a wrap is nothing special, small enough to lie in a cache.
constexpr std::uint32_t kLoopTicks = 480;
constexpr std::int32_t kWidth = 480, kHeight = 640;  // Pixels.
// Whatever enters is there for a moment.
constexpr std::uint32_t kFlightTicksMin = 8;

enum Layer : std::uint32_t { kPlayer = kPlayerLayer, kShot, kEnemy, kBullet, kPowerUp };

struct Area {
  std::int32_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};

/// Movement of a kind of actor, in quarters of a pixel.
struct Flyer {
  std::uint32_t layer = 0;
  std::int32_t width = 0, height = 0;  ///< Pixels.
  Area entry;                          ///< Pixels: where its low corner is when it enters.
  Area velocity;                       ///< Quarters of a pixel a tick,
  std::int32_t speed_min = 0;          ///< and how long the vector is.
  std::int32_t speed_max = kWidth;
};

constexpr std::int32_t kQuarters = 4;

class SceneMaker {
 public:
  SceneMaker(std::string name, std::uint32_t subunits_per_pixel, std::uint64_t seed)
      : pixel_(static_cast<std::int32_t>(subunits_per_pixel)), dice_(seed) {
    scene_.name = std::move(name);
    scene_.layers = {"player", "shot", "enemy", "bullet", "power_up"};
    scene_.collides = {{kPlayer, kEnemy}, {kPlayer, kBullet}, {kPlayer, kPowerUp}, {kShot, kEnemy}};
    scene_.ticks = kLoopTicks;
    scene_.field = {kWidth * pixel_, kHeight * pixel_};
  }

  /// `count` that stay on the playfield, made of `columns` × `rows` boxes side by side.
  void add_residents(std::uint32_t count, std::uint32_t layer, std::int32_t size, std::int32_t speed,
                     std::int32_t columns = 1, std::int32_t rows = 1) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Actor actor;
      actor.layer = layer;
      for (std::int32_t part = 0; part < columns * rows; ++part) {
        const Point at{part % columns * size * pixel_, part / columns * size * pixel_};
        actor.parts.push_back({at.x, at.y, at.x + size * pixel_, at.y + size * pixel_});
      }
      walk(actor, {0, 0, (kWidth - columns * size) * pixel_, (kHeight - rows * size) * pixel_}, speed);
      scene_.actors.push_back(std::move(actor));
    }
  }

  void add_flyers(std::uint32_t count, const Flyer& kind) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Actor actor;
      actor.layer = kind.layer;
      actor.is_ballistic = kind.layer != kPowerUp;
      actor.parts = {{0, 0, kind.width * pixel_, kind.height * pixel_}};
      fly(actor, kind);
      scene_.actors.push_back(std::move(actor));
    }
  }

  Scene take() { return std::move(scene_); }

 private:
  Point draw(const Area& area) {
    // Two statements: the order in which arguments are evaluated differs between compilers.
    const std::int32_t x = dice_.between(area.min_x, area.max_x);
    const std::int32_t y = dice_.between(area.min_y, area.max_y);
    return {x, y};
  }

  Point draw_velocity(const Area& range, std::int64_t shortest, std::int64_t longest) {
    for (;;) {
      const Point velocity = draw(range);
      const std::int64_t square =
          std::int64_t{velocity.x} * velocity.x + std::int64_t{velocity.y} * velocity.y;
      if (square >= shortest * shortest && square <= longest * longest) return velocity;
    }
  }

  // There and back again: half the loop straight on, turned back by the edges, and then the same way home.
  void walk(Actor& actor, const Area& range, std::int32_t speed) {
    const std::int32_t longest = speed * pixel_;
    Point velocity = draw_velocity({-longest, -longest, longest, longest}, 1, longest);
    actor.path.resize(kLoopTicks);
    Point at = draw(range);
    for (std::uint32_t tick = 0; tick <= kLoopTicks / 2; ++tick) {
      actor.path[tick] = at;
      if (tick > 0) actor.path[kLoopTicks - tick] = at;
      step(at.x, velocity.x, range.min_x, range.max_x);
      step(at.y, velocity.y, range.min_y, range.max_y);
    }
  }

  static void step(std::int32_t& position, std::int32_t& velocity, std::int32_t low, std::int32_t high) {
    if (position + velocity < low || position + velocity > high) velocity = -velocity;
    position = std::clamp(position + velocity, low, high);
  }

  // The loop is a ring of flights, cut somewhere: which differs, or all would enter at its beginning.
  void fly(Actor& actor, const Flyer& kind) {
    const auto shift = static_cast<std::uint32_t>(dice_.roll() % kLoopTicks);
    for (std::uint32_t tick = 0; tick < kLoopTicks;) {
      Flight flight = draw_flight(kind);
      // No flight is so short that it is over before it was seen, the last one of the ring included.
      const std::uint32_t left = kLoopTicks - tick;
      flight.ticks = left < flight.ticks + kFlightTicksMin ? left : flight.ticks;
      flight.begin_tick = (tick + shift) % kLoopTicks;
      tick += flight.ticks;
      actor.flights.push_back(flight);
    }
    actor.path = path_of(actor.flights);
  }

  Flight draw_flight(const Flyer& kind) {
    const Point corner = draw(kind.entry);
    const Point quarters = draw_velocity(kind.velocity, kind.speed_min, kind.speed_max);
    Flight flight;
    flight.start = {corner.x * pixel_, corner.y * pixel_};
    flight.velocity = {quarters.x * pixel_ / kQuarters, quarters.y * pixel_ / kQuarters};
    const Point size{kind.width * pixel_, kind.height * pixel_};
    Point at = flight.start;
    // At most half the loop: so every ring has two flights, and the second can have another id.
    while (flight.ticks < kLoopTicks / 2 && (flight.ticks < kFlightTicksMin || touches_field(at, size))) {
      ++flight.ticks;
      at = {at.x + flight.velocity.x, at.y + flight.velocity.y};
    }
    return flight;
  }

  bool touches_field(const Point& at, const Point& size) const {
    return at.x + size.x >= 0 && at.y + size.y >= 0 && at.x <= scene_.field.x && at.y <= scene_.field.y;
  }

  static std::vector<Point> path_of(const std::vector<Flight>& flights) {
    std::vector<Point> path(kLoopTicks);
    for (const Flight& flight : flights) {
      Point at = flight.start;
      for (std::uint32_t n = 0; n < flight.ticks; ++n) {
        at = {at.x + flight.velocity.x, at.y + flight.velocity.y};
        path[(flight.begin_tick + n) % kLoopTicks] = at;
      }
    }
    return path;
  }

  std::int32_t pixel_;
  base::Dice dice_;
  Scene scene_;
};

Flyer shot() {
  Flyer kind;
  kind.layer = kShot;
  kind.width = 8;
  kind.height = 16;
  kind.entry = {-8, kHeight - 16, kWidth, kHeight};  // From below.
  kind.velocity = {-kQuarters, -6 * kQuarters, kQuarters, -4 * kQuarters};
  return kind;
}

Flyer bullet() {
  Flyer kind;
  kind.layer = kBullet;
  kind.width = kind.height = 6;
  kind.entry = {-6, -6, kWidth, kHeight};
  kind.velocity = {-6 * kQuarters, -6 * kQuarters, 6 * kQuarters, 6 * kQuarters};
  kind.speed_min = kQuarters;
  kind.speed_max = 6 * kQuarters;
  return kind;
}

Flyer power_up() {
  Flyer kind;
  kind.layer = kPowerUp;
  kind.width = kind.height = 16;
  kind.entry = {-16, -16, kWidth, 0};  // From above.
  kind.velocity = {-1, kQuarters / 2, 1, kQuarters};
  return kind;
}

}  // namespace

Scene gunbird(std::uint32_t subunits_per_pixel) {
  SceneMaker maker("W1", subunits_per_pixel, kSeed);
  maker.add_residents(2, kPlayer, 6, 4);
  maker.add_flyers(40, shot());
  maker.add_residents(60, kEnemy, 32, 2);
  maker.add_residents(4, kEnemy, 48, 1, 4, 2);
  maker.add_flyers(20, power_up());
  maker.add_flyers(300, bullet());
  return maker.take();
}

Scene bullet_hell(std::uint32_t subunits_per_pixel) {
  SceneMaker maker("W2", subunits_per_pixel, kSeed + 1);
  maker.add_residents(4, kPlayer, 6, 4);
  maker.add_flyers(400, shot());
  maker.add_residents(100, kEnemy, 32, 2);
  maker.add_flyers(5000, bullet());
  return maker.take();
}

}  // namespace sweepd::tools::load
