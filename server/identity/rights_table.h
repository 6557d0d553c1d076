// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "identity/principal.h"

namespace sweepd::identity {

/// Verdicts of the table.
enum class Right : std::uint8_t {
  kNo,
  kYes,
  kIfTicketSays,     ///< The ticket has `create`.
  kIfMatchAllows,    ///< The match's config lists the caller's role for it; by default it does not.
  kAtAdminListener,  ///< The caller has come by the admin listener.
  kInPart,  ///< Yes, but without the seed and the counters of others; with them where the match's config says
            ///< so.
};

/// Rights on an own match and on any other. Calls without a match have the same right in both.
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

/// The table of rights: a row for each rpc, and for Play a row for each role to join as. An rpc without a row
/// is refused. A list contains the matches for which the caller's cell is not kNo.
std::span<const RightsRow> rights_rows();

/// The cell of a row by its name; kNo if there is no such row.
Right right_of(std::string_view rpc, PrincipalKind kind, MatchRelation relation);

/// Name of the row for joining as kStage, kPlayer or kObserver. No row has the name for another kind.
std::string play_as(PrincipalKind role);

/// The table in Markdown, with a line for what each word means.
std::string rights_markdown();

}  // namespace sweepd::identity
