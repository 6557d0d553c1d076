// SPDX-License-Identifier: MIT
#include "wire/scoring_codec.h"

namespace sweepd::wire {

void encode_score(const match::Score& score, v1::Score& message) {
  message.set_participant(score.participant);
  message.set_name(score.name);
  message.set_score(score.score);
  message.set_has_left(score.has_left);
}

}  // namespace sweepd::wire
