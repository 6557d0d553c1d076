// SPDX-License-Identifier: MIT
#include "session/audit.h"

#include <array>
#include <cstddef>

#include "runtime/telemetry/log.h"

namespace sweepd::session {
namespace {

/// Refusals are strangers' to cause, acts only operators'.
constexpr std::uint32_t kRefusalsPerSecondMax = 100;
constexpr std::uint32_t kActsPerSecondMax = 1000;

constexpr std::array<std::string_view, 3> kEventNames{"authentication_refused", "permission_refused",
                                                      "operator_acted"};

runtime::LogBound& bound_of(AuditEvent event) {
  static runtime::LogBound authentication(kRefusalsPerSecondMax);
  static runtime::LogBound permission(kRefusalsPerSecondMax);
  static runtime::LogBound acts(kActsPerSecondMax);
  switch (event) {
    case AuditEvent::kAuthenticationRefused:
      return authentication;
    case AuditEvent::kPermissionRefused:
      return permission;
    case AuditEvent::kOperatorActed:
      break;
  }
  return acts;
}

}  // namespace

void audit(const AuditRecord& record) {
  const bool is_act = record.event == AuditEvent::kOperatorActed;
  if (!is_act && !runtime::is_logged(runtime::LogLevel::kInfo)) return;
  bound_of(record.event)
      .log_always(runtime::LogLevel::kInfo, "audit",
                  {{"event", kEventNames.at(static_cast<std::size_t>(record.event))},
                   {"who", record.who},
                   {"what", record.what},
                   {"about", record.about},
                   {"from", record.from},
                   {"match_id", record.match_id},
                   {"outcome", record.outcome},
                   {"reason", record.reason}});
}

}  // namespace sweepd::session
