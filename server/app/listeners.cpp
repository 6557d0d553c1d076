// SPDX-License-Identifier: MIT
#include "app/listeners.h"

#include <string>

#include "app/tls_options.h"
#include "runtime/telemetry/log.h"
#include "runtime/tls/handshakes.h"
#include "session/audit.h"

namespace sweepd::app {
namespace {

constexpr const char* kPlainTextPart = "plain_text";
constexpr const char* kAnonymousPart = "anonymous";

/// Those of its addresses that others than this machine reach, with commas between them.
std::string beyond_loopback(const Options& options) {
  std::string text;
  const auto add = [&text](const session::ListenAddress& address) {
    if (!is_loopback(address.host)) text += (text.empty() ? "" : ", ") + address.to_string();
  };
  add(options.server.listen);
  if (options.ws_listen) add(*options.ws_listen);
  if (options.http_listen) add(*options.http_listen);
  if (options.server.admin.address) add(*options.server.admin.address);
  return text;
}

bool allow_plain_text(const Options& options, runtime::Health& health) {
  const std::string beyond = beyond_loopback(options);
  if (beyond.empty()) return true;
  if (!options.tls.allows_plain_text) {
    runtime::log_error("plain text is for loopback only: give --tls-cert and --tls-key, or --insecure",
                       {{"listen", beyond}});
    return false;
  }
  const std::string warning = "connections from elsewhere are in plain text (--insecure)";
  runtime::log_warning(warning, {{"listen", beyond}});
  health.set_failing(kPlainTextPart, warning + ": " + beyond);
  return true;
}

/// Where others than those of this machine come in, for whom a front on it connects, too.
std::string addresses_of_strangers(const Options& options) {
  std::string text;
  const auto add = [&](const session::ListenAddress& address) {
    if (is_loopback(address.host) && options.server.fronts.empty()) return;
    text += (text.empty() ? "" : ", ") + address.to_string();
  };
  add(options.server.listen);
  if (options.ws_listen) add(*options.ws_listen);
  return text;
}

bool allow_anonymous(const Options& options, runtime::Health& health) {
  if (!options.tickets.tickets.keys.empty()) return true;
  const std::string address = addresses_of_strangers(options);
  if (address.empty()) return true;
  if (!options.tickets.allows_anonymous) {
    runtime::log_error(
        "without tickets every caller is an operator, which is for loopback only: give --ticket-keys, or "
        "--anonymous",
        {{"listen", address}});
    return false;
  }
  const std::string warning = "every caller from elsewhere is an operator (--anonymous)";
  runtime::log_warning(warning, {{"listen", address}});
  health.set_failing(kAnonymousPart, warning + ": " + address);
  return true;
}

/// Else every caller there would be an operator.
bool has_admin_credentials(const Options& options) {
  if (!options.server.admin.address || !options.tickets.tickets.keys.empty()) return true;
  if (options.tls.has_tls() &&
      options.tls.files.client_certificates == runtime::ClientCertificates::kRequired)
    return true;
  runtime::log_error(
      "operators come in over TCP with their tickets or certificates only: give --ticket-keys, or "
      "--tls-cert, "
      "--tls-key and --tls-client-ca, or --admin-listen unix:PATH",
      {{"admin_listen", options.server.admin.address->to_string()}});
  return false;
}

void audit_handshake(const runtime::HandshakeRefusal& refusal) {
  session::audit({.event = session::AuditEvent::kAuthenticationRefused,
                  .what = "TLS handshake",
                  .from = refusal.peer,
                  .outcome = "UNAUTHENTICATED",
                  .reason = refusal.reason});
}

}  // namespace

void audit_change_by_http(const std::string& peer, std::string_view path, std::string_view refusal) {
  const bool is_done = refusal.empty();
  const std::string what = "PUT " + std::string(path);
  session::audit({.event = is_done ? session::AuditEvent::kOperatorActed
                                   : session::AuditEvent::kPermissionRefused,
                  .what = what,
                  .from = peer,
                  .outcome = is_done ? "OK" : "PERMISSION_DENIED",
                  .reason = refusal.substr(0, refusal.find('\n'))});
}

bool may_change_log_level_by_http(const Options& options) {
  return options.tickets.tickets.keys.empty() && options.http_listen &&
         is_loopback(options.http_listen->host);
}

bool secure_listeners(const Options& options, runtime::Health& health, runtime::Metrics& metrics,
                      std::unique_ptr<runtime::CertificateStore>& certificates) {
  const bool may_be_anonymous = allow_anonymous(options, health) && has_admin_credentials(options);
  if (!options.tls.has_tls()) return allow_plain_text(options, health) && may_be_anonymous;
  if (!may_be_anonymous) return false;
  std::string error;
  certificates = runtime::CertificateStore::open(options.tls.files, &health, &metrics, error);
  if (certificates == nullptr) runtime::log_error(error);
  runtime::tell_handshake_refusals(audit_handshake);
  return certificates != nullptr;
}

}  // namespace sweepd::app
