// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/event.h"

namespace sweepd::runtime {

/// Most take seven bytes; none takes more than this.
inline constexpr std::size_t kPackedEventBytesMax = 24;

/// The events of a tick as bytes. For this process only: no other ever reads them.
void pack(base::ByteWriter& writer, std::span<const collision::Event> events);
/// Appends `count` that were packed together, of that tick, the first of that number.
void unpack(base::ByteReader& reader, std::size_t count, collision::Tick tick, std::uint64_t sequence_number,
            std::vector<collision::Event>& events);

}  // namespace sweepd::runtime
