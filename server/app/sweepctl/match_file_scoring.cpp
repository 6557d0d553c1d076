// SPDX-License-Identifier: MIT
#include "app/sweepctl/match_file_parts.h"

namespace sweepd::app {
namespace {

constexpr NumberRange kPointsRange{-1'000'000'000, 1'000'000'000};
constexpr NumberRange kCooldownRange{0, 36'000};
constexpr std::array<Word<ScoringMoment>, 4> kMomentWords{{{"enter", ScoringMoment::kEnter},
                                                           {"exit", ScoringMoment::kExit},
                                                           {"destroyed", ScoringMoment::kDestroyed},
                                                           {"contact", ScoringMoment::kContact}}};
constexpr std::array<Word<ScoringCredit>, 2> kCreditWords{
    {{"owner_of_a", ScoringCredit::kOwnerOfA}, {"owner_of_b", ScoringCredit::kOwnerOfB}}};
// All but the end of the match, by which nothing scores.
constexpr std::array<Word<ExitReason>, 11> kReasonWords{{{"moved", ExitReason::kMoved},
                                                         {"despawned", ExitReason::kDespawned},
                                                         {"expired", ExitReason::kExpired},
                                                         {"left_playfield", ExitReason::kLeftPlayfield},
                                                         {"layer_changed", ExitReason::kLayerChanged},
                                                         {"disabled", ExitReason::kDisabled},
                                                         {"reshaped", ExitReason::kReshaped},
                                                         {"owner_left", ExitReason::kOwnerLeft},
                                                         {"swept", ExitReason::kSwept},
                                                         {"consumed", ExitReason::kConsumed},
                                                         {"destroyed", ExitReason::kDestroyed}}};

void read_exit_reasons(TomlTable& table, std::vector<ExitReason>& reasons) {
  const auto list = table.find("exit_reasons");
  if (!list) return;
  for (const TomlField& item : list->to_list()) {
    ExitReason reason = ExitReason::kNone;
    if (item.to_word(kReasonWords, reason)) reasons.push_back(reason);
  }
}

void read_rule(TomlTable& table, const LayerNames& layers, ScoringRule& rule) {
  table.text("name", rule.name);
  if (const auto layer = table.require("layer_a")) layers.to_layer(*layer, rule.layer_a);
  if (const auto layer = table.require("layer_b")) layers.to_layer(*layer, rule.layer_b);
  table.word("when", kMomentWords, rule.when);
  if (const auto points = table.require("points")) points->to_number(kPointsRange, rule.points);
  table.word("credit", kCreditWords, rule.credit);
  table.flag("once_per_object", rule.once_per_object);
  table.number("cooldown_ticks", kCooldownRange, rule.cooldown_ticks);
  read_exit_reasons(table, rule.exit_reasons);
}

}  // namespace

void read_scoring(TomlTable& file, const LayerNames& layers, MatchConfig& config) {
  const auto rules = file.find("scoring");
  if (!rules) return;
  for (const TomlField& item : rules->to_list()) {
    TomlTable table(item);
    read_rule(table, layers, config.scoring.emplace_back());
    table.finish();
  }
}

}  // namespace sweepd::app
