// SPDX-License-Identifier: MIT
//
// Protects terminals and logs from text of strangers: what a terminal obeys is spelled out, the rest stays.
#include "base/visible_text.h"

#include <gtest/gtest.h>

namespace sweepd::base::visible_text_test {
namespace {

std::string lines(std::string_view text) {
  std::string out;
  append_visible_lines(out, text);
  return out;
}

TEST(VisibleText, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(visible("Zoë \"名\" \\ 🚀"), "Zoë \"名\" \\ 🚀");
  EXPECT_EQ(visible(""), "");
}

TEST(VisibleText, WhatATerminalObeysIsSpelledOut) {
  EXPECT_EQ(visible("\x1b[2J"), "\\u001b[2J");
  EXPECT_EQ(visible("a\nb\tc\rd\x7f"), "a\\u000ab\\u0009c\\u000dd\\u007f");
  EXPECT_EQ(visible("\xc2\x9b"
                    "2J"),
            "\\u009b2J")
      << "the control sequence of Latin-1";
  EXPECT_EQ(visible("\x9b"
                    "2J"),
            "\\ufffd2J")
      << "the same as a bare byte";
  EXPECT_EQ(visible("\xe2\x80\xae"), "\\u202e");
}

// Else two names look like one.
TEST(VisibleText, WhatCannotBeSeenOrLooksLikeASpaceIsSpelledOut) {
  EXPECT_EQ(visible("an\xe2\x80\x8bn"), "an\\u200bn") << "a space of no width";
  EXPECT_EQ(visible("an\xe2\x81\xa0n"), "an\\u2060n") << "a joiner of words";
  EXPECT_EQ(visible("a\xc2\xa0n"), "a\\u00a0n") << "a space that keeps words together";
  EXPECT_EQ(visible("a\xe3\x80\x80n"), "a\\u3000n") << "a wide space";
  EXPECT_EQ(visible("\xef\xbb\xbf\xe3\x85\xa4"), "\\ufeff\\u3164");
  EXPECT_EQ(visible("a\xf3\xa0\x80\x81"), "a\\udb40\\udc01") << "a tag";
  EXPECT_EQ(visible("\xe2\x80\x90 \xe2\x80\xa6"), "\xe2\x80\x90 \xe2\x80\xa6") << "a hyphen and dots";
}

TEST(VisibleText, ANameInQuotesCannotEndThem) {
  EXPECT_EQ(base::quoted("ann 9, \"VERIFIED\\"), R"("ann 9, \"VERIFIED\\")");
  EXPECT_EQ(base::quoted(std::string(kQuotedBytesMax + 1, 'a')),
            '"' + std::string(kQuotedBytesMax, 'a') + "…\"");
}

TEST(VisibleText, SeveralLinesKeepTheirEndsAndTabsOnly) {
  EXPECT_EQ(lines("a\tb\n\x1b[0m\n\r"), "a\tb\n\\u001b[0m\n\\u000d");
  EXPECT_EQ(lines("\n"), "\n");
}

TEST(VisibleText, Utf8IsKnownFromWhatIsNone) {
  for (const char* text : {"", "plain", "Zoë", "名", "🚀", "\xef\xbf\xbd"}) EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(VisibleText, TheBeginningOfACharacterIsKnownFromWholeOnesAndFromNone) {
  EXPECT_EQ(unfinished_bytes(""), 0u);
  EXPECT_EQ(unfinished_bytes("ab"), 0u);
  EXPECT_EQ(unfinished_bytes("a\xc3"), 1u);
  EXPECT_EQ(unfinished_bytes("a\xc3\xab"), 0u);
  EXPECT_EQ(unfinished_bytes("\xe5\x90"), 2u);
  EXPECT_EQ(unfinished_bytes("\xf0\x9f\x9a"), 3u);
  EXPECT_EQ(unfinished_bytes("\xf0\x9f\x9a\x80"), 0u);
  EXPECT_EQ(unfinished_bytes("\x80\x80\x80\x80"), 0u) << "no rest makes these a character";
  EXPECT_EQ(unfinished_bytes("\xff"), 0u);
}

}  // namespace
}  // namespace sweepd::base::visible_text_test
