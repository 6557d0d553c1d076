// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "runtime/tls/certified_subject.h"

struct ssl_st;

namespace sweepd::runtime {

/// Whom the certificate of a connection's client names, which OpenSSL has checked. Null: it has none that is
/// good.
std::shared_ptr<const CertifiedSubject> peer_subject(const ssl_st& connection);

}  // namespace sweepd::runtime
