// SPDX-License-Identifier: MIT
//
// Protects who reads our JSON: whatever a text contains, it stays one string.
#include "base/json_string.h"

#include <gtest/gtest.h>

namespace sweepd::base::json_string_test {
namespace {

TEST(JsonString, IsTheTextInQuotes) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("disk full"), R"("disk full")");
  EXPECT_EQ(json_string("größer"), R"("größer")");
}

TEST(JsonString, EscapesWhatWouldEndItOrIsNoCharacter) {
  EXPECT_EQ(json_string("a \"b\" \\ /"), R"("a \"b\" \\ /")");
  EXPECT_EQ(json_string(std::string_view("\0\n\x1f\x20", 4)), R"("\u0000\u000a\u001f ")");
}

TEST(JsonString, IsUtf8WhereTheTextIsNot) {
  EXPECT_EQ(json_string("gues\x8c\xd8 1"), R"("gues\ufffd\ufffd 1")");
  EXPECT_EQ(json_string("\xe2\x82"), R"("\ufffd\ufffd")");
}

}  // namespace
}  // namespace sweepd::base::json_string_test
