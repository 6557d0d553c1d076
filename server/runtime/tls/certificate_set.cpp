// SPDX-License-Identifier: MIT
#include "runtime/tls/certificate_set.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <array>
#include <ctime>
#include <fstream>
#include <utility>
#include <vector>

#include "base/free_by.h"
#include "runtime/private_file.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kCertificateBytesMax = std::size_t{1} << 20;
constexpr const char* kCiphersOfVersion2 = "ECDHE+AESGCM:ECDHE+CHACHA20";

using base::FreeBy;
using Bio = std::unique_ptr<BIO, FreeBy<BIO_free>>;
using Certificate = std::unique_ptr<X509, FreeBy<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;

/// A key with a password is none that a server can read: never asks at the terminal.
int no_password(char*, int, int, void*) { return -1; }

std::vector<Certificate> certificates_in(const std::string& pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::vector<Certificate> all;
  while (X509* const one = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) all.emplace_back(one);
  ERR_clear_error();  // Of the end.
  return all;
}

Key key_in(const std::string& pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  return key;
}

/// What is wrong; empty: nothing.
std::string read_public_file(const std::filesystem::path& path, std::string& content) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return "cannot read " + path.string() + ": " + (error ? error.message() : "it is no file");
  std::ifstream file(path, std::ios::binary);
  content.resize(kCertificateBytesMax);
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (file.bad() || !file.is_open()) return "cannot read " + path.string();
  content.resize(static_cast<std::size_t>(file.gcount()));
  return {};
}

std::string read_files(const TlsOptions& options, CertificateSet& set) {
  if (std::string fault = read_public_file(options.certificate, set.certificate); !fault.empty())
    return fault;
  if (std::string fault = read_private_file(options.key, "a server's key", set.key); !fault.empty())
    return fault;
  return options.client_ca.empty() ? std::string() : read_public_file(options.client_ca, set.client_ca);
}

std::string subject_of(const X509& certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(bio.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::chrono::system_clock::time_point expiry_of(const X509& certificate) {
  std::tm time = {};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &time) != 1) return {};
  return std::chrono::system_clock::from_time_t(timegm(&time));
}

/// The innermost reason of the library, which is what people can act on.
std::string last_library_error() {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_peek_error(), text.data(), text.size());
  ERR_clear_error();
  return text.data();
}

bool use_chain(SSL_CTX* context, const std::string& pem) {
  std::vector<Certificate> chain = certificates_in(pem);
  if (chain.empty() || SSL_CTX_use_certificate(context, chain.front().get()) != 1) return false;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1) return false;
  }
  return true;
}

bool ask_clients(SSL_CTX* context, const CertificateSet& certificates) {
  if (certificates.client_certificates == ClientCertificates::kNone) return true;
  for (const Certificate& issuer : certificates_in(certificates.client_ca)) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), issuer.get()) != 1 ||
        SSL_CTX_add_client_CA(context, issuer.get()) != 1)
      return false;
  }
  const bool is_required = certificates.client_certificates == ClientCertificates::kRequired;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nullptr);
  return true;
}

/// Empty: nothing is wrong.
std::string find_fault(const TlsOptions& options, const CertificateSet& set, const EVP_PKEY* key,
                       const X509* certificate) {
  const std::string chain_file = options.certificate.string();
  const std::string key_file = options.key.string();
  if (certificate == nullptr) return chain_file + " has no certificate in PEM";
  if (key == nullptr) return key_file + " has no private key in PEM without a password";
  if (X509_check_private_key(certificate, key) != 1) {
    ERR_clear_error();
    return "the key in " + key_file + " is not that of the first certificate in " + chain_file;
  }
  if (!options.client_ca.empty() && certificates_in(set.client_ca).empty())
    return options.client_ca.string() + " has no certificate in PEM";
  if (!make_server_context(set)) return chain_file + " and " + key_file + ": " + last_library_error();
  return {};
}

}  // namespace

void FreeServerContext::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

ServerContext make_server_context(const CertificateSet& certificates) {
  ServerContext context(SSL_CTX_new(TLS_server_method()));
  const Key key = key_in(certificates.key);
  if (!context || !key) return nullptr;
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  if (SSL_CTX_set_cipher_list(context.get(), kCiphersOfVersion2) != 1 ||
      !use_chain(context.get(), certificates.certificate) ||
      SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1 || !ask_clients(context.get(), certificates))
    return nullptr;
  return context;
}

base::Result<CertificateSet, std::string> read_certificates(const TlsOptions& options) {
  CertificateSet set;
  set.client_certificates = options.client_certificates;
  if (std::string fault = read_files(options, set); !fault.empty()) return fault;
  const std::vector<Certificate> chain = certificates_in(set.certificate);
  const X509* const own = chain.empty() ? nullptr : chain.front().get();
  if (std::string fault = find_fault(options, set, key_in(set.key).get(), own); !fault.empty()) return fault;
  set.subject = subject_of(*own);
  set.expires = expiry_of(*own);
  return set;
}

}  // namespace sweepd::runtime
