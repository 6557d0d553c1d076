// SPDX-License-Identifier: MIT
#include "match/history/course.h"

namespace sweepd::match {
namespace {

using collision::Point;
using collision::Subunits;

Subunits along(Subunits start, Subunits velocity, Subunits acceleration, std::int64_t ticks) {
  const std::int64_t way = ticks * velocity + ticks * (ticks + 1) / 2 * acceleration;
  return static_cast<Subunits>(start + way);
}

}  // namespace

Course advanced(const Course& course, collision::Tick ticks) {
  if (ticks == 0 || course.motion.is_still()) return course;
  const auto n = static_cast<std::int64_t>(ticks);
  const auto& [velocity, acceleration] = course.motion;
  Course result = course;
  result.position = {along(course.position.x, velocity.x, acceleration.x, n),
                     along(course.position.y, velocity.y, acceleration.y, n)};
  result.motion.velocity = {static_cast<Subunits>(velocity.x + n * acceleration.x),
                            static_cast<Subunits>(velocity.y + n * acceleration.y)};
  return result;
}

}  // namespace sweepd::match
