// SPDX-License-Identifier: MIT
//
// Protects: every limit of a match's masks and sector grid, at the limit and one past it, with the field at
// fault and the limit named.
#include "match/shape_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::match::shape_config_test {
namespace {

using ::testing::HasSubstr;

MaskConfig full_mask(std::uint32_t width, std::uint32_t height) {
  MaskConfig mask;
  mask.width = width;
  mask.height = height;
  mask.rows.resize(mask.row_bytes() * height);
  return mask;
}

void expect_valid(const std::vector<MaskConfig>& masks) {
  const auto error = find_mask_error(masks);
  EXPECT_FALSE(error) << error->field << " " << error->description;
}

void expect_error(const Found& error, const std::string& field, const std::string& found,
                  const std::string& limit) {
  ASSERT_TRUE(error) << field << " was not found at fault";
  EXPECT_EQ(error->field, field);
  EXPECT_THAT(error->description, HasSubstr(found));
  EXPECT_THAT(error->description, HasSubstr(limit));
}

void expect_error(const MaskConfig& mask, const std::string& field, const std::string& found,
                  const std::string& limit) {
  expect_error(find_mask_error(std::vector{full_mask(1, 1), mask}), "masks[1]." + field, found, limit);
}

TEST(Masks, HaveUpTo256Times256Pixels) {
  expect_valid({full_mask(1, 1), full_mask(256, 256)});
  expect_error(full_mask(257, 1), "width", "is 257", "1 to 256");
  expect_error(full_mask(1, 257), "height", "is 257", "1 to 256");
  expect_error(full_mask(0, 1), "width", "is 0", "1 to 256");
  expect_error(full_mask(1, 0), "height", "is 0", "1 to 256");
  MaskConfig huge = full_mask(1, 1);
  huge.width = huge.height = 4'294'967'295u;
  expect_error(huge, "width", "4294967295", "1 to 256");
}

TEST(Masks, HavePixelsOfUpTo4096Units) {
  MaskConfig mask = full_mask(1, 1);
  for (const std::uint32_t size : {1u, 1'048'576u}) {
    mask.pixel_size = size;
    expect_valid({mask});
  }
  mask.pixel_size = 0;
  expect_error(mask, "pixel_size", "is 0", "1 to 1048576");
  mask.pixel_size = 1'048'577;
  expect_error(mask, "pixel_size", "is 1048577", "1 to 1048576");
}

TEST(Masks, HaveRowsOfWholeBytes) {
  MaskConfig mask = full_mask(9, 3);
  EXPECT_EQ(mask.rows.size(), 6u);
  expect_valid({mask});
  mask.rows.push_back(0);
  expect_error(mask, "rows", "7 bytes", "6: 3 rows of 2");
  mask.rows.resize(5);
  expect_error(mask, "rows", "5 bytes", "6: 3 rows of 2");
}

TEST(Masks, HaveNoBitSetPastTheirWidth) {
  MaskConfig mask = full_mask(9, 2);
  mask.rows = {'\xff', '\x01', '\xff', '\x01'};
  expect_valid({mask});
  mask.rows[3] = '\x03';
  expect_error(mask, "rows", "row 1", "must be 0");
}

TEST(Masks, BeginEachRowWithTheLeastSignificantBit) {
  MaskConfig mask = full_mask(9, 2);
  mask.rows = {'\x02', '\x00', '\x80', '\x01'};
  EXPECT_TRUE(mask.pixel(1, 0));
  EXPECT_FALSE(mask.pixel(0, 0));
  EXPECT_TRUE(mask.pixel(7, 1));
  EXPECT_TRUE(mask.pixel(8, 1));
  EXPECT_FALSE(mask.pixel(8, 0));
}

TEST(Masks, AreAtMost256WithAtMost512KibibytesOfRows) {
  std::vector<MaskConfig> masks(256, full_mask(1, 1));
  expect_valid(masks);
  masks.push_back(full_mask(1, 1));
  expect_error(find_mask_error(masks), "masks", "257 entries", "0 to 256");
  masks.assign(64, full_mask(256, 256));
  expect_valid(masks);
  masks.push_back(full_mask(1, 1));
  expect_error(find_mask_error(masks), "masks", "524289 bytes", "at most 524288");
}

TEST(SectorGrid, HasSectorsOf1To4194304UnitsOrAutomaticOnes) {
  SectorGridConfig grid;
  for (const std::uint32_t size : {0u, 256u, 1u << 30}) {
    grid.sector_size = size;
    EXPECT_FALSE(find_error(grid)) << size;
  }
  grid.sector_size = 255;
  expect_error(find_error(grid), "sector_grid.sector_size", "is 255", "256 to 1073741824, or 0");
  grid.sector_size = (1u << 30) + 1;
  expect_error(find_error(grid), "sector_grid.sector_size", "is 1073741825", "256 to 1073741824");
}

}  // namespace
}  // namespace sweepd::match::shape_config_test
