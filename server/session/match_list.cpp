// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "session/methods.h"
#include "session/refusals.h"
#include "session/with_match.h"

namespace sweepd::session {
namespace {

constexpr std::uint32_t kPageSizeDefault = 100;
constexpr std::uint32_t kPageSizeMax = 1000;
/// A page ends early rather than exceed it: half of what clients take in a message by default.
constexpr std::size_t kPageBytesMax = 2 << 20;

/// A match of a list. `match` is absent where it has ended, where the caller may not see it, or where it
/// `is_left_out` of this page.
struct Listed {
  runtime::MatchPlace place;
  std::optional<v1::Match> match = {};
  bool is_left_out = false;
  bool is_hidden = false;

  bool is_done() const { return match || is_left_out || is_hidden; }
};

/// The answers of several loops to one list. Each loop fills in its own matches.
struct Gathering {
  std::size_t page_size = 0;
  runtime::MatchId after = {};  ///< The last match that has been looked at.
  bool has_more = false;        ///< Matches after those in `listed`.
  std::size_t bytes = 0;        ///< Of the page.
  std::vector<Listed> listed = {};
  std::atomic<std::size_t> loops_left = 0;
  int looks = 0;
};

/// Describes the matches of a loop, as many as a page may take: a config may have hundreds of kilobytes.
void describe_matches_of(MatchLoop& home, const identity::Principal& caller, Gathering& gathering) {
  std::size_t bytes = 0;
  std::size_t described = 0;
  for (Listed& listed : gathering.listed) {
    if (listed.place.loop != home.index() || listed.is_done()) continue;
    const runtime::MatchHost* host = home.matches().find(listed.place.id);
    if (host == nullptr) continue;
    listed.is_hidden = !find_refusal(caller, ListMatchesCall::rpc(), *host).ok();
    if (listed.is_hidden) continue;
    listed.is_left_out = bytes >= kPageBytesMax || described == gathering.page_size;
    if (listed.is_left_out) continue;
    encode_match(*host, home.endpoint(), listed.match.emplace());
    bytes += listed.match->ByteSizeLong();
    ++described;
  }
}

/// False: the page is full, and its token names the last match on it. A match that is hidden from the caller
/// is named by no token. The page has room for one match, however large.
bool put_on_page(ListMatchesCall& call, Gathering& gathering) {
  v1::ListMatchesResponse& response = call.response();
  const auto is_full = [&](const Listed& listed) {
    if (response.matches_size() == 0 || listed.is_hidden) return false;
    if (static_cast<std::size_t>(response.matches_size()) == gathering.page_size) return true;
    return listed.is_left_out || gathering.bytes + listed.match->ByteSizeLong() > kPageBytesMax;
  };
  for (Listed& listed : gathering.listed) {
    const bool is_there = listed.match || listed.is_left_out;  // Those that ended meanwhile are not listed.
    if (is_there && is_full(listed)) {
      response.set_next_page_token(response.matches(response.matches_size() - 1).match_id());
      return false;
    }
    if (!listed.match) continue;
    gathering.bytes += listed.match->ByteSizeLong();
    *response.add_matches() = std::move(*listed.match);
  }
  return true;
}

/// Whether there are some left that were not where they had been looked for: they have moved.
base::Result<bool, Status> look_again(Backend& backend, Gathering& gathering) {
  ++gathering.looks;
  bool is_any_left = false;
  for (Listed& listed : gathering.listed) {
    if (listed.is_done()) continue;
    const auto next = place_of(backend, listed.place.id, gathering.looks);
    if (!next.ok() && next.error().code() != Code::kNotFound) return next.error();
    is_any_left |= next.ok();
    listed.place.loop = next.ok() ? (*next)->index() : backend.loops.size();
  }
  return is_any_left;
}

void list_next(ListMatchesCall& call, const std::shared_ptr<Gathering>& gathering, std::size_t places_max);

void gather(ListMatchesCall& call, const std::shared_ptr<Gathering>& gathering) {
  Backend& backend = call.home().backend();
  gathering->loops_left = backend.loops.size();
  for (const auto& loop : backend.loops) {
    // Even if it is this one: each loop looks after what is on its way to it.
    loop->loop().post([&call, &backend, &home = *loop, gathering] {
      describe_matches_of(home, call.principal(), *gathering);
      if (gathering->loops_left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
      const auto is_any_left = look_again(backend, *gathering);
      if (!is_any_left.ok()) return call.fail(is_any_left.error());
      if (*is_any_left) return gather(call, gathering);
      if (!put_on_page(call, *gathering) || !gathering->has_more) return call.reply();
      list_next(call, gathering, kPageSizeMax);
    });
  }
}

/// Looks at further matches, as too few of those before are for the caller to see.
void list_next(ListMatchesCall& call, const std::shared_ptr<Gathering>& gathering, std::size_t places_max) {
  auto places = call.home().backend().registry.list(gathering->after, places_max + 1);
  gathering->has_more = places.size() > places_max;
  if (gathering->has_more) places.pop_back();
  if (!places.empty()) gathering->after = places.back().id;
  gathering->looks = 0;
  gathering->listed.clear();
  for (runtime::MatchPlace& place : places) gathering->listed.push_back({std::move(place)});
  gather(call, gathering);
}

}  // namespace

void list_matches(ListMatchesCall& call) {
  const std::uint32_t asked = call.request().page_size();
  const auto gathering = std::make_shared<Gathering>();
  gathering->page_size = std::min(asked == 0 ? kPageSizeDefault : asked, kPageSizeMax);
  gathering->after = call.request().page_token();
  // One more tells whether there is a page after this one.
  list_next(call, gathering, gathering->page_size + 1);
}

}  // namespace sweepd::session
