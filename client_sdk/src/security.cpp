// SPDX-License-Identifier: MIT
#include "security.h"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <openssl/err.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "loopback.h"
#include "pem.h"
#include "server_certificate.h"

namespace sweepd::internal {
namespace {

/// All metadata of a call that a server takes is 8 KiB.
constexpr std::size_t kTokenBytesMax = 6 * 1024;

Status invalid(const std::string& field, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "security." + field + " " + what, {}, "security." + field};
}

bool read_file(const std::string& path, std::string& content) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  content = text.str();
  return file.is_open() && !content.empty();
}

/// Empty: the two belong together.
std::string find_fault(const std::string& certificate_pem, const std::string& key_pem,
                       const SecurityOptions& options) {
  const Certificate certificate(
      PEM_read_bio_X509(bio_of(certificate_pem).get(), nullptr, no_password, nullptr));
  const Key key(PEM_read_bio_PrivateKey(bio_of(key_pem).get(), nullptr, no_password, nullptr));
  const bool is_pair = certificate && key && X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!certificate) return options.certificate_file + " has no certificate in PEM";
  if (!key) return options.key_file + " has no private key in PEM without a password";
  return is_pair ? std::string() : options.key_file + " has not the key of " + options.certificate_file;
}

/// In place of gRPC's own judgement, which does not say what is wrong, and looks for the name of each address
/// that the client is led to.
class Verifier final : public grpc::experimental::ExternalCertificateVerifier {
 public:
  explicit Verifier(std::shared_ptr<const ServerCertificateCheck> check) : check_(std::move(check)) {}

  bool Verify(grpc::experimental::TlsCustomVerificationCheckRequest* request,
              std::function<void(grpc::Status)> /*callback*/, grpc::Status* status) override {
    const grpc::string_ref chain = request->peer_cert_full_chain();
    const std::string fault = check_->find_fault({chain.data(), chain.size()});
    *status = fault.empty() ? grpc::Status::OK : grpc::Status(grpc::StatusCode::UNAUTHENTICATED, fault);
    return true;
  }
  void Cancel(grpc::experimental::TlsCustomVerificationCheckRequest* /*request*/) override {}

 private:
  const std::shared_ptr<const ServerCertificateCheck> check_;
};

/// What can stand in a header (RFC 6750, b64token).
bool is_token(std::string_view text) {
  const auto is_allowed = [](char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           std::string_view("-._~+/=").find(byte) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= kTokenBytesMax && std::ranges::all_of(text, is_allowed);
}

}  // namespace

Security::Security(SecurityOptions options, const std::string& server)
    : options_(std::move(options)),
      server_name_(options_.server_name.empty() ? host_of(server) : options_.server_name),
      error_(check(server)) {}

Status Security::check(const std::string& server) {
  if (!may_send_to(server)) {
    return invalid("token",
                   "is not sent in plain text to another machine: " + server + " needs security.tls");
  }
  if (!options_.token.empty() && !is_token(options_.token))
    return invalid("token", "has characters that no token has, or more than 6144 of them");
  const bool has_certificate = !options_.certificate_file.empty();
  if (has_certificate != !options_.key_file.empty())
    return invalid(has_certificate ? "key_file" : "certificate_file", "is missing: the two go together");
  if (!options_.tls) {
    const bool is_idle = options_.ca_file.empty() && !has_certificate && options_.server_name.empty();
    return is_idle ? Status() : invalid("tls", "is false: certificates and names are of no use without it");
  }
  if (server_name_.empty()) return invalid("server_name", "is missing: " + server + " has no host");
  check_ = std::make_shared<const ServerCertificateCheck>(options_.ca_file, server_name_);
  if (!check_->error().empty()) return invalid("ca_file", "is wrong: " + check_->error());
  if (!has_certificate) return {};
  if (!read_file(options_.certificate_file, certificate_))
    return invalid("certificate_file", "cannot be read: " + options_.certificate_file);
  if (!read_file(options_.key_file, key_)) return invalid("key_file", "cannot be read: " + options_.key_file);
  const std::string fault = find_fault(certificate_, key_, options_);
  return fault.empty() ? Status() : invalid("key_file", "is wrong: " + fault);
}

std::shared_ptr<grpc::ChannelCredentials> Security::credentials() const {
  if (!options_.tls || !error_.ok()) return grpc::InsecureChannelCredentials();
  using namespace grpc::experimental;
  TlsChannelCredentialsOptions tls;
  if (!certificate_.empty()) {
    tls.set_certificate_provider(std::make_shared<StaticDataCertificateProvider>(
        std::vector<IdentityKeyCertPair>{{.private_key = key_, .certificate_chain = certificate_}}));
    tls.watch_identity_key_cert_pairs();
  }
  // All of that is the verifier's.
  tls.set_verify_server_certs(false);
  tls.set_check_call_host(false);
  tls.set_certificate_verifier(ExternalCertificateVerifier::Create<Verifier>(check_));
  return TlsCredentials(tls);
}

void Security::set_up(grpc::ChannelArguments& arguments) const {
  if (options_.tls) arguments.SetSslTargetNameOverride(server_name_);
  // A proxy of the environment would be told in plain text what is meant for this machine.
  if (!options_.tls && has_token()) arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
}

bool Security::may_send_to(const std::string& target) const {
  return options_.tls || !has_token() || is_on_this_machine(target);
}

Status Security::authorize(grpc::ClientContext& context) const {
  if (!error_.ok()) return error_;
  if (!has_token()) return {};
  const std::string token = options_.fresh_token ? options_.fresh_token() : options_.token;
  if (!is_token(token)) return invalid("fresh_token", "gave no token");
  context.AddMetadata("authorization", "Bearer " + token);
  return {};
}

}  // namespace sweepd::internal
