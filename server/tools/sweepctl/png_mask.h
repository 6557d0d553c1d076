// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "sweepd/shapes.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// The picture in a PNG file as a mask. A pixel is set where its opacity is at least `threshold`, of 255; in
/// a picture without opacity, where its brightness is. Any kind of PNG; 1 to 256 pixels in a row, and rows.
/// The error is without the file's name: it goes on where that ends, "is no PNG file".
Result<BitMask> read_png_mask(const std::filesystem::path& path, std::uint32_t threshold, double pixel_size);

}  // namespace sweepd::tools
