// SPDX-License-Identifier: MIT
#include "rpc/scoring_codec.h"

#include <string>

namespace sweepd::rpc {
namespace {

static_assert(static_cast<int>(match::ScoringMoment::kContact) == v1::SCORING_MOMENT_CONTACT);
static_assert(static_cast<int>(match::ScoringCredit::kOwnerOfB) == v1::SCORING_CREDIT_OWNER_OF_B);

match::FieldError unknown_value(const std::string& field, int value) {
  return {field, "unknown value " + std::to_string(value)};
}

std::optional<match::FieldError> decode_rule(const v1::ScoringRule& message, const std::string& field,
                                             match::ScoringRule& rule) {
  rule.name = message.name();
  rule.layer_a = message.layer_a();
  rule.layer_b = message.layer_b();
  rule.points = message.points();
  rule.once_per_object = message.once_per_object();
  rule.cooldown_ticks = message.cooldown_ticks();
  if (!v1::ScoringMoment_IsValid(message.when())) return unknown_value(field + ".when", message.when());
  if (!v1::ScoringCredit_IsValid(message.credit())) return unknown_value(field + ".credit", message.credit());
  if (message.when() != 0) rule.when = static_cast<match::ScoringMoment>(message.when());
  if (message.credit() != 0) rule.credit = static_cast<match::ScoringCredit>(message.credit());
  for (int i = 0; i < message.exit_reasons_size(); ++i) {
    const int reason = message.exit_reasons(i);
    if (reason <= 0 || !v1::ExitReason_IsValid(reason)) {
      return unknown_value(field + ".exit_reasons[" + std::to_string(i) + "]", reason);
    }
    rule.exit_reasons.push_back(static_cast<collision::ExitReason>(reason));
  }
  return std::nullopt;
}

}  // namespace

std::optional<match::FieldError> decode_scoring(const v1::MatchConfig& message, match::MatchConfig& config) {
  for (int i = 0; i < message.scoring_size(); ++i) {
    match::ScoringRule& rule = config.scoring.emplace_back();
    if (auto error =
            decode_rule(message.scoring(i), match::indexed("scoring", static_cast<std::size_t>(i)), rule)) {
      return error;
    }
  }
  return std::nullopt;
}

void encode_scoring(const match::MatchConfig& config, v1::MatchConfig& message) {
  for (const match::ScoringRule& rule : config.scoring) {
    v1::ScoringRule& rule_message = *message.add_scoring();
    rule_message.set_name(rule.name);
    rule_message.set_layer_a(rule.layer_a);
    rule_message.set_layer_b(rule.layer_b);
    rule_message.set_when(static_cast<v1::ScoringMoment>(rule.when));
    rule_message.set_points(rule.points);
    rule_message.set_credit(static_cast<v1::ScoringCredit>(rule.credit));
    rule_message.set_once_per_object(rule.once_per_object);
    rule_message.set_cooldown_ticks(rule.cooldown_ticks);
    for (const collision::ExitReason reason : rule.exit_reasons) {
      rule_message.add_exit_reasons(static_cast<v1::ExitReason>(reason));
    }
  }
}

void encode_score(const match::Score& score, v1::Score& message) {
  message.set_participant(score.participant);
  message.set_name(score.name);
  message.set_score(score.score);
  message.set_has_left(score.has_left);
}

}  // namespace sweepd::rpc
