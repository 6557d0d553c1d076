// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "runtime/budgets/client_limits.h"
#include "runtime/tls/certificate_set.h"

namespace sweepd::app {

/// How connections are encrypted. Without a certificate they are in plain text.
struct TlsChoice {
  runtime::TlsOptions files;
  bool allows_plain_text = false;  ///< Elsewhere than on loopback, too.

  bool has_tls() const { return !files.certificate.empty(); }
};

/// Adds the options to `app`, which write to `choice` and `limits` when it parses.
void describe_tls(CLI::App& app, TlsChoice& choice, runtime::ClientLimits& limits);

/// What does not go together; empty: all does. Once the options are parsed.
std::string take_tls(const CLI::App& app, TlsChoice& choice);

/// Whether only this machine reaches what listens there. A name that cannot be resolved is nowhere: the
/// listener says so.
bool is_loopback(const std::string& host);

}  // namespace sweepd::app
