// SPDX-License-Identifier: MIT
#include "session/live_streams.h"

namespace sweepd::session {

std::vector<LiveStream*> LiveStreams::all() const {
  std::vector<LiveStream*> streams;
  for (const Slot& slot : slots_) streams.insert(streams.end(), slot.begin(), slot.end());
  return streams;
}

void LiveStreams::beat_next_slot() {
  for (LiveStream* stream : slots_[next_slot_]) stream->beat();
  next_slot_ = (next_slot_ + 1) % kSlots;
}

// By address: a stream is found again without a note of where it is. Addresses of large objects have equal
// low bits, so they are mixed.
LiveStreams::Slot& LiveStreams::slot_of(const LiveStream& stream) {
  return slots_[(reinterpret_cast<std::uintptr_t>(&stream) * 0x9E3779B97F4A7C15ULL) >> 60];
}

}  // namespace sweepd::session
