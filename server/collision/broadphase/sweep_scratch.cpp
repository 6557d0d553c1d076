// SPDX-License-Identifier: MIT
#include "collision/broadphase/sweep_scratch.h"

namespace sweepd::collision {

SweepScratch& sweep_scratch() {
  thread_local SweepScratch scratch;
  return scratch;
}

}  // namespace sweepd::collision
