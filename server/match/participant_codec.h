// SPDX-License-Identifier: MIT
#pragma once

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/participant.h"

namespace sweepd::match {

/// A participant as it is kept between two ticks, as bytes.
void write(base::ByteWriter& writer, const Participant& participant);
/// After `tick`.
Participant read_participant(base::ByteReader& reader, Tick tick);
inline constexpr std::size_t kParticipantBytesMin = 11;

/// How late it was, apart from the rest: snapshots have been written without it.
void write_lateness(base::ByteWriter& writer, const Participant& participant);
void read_lateness(base::ByteReader& reader, Participant& participant);

}  // namespace sweepd::match
