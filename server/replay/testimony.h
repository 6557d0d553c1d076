// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sweepd::replay {

// What no one can find out by playing a match again: the server's word for it, in files from format version 9
// on and under the signature of their receipts.

/// Whose ticket it was. Without a name: no ticket was shown, the caller is unauthenticated.
struct TicketSubject {
  std::string name = {};
  std::string issuer = {};
  std::string tenant = {};

  bool is_known() const { return !name.empty(); }
  /// Whether it is the one that `expected` means. Of another tenant, the same name is another subject's; the
  /// issuer matters where one is said.
  bool is_meant_by(const TicketSubject& expected) const {
    const bool is_issuer = expected.issuer.empty() || issuer == expected.issuer;
    return is_known() && name == expected.name && tenant == expected.tenant && is_issuer;
  }
  friend bool operator==(const TicketSubject&, const TicketSubject&) = default;
};

/// A seat that was taken with a ticket. A participant without an entry has shown none.
struct SeatHolder {
  std::uint32_t number = 0;
  std::string name = {};  ///< Of the participant.
  TicketSubject subject = {};
  friend bool operator==(const SeatHolder&, const SeatHolder&) = default;
};

/// The clock is as said from after a tick on.
struct ClockChange {
  std::uint64_t tick = 0;
  std::int64_t unix_ms = 0;  ///< By the server's clock.
  bool is_paused = false;
  std::uint32_t tick_rate_hz = 0;
  bool is_restart = false;  ///< The match came back after a restart of the server.
  friend bool operator==(const ClockChange&, const ClockChange&) = default;
};

/// The clock's history. Past kClockChangesMax changes are counted only, but that one to a lower or higher
/// rate than all that are listed takes the place of another. How long a rate lasted is not
/// told then; wall times of key frames tell it (ObservedPace).
struct Timeline {
  static constexpr std::size_t kClockChangesMax = 256;

  std::int64_t start_unix_ms = 0;  ///< When the first tick ran; 0: it has not, or it is not known.
  std::int64_t end_unix_ms = 0;    ///< When the last did.
  std::vector<ClockChange> changes = {};
  std::uint64_t changes_omitted = 0;

  void note(const ClockChange& change);
  friend bool operator==(const Timeline&, const Timeline&) = default;
};

}  // namespace sweepd::replay
