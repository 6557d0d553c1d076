// SPDX-License-Identifier: MIT
//
// Protects the quickstart: its demo plays a match on a running server to the end, and the encounters add up.
// And the example of the README, which must do what it says.
#include "integration/support/server_fixture.h"

namespace sweepd::test::demo_test {
namespace {

using ::testing::HasSubstr;

class Demo : public ServerTest {};

TEST_F(Demo, PlaysAMatchToItsEnd) {
  Process demo({required_environment("DEMO_BINARY"), "--server", server().address(), "--seconds", "2"},
               server().folder() / "demo");
  EXPECT_EQ(demo.wait(), 0) << demo.standard_error();
  EXPECT_THAT(demo.standard_output(), HasSubstr("encounters, each told to all three participants"));
  EXPECT_THAT(demo.standard_output(), HasSubstr("Digest of the match: "));
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Demo, TheExampleOfShapesSweepsItsShotThroughTheShip) {
  Process example({required_environment("SHAPE_MATCH_BINARY"), server().address()},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr(": EXIT SWEPT at 127/256"));
}

TEST_F(Demo, TheExampleOfScoresDestroysAnEnemyAndIsGrazed) {
  Process example({required_environment("SCORED_MATCH_BINARY"), server().address()},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr("enemy "));
  EXPECT_THAT(example.standard_output(), HasSubstr("grazes the ship"));
  EXPECT_THAT(example.standard_output(), HasSubstr("ann has 10"));
}

TEST_F(Demo, TheExampleOfPredictionHitsInItsViewAndTakesBackWhatWasNotSo) {
  Process example({required_environment("COOP_SHMUP_BINARY"), server().address(), "8"},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr("ann: "));
  EXPECT_THAT(example.standard_output(), HasSubstr("taken back: enemy "));
  EXPECT_THAT(example.standard_output(), HasSubstr(" points"));
}

}  // namespace
}  // namespace sweepd::test::demo_test
