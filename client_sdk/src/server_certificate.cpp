// SPDX-License-Identifier: MIT
#include "server_certificate.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <vector>

#include "pem.h"

namespace sweepd::internal {
namespace {

using StoreContext = std::unique_ptr<X509_STORE_CTX, FreeBy<X509_STORE_CTX_free>>;

struct FreeStack {
  void operator()(STACK_OF(X509) * stack) const { sk_X509_free(stack); }
};
using Stack = std::unique_ptr<STACK_OF(X509), FreeStack>;

std::vector<Certificate> certificates_in(const std::string& pem) {
  const Bio bio = bio_of(pem);
  std::vector<Certificate> all;
  while (X509* const one = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) all.emplace_back(one);
  ERR_clear_error();  // Of the end.
  return all;
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string text_of(const ASN1_TIME* time) {
  const Bio bio(BIO_new(BIO_s_mem()));
  ASN1_TIME_print(bio.get(), time);
  return text_of(bio.get());
}

/// "game.example.com, 10.0.0.2"; "no name" where it has none.
std::string names_of(const X509* certificate) {
  auto* const names =
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  std::string text;
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    const Bio bio(BIO_new(BIO_s_mem()));
    GENERAL_NAME_print(bio.get(), sk_GENERAL_NAME_value(names, i));
    text += (text.empty() ? "" : ", ") + text_of(bio.get());
  }
  GENERAL_NAMES_free(names);
  return text.empty() ? "no name" : text;
}

/// A name that is an address is looked for among addresses alone. A common name is no name of a host.
void expect_name(X509_VERIFY_PARAM* rules, const std::string& name) {
  X509_VERIFY_PARAM_set_hostflags(rules,
                                  X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) == 1) return;
  ERR_clear_error();
  X509_VERIFY_PARAM_set1_host(rules, name.c_str(), name.size());
}

}  // namespace

ServerCertificateCheck::ServerCertificateCheck(std::string ca_file, std::string name)
    : ca_file_(std::move(ca_file)), name_(std::move(name)), issuers_(X509_STORE_new(), X509_STORE_free) {
  if (ca_file_.empty()) {
    X509_STORE_set_default_paths(issuers_.get());
  } else if (X509_STORE_load_file(issuers_.get(), ca_file_.c_str()) != 1) {
    error_ = ca_file_ + " cannot be read as certificates in PEM";
  }
  ERR_clear_error();
}

std::string ServerCertificateCheck::find_fault(const std::string& chain) const {
  const std::vector<Certificate> certificates = certificates_in(chain);
  if (certificates.empty()) return std::string(kCertificateFault) + " has not come";
  const Stack others(sk_X509_new_null());
  for (const Certificate& one : certificates) sk_X509_push(others.get(), one.get());
  const StoreContext context(X509_STORE_CTX_new());
  if (X509_STORE_CTX_init(context.get(), issuers_.get(), certificates.front().get(), others.get()) != 1 ||
      X509_STORE_CTX_set_default(context.get(), "ssl_server") != 1)
    return std::string(kCertificateFault) + " cannot be judged";
  expect_name(X509_STORE_CTX_get0_param(context.get()), name_);
  const bool is_good = X509_verify_cert(context.get()) == 1;
  ERR_clear_error();
  if (is_good) return {};
  const int error = X509_STORE_CTX_get_error(context.get());
  const X509* const own = certificates.front().get();
  if (error == X509_V_ERR_HOSTNAME_MISMATCH || error == X509_V_ERR_IP_ADDRESS_MISMATCH)
    return fault_of(error, names_of(own));
  const X509* const guilty = X509_STORE_CTX_get_current_cert(context.get());
  return fault_of(error, text_of(X509_get0_notAfter(guilty == nullptr ? own : guilty)));
}

/// `detail`: of a name that does not match, the names that there are; else when the certificate expires.
std::string ServerCertificateCheck::fault_of(int error, const std::string& detail) const {
  const std::string what = std::string(kCertificateFault) + " for " + name_ + " ";
  switch (error) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return std::string(kCertificateFault) + " is not for " + name_ + " but for " + detail;
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return what + "has expired, or an issuer's: on " + detail;
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return what + "is not valid yet: is this machine's clock right?";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return what + "is of an issuer that is not in " +
             (ca_file_.empty() ? std::string("the system's certificates") : ca_file_);
    default:
      return what + "is not good: " + X509_verify_cert_error_string(error);
  }
}

}  // namespace sweepd::internal
