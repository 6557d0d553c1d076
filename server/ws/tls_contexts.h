// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>

#include "runtime/tls/certificate_store.h"

namespace sweepd::ws {

/// OpenSSL's context for the certificates that are in the store now: made once, and anew when they change.
/// Connections keep what they began with. Thread-safe.
class TlsContexts {
 public:
  /// Null: there is no TLS. The store outlives it.
  explicit TlsContexts(const runtime::CertificateStore* certificates) : certificates_(certificates) {}

  bool has_tls() const { return certificates_ != nullptr; }
  /// Null: connections are in plain text. Where OpenSSL refuses new certificates, the former ones stay.
  std::shared_ptr<ssl_ctx_st> current();

 private:
  const runtime::CertificateStore* const certificates_;
  std::mutex mutex_;  ///< Of the next.
  std::shared_ptr<const runtime::CertificateSet> made_of_;
  std::shared_ptr<ssl_ctx_st> context_;
};

}  // namespace sweepd::ws
