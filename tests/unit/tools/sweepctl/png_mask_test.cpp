// SPDX-License-Identifier: MIT
//
// Protects masks from pictures: the right pixels of every kind of PNG, and a clear word for what is none.
#include "tools/sweepctl/png_mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <cstdlib>
#include <fstream>
#include <vector>

namespace sweepd::tools::png_mask_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class PngMask : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "png_mask_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path() const { return folder_ / "a.png"; }

  /// `pixels`: of the format, row by row. A format with a colour map is written as one.
  void write(std::uint32_t format, std::uint32_t width, std::uint32_t height,
             const std::vector<std::uint8_t>& pixels, const std::vector<std::uint8_t>& colours = {}) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = format;
    image.colormap_entries = static_cast<std::uint32_t>(colours.size() / 4);
    ASSERT_NE(png_image_write_to_file(&image, path().c_str(), 0, pixels.data(), 0, colours.data()), 0)
        << image.message;
  }
  void write_bytes(const std::string& bytes) { std::ofstream(path(), std::ios::binary) << bytes; }
  std::string read_bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string error(std::uint32_t threshold = 128) const {
    const Result<BitMask> mask = read_png_mask(path(), threshold, 1);
    EXPECT_FALSE(mask.ok());
    return mask.status().message();
  }

  std::filesystem::path folder_;
};

TEST_F(PngMask, TakesOpacityFromTheThresholdOn) {
  write(PNG_FORMAT_RGBA, 3, 2,
        {9, 9, 9, 127, 9, 9, 9, 128, 9, 9, 9, 255, 255, 255, 255, 0, 0, 0, 0, 200, 1, 1, 1, 1});
  const Result<BitMask> mask = read_png_mask(path(), 128, 2.5);
  ASSERT_TRUE(mask.ok()) << mask.status().message();
  EXPECT_EQ(mask->width(), 3u);
  EXPECT_EQ(mask->height(), 2u);
  EXPECT_EQ(mask->pixel_size(), 2.5);
  EXPECT_EQ(mask->rows(), BitMask::from_text({".##", ".#."}).rows());
  EXPECT_EQ(read_png_mask(path(), 255, 1)->rows(), BitMask::from_text({"..#", "..."}).rows());
  EXPECT_EQ(read_png_mask(path(), 1, 1)->rows(), BitMask::from_text({"###", ".##"}).rows());
}

TEST_F(PngMask, TakesBrightnessWhereThereIsNoOpacity) {
  write(PNG_FORMAT_GRAY, 4, 1, {0, 127, 128, 255});
  EXPECT_EQ(read_png_mask(path(), 128, 1)->rows(), BitMask::from_text({"..##"}).rows());
  write(PNG_FORMAT_RGB, 3, 1, {0, 0, 0, 255, 255, 255, 0, 0, 255});
  EXPECT_EQ(read_png_mask(path(), 128, 1)->rows(), BitMask::from_text({".#."}).rows());
}

TEST_F(PngMask, TakesGrayWithOpacityAndColourMaps) {
  write(PNG_FORMAT_GA, 2, 1, {255, 0, 0, 255});
  EXPECT_EQ(read_png_mask(path(), 128, 1)->rows(), BitMask::from_text({".#"}).rows());
  write(PNG_FORMAT_RGBA_COLORMAP, 3, 1, {0, 1, 0}, {0, 0, 0, 0, 10, 20, 30, 255});
  EXPECT_EQ(read_png_mask(path(), 128, 1)->rows(), BitMask::from_text({".#."}).rows());
}

TEST_F(PngMask, TakesTheLargestSizeAndRefusesOnePixelMore) {
  write(PNG_FORMAT_GRAY, 256, 256, std::vector<std::uint8_t>(256 * 256, 255));
  EXPECT_TRUE(read_png_mask(path(), 128, 1).ok());
  write(PNG_FORMAT_GRAY, 257, 1, std::vector<std::uint8_t>(257, 255));
  EXPECT_EQ(error(), "has 257 x 1 pixels; a mask has at most 256 x 256");
  write(PNG_FORMAT_GRAY, 1, 257, std::vector<std::uint8_t>(257, 255));
  EXPECT_EQ(error(), "has 1 x 257 pixels; a mask has at most 256 x 256");
}

TEST_F(PngMask, SaysThatAPictureWouldTouchNothing) {
  write(PNG_FORMAT_GRAY, 1, 1, {100});
  EXPECT_THAT(error(), StartsWith("has no pixel whose brightness is at least the threshold of 128"));
}

TEST_F(PngMask, SaysWhatIsNoPngAndWhatIsABrokenOne) {
  write_bytes("GIF89a, or something like it");
  EXPECT_EQ(error(), "is no PNG file");
  write_bytes("");
  EXPECT_EQ(error(), "is no PNG file");
  write(PNG_FORMAT_GRAY, 16, 16, std::vector<std::uint8_t>(256, 255));
  const std::string whole = read_bytes();
  for (std::size_t size = 8; size + 12 < whole.size(); ++size) {
    write_bytes(whole.substr(0, size));
    EXPECT_THAT(error(), StartsWith("is a PNG file that cannot be read: ")) << size;
  }
}

TEST_F(PngMask, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(error(), "cannot be read: No such file or directory");
  std::filesystem::create_directory(path());
  EXPECT_EQ(error(), "cannot be read: Is a directory");
}

TEST_F(PngMask, ReadsNoMoreThanItHasTo) {
  write_bytes(std::string((4u << 20) + 1, 'x'));
  EXPECT_THAT(error(), HasSubstr("larger than the most that is read, 4194304 bytes"));
}

}  // namespace
}  // namespace sweepd::tools::png_mask_test
