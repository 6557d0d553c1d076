// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

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
  /// What tells a file from the one that was there before.
  struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_s = 0;
    std::int64_t changed_ns = 0;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
  };
  using Stamps = std::vector<FileStamp>;

  CertificateStore(const TlsOptions& options, CertificateSet first, Stamps stamps, Health* health,
                   Metrics* metrics);
  static Stamps stamps_of(const TlsOptions& options);
  void show(Metrics& metrics);
  void look();
  void load(const Stamps& stamps);
  void tell() const;

  const TlsOptions options_;
  Health* const health_;
  mutable std::mutex mutex_;  ///< Of the next.
  std::shared_ptr<const CertificateSet> current_;
  std::mutex loading_;  ///< Of the next, and for as long as files are read.
  Stamps loaded_;       ///< Of the files when they were last read.
  Stamps seen_;         ///< When they were last looked at.
  std::string fault_;   ///< Of the files that are there; empty: `current_` is what they say.
  std::optional<CounterFamily> reloads_;
  std::vector<ComputedMetric> metrics_;
  PeriodicThread watch_{"certificates"};
};

}  // namespace sweepd::runtime
