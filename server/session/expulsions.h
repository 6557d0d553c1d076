// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "identity/principal.h"
#include "runtime/budgets/budget_key.h"
#include "session/status.h"

namespace sweepd::session {

struct Ban {
  identity::Subject subject;
  std::int64_t until_s = 0;  ///< Seconds since 1970.
  std::string reason = {};
};

/// Subjects that operators have kicked or banned. Streams are ended by their own loops: each looks again when
/// the version has changed, with each of its beats at the latest, so a stream that moves between loops is not
/// missed. Times are those of tickets (ticket_time_s). Thread-safe.
class Expulsions {
 public:
  /// In force at once. One more is refused: dropping another would let that one back in.
  static constexpr std::size_t kBansMax = 10'000;
  /// That streams may have yet to look at. The oldest makes room: by then all have looked.
  static constexpr std::size_t kKicksMax = 1'024;

  /// False: there are kBansMax. A further ban of a subject replaces its former one.
  bool ban(const Ban& ban, std::int64_t now_s);
  /// False: there was none in force.
  bool unban(const identity::Subject& subject, std::int64_t now_s);
  /// By issuer, tenant and name.
  std::vector<Ban> bans(std::int64_t now_s) const;
  /// `match_id`: empty: from all.
  void kick(const identity::Subject& subject, std::string match_id);

  /// OK, or BANNED. Cheap while there are no bans.
  Status find_ban(const identity::Subject& subject, std::int64_t now_s) const;

  /// Streams that have ended by it, and participants that have left.
  void count_ended(std::uint32_t count) { ended_.fetch_add(count, std::memory_order_relaxed); }
  std::uint32_t ended() const { return ended_.load(std::memory_order_relaxed); }

  /// Grows with each ban and kick. Cheap.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  /// OK, or why what a subject does in a match ends: KICKED after that version, or BANNED.
  Status find(const identity::Subject& subject, std::string_view match_id, std::uint64_t since_version,
              std::int64_t now_s) const;

 private:
  struct Kick {
    runtime::BudgetKey subject;
    std::string match_id;
    std::uint64_t version = 0;
  };
  void remove_expired(std::int64_t now_s);

  mutable std::mutex mutex_;  ///< Of the next two.
  std::map<runtime::BudgetKey, Ban> bans_;
  std::deque<Kick> kicks_;
  std::atomic<std::size_t> ban_count_ = 0;
  std::atomic<std::uint64_t> version_ = 0;
  std::atomic<std::uint32_t> ended_ = 0;
};

/// "ann" of "game", for people. Clipped.
std::string text_of(const identity::Subject& subject);
/// RESOURCE_EXHAUSTED / TOO_MANY_BANS.
Status too_many_bans();

}  // namespace sweepd::session
