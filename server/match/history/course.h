// SPDX-License-Identifier: MIT
#pragma once

#include "collision/object.h"

namespace sweepd::match {

/// Where an object is at the end of a tick, and the motion that the world then goes on with.
struct Course {
  collision::Point position;
  collision::Motion motion;
};

/// The same motion as collision::advance, `ticks` times at once: after n of them the velocity is v + n a and
/// the way n v + n (n + 1) / 2 a. What the world has let come about fits 32 bits at every step, so all
/// products fit 64.
Course advanced(const Course& course, collision::Tick ticks);

}  // namespace sweepd::match
