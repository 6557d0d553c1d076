// SPDX-License-Identifier: MIT
#include "replay/comparison.h"

#include <algorithm>

#include "replay/object_difference.h"
#include "replay/reader.h"
#include "replay/replay_player.h"

namespace sweepd::replay {
namespace {

std::string text_of(const ObjectDifference& difference) {
  switch (difference.where) {
    case ObjectDifference::Where::kOnlyInFirst:
      return "is only in the first";
    case ObjectDifference::Where::kOnlyInSecond:
      return "is only in the second";
    case ObjectDifference::Where::kBoth:
      break;
  }
  return difference.first + ", and " + difference.second;
}

Difference describe(const match::Match& a, const match::Match& b) {
  Difference difference{.tick = a.tick()};
  if (const auto object = first_difference(a.world_at(a.tick()), b.world_at(b.tick()))) {
    difference.object = object->object;
    difference.what = "object " + std::to_string(object->object) + " " + text_of(*object);
  } else {
    difference.what = "no object differs after it: other events, or other changes that were refused";
  }
  return difference;
}

}  // namespace

base::Result<std::optional<Difference>, ComparisonFault> compare(std::string_view first,
                                                                 std::string_view second) {
  const auto reader_a = Reader::open(first);
  if (!reader_a) return ComparisonFault{1, reader_a.error()};
  const auto reader_b = Reader::open(second);
  if (!reader_b) return ComparisonFault{2, reader_b.error()};
  auto a = ReplayPlayer::open(*reader_a);
  if (!a) return ComparisonFault{1, a.error()};
  auto b = ReplayPlayer::open(*reader_b);
  if (!b) return ComparisonFault{2, b.error()};
  if (a->match().digest() != b->match().digest()) {
    return std::optional(Difference{.tick = 0, .what = "they are played by other rules"});
  }
  while (!a->is_done() && !b->is_done()) {
    if (const auto played = a->play(); !played) return ComparisonFault{1, played.error()};
    if (const auto played = b->play(); !played) return ComparisonFault{2, played.error()};
    if (a->match().digest() != b->match().digest()) return std::optional(describe(a->match(), b->match()));
  }
  if (reader_a->fault()) return ComparisonFault{1, *reader_a->fault()};
  if (reader_b->fault()) return ComparisonFault{2, *reader_b->fault()};
  if (a->is_done() && b->is_done()) return std::optional<Difference>();
  return std::optional(
      Difference{.tick = a->match().tick() + 1,
                 .what = a->is_done() ? "the first ends before it" : "the second ends before it"});
}

namespace {

bool has_same_scores(const std::vector<match::Score>& a, const std::vector<match::Score>& b) {
  return std::ranges::equal(a, b, is_equal);
}

bool has_same_receipt(const std::optional<Receipt>& a, const std::optional<Receipt>& b) {
  if (!a || !b) return !a && !b;
  return a->public_key == b->public_key && a->statement == b->statement && a->signature == b->signature;
}

}  // namespace

std::vector<std::string> compare_statements(const Reader& first, const Reader& second, bool is_any_log) {
  const Head& a = first.head();
  const Head& b = second.head();
  std::vector<std::string> names;
  const auto note = [&names](bool is_same, const char* name) {
    if (!is_same) names.emplace_back(name);
  };
  note(is_any_log || a.match_id == b.match_id, "match id");
  note(a.nonce == b.nonce, "nonce");
  note(is_any_log || a.rules_name == b.rules_name, "name of the rules");
  note(is_any_log || a.creator == b.creator, "creator");
  const auto& footer_a = first.footer();
  const auto& footer_b = second.footer();
  note(footer_a.has_value() == footer_b.has_value(), "footer");
  if (!footer_a || !footer_b) return names;
  note(has_same_scores(footer_a->ending.scores, footer_b->ending.scores), "scores");
  if (is_any_log) return names;
  note(footer_a->ending.cast == footer_b->ending.cast, "holders of seats");
  note(footer_a->ending.timeline == footer_b->ending.timeline, "clock");
  note(has_same_receipt(footer_a->receipt, footer_b->receipt), "receipt");
  return names;
}

}  // namespace sweepd::replay
