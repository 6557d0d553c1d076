// SPDX-License-Identifier: MIT
#include "runtime/match_id.h"

#include <random>

namespace sweepd::runtime {

std::string make_match_id() {
  // Crockford's base 32 without letters that are mistaken for digits: people read ids to each other.
  static constexpr char kDigits[] = "0123456789abcdefghjkmnpqrstvwxyz";
  std::random_device random;
  std::string id;
  for (int i = 0; i < 16; ++i) id.push_back(kDigits[random() % 32]);
  return id;
}

}  // namespace sweepd::runtime
