// SPDX-License-Identifier: MIT
#include "scoring_codec.h"

namespace sweepd::internal {
void encode(const Score& score, v1::Score* out) {
  out->set_participant(score.participant);
  out->set_name(score.name);
  out->set_score(score.score);
  out->set_has_left(score.has_left);
}

Score decode(const v1::Score& score) {
  return {.participant = score.participant(),
          .name = score.name(),
          .score = score.score(),
          .has_left = score.has_left()};
}

}  // namespace sweepd::internal
