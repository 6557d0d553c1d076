// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd {

/// What a participant is in a match.
enum class Role { kPlayer, kStage, kObserver };

}  // namespace sweepd
