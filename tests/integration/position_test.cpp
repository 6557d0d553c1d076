// SPDX-License-Identifier: MIT
//
// Protects streams that last: objects that the server removes by itself leave nothing behind on a stream, and
// what is seldom moved still gets where it is moved to.
#include "integration/support/solo_match.h"

namespace sweepd::test::position_test {
namespace {

class Positions : public SoloMatchTest {
 protected:
  Vec2 position_of(ObjectId id) {
    const auto world = client_->get_world(match_id_);
    for (const ObjectState& object : world->objects) {
      if (object.id == id) return object.position;
    }
    ADD_FAILURE() << id << " is not in the match";
    return {};
  }
};

TEST_F(Positions, OfAShipThatSeldomMovesAreRightAmongBulletsThatExpire) {
  begin();
  const ObjectId ship = spawn(object_at({0, 0}, 0));
  for (int frame = 1; frame <= 280; ++frame) {
    for (int i = 0; i < 50; ++i) {
      ObjectSpec bullet = object_at({100.0 + i, 100}, 1, 1);
      bullet.time_to_live_ticks = 2;
      const ObjectId id = spawn(bullet);
      ASSERT_TRUE(session_->move(id, {100.0 + i, 101}).ok());
    }
    // Before, when and after its base is forgotten.
    const bool moves = frame == 10 || frame == 10 + 64 || frame == 10 + 64 + 65 || frame == 10 + 64 + 65 + 66;
    if (moves) {
      ASSERT_TRUE(session_->move(ship, {1.0 * frame, 2.0 * frame}).ok());
    }
    step();
    if (moves) {
      EXPECT_EQ(position_of(ship).x, 1.0 * frame);
      EXPECT_EQ(position_of(ship).y, 2.0 * frame);
    }
  }
  EXPECT_FALSE(session_->poll_rejection());
}

}  // namespace
}  // namespace sweepd::test::position_test
