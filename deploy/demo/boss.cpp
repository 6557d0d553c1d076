// SPDX-License-Identifier: MIT
#include "boss.h"

#include <algorithm>
#include <cmath>

#include "demo_match.h"

namespace sweepd::demo {
namespace {

constexpr std::array<const char*, Boss::kPartCount> kPartNames = {"hull", "left wing", "right wing",
                                                                  "cannon"};
constexpr std::array<int, Boss::kPartCount> kHitPoints = {60, 20, 20, 15};

}  // namespace

const char* Boss::part_name(std::uint32_t part) { return part < kPartCount ? kPartNames[part] : "nothing"; }

Status Boss::appear(Session& session) {
  position_ = {kWidth / 2, 70};
  ObjectSpec boss;
  boss.position = position_;
  boss.parts = {{{-30, -14, 30, 10}, kEnemy},
                {{-70, -8, -36, 16}, kEnemy},
                {{36, -8, 70, 16}, kEnemy},
                {{-7, 12, 7, 26}, kEnemy}};
  const Result<ObjectId> id = session.spawn(boss);
  if (!id.ok()) return id.status();
  id_ = *id;
  hit_points_ = kHitPoints;
  return {};
}

Status Boss::move(Session& session, std::uint64_t frame) {
  const double time = static_cast<double>(frame) / kTickRateHz;
  position_ = {kWidth / 2 + std::sin(time * 0.7) * 80, 70 + std::sin(time * 1.9) * 12};
  return session.move(id_, position_);
}

Status Boss::take_hit(Session& session, std::uint32_t part, bool& part_destroyed) {
  part_destroyed = part < kPartCount && hit_points_[part] > 0 && --hit_points_[part] == 0;
  if (!part_destroyed) return {};
  if (has_parts()) return session.change_layer(id_, kWreck, part);
  const ObjectId id = id_;
  id_ = 0;
  return session.despawn(id);
}

bool Boss::has_parts() const {
  return std::any_of(hit_points_.begin(), hit_points_.end(), [](int points) { return points > 0; });
}

}  // namespace sweepd::demo
