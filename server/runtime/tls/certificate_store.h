// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/key_files.h"
#include "runtime/loop/periodic_thread.h"
#include "runtime/telemetry/health.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/tls/certificate_set.h"

namespace sweepd::runtime {

/// The certificates of a server's listeners, read again when their files change and when it is asked for.
/// What is wrong with new files is told in the log, in the health of `tls` and by a counter, and the former
/// certificates stay. Connections that are there keep what they began with. Thread-safe.
class CertificateStore {
 public:
  /// Of one that expires sooner, the health warns.
  static constexpr std::chrono::hours kExpiryWarning{24};

  /// Null: `error` says why. `health` and `metrics` may be null; they outlive the store.
  static std::unique_ptr<CertificateStore> open(const TlsOptions& options, Health* health, Metrics* metrics,
                                                std::string& error);
  ~CertificateStore();
  CertificateStore(const CertificateStore&) = delete;
  CertificateStore& operator=(const CertificateStore&) = delete;

  std::shared_ptr<const CertificateSet> current() const;
  ClientCertificates client_certificates() const { return options_.client_certificates; }

  /// Looks at the files now, changed or not.
  void reload();

 private:
  CertificateStore(const TlsOptions& options, CertificateSet first, KeyFiles files, Health* health,
                   Metrics* metrics);
  void show(Metrics& metrics);
  void look();
  void load();
  void tell() const;

  const TlsOptions options_;
  Health* const health_;
  mutable std::mutex mutex_;  ///< Of the next.
  std::shared_ptr<const CertificateSet> current_;
  std::mutex loading_;  ///< Of the next, and for as long as files are read.
  KeyFiles files_;
  std::string fault_;  ///< Of the files that are there; empty: `current_` is what they say.
  std::vector<ComputedMetric> metrics_;
  PeriodicThread watch_{"certificates"};
};

}  // namespace sweepd::runtime
