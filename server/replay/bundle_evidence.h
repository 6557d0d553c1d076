// SPDX-License-Identifier: MIT
#pragma once

#include "replay/moment.h"
#include "sweepd/replay/v1/bundle.pb.h"

namespace sweepd::replay {

/// Adds the claims that a tick judges.
void add_claims(const Moment& moment, v1::BundleContent& content);

/// Adds the counters of the participants.
void add_participants(const Moment& moment, v1::BundleContent& content);

}  // namespace sweepd::replay
