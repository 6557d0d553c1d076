// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "runtime/tls/certified_subject.h"
#include "runtime/tls/certificate_store.h"

namespace grpc {
class AuthContext;
}

namespace sweepd::rpc {

/// TLS 1.2 and 1.3 with the certificates that are in the store when a connection begins; running ones keep
/// theirs. gRPC 1.51 offers that in C++ by files that it polls alone, one by one, so that it may take a key
/// before its certificate; its C interface asks for certificates with each connection. One for each gRPC
/// server, whose end it outlives, as does the store. Null: plain text.
std::shared_ptr<grpc::ServerCredentials> make_credentials(const runtime::CertificateStore* certificates);

/// Whom the certificate of a call's connection names, which gRPC has checked. Null: it has none.
std::shared_ptr<const runtime::CertifiedSubject> certified_subject(const grpc::AuthContext& connection);

}  // namespace sweepd::rpc
