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

/// How late it was and what templates refused it, apart from the rest: snapshots have been written without.
void write_records(base::ByteWriter& writer, const Participant& participant);
/// Of a config of so many templates.
void read_records(base::ByteReader& reader, Participant& participant, std::size_t templates);

}  // namespace sweepd::match
