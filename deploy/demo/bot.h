// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sweepd/client.h"

namespace sweepd::demo {

/// A bullet as the screen shows it: the game flies it as the server does.
struct Bullet {
  ObjectId id = 0;
  Vec2 position;
  Motion motion;
};

/// A player that follows the boss, dodges what comes near and shoots all the time.
class Bot {
 public:
  Bot(Client& client, const std::string& match_id, const std::string& name, double home);

  /// One frame of its game: moves, shoots, sends.
  Status play_frame(double boss_x, const std::vector<Bullet>& bullets);
  /// Takes in what the server has found since: its shots are used up, its ship blinks for a while after a
  /// hit.
  Status react();

  const Session& session() const { return session_; }
  Session& session() { return session_; }
  const std::string& name() const { return name_; }
  Vec2 position() const { return position_; }
  bool owns(ObjectId id) const;
  std::uint64_t objects_spawned() const { return objects_spawned_; }
  std::uint64_t frames_sent() const { return frames_sent_; }
  std::uint64_t changes_too_late() const { return changes_too_late_; }

 private:
  /// After a hit nothing hits the ship for a while.
  Status blink();
  Status spawn_ship();
  Status shoot();
  void dodge(double boss_x, const std::vector<Bullet>& bullets);

  std::string name_;
  double home_;  ///< Where it likes to be, from the boss.
  Session session_;
  ObjectId ship_ = 0;
  Vec2 position_;
  std::uint64_t frames_ = 0;
  Tick may_blink_from_ = 0;
  std::uint64_t objects_spawned_ = 0;
  std::uint64_t frames_sent_ = 0;
  std::uint64_t changes_too_late_ = 0;
};

}  // namespace sweepd::demo
