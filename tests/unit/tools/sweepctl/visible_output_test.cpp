// SPDX-License-Identifier: MIT
//
// Protects an operator's terminal: names that a server or a file gives are text on it.
#include "tools/sweepctl/visible_output.h"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "tools/sweepctl/match_text.h"

namespace sweepd::tools::visible_output_test {
namespace {

TEST(VisibleBuffer, PassesTextOnAndSpellsOutTheRest) {
  std::stringbuf target;
  VisibleBuffer buffer(target);
  std::ostream out(&buffer);
  out << "match '"
      << "\x1b]0;owned\a"
      << "' has " << 3 << " players\n"
      << 'x' << std::flush;
  EXPECT_EQ(target.str(), "match '\\u001b]0;owned\\u0007' has 3 players\nx");
}

TEST(VisibleBuffer, CharactersThatComeInPiecesStayWhole) {
  std::stringbuf target;
  {
    VisibleBuffer buffer(target);
    std::ostream out(&buffer);
    for (const char byte : std::string("ë🚀")) out << byte;
    EXPECT_EQ(target.str(), "ë🚀");
    out << '\xc2';
    out << '\x9b' << '\xe5';
  }
  EXPECT_EQ(target.str(), "ë🚀\\u009b\\ufffd") << "and the end shows what was left";
}

TEST(VisibleOutput, HoldsForStandardOutputAndErrorWhileItLives) {
  std::stringbuf out;
  std::stringbuf err;
  std::streambuf* const out_before = std::cout.rdbuf(&out);
  std::streambuf* const err_before = std::cerr.rdbuf(&err);
  {
    const VisibleOutput visible_output;
    std::cout << "\x1b[1m" << std::flush;
    std::cerr << "\x1b[1m";
  }
  EXPECT_NE(std::cout.rdbuf(), out_before);
  std::cout << "\x1b" << std::flush;
  std::cout.rdbuf(out_before);
  std::cerr.rdbuf(err_before);
  EXPECT_EQ(out.str(), "\\u001b[1m\x1b");
  EXPECT_EQ(err.str(), "\\u001b[1m");
}

TEST(MatchText, ANameStaysOnTheLineOfItsMatch) {
  MatchInfo match;
  match.config.name = "stage\nfake-id  fake";
  match.scores = {{.participant = 1, .name = "an\nn", .score = 5}};
  EXPECT_EQ(match_line(match).find('\n'), std::string::npos);
  EXPECT_EQ(scores_text(match), R"("an\u000an" 5)");
}

}  // namespace
}  // namespace sweepd::tools::visible_output_test
