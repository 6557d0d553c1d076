// SPDX-License-Identifier: MIT
//
// Protects what a player sees of a partner over a long way with losses: it is drawn where it was, evenly, and
// not older than the way and what is waited for make it. Prints a table.
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "integration/support/server_fixture.h"
#include "integration/support/slow_proxy.h"
#include "sweepd/world_view.h"

namespace sweepd::test::drawing_test {
namespace {

using std::chrono::milliseconds;

constexpr int kTickRateHz = 60;
constexpr milliseconds kDelay{100};
constexpr milliseconds kHold{160};
constexpr double kSpeed = 2;  // Units a tick.
/// Not a multiple of the ticks: who draws things where they were in a tick, and not in between, is seen to.
constexpr int kPictureRateHz = 100;
constexpr int kPictures = kPictureRateHz * 25;
constexpr int kWarmUpPictures = kPictureRateHz * 3;

double ticks(milliseconds time) { return static_cast<double>(time.count()) * kTickRateHz / 1000; }

/// The way of the partner's ship: from its x follows the tick.
Vec2 path(double tick) { return {kSpeed * tick, 60 * std::sin(tick / 15)}; }

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// A watcher behind the proxy.
class Screen {
 public:
  Screen(Client& client, const std::string& match_id, double interpolation_ticks)
      : watcher_(client.watch(options(match_id))),
        view_(watcher_, {.interpolation_ticks = interpolation_ticks}),
        interpolation_ticks_(interpolation_ticks) {}

  /// `now`: the tick that the server has just run.
  void draw(ObjectId ship, double now, bool counts) {
    view_.update();
    const auto drawn = view_.drawn_position(ship);
    if (!drawn || !counts) return;
    const Vec2 meant = path(view_.estimated_tick() - interpolation_ticks_);
    const Vec2 error{drawn->x - meant.x, drawn->y - meant.y};
    errors_.push_back(std::hypot(error.x, error.y));
    ages_.push_back(now - drawn->x / kSpeed);
    const auto last = std::exchange(last_error_, error);
    if (last) leaps_.push_back(std::hypot(error.x - last->x, error.y - last->y));
  }

  const Watcher& watcher() const { return watcher_; }
  double age(double share) const { return percentile(ages_, share); }
  double error(double share) const { return percentile(errors_, share); }
  /// By how much a step from picture to picture was not that of the way.
  double leap(double share) const { return percentile(leaps_, share); }
  void print(const char* name) const {
    std::printf("| %s | %.2f | %.2f | %.1f | %.1f | %.3f | %.3f |\n", name, error(0.5), error(0.99), age(0.5),
                age(0.99), leap(0.5), leap(0.99));
  }

 private:
  static WatchOptions options(const std::string& match_id) {
    WatchOptions options{.match_id = match_id};
    options.world = WorldInterest();
    options.reconnect = patient();
    return options;
  }

  Watcher watcher_;
  WorldView view_;
  double interpolation_ticks_;
  std::optional<Vec2> last_error_;
  std::vector<double> errors_;
  std::vector<double> leaps_;
  std::vector<double> ages_;
};

class Drawing : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = kTickRateHz;
    config.heartbeat_ticks = 1;
    const auto match = client_.emplace(client()).create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    match_id_ = match->match_id;
  }

  /// The partner, next to the server, who is where `path` says in every tick, while others look on.
  void play(const std::function<void(ObjectId, double, bool)>& draw) {
    JoinOptions options{.match_id = match_id_, .name = "partner"};
    options.world = WorldInterest();
    Session session = client_->join(options);
    ASSERT_TRUE(is_in(session, SessionState::kJoined));
    WorldView view(session);
    const ObjectId ship = *session.spawn(object_at(path(0), 0));
    Tick sent = 0;
    auto next = std::chrono::steady_clock::now();
    for (int picture = 0; picture < kPictures; ++picture) {
      view.update();
      for (const Tick last = view.tick() + 4; sent < last;) {
        sent = std::max(sent + 1, view.tick() + 1);
        ASSERT_TRUE(session.move(ship, path(static_cast<double>(sent))).ok());
        ASSERT_TRUE(session.end_frame(sent).ok());
      }
      draw(ship, view.estimated_tick(), picture >= kWarmUpPictures);
      std::this_thread::sleep_until(next += std::chrono::microseconds(1'000'000 / kPictureRateHz));
    }
  }

  std::optional<Client> client_;
  std::string match_id_;
};

TEST_F(Drawing, APartnerIsSeenAsLateAsTheWayIsLongAndEvenly) {
  SlowProxy proxy(static_cast<std::uint16_t>(server().port()),
                  {.seed = 5, .delay = kDelay, .held_share = 0.02, .hold = kHold});
  Client far(options_through(proxy));
  Client farther(options_through(proxy));
  Screen smooth(far, match_id_, 2);
  Screen direct(farther, match_id_, 0);
  ASSERT_TRUE(is_in(smooth.watcher(), SessionState::kJoined));
  ASSERT_TRUE(is_in(direct.watcher(), SessionState::kJoined));
  play([&](ObjectId ship, double now, bool counts) {
    smooth.draw(ship, now, counts);
    direct.draw(ship, now, counts);
  });
  std::puts(
      "| drawn | error p50, units | p99 | age p50, ticks | p99 | leap p50, units | p99 |\n"
      "|---|---|---|---|---|---|---|");
  smooth.print("2 ticks late");
  direct.print("at once");
  // A picture is up to a tick later than what it is of.
  EXPECT_LE(smooth.age(0.5), ticks(kDelay) + 2 + 1);
  EXPECT_LE(smooth.age(0.99), ticks(kDelay) + 2 + 1 + ticks(kHold));
  // Half of the pictures and more are of no held chunk, and of no correction after one. Of those the smooth
  // screen knows the places before and after: it is off by what a tick's way is bent, about 0.03 units, where
  // the direct one guesses and is off by about one. Without a place in between it would be off by half a
  // tick's way, 1 unit, and leap as far.
  EXPECT_LE(smooth.error(0.5), direct.error(0.5) / 2);
  EXPECT_LE(smooth.leap(0.5), kSpeed / 8);
  // Held chunks are the worst of both. They are no worse for who waits for them.
  EXPECT_LE(smooth.error(0.99), direct.error(0.99) * 1.5);
}

}  // namespace
}  // namespace sweepd::test::drawing_test
