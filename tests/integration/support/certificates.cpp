// SPDX-License-Identifier: MIT
#include "integration/support/certificates.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace sweepd::test {
namespace {

constexpr long kDay = 86'400;
constexpr long kValid = 30 * kDay;

template <typename Write>
std::string pem(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
  write(bio.get());
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem_of(X509* certificate) {
  return pem([certificate](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
}

std::string pem_of(EVP_PKEY* key) {
  return pem([key](BIO* bio) { PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

std::shared_ptr<EVP_PKEY> new_key() { return {EVP_EC_gen("P-256"), EVP_PKEY_free}; }

void extend(X509* certificate, X509* issuer, int extension, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, extension, value.c_str());
  X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
}

std::shared_ptr<X509> new_certificate(EVP_PKEY* key, const std::string& common_name, long expires) {
  std::shared_ptr<X509> certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), 2);
  std::uint32_t serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -2 * kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), expires);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1, 0);
  return certificate;
}

void replace(const std::filesystem::path& path, const std::string& content) {
  const std::filesystem::path part = path.string() + ".part";
  std::ofstream(part) << content;
  std::filesystem::permissions(part, std::filesystem::perms(0600));
  std::filesystem::rename(part, path);
}

int connected(int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address);
  return descriptor;
}

std::string common_name_of(SSL* connection) {
  const X509* const certificate = SSL_get0_peer_certificate(connection);
  if (certificate == nullptr) return {};
  std::array<char, 256> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name.data(), name.size());
  return name.data();
}

void use(SSL_CTX* context, const TestCertificate& client) {
  if (client.certificate.empty()) return;
  BIO* bio = BIO_new_mem_buf(client.certificate.data(), -1);
  X509* const certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  bio = BIO_new_mem_buf(client.key.data(), -1);
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  SSL_CTX_use_certificate(context, certificate);
  SSL_CTX_use_PrivateKey(context, key);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

/// Until the other side hangs up, or as much as HTTP/2 begins with.
std::string answer_of(SSL* connection, bool is_http2) {
  std::string answer;
  std::array<char, 4096> bytes{};
  while (!is_http2 || answer.size() < 9) {
    const int size = SSL_read(connection, bytes.data(), bytes.size());
    if (size <= 0) break;
    answer.append(bytes.data(), static_cast<std::size_t>(size));
  }
  return answer;
}

}  // namespace

void TestCertificate::write(const std::filesystem::path& folder, const std::string& name) const {
  replace(folder / (name + ".pem"), certificate);
  replace(folder / (name + ".key"), key);
}

TestAuthority::TestAuthority(const std::string& name)
    : key_(new_key()), own_(new_certificate(key_.get(), name, kValid)) {
  X509_set_issuer_name(own_.get(), X509_get_subject_name(own_.get()));
  extend(own_.get(), own_.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(own_.get(), own_.get(), NID_key_usage, "critical,keyCertSign");
  X509_sign(own_.get(), key_.get(), EVP_sha256());
  certificate_ = pem_of(own_.get());
}

TestCertificate TestAuthority::issue(const Request& request) const {
  const auto key = new_key();
  const auto certificate =
      new_certificate(key.get(), request.common_name, request.is_expired ? -kDay : kValid);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(own_.get()));
  extend(certificate.get(), own_.get(), NID_subject_alt_name, request.names);
  X509_sign(certificate.get(), key_.get(), EVP_sha256());
  return {pem_of(certificate.get()), pem_of(key.get())};
}

TlsProbe probe_tls(int port, const TlsProbe::Options& options) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                                  SSL_CTX_free);
  // Or this side would refuse old versions itself.
  SSL_CTX_set_security_level(context.get(), 0);
  if (options.version != 0) {
    SSL_CTX_set_min_proto_version(context.get(), options.version);
    SSL_CTX_set_max_proto_version(context.get(), options.version);
  }
  use(context.get(), options.client);
  const std::unique_ptr<SSL, decltype(&SSL_free)> connection(SSL_new(context.get()), SSL_free);
  static constexpr std::array<unsigned char, 3> kHttp2{2, 'h', '2'};
  if (options.is_http2) SSL_set_alpn_protos(connection.get(), kHttp2.data(), kHttp2.size());
  const int descriptor = connected(port);
  SSL_set_fd(connection.get(), descriptor);
  TlsProbe probe;
  probe.is_connected = SSL_connect(connection.get()) == 1;
  probe.subject = common_name_of(connection.get());
  if (probe.is_connected && !options.says.empty()) {
    SSL_write(connection.get(), options.says.data(), static_cast<int>(options.says.size()));
    probe.answer = answer_of(connection.get(), options.is_http2);
  }
  probe.may_be_resumed = SSL_SESSION_is_resumable(SSL_get0_session(connection.get())) == 1;
  ::close(descriptor);
  return probe;
}

}  // namespace sweepd::test
