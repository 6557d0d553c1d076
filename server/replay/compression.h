// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::replay {

/// A zstd frame that names the size of what is in it.
std::string compress(std::string_view bytes, int level);

/// The size that a frame names; 0: it names none. Nothing is unpacked.
std::uint64_t unpacked_bytes(std::string_view frame);

/// Nothing where it is no such frame, or more than `bytes_max` would come of it: looked at before any room is
/// made.
std::optional<std::string> decompress(std::string_view frame, std::size_t bytes_max);

}  // namespace sweepd::replay
