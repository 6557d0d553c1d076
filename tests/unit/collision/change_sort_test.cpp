// SPDX-License-Identifier: MIT
// Protects the order of changes: sorted by counting as by comparing, whatever ids there are.

#include "collision/change_sort.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "property/random.h"

namespace sweepd::collision::change_sort_test {
namespace {

std::vector<EncounterChange> random_changes(std::size_t count, ObjectId id_max, property::Random& random) {
  std::vector<EncounterChange> changes(count);
  for (EncounterChange& change : changes) {
    change.key = {static_cast<ObjectId>(random.between(0, id_max)),
                  static_cast<ObjectId>(random.between(0, id_max)),
                  static_cast<LayerId>(random.between(0, 2)), static_cast<LayerId>(random.between(0, 2))};
    change.parts = {static_cast<std::uint8_t>(random.between(0, 2)),
                    static_cast<std::uint8_t>(random.between(0, 2))};
    change.began = random.chance(50);
  }
  return changes;
}

TEST(ChangeSort, SortsAsComparingDoes) {
  property::Random random(1);
  std::vector<EncounterChange> spare;
  for (const std::size_t count : {0u, 1u, 200u, 255u, 256u, 3000u}) {
    for (const ObjectId id_max : {0u, 1u, 50u, 2047u, 2048u, 100'000u, 0xffffffffu}) {
      std::vector<EncounterChange> changes = random_changes(count, id_max, random);
      std::vector<EncounterChange> expected = changes;
      std::ranges::sort(expected);
      sort_changes(changes, spare);
      EXPECT_TRUE(changes == expected) << count << " changes, ids up to " << id_max;
    }
  }
}

}  // namespace
}  // namespace sweepd::collision::change_sort_test
