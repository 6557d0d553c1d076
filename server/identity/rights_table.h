// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "identity/principal.h"

namespace sweepd::identity {

/// What a caller may.
enum class Right : std::uint8_t {
  kNo,
  kYes,
  kIfTicketSays,   ///< The ticket has `create`.
  kIfMatchAllows,  ///< The match's config lists the caller's role for it; as long as it lists none, no.
  kInPart,  ///< Yes, but without the seed and the counters of others; with them where the match's config says
            ///< so.
};

/// On a match of one's own, and on any other. Calls that are about no match have the same in both.
struct RightsCell {
  Right own = Right::kNo;
  Right other = Right::kNo;
  constexpr Right of(MatchRelation relation) const { return relation == MatchRelation::kOwn ? own : other; }
};

struct RightsRow {
  std::string_view rpc;  ///< Without the first slash; a way of joining follows it:
                         ///< "sweepd.v1.MatchService/Play as player".
  std::array<RightsCell, kPrincipalKinds.size()> cells;  ///< In the order of kPrincipalKinds.
};

/// Who may do what: a row for each rpc, of Play a row for each role to join as. What has no row is
/// refused. A list shows the matches of which the caller's cell is not kNo.
std::span<const RightsRow> rights_rows();

/// kNo where there is no such row. `rpc` as a row has it.
Right right_of(std::string_view rpc, PrincipalKind kind, MatchRelation relation);

/// The row of joining as `role`: one of kStage, kPlayer, kObserver. Of any other there is none.
std::string play_as(PrincipalKind role);

/// The table in Markdown, with a line for what each word means.
std::string rights_markdown();

}  // namespace sweepd::identity
