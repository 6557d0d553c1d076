// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sweepd/client.h"
#include "sweepd/status.h"

/// What operators do to a running server, by its admin listener.
namespace sweepd {

/// Whose tickets: their claims iss, tenant and sub.
struct Subject {
  std::string issuer = {};  ///< 1 to 128 bytes.
  std::string tenant = {};  ///< At most 128 bytes; empty: none.
  std::string name = {};    ///< 1 to 128 bytes.
};

struct Ban {
  Subject subject = {};
  std::int64_t until_s = 0;  ///< Seconds since 1970.
  std::string reason = {};
};

/// Calls to the admin listener. Each blocks until it is answered, for at most ClientOptions::timeout. A
/// number or text out of range fails it (kInvalidArgument). Matches of others are ended and paced by the
/// client that it is made of. Thread-safe.
class Admin {
 public:
  /// `client`: of the admin listener: ClientOptions::server is "unix:PATH", or HOST:PORT with an operator's
  /// token. The client may go before.
  explicit Admin(const Client& client);
  ~Admin();
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

  /// How many streams have ended. `match_id`: empty: of all matches.
  Result<std::uint32_t> kick(const Subject& subject, const std::string& match_id = {});
  /// The same; and the subject is refused for `seconds`: 1 to 31,622,400, 366 days. The ban ends with the
  /// server's process at the latest. `reason`: at most 256 bytes; the subject is told. At most 10,000 bans
  /// are in force (kResourceExhausted); a later one of the same subject replaces the earlier.
  Result<std::uint32_t> ban(const Subject& subject, std::uint64_t seconds, const std::string& reason = {});
  /// kNotFound: it is not banned.
  Status unban(const Subject& subject);
  /// Those in force.
  Result<std::vector<Ban>> bans();

  Result<std::string> log_level();
  /// "trace", "debug", "info", "warning", "error" or "off". Returns the one before.
  Result<std::string> set_log_level(const std::string& level);
  /// How many keys of tickets are good now; 0: no tickets are asked for.
  Result<std::uint32_t> reload_keys();

  // Of a match that is over; they return the bytes that its replay has.
  /// Keeps it from being removed by age or size, until it is released.
  Result<std::uint64_t> hold_replay(const std::string& match_id);
  Result<std::uint64_t> release_replay(const std::string& match_id);
  /// Removes it for good; not while it is held.
  Result<std::uint64_t> delete_replay(const std::string& match_id);

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sweepd
