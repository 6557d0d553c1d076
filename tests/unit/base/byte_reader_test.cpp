// SPDX-License-Identifier: MIT
//
// Protects bytes: what is written is read back, nothing is read that is not there, and the first fault stays,
// with its place.
#include "base/byte_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/byte_writer.h"

namespace sweepd::base::byte_reader_test {
namespace {

constexpr std::uint64_t kNumbers[] = {0, 1, 127, 128, 16383, 16384, 1ull << 32, 1ull << 62, ~0ull - 1, ~0ull};

TEST(ByteReader, ReadsBackWhatWasWritten) {
  ByteWriter writer;
  for (const std::uint64_t number : kNumbers) {
    writer.number(number);
    writer.signed_number(static_cast<std::int64_t>(number));
    writer.word(number);
  }
  writer.boolean(true);
  writer.text("a ship");
  const std::string bytes = writer.take();
  ByteReader reader(bytes);
  for (const std::uint64_t number : kNumbers) {
    EXPECT_EQ(reader.number(), number);
    EXPECT_EQ(reader.signed_number(), static_cast<std::int64_t>(number));
    EXPECT_EQ(reader.word(), number);
  }
  EXPECT_TRUE(reader.boolean());
  EXPECT_EQ(reader.text(6), "a ship");
  reader.finish();
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, WritesSmallNumbersOfEitherSignInOneByte) {
  ByteWriter writer;
  writer.number(127);
  writer.signed_number(-64);
  writer.signed_number(63);
  EXPECT_EQ(writer.size(), 3u);
}

TEST(ByteReader, NamesTheFirstFaultAndItsPlaceAndReadsZerosAfterIt) {
  ByteReader reader("\x05\x02\x07\x07", 100);
  EXPECT_EQ(reader.number(), 5u);
  EXPECT_FALSE(reader.boolean());
  EXPECT_EQ(reader.number(), 0u);
  EXPECT_FALSE(reader.require(true, "holds, but comes after a fault"));
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.fault()->offset, 102u);
  EXPECT_STREQ(reader.fault()->description, "is neither yes nor no");
}

TEST(ByteReader, ReadsNothingBeyondTheEnd) {
  ByteWriter writer;
  writer.number(1ull << 40);
  const std::string number = writer.take();
  for (std::size_t size = 0; size < number.size(); ++size) {
    ByteReader reader(std::string_view(number).substr(0, size));
    EXPECT_EQ(reader.number(), 0u);
    EXPECT_FALSE(reader.ok()) << size << " bytes";
  }
  ByteReader word("1234567");
  EXPECT_EQ(word.word(), 0u);
  EXPECT_FALSE(word.ok());
  ByteReader text(
      "\x04"
      "abc");
  EXPECT_EQ(text.text(10), "");
  EXPECT_FALSE(text.ok());
}

TEST(ByteReader, RefusesNumbersThatDoNotFit) {
  ByteReader wide("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
  EXPECT_EQ(wide.number(), 0u);
  EXPECT_FALSE(wide.ok());
  ByteReader endless("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
  EXPECT_EQ(endless.number(), 0u);
  EXPECT_FALSE(endless.ok());
  ByteReader limited("\x0b");
  EXPECT_EQ(limited.number(10), 0u);
  EXPECT_FALSE(limited.ok());
  ByteWriter writer;
  writer.signed_number(std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1);
  const std::string large = writer.take();
  ByteReader reader(large);
  EXPECT_EQ(reader.signed_number32(), 0);
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, CountsNoMoreEntriesThanThereAreBytesFor) {
  ByteReader fits("\x02xxxxxx");
  EXPECT_EQ(fits.count(3), 2u);
  EXPECT_TRUE(fits.ok());
  ByteReader lies("\x03xxxxxx");
  EXPECT_EQ(lies.count(3), 0u);
  EXPECT_FALSE(lies.ok());
}

TEST(ByteReader, FindsBytesThatAreTooMany) {
  ByteReader reader("\x01\x02");
  reader.number();
  reader.finish();
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace sweepd::base::byte_reader_test
