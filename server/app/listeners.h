// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/options.h"
#include "runtime/telemetry/health.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/tls/certificate_store.h"

namespace sweepd::app {

/// Of a request by HTTP to change something; `refusal`: why it was not done, empty where it was.
void audit_change_by_http(const std::string& peer, std::string_view path, std::string_view refusal);

/// Whether the log level may be changed by HTTP, which asks for no ticket: on loopback, where no other
/// listener asks for one.
bool may_change_log_level_by_http(const Options& options);

/// How this server's listeners are secured. False: they must not be opened, and the log says why. Plain text
/// that leaves the machine is told in the log and in the health of `plain_text`, callers from elsewhere
/// without tickets in that of `anonymous`. Without `--tls-cert` the
/// store stays null.
bool secure_listeners(const Options& options, runtime::Health& health, runtime::Metrics& metrics,
                      std::unique_ptr<runtime::CertificateStore>& certificates);

}  // namespace sweepd::app
