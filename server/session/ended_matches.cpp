// SPDX-License-Identifier: MIT
#include "session/ended_matches.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::session {
namespace {

/// A match's share, with what it takes to keep it.
std::size_t bytes_of(const EndedMatches::Ended& ended) {
  constexpr std::size_t kRowBytes = 512;
  return ended.match.size() + ended.owners.size() * 128 + kRowBytes;
}

}  // namespace

void EndedMatches::add(const runtime::MatchHost& host, const Endpoint& endpoint) {
  v1::Match message;
  encode_match(host, endpoint, message);
  encode_former(host, message);
  message.clear_endpoint();
  Ended ended{.match = message.SerializeAsString(),
              .creator = host.creator(),
              .secret_roles = host.match().config().permissions.secret_roles,
              .owners = {}};
  for (const match::Participant& participant : host.match().participants())
    ended.owners.emplace(participant.number, host.owner_of(participant.number));
  add(host.id(), std::move(ended));
}

void EndedMatches::add(const runtime::MatchId& id, Ended ended) {
  const std::lock_guard lock(mutex_);
  if (rows_.contains(id)) remove(id);
  const std::size_t bytes = bytes_of(ended);
  if (bytes > kBytesMax) return;
  Creator& creator = creators_[ended.creator];
  creator.bytes += bytes;
  bytes_ += bytes;
  const auto place = creator.matches.insert(creator.matches.end(), id);
  rows_.emplace(id, Row{std::make_shared<const Ended>(std::move(ended)), place});
  make_room();
}

void EndedMatches::make_room() {
  while (rows_.size() > kMatchesMax || bytes_ > kBytesMax) {
    const auto most =
        std::ranges::max_element(creators_, {}, [](const auto& creator) { return creator.second.bytes; });
    remove(runtime::MatchId(most->second.matches.front()));
  }
}

void EndedMatches::remove(const runtime::MatchId& id) {
  const auto row = rows_.find(id);
  SWEEPD_ASSERT(row != rows_.end());
  const auto creator = creators_.find(row->second.ended->creator);
  const std::size_t bytes = bytes_of(*row->second.ended);
  bytes_ -= bytes;
  creator->second.bytes -= bytes;
  creator->second.matches.erase(row->second.place);
  if (creator->second.matches.empty()) creators_.erase(creator);
  rows_.erase(row);
}

std::shared_ptr<const EndedMatches::Ended> EndedMatches::find(const runtime::MatchId& id) const {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(id);
  return row == rows_.end() ? nullptr : row->second.ended;
}

std::size_t EndedMatches::size() const {
  const std::lock_guard lock(mutex_);
  return rows_.size();
}

}  // namespace sweepd::session
