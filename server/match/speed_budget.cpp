// SPDX-License-Identifier: MIT
#include "match/speed_budget.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "base/wide.h"

namespace sweepd::match {
namespace {

/// Beyond every limit and every difference of coordinates, and its square fits.
constexpr std::int64_t kFar = std::int64_t{1} << 40;

std::uint64_t speed_after(const collision::Motion& motion, collision::Tick ticks) {
  // No time to live is longer than 32 bits, and so nothing overflows.
  const auto n =
      static_cast<std::int64_t>(std::min<collision::Tick>(ticks, std::numeric_limits<std::uint32_t>::max()));
  const auto speed = [n](std::int64_t velocity, std::int64_t acceleration) {
    return std::clamp(velocity + acceleration * n, -kFar, kFar);
  };
  return length_of(speed(motion.velocity.x, motion.acceleration.x),
                   speed(motion.velocity.y, motion.acceleration.y));
}

/// What of `limit` is not the motion's share.
std::uint64_t without(std::uint64_t limit, std::uint64_t motion_speed) {
  return limit - std::min(limit, motion_speed);
}

}  // namespace

std::uint64_t length_of(std::int64_t dx, std::int64_t dy) {
  const auto square = static_cast<base::Uint128>(base::Int128{dx} * dx + base::Int128{dy} * dy);
  const std::uint64_t root = base::square_root(square);
  return base::Uint128{root} * root == square ? root : root + 1;
}

std::uint64_t next_speed(const collision::Motion& motion) { return speed_after(motion, 1); }

// The speed of an accelerated motion falls and then rises: it is highest at one of the ends.
std::optional<std::uint64_t> peak_speed(const collision::Motion& motion, collision::Tick ticks) {
  SWEEPD_ASSERT(ticks >= 1);
  if (motion.acceleration == collision::Point{}) return next_speed(motion);
  if (ticks == collision::kForever) return std::nullopt;
  return std::max(speed_after(motion, 1), speed_after(motion, ticks));
}

SpeedBudget::SpeedBudget(const SpeedLimit& limit, collision::Tick tick, std::uint64_t motion_speed)
    : settled_for_(tick), motion_speed_(motion_speed), left_(without(limit.speed_max, motion_speed)) {}

void SpeedBudget::settle(const SpeedLimit& limit, collision::Tick tick, std::uint64_t motion_speed) {
  SWEEPD_ASSERT(tick >= settled_for_);
  if (tick > settled_for_) taken_ = 0;
  const std::uint64_t cap = without(std::uint64_t{limit.speed_max} * limit.budget_ticks, motion_speed);
  const std::uint64_t ticks = tick - settled_for_;
  const std::uint64_t gain = without(limit.speed_max, std::max(motion_speed_, motion_speed));
  const bool is_full = ticks > 1 && gain > 0 && ticks > cap / gain;  // Divided where it may pass 64 bits.
  left_ = is_full ? cap : std::min(left_ + ticks * gain, cap);
  settled_for_ = tick;
  motion_speed_ = motion_speed;
}

/// Names every member: a new one does not compile until it is saved.
void SpeedBudget::save(base::ByteWriter& writer, collision::Tick tick) const {
  const auto& [settled_for, motion_speed, left, taken] = *this;
  writer.number(tick - settled_for);
  writer.number(motion_speed);
  writer.number(left);
}

SpeedBudget SpeedBudget::read(base::ByteReader& reader, collision::Tick tick) {
  SpeedBudget budget;
  budget.settled_for_ = tick - reader.number(tick);
  budget.motion_speed_ = reader.number(2 * kFar);
  budget.left_ = reader.number(std::uint64_t{1} << 62);
  return budget;
}

std::uint64_t SpeedBudget::left(const SpeedLimit& limit) const {
  if (limit.spent_ticks_max == 0) return left_;
  const std::uint64_t most = std::uint64_t{limit.speed_max} * limit.spent_ticks_max;
  return std::min(left_, without(most, motion_speed_ + taken_));
}

bool SpeedBudget::take(const SpeedLimit& limit, std::uint64_t length) {
  if (length > left(limit)) return false;
  left_ -= length;
  taken_ += length;
  return true;
}

bool SpeedBudget::takes_of_savings(const SpeedLimit& limit) const {
  return taken_ > without(limit.speed_max, motion_speed_);
}

bool SpeedBudget::change_motion(const SpeedLimit& limit, std::uint64_t motion_speed) {
  if (motion_speed > left(limit) + motion_speed_) return false;
  left_ = left_ + motion_speed_ - motion_speed;
  motion_speed_ = motion_speed;
  return true;
}

}  // namespace sweepd::match
