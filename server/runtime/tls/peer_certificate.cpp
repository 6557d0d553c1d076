// SPDX-License-Identifier: MIT
#include "runtime/tls/peer_certificate.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <string>
#include <utility>

namespace sweepd::runtime {
namespace {

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeNames {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

std::string text_of(const ASN1_STRING* text) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, text);
  if (size < 0) return {};
  std::string copy(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size));
  OPENSSL_free(utf8);
  return copy;
}

std::string common_name_of(const X509& certificate) {
  const X509_NAME* const subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return {};
  return text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
}

void add_alternative_names(const X509& certificate, CertifiedSubject& subject) {
  const std::unique_ptr<GENERAL_NAMES, FreeNames> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) subject.dns_names.push_back(text_of(name->d.dNSName));
    if (name->type == GEN_URI) subject.uris.push_back(text_of(name->d.uniformResourceIdentifier));
  }
}

}  // namespace

std::shared_ptr<const CertifiedSubject> peer_subject(const ssl_st& connection) {
  const std::unique_ptr<X509, FreeCertificate> certificate(SSL_get1_peer_certificate(&connection));
  if (!certificate || SSL_get_verify_result(&connection) != X509_V_OK) return nullptr;
  CertifiedSubject subject{.common_name = common_name_of(*certificate)};
  add_alternative_names(*certificate, subject);
  return std::make_shared<const CertifiedSubject>(std::move(subject));
}

}  // namespace sweepd::runtime
