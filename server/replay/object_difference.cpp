// SPDX-License-Identifier: MIT
#include "replay/object_difference.h"

#include <algorithm>
#include <utility>

namespace sweepd::replay {
namespace {

using collision::Part;
using collision::Point;
using match::PastObject;
using Where = ObjectDifference::Where;

/// What the one says, and the other; both empty where they are alike.
using Texts = std::pair<std::string, std::string>;

std::string text_of(Point point) {
  std::string text = "(";
  text += std::to_string(point.x) + ", " + std::to_string(point.y) + ")";
  return text;
}

std::string text_of(const collision::Box& box) {
  return text_of(Point{box.min_x, box.min_y}) + " to " + text_of(Point{box.max_x, box.max_y});
}

Texts difference_of(const Part& a, const Part& b, const std::string& name) {
  if (a.layer != b.layer) {
    return {"has " + name + " on layer " + std::to_string(a.layer), "on layer " + std::to_string(b.layer)};
  }
  if (a.box != b.box) return {"has " + name + " from " + text_of(a.box), "from " + text_of(b.box)};
  return {"has " + name + " in one shape", "in another"};
}

Texts difference_of(std::span<const Part> a, std::span<const Part> b) {
  if (a.size() != b.size()) {
    return {"has a number of parts of " + std::to_string(a.size()), std::to_string(b.size())};
  }
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  if (in_a == a.end()) return {};
  return difference_of(*in_a, *in_b, "part " + std::to_string(in_a - a.begin()));
}

Texts difference_of(const PastObject& a, const PastObject& b) {
  const Point at_a = a.trajectory.position, at_b = b.trajectory.position;
  const collision::Motion &moves_a = a.trajectory.motion, &moves_b = b.trajectory.motion;
  if (at_a != at_b) return {"is at " + text_of(at_a), "at " + text_of(at_b)};
  if (moves_a.velocity != moves_b.velocity) {
    return {"has the velocity " + text_of(moves_a.velocity), text_of(moves_b.velocity)};
  }
  if (moves_a.acceleration != moves_b.acceleration) {
    return {"has the acceleration " + text_of(moves_a.acceleration), text_of(moves_b.acceleration)};
  }
  if (a.owner != b.owner) {
    return {"belongs to participant " + std::to_string(a.owner), "to " + std::to_string(b.owner)};
  }
  if (a.is_disabled != b.is_disabled) {
    return a.is_disabled ? Texts("is disabled", "not") : Texts("is not disabled", "it is");
  }
  return difference_of(a.parts, b.parts);
}

}  // namespace

std::optional<ObjectDifference> first_difference(const match::PastWorld& first,
                                                 const match::PastWorld& second) {
  auto a = first.objects().begin();
  auto b = second.objects().begin();
  const auto end_a = first.objects().end();
  const auto end_b = second.objects().end();
  for (; a != end_a || b != end_b; ++a, ++b) {
    if (b == end_b || (a != end_a && a->id < b->id))
      return ObjectDifference{a->id, Where::kOnlyInFirst, "is there", "not"};
    if (a == end_a || b->id < a->id)
      return ObjectDifference{b->id, Where::kOnlyInSecond, "is not there", "it is"};
    if (Texts texts = difference_of(*a, *b); !texts.first.empty())
      return ObjectDifference{a->id, Where::kBoth, std::move(texts.first), std::move(texts.second)};
  }
  return std::nullopt;
}

}  // namespace sweepd::replay
