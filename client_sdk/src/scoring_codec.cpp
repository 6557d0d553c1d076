// SPDX-License-Identifier: MIT
#include "scoring_codec.h"

namespace sweepd::internal {
namespace {

// The SDK's enumerators are in the order of the wire's, which begin with UNSPECIFIED.
template <typename Wire, typename Enum>
Wire to_wire(Enum value) {
  return static_cast<Wire>(static_cast<int>(value) + 1);
}

template <typename Enum>
Enum from_wire(int value, Enum last) {
  const int index = value - 1;
  return index < 0 || index > static_cast<int>(last) ? Enum{} : static_cast<Enum>(index);
}

static_assert(static_cast<int>(ScoringMoment::kContact) + 1 == v1::SCORING_MOMENT_CONTACT);
static_assert(static_cast<int>(ScoringCredit::kOwnerOfB) + 1 == v1::SCORING_CREDIT_OWNER_OF_B);
static_assert(static_cast<int>(ExitReason::kDestroyed) == v1::EXIT_REASON_DESTROYED);

}  // namespace

void encode(const ScoringRule& rule, v1::ScoringRule* out) {
  out->set_name(rule.name);
  out->set_layer_a(rule.layer_a);
  out->set_layer_b(rule.layer_b);
  out->set_when(to_wire<v1::ScoringMoment>(rule.when));
  out->set_points(rule.points);
  out->set_credit(to_wire<v1::ScoringCredit>(rule.credit));
  out->set_once_per_object(rule.once_per_object);
  out->set_cooldown_ticks(rule.cooldown_ticks);
  for (const ExitReason reason : rule.exit_reasons)
    out->add_exit_reasons(static_cast<v1::ExitReason>(reason));
}

ScoringRule decode(const v1::ScoringRule& rule) {
  ScoringRule out{.name = rule.name(),
                  .layer_a = rule.layer_a(),
                  .layer_b = rule.layer_b(),
                  .when = from_wire(rule.when(), ScoringMoment::kContact),
                  .points = rule.points(),
                  .credit = from_wire(rule.credit(), ScoringCredit::kOwnerOfB),
                  .once_per_object = rule.once_per_object(),
                  .cooldown_ticks = rule.cooldown_ticks()};
  for (const int reason : rule.exit_reasons()) out.exit_reasons.push_back(static_cast<ExitReason>(reason));
  return out;
}

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
