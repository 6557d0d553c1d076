// SPDX-License-Identifier: MIT
#include "runtime/tls/certificate_store.h"

#include <utility>

#include "runtime/telemetry/log.h"
#include "runtime/tls/handshakes.h"

namespace sweepd::runtime {
namespace {

using std::chrono::system_clock;

constexpr const char* kPart = "tls";

double seconds_left(const CertificateSet& set) {
  return std::chrono::duration<double>(set.expires - system_clock::now()).count();
}

/// Empty: not soon.
std::string warning_of_expiry(const CertificateSet& set) {
  const auto left = set.expires - system_clock::now();
  if (left <= system_clock::duration::zero()) return "the certificate of " + set.subject + " has expired";
  if (left > CertificateStore::kExpiryWarning) return {};
  const auto hours = std::chrono::duration_cast<std::chrono::hours>(left).count();
  return "the certificate of " + set.subject + " expires in " + std::to_string(hours) + " hours";
}

}  // namespace

std::unique_ptr<CertificateStore> CertificateStore::open(const TlsOptions& options, Health* health,
                                                         Metrics* metrics, std::string& error) {
  KeyFiles files({options.certificate, options.key, options.client_ca});
  files.begin_reading();
  auto first = read_certificates(options);
  if (!first) {
    error = first.error();
    return nullptr;
  }
  count_handshakes();
  return std::unique_ptr<CertificateStore>(
      new CertificateStore(options, std::move(*first), std::move(files), health, metrics));
}

CertificateStore::CertificateStore(const TlsOptions& options, CertificateSet first, KeyFiles files,
                                   Health* health, Metrics* metrics)
    : options_(options),
      health_(health),
      current_(std::make_shared<const CertificateSet>(std::move(first))),
      files_(std::move(files)) {
  if (metrics != nullptr) show(*metrics);
  tell();
  watch_.every(KeyFiles::kLookPeriod, [this] { look(); });
  watch_.start();
}

CertificateStore::~CertificateStore() { watch_.stop(); }

void CertificateStore::show(Metrics& metrics) {
  files_.show(metrics, "sweepd_tls_reloads_total",
              "Times that the files of certificates were read again, by what came of it.");
  metrics_.push_back(metrics.computed_gauge("sweepd_tls_certificate_seconds_left",
                                            "Until the certificate expires that new connections get.",
                                            [this] { return seconds_left(*current()); }));
  metrics_.push_back(metrics.computed_counter("sweepd_tls_handshakes_total", "Handshakes of TLS that began.",
                                              [] { return static_cast<double>(handshakes_begun()); }));
  metrics_.push_back(metrics.computed_counter("sweepd_tls_handshakes_failed_total",
                                              "Handshakes of TLS that came to nothing.",
                                              [] { return static_cast<double>(handshakes_failed()); }));
}

std::shared_ptr<const CertificateSet> CertificateStore::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void CertificateStore::look() {
  const std::lock_guard lock(loading_);
  if (files_.is_due()) load();
  tell();
}

void CertificateStore::reload() {
  const std::lock_guard lock(loading_);
  load();
  tell();
}

void CertificateStore::load() {
  files_.begin_reading();
  auto read = read_certificates(options_);
  files_.count(read.ok());
  if (!read) {
    fault_ = read.error();
    return log_error("the new certificate is refused, the former one stays", {{"reason", fault_}});
  }
  fault_.clear();
  const auto next = std::make_shared<const CertificateSet>(std::move(*read));
  log_info("certificate read", {{"subject", next->subject},
                                {"hours_left", static_cast<std::int64_t>(seconds_left(*next) / 3600)}});
  const std::lock_guard lock(mutex_);
  current_ = next;
}

void CertificateStore::tell() const {
  if (health_ == nullptr) return;
  const std::string failure =
      fault_.empty() ? warning_of_expiry(*current()) : "new files are refused: " + fault_;
  if (failure.empty()) return health_->set_ok(kPart);
  health_->set_failing(kPart, failure);
}

}  // namespace sweepd::runtime
