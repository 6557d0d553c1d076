// SPDX-License-Identifier: MIT
#pragma once

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/frame.h"

namespace sweepd::match {

/// A frame that waits for its tick, as bytes.
void write(base::ByteWriter& writer, const Frame& frame);

/// Whatever a client may have sent; what is wrong with it is found when it applies.
Frame read_frame(base::ByteReader& reader);
inline constexpr std::size_t kFrameBytesMin = 20;

}  // namespace sweepd::match
