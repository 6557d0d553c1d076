// SPDX-License-Identifier: MIT
#include "replay/comparison.h"

#include <algorithm>
#include <utility>

#include "replay/reader.h"
#include "replay/replay_player.h"

namespace sweepd::replay {
namespace {

using match::PastObject;

std::string place_text(const char* name, collision::Point point) {
  return std::string(name) + " (" + std::to_string(point.x) + ", " + std::to_string(point.y) + ")";
}

/// What of an object differs first; empty where nothing does.
std::string difference_of(const PastObject& a, const PastObject& b) {
  const auto& course_a = a.course;
  const auto& course_b = b.course;
  if (course_a.position != course_b.position) {
    return place_text("is at", course_a.position) + ", and " + place_text("at", course_b.position);
  }
  if (course_a.motion.velocity != course_b.motion.velocity) {
    return place_text("has the velocity", course_a.motion.velocity) + ", and " +
           place_text("", course_b.motion.velocity);
  }
  if (course_a.motion != course_b.motion) return "accelerates otherwise";
  if (a.owner != b.owner) {
    return "belongs to participant " + std::to_string(a.owner) + ", and to " + std::to_string(b.owner);
  }
  if (a.is_disabled != b.is_disabled)
    return a.is_disabled ? "is disabled, and is not" : "is not disabled, and is";
  if (!std::ranges::equal(a.parts, b.parts)) return "has other parts";
  return "";
}

/// By id.
std::optional<std::pair<match::ObjectId, std::string>> first_difference(const match::Match& a,
                                                                        const match::Match& b) {
  const match::PastWorld world_a = a.world_at(a.tick());
  const match::PastWorld world_b = b.world_at(b.tick());
  auto in_a = world_a.objects().begin();
  auto in_b = world_b.objects().begin();
  const auto end_a = world_a.objects().end();
  const auto end_b = world_b.objects().end();
  while (in_a != end_a || in_b != end_b) {
    if (in_b == end_b || (in_a != end_a && in_a->id < in_b->id))
      return std::pair(in_a->id, std::string("is only in the first"));
    if (in_a == end_a || in_b->id < in_a->id)
      return std::pair(in_b->id, std::string("is only in the second"));
    if (std::string what = difference_of(*in_a, *in_b); !what.empty())
      return std::pair(in_a->id, std::move(what));
    ++in_a;
    ++in_b;
  }
  return std::nullopt;
}

Difference describe(const match::Match& a, const match::Match& b) {
  Difference difference{.tick = a.tick()};
  if (auto object = first_difference(a, b)) {
    difference.object = object->first;
    difference.what = "object " + std::to_string(object->first) + " " + object->second;
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

}  // namespace sweepd::replay
