// SPDX-License-Identifier: MIT
#include "rpc/tls_credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpcpp/security/auth_context.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"

namespace sweepd::rpc {
namespace {

using runtime::CertificateSet;
using runtime::ClientCertificates;

constexpr const char* kCommonName = GRPC_X509_CN_PROPERTY_NAME;

grpc_ssl_client_certificate_request_type request_type(ClientCertificates clients) {
  switch (clients) {
    case ClientCertificates::kNone:
      return GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    case ClientCertificates::kOptional:
      return GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY;
    case ClientCertificates::kRequired:
      break;
  }
  return GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
}

class TlsCredentials final : public grpc::ServerCredentials {
 public:
  explicit TlsCredentials(const runtime::CertificateStore& certificates) : certificates_(certificates) {
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(
            request_type(certificates.client_certificates()), &TlsCredentials::fetch, this));
    SWEEPD_ASSERT(credentials_ != nullptr);
  }
  ~TlsCredentials() override { grpc_server_credentials_release(credentials_); }

  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>& /*none*/) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  static grpc_ssl_certificate_config_reload_status fetch(void* self,
                                                         grpc_ssl_server_certificate_config** config) {
    return static_cast<TlsCredentials*>(self)->give(config);
  }

  // Before each handshake. Where gRPC refuses what it gets, it keeps what it had.
  grpc_ssl_certificate_config_reload_status give(grpc_ssl_server_certificate_config** config) {
    auto current = certificates_.current();
    const std::lock_guard lock(mutex_);
    if (current == given_) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const grpc_ssl_pem_key_cert_pair pair{current->key.c_str(), current->certificate.c_str()};
    // gRPC asserts that there are issuers. Where clients are not asked, nothing is judged by them.
    const bool asks_clients = current->client_certificates != ClientCertificates::kNone;
    const std::string& issuers = asks_clients ? current->client_ca : current->certificate;
    *config = grpc_ssl_server_certificate_config_create(issuers.c_str(), &pair, 1);
    given_ = std::move(current);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const runtime::CertificateStore& certificates_;
  std::mutex mutex_;  ///< Of the next.
  std::shared_ptr<const CertificateSet> given_;
  grpc_server_credentials* credentials_ = nullptr;
};

std::string text_of(grpc::string_ref text) { return {text.data(), text.size()}; }

std::vector<std::string> values_of(const grpc::AuthContext& connection, const char* property) {
  std::vector<std::string> values;
  for (const grpc::string_ref& value : connection.FindPropertyValues(property))
    values.push_back(text_of(value));
  return values;
}

}  // namespace

std::shared_ptr<grpc::ServerCredentials> make_credentials(const runtime::CertificateStore* certificates) {
  if (certificates == nullptr) return grpc::InsecureServerCredentials();
  return std::make_shared<TlsCredentials>(*certificates);
}

std::shared_ptr<const runtime::CertifiedSubject> certified_subject(const grpc::AuthContext& connection) {
  if (!connection.IsPeerAuthenticated()) return nullptr;
  std::vector<std::string> names = values_of(connection, kCommonName);
  return std::make_shared<const runtime::CertifiedSubject>(
      runtime::CertifiedSubject{.common_name = names.empty() ? std::string() : std::move(names.front()),
                                .dns_names = values_of(connection, GRPC_PEER_DNS_PROPERTY_NAME),
                                .uris = values_of(connection, GRPC_PEER_URI_PROPERTY_NAME)});
}

}  // namespace sweepd::rpc
