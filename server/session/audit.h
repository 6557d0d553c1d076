// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace sweepd::session {

enum class AuditEvent : std::uint8_t {
  kAuthenticationRefused,  ///< A caller is not who it says, or does not say who it is; also in the handshake
                           ///< of TLS.
  kPermissionRefused,      ///< It may not do that.
  kOperatorActed,
};

/// A line of the audit log. It never has a token; texts of clients are clipped before.
struct AuditRecord {
  AuditEvent event = AuditEvent::kOperatorActed;
  std::string_view who = {};       ///< "backend studio of game"; empty: no tickets are asked for.
  std::string_view what = {};      ///< The rpc: "EndMatch", "TLS handshake".
  std::string_view about = {};     ///< Beside the match: "ann of game"; empty: nothing else.
  std::string_view from = {};      ///< The peer's address; of a unix socket, its process.
  std::string_view match_id = {};  ///< Empty: about none, or not known.
  std::string_view outcome = {};   ///< "OK", or the name of a status.
  std::string_view reason = {};    ///< For people; empty: OK.
};

/// Writes a line, "audit", with a field for each of the record. Each event has a bound of its own, so that no
/// flood of refusals leaves out what operators do; what they do is written at every level of the log.
void audit(const AuditRecord& record);

}  // namespace sweepd::session
