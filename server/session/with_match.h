// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "base/result.h"
#include "session/match_loop.h"
#include "session/permission.h"
#include "session/refusals.h"

namespace sweepd::session {

// Where a match lives is looked up by one thread and acted upon by another, a little later: it may have moved
// meanwhile. If it is not on that loop any more, the call looks again.

/// How often a match is looked for. A match moves once in seconds at most, so more retries mean a fault: the
/// call gives up.
inline constexpr int kLooksMax = 16;

/// The loop where a match is to be found now, for the `looks`th further time; or what becomes of a call that
/// asks for it: there is no such match, or it was always elsewhere.
base::Result<MatchLoop*, Status> place_of(Backend& backend, const runtime::MatchId& id, int looks);

/// Runs `found(host, home)` on the loop of a match, wherever that is by then, or `lost(status)` on any loop.
/// From a loop's thread: at once, if that is the match's.
template <typename Found, typename Lost>
void with_match(Backend& backend, const runtime::MatchId& id, Found found, Lost lost, int looks = 0) {
  const auto place = place_of(backend, id, looks);
  if (!place.ok()) return lost(place.error());
  MatchLoop& home = **place;
  auto ask = [&backend, &home, id, found = std::move(found), lost = std::move(lost), looks]() mutable {
    runtime::MatchHost* const host = home.matches().find(id);
    if (host != nullptr) return found(*host, home);
    with_match(backend, id, std::move(found), std::move(lost), looks + 1);
  };
  if (looks == 0) return home.run(std::move(ask));
  home.loop().post(std::move(ask));  // Even if it is this loop: the match may be about to come to it.
}

/// The same for a unary call, which fails if there is no match.
template <typename Call, typename Work>
void with_match(Call& call, const runtime::MatchId& id, Work work) {
  const auto found = [&call, work = std::move(work)](runtime::MatchHost& host, MatchLoop& home) {
    const runtime::LogScope scope = call.log_scope();
    if (const Status refusal = find_refusal(call.principal(), call.rpc(), host); !refusal.ok())
      return call.fail(refusal);
    work(host, home);
  };
  with_match(call.home().backend(), id, found, [&call](const Status& status) {
    const runtime::LogScope scope = call.log_scope();
    call.fail(status);
  });
}

/// The same in a slice of long work (Loop::post_slice), for what may take milliseconds.
template <typename Call, typename Work>
void with_match_in_slice(Call& call, const runtime::MatchId& id, Work work) {
  with_match(call, id, [&call, &id, work = std::move(work)](runtime::MatchHost&, MatchLoop& home) {
    // The match may move or end before.
    home.loop().post_slice([&call, &id, work] { with_match(call, id, work); });
  });
}

}  // namespace sweepd::session
