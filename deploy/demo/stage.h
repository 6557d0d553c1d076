// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "boss.h"
#include "bot.h"
#include "sweepd/client.h"

namespace sweepd::demo {

/// The stage's process: boss, small enemies, bullets and items, and what hits do to them. Its bullets and
/// enemies fly by the server's motion: one spawn each, no updates.
class Stage {
 public:
  Stage(Client& client, const std::string& match_id);

  Status play_frame(const std::vector<Vec2>& players);
  /// Takes in what the server has found; every event is passed on, news are for people.
  Status react(const std::function<void(const Event&)>& on_event,
               const std::function<void(const std::string&)>& on_news);

  const Session& session() const { return session_; }
  Session& session() { return session_; }
  const Boss& boss() const { return boss_; }
  const std::vector<Bullet>& bullets() const { return bullets_; }
  std::uint64_t objects_spawned() const { return objects_spawned_; }
  std::uint64_t frames_sent() const { return frames_sent_; }
  std::uint64_t changes_too_late() const { return changes_too_late_; }

 private:
  Status fire(const std::vector<Vec2>& players);
  Status fire(Vec2 from, const std::vector<Motion>& motions);
  Status send_enemies();
  Status drop_item(Vec2 position);
  Status take_hit(const Event& event, const std::function<void(const std::string&)>& on_news);
  Status remove_bullet(ObjectId id);
  void fly();
  Result<ObjectId> spawn(Vec2 position, double width, double height, std::uint32_t layer,
                         const Motion& motion);

  struct Enemy {
    Vec2 position;
    Motion motion;
    int hit_points = 2;
  };

  Session session_;
  Boss boss_;
  std::map<ObjectId, Enemy> enemies_;
  std::vector<Bullet> bullets_;
  std::uint64_t frame_ = 0;
  std::uint64_t boss_back_at_frame_ = 0;
  std::uint32_t chance_ = 1;
  std::uint64_t objects_spawned_ = 0;
  std::uint64_t frames_sent_ = 0;
  std::uint64_t changes_too_late_ = 0;
};

}  // namespace sweepd::demo
