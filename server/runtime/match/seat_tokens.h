// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/journal/journal.h"
#include "runtime/match/reconnect_token.h"

namespace sweepd::runtime {

/// The reconnect tokens of one seat. A participant that comes back gets another token; the one it came with
/// ends with the first frame after that, which says that the other has arrived. A token is given out only
/// when the journal has its digest: so no crash leaves a participant with one that the server does not know.
class SeatTokens {
 public:
  struct Taken;
  /// Of a seat that is taken now.
  static Taken take();
  /// Of one that is back from the journal: what `digests` was.
  explicit SeatTokens(std::vector<TokenDigest> digests) : good_(std::move(digests)) {}
  SeatTokens() = default;

  bool is_good(std::string_view token) const;
  /// The next token for a participant that comes back with a good one: the same while the next is not
  /// durable.
  std::string take_next(std::string_view token, Journal::Position durable);
  /// The token that was given out last has arrived. True: another has ended with that.
  bool confirm();

  /// Of all that may have been given out should the server die now, or later.
  std::vector<TokenDigest> digests() const;
  /// The journal has them when it is durable up to there; 0: it is none.
  void note_written(Journal::Position position);

 private:
  struct Next {
    Next() : token(ReconnectToken::random()) {}
    ReconnectToken token;
    std::optional<Journal::Position> written;
  };

  std::vector<TokenDigest> good_;  ///< That which was given out last is the first.
  /// Nothing where the seat is back from the journal and not taken: one that waits through many restarts does
  /// not get more and more.
  std::optional<Next> next_;
};

struct SeatTokens::Taken {
  SeatTokens tokens;
  std::string first;
};

}  // namespace sweepd::runtime
