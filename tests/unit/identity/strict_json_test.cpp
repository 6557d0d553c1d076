// SPDX-License-Identifier: MIT
//
// Protects what is signed from being read in two ways: a JSON text has one meaning, or it is refused.
#include "identity/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::identity::strict_json_test {
namespace {

using ::testing::HasSubstr;

std::string fault_of(std::string_view text) {
  const auto json = parse_json_object(text);
  return json.ok() ? "" : json.error().text;
}

std::string nested(std::size_t depth) {
  std::string text = "{\"a\":";
  for (std::size_t i = 1; i < depth; ++i) text += '[';
  text += '1';
  for (std::size_t i = 1; i < depth; ++i) text += ']';
  return text + '}';
}

TEST(StrictJsonTest, AnObjectIsReadInItsOrder) {
  const auto json = parse_json_object(R"( {"z": 1, "a": [true, null, "x"], "m": {"z": 2}} )");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->dump(), R"({"z":1,"a":[true,null,"x"],"m":{"z":2}})");
  EXPECT_EQ(find_member(*json, "b"), nullptr);
  EXPECT_EQ(*find_member(*json, "z"), 1);
}

TEST(StrictJsonTest, DuplicateMembersAreRefusedWhereverTheyAre) {
  EXPECT_THAT(fault_of(R"({"a":1,"a":1})"), HasSubstr("\"a\" twice"));
  EXPECT_THAT(fault_of(R"({"b":[{"a":1,"c":{},"\u0061":2}]})"), HasSubstr("\"a\" twice"));
  EXPECT_EQ(fault_of(R"({"a":{"a":[{"a":1},{"a":2}]}})"), "");
}

TEST(StrictJsonTest, DepthAndMembersAreBounded) {
  EXPECT_EQ(fault_of(nested(kJsonDepthMax)), "");
  EXPECT_THAT(fault_of(nested(kJsonDepthMax + 1)), HasSubstr("deep"));
  EXPECT_THAT(fault_of(std::string(100'000, '[')), HasSubstr("deep"));
  std::string text = "{";
  for (std::size_t i = 0; i < kJsonMembersMax; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(fault_of(text.substr(0, text.size() - 1) + "}"), "");
  EXPECT_THAT(fault_of(text + "\"x\":0}"), HasSubstr("too many"));
}

TEST(StrictJsonTest, WhatIsNoJsonIsRefusedByItsPlace) {
  for (const char* text :
       {"", "{", "{\"a\":1}x", "{\"a\":1}{}", "{a:1}", "{\"a\":01}", "{\"a\":1,}", "{'a':1}",
        "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\\ud800\"}", "{/**/}", "{\"a\":NaN}"}) {
    EXPECT_THAT(fault_of(text), HasSubstr("no JSON at byte")) << text;
  }
  EXPECT_THAT(fault_of(std::string_view("{\"a\":1}\0x", 9)), HasSubstr("byte 7")) << "no end of the text";
  for (const char* text : {"[]", "1", "\"a\"", "null", "true"})
    EXPECT_EQ(fault_of(text), "is no JSON object");
  EXPECT_NE(fault_of(R"({"a":1e999})"), "");
}

TEST(StrictJsonTest, FaultsQuoteNoValue) {
  for (const char* text :
       {R"({"a":"hidden)", R"({"a":hidden})", R"({"b":"hidden","b":"hidden"})", R"({"a":"hidden"}hidden)"}) {
    EXPECT_EQ(fault_of(text).find("hidden"), std::string::npos) << fault_of(text);
    EXPECT_NE(fault_of(text), "");
  }
}

TEST(StrictJsonTest, PlainTextIsWhatNoTerminalObeys) {
  EXPECT_TRUE(is_plain_text(Json("größer 2"), 16));
  EXPECT_FALSE(is_plain_text(Json("größer 2"), 9));
  EXPECT_FALSE(is_plain_text(Json(""), 16));
  EXPECT_FALSE(is_plain_text(Json(1), 16));
  for (const char* text : {"a\n", "\x1b[2J", "a\u202e", "\x7f", "\xc2\x9b"}) {
    EXPECT_FALSE(is_plain_text(Json(text), 16)) << text;
  }
}

}  // namespace
}  // namespace sweepd::identity::strict_json_test
