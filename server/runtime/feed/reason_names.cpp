// SPDX-License-Identifier: MIT
#include "runtime/feed/reason_names.h"

#include <array>
#include <cstddef>

namespace sweepd::runtime {
namespace {

/// By number.
constexpr std::array<std::string_view, 36> kRejectionReasons{"",
                                                             "MALFORMED",
                                                             "TOO_LATE",
                                                             "TOO_FAR_AHEAD",
                                                             "TOO_MANY_FRAMES",
                                                             "NOT_ALLOWED",
                                                             "ID_OUT_OF_BLOCK",
                                                             "ID_IN_USE",
                                                             "ID_USED_THIS_TICK",
                                                             "UNKNOWN_OBJECT",
                                                             "NOT_OWNER",
                                                             "INVERTED_BOX",
                                                             "UNKNOWN_LAYER",
                                                             "UNKNOWN_PART",
                                                             "OUT_OF_RANGE",
                                                             "NO_PARTS",
                                                             "TOO_MANY_PARTS",
                                                             "TOO_MANY_OBJECTS",
                                                             "TICK_IN_THE_PAST",
                                                             "NEGATIVE_RADIUS",
                                                             "UNKNOWN_MASK",
                                                             "TOO_FAST",
                                                             "MAY_NOT_TELEPORT",
                                                             "LAYER_NOT_ALLOWED",
                                                             "TOO_MANY_BYTES",
                                                             "OUTSIDE_PLAYFIELD",
                                                             "TOO_MANY_CLAIMS",
                                                             "NOT_A_PARTICIPANT",
                                                             "MAY_NOT_CONTROL",
                                                             "TOO_MANY_MASS_CHANGES",
                                                             "TEMPLATE_NOT_ALLOWED",
                                                             "TOO_SOON",
                                                             "SPAWN_PLACE",
                                                             "NOT_IN_TEMPLATE",
                                                             "REGION_TOO_LARGE",
                                                             "TOO_MANY_MESSAGES"};
static_assert(kRejectionReasons.size() ==
              static_cast<std::size_t>(match::RejectionReason::kTooManyMessages) + 1);  // The last one.
constexpr std::array<std::string_view, match::kVerdictsEnd> kVerdicts{
    "",        "CONFIRMED",     "NOT_OVERLAPPING",       "UNKNOWN_OBJECT",  "NOT_OWNER",
    "TOO_OLD", "IN_THE_FUTURE", "LAYERS_DO_NOT_COLLIDE", "ALREADY_CLAIMED", "IMPLAUSIBLE_VIEW"};

template <typename Names, typename Number>
std::string_view find(const Names& names, Number number) {
  const auto index = static_cast<std::size_t>(number);
  return index < names.size() ? names[index] : std::string_view();
}

}  // namespace

std::string_view name_of(match::RejectionReason reason) { return find(kRejectionReasons, reason); }

std::string_view name_of(match::Verdict verdict) { return find(kVerdicts, verdict); }

}  // namespace sweepd::runtime
