// SPDX-License-Identifier: MIT
#pragma once

#include "collision/broadphase/pair_verifier.h"
#include "collision/broadphase/sweep_list.h"

namespace sweepd::collision {

// Each hands every pair of overlapping entries to the verifier, once. `scan` tests all against all, in
// whatever order the lists are; `sweep` needs both lists sorted by `first` along one axis.

void scan(const SweepList& a, const SweepList& b, const PairVerifier& verifier);
void scan_self(const SweepList& list, const PairVerifier& verifier);
void sweep(const SweepList& a, const SweepList& b, const PairVerifier& verifier);
void sweep_self(const SweepList& list, const PairVerifier& verifier);

}  // namespace sweepd::collision
