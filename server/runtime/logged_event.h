// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/event.h"
#include "match/match.h"

namespace sweepd::runtime {

/// An event without what its tick says.
struct LoggedEvent {
  collision::ObjectId object_a = 0;
  collision::ObjectId object_b = 0;
  collision::TimeOfImpact time_of_impact = collision::kEndOfTick;
  collision::LayerId layer_a = 0;
  collision::LayerId layer_b = 0;
  collision::PartPair parts;
  collision::ExitReason reason = collision::ExitReason::kNone;  ///< kNone: an ENTER.
  std::uint8_t owner_a = 0;
  std::uint8_t owner_b = 0;
  friend bool operator==(const LoggedEvent&, const LoggedEvent&) = default;
};

LoggedEvent logged(const collision::Event& event, const match::EventOwners& owners);

inline match::EventOwners owners_of(const LoggedEvent& event) { return {event.owner_a, event.owner_b}; }

/// Most take seven bytes; none takes more than this.
inline constexpr std::size_t kLoggedEventBytesMax = 24;

/// The events of a tick as bytes. For this process only: no other ever reads them.
void write(base::ByteWriter& writer, std::span<const LoggedEvent> events);
/// Appends `count` that were written together.
void read(base::ByteReader& reader, std::size_t count, std::vector<LoggedEvent>& events);

}  // namespace sweepd::runtime
