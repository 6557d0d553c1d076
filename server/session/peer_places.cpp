// SPDX-License-Identifier: MIT
#include "session/peer_places.h"

#include "base/assert.h"

namespace sweepd::session {

bool PeerPlaces::take(const std::string& address) {
  const std::lock_guard lock(mutex_);
  const auto place = taken_.try_emplace(address, 0).first;
  if (place->second < most_) {
    ++place->second;
    return true;
  }
  if (place->second == 0) taken_.erase(place);
  return false;
}

void PeerPlaces::give_back(const std::string& address) {
  const std::lock_guard lock(mutex_);
  const auto place = taken_.find(address);
  SWEEPD_ASSERT(place != taken_.end());
  if (--place->second == 0) taken_.erase(place);
}

}  // namespace sweepd::session
