// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "identity/ticket_verifier.h"
#include "runtime/key_files.h"
#include "runtime/loop/periodic_thread.h"
#include "runtime/telemetry/health.h"
#include "session/gate.h"

namespace sweepd::app {

struct TicketOptions {
  std::filesystem::path keys = {};  ///< A JWKS; empty: no tickets are asked for.
  identity::TicketRules rules = {};
};

/// Gives the gate the keys of a file, and those that it has later. A file that is no key set leaves the gate
/// the keys that it had: health, log and a counter say so.
class TicketKeys {
 public:
  /// All outlive it. Of `health` and `metrics`, null: there is none.
  TicketKeys(session::Gate& gate, TicketOptions options, runtime::Health* health, runtime::Metrics* metrics);

  /// Before calls come. Nothing, or what is wrong with the file.
  std::optional<std::string> load();
  /// Looks at the file from now on.
  void watch() { thread_.start(); }
  /// Reads the file again, as it may have changed: how many keys it has, or what is wrong with it. Without a
  /// file 0. From any thread.
  base::Result<std::size_t, std::string> reload();

 private:
  base::Result<std::size_t, std::string> read();
  void reload_if_changed();

  session::Gate& gate_;
  const TicketOptions options_;
  runtime::Health* const health_;
  std::mutex mutex_;
  runtime::KeyFiles file_;
  runtime::PeriodicThread thread_{"ticket keys"};
};

}  // namespace sweepd::app
