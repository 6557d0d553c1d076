// SPDX-License-Identifier: MIT
#include "tools/sweepctl/png_mask.h"

#include <png.h>

#include <string>
#include <vector>

#include "tools/sweepctl/small_file.h"

namespace sweepd::tools {
namespace {

// Far more than a mask's pixels take; the rest is room for what drawing programs add.
constexpr std::size_t kFileBytesMax = 4u << 20;

Status png_error(std::string message) { return Status(ErrorCode::kInvalidArgument, std::move(message)); }

/// A picture whose size is known and whose pixels are yet to be read; libpng frees it at the end.
class PngPicture {
 public:
  PngPicture() { image_.version = PNG_IMAGE_VERSION; }
  ~PngPicture() { png_image_free(&image_); }
  PngPicture(const PngPicture&) = delete;
  PngPicture& operator=(const PngPicture&) = delete;

  Status open(const std::string& bytes) {
    if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0) {
      return png_error("is no PNG file");
    }
    if (png_image_begin_read_from_memory(&image_, bytes.data(), bytes.size()) == 0) return broken();
    if (image_.width <= BitMask::kPixelsMax && image_.height <= BitMask::kPixelsMax) return {};
    return png_error("has " + std::to_string(image_.width) + " x " + std::to_string(image_.height) +
                     " pixels; a mask has at most " + std::to_string(BitMask::kPixelsMax) + " x " +
                     std::to_string(BitMask::kPixelsMax));
  }

  /// A byte a pixel: its opacity, or its brightness where the picture has none.
  Result<std::vector<std::uint8_t>> read_strengths() {
    image_.format = has_opacity() ? PNG_FORMAT_GA : PNG_FORMAT_GRAY;
    std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image_));
    if (png_image_finish_read(&image_, nullptr, pixels.data(), 0, nullptr) == 0) return broken();
    if (!has_opacity()) return pixels;
    std::vector<std::uint8_t> opacities;
    for (std::size_t i = 1; i < pixels.size(); i += 2) opacities.push_back(pixels[i]);
    return opacities;
  }

  std::uint32_t width() const { return image_.width; }
  std::uint32_t height() const { return image_.height; }
  bool has_opacity() const { return (image_.format & PNG_FORMAT_FLAG_ALPHA) != 0; }

 private:
  Status broken() const {
    return png_error("is a PNG file that cannot be read: " + std::string(image_.message));
  }

  png_image image_ = {};
};

}  // namespace

Result<BitMask> read_png_mask(const std::filesystem::path& path, std::uint32_t threshold, double pixel_size) {
  const Result<std::string> bytes = read_small_file(path, kFileBytesMax);
  if (!bytes.ok()) return bytes.status();
  PngPicture picture;
  if (Status status = picture.open(*bytes); !status.ok()) return status;
  const Result<std::vector<std::uint8_t>> strengths = picture.read_strengths();
  if (!strengths.ok()) return strengths.status();
  BitMask mask(picture.width(), picture.height(), pixel_size);
  bool is_empty = true;
  for (std::uint32_t y = 0; y < picture.height(); ++y) {
    for (std::uint32_t x = 0; x < picture.width(); ++x) {
      if ((*strengths)[std::size_t{y} * picture.width() + x] < threshold) continue;
      mask.set(x, y);
      is_empty = false;
    }
  }
  if (!is_empty) return mask;
  return png_error("has no pixel whose " + std::string(picture.has_opacity() ? "opacity" : "brightness") +
                   " is at least the threshold of " + std::to_string(threshold) + ": it would touch nothing");
}

}  // namespace sweepd::tools
