// SPDX-License-Identifier: MIT
#include "runtime/match/seat_tokens.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

SeatTokens::Taken SeatTokens::take() {
  const ReconnectToken first = ReconnectToken::random();
  SeatTokens tokens({first.digest()});
  tokens.next_.emplace();
  return {std::move(tokens), first.bytes()};
}

bool SeatTokens::is_good(std::string_view token) const {
  return std::ranges::any_of(
      good_, [token](const TokenDigest& digest) { return ReconnectToken::is_of(token, digest); });
}

std::string SeatTokens::take_next(std::string_view token, Journal::Position durable) {
  const auto found = std::ranges::find_if(
      good_, [token](const TokenDigest& digest) { return ReconnectToken::is_of(token, digest); });
  SWEEPD_ASSERT(found != good_.end());
  const TokenDigest given = *found;
  const bool is_durable = next_ && next_->written && *next_->written <= durable;
  if (!is_durable) {
    if (!next_) next_.emplace();
    good_ = {given};
    return std::string(token);
  }
  const ReconnectToken next = next_->token;
  next_.emplace();
  good_ = {next.digest(), given};
  return next.bytes();
}

bool SeatTokens::confirm() {
  if (good_.size() < 2) return false;
  good_.erase(good_.begin() + 1, good_.end());
  return true;
}

std::vector<TokenDigest> SeatTokens::digests() const {
  std::vector<TokenDigest> digests = good_;
  if (next_) digests.push_back(next_->token.digest());
  return digests;
}

void SeatTokens::note_written(Journal::Position position) {
  if (next_ && !next_->written) next_->written = position;
}

}  // namespace sweepd::runtime
