// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "inspector/pages.h"
#include "runtime/tls/certificate_store.h"

namespace sweepd::inspector {

struct InspectorOptions {
  std::string host = "127.0.0.1";  ///< A name or an address; of a name, its first address is taken.
  std::uint16_t port = 0;          ///< 0: any free one.
  /// A further one takes the place of the first that waits for a request; it is closed where all are being
  /// answered. An address that has more than half of all makes room first, for others also by connections
  /// that are being answered.
  std::size_t connections_max = 64;
  std::chrono::milliseconds patience = std::chrono::seconds(30);  ///< See serve_http.
  /// Of TLS, as they are when a connection begins; null: plain text. They outlive the inspector.
  const runtime::CertificateStore* certificates = nullptr;
};

/// Shows by HTTP how the server is, on a thread of its own. Callers are not authenticated, but for the
/// certificate where clients have to show one: it belongs on an address that operators reach and players do
/// not.
class Inspector {
 public:
  Inspector(InspectorOptions options, Sources sources);
  ~Inspector();
  Inspector(const Inspector&) = delete;
  Inspector& operator=(const Inspector&) = delete;

  /// Nothing once it serves; else why it cannot, with the address. Once.
  std::optional<std::string> start();

  /// Closes all connections. When it returns, the sources are asked no more. Does nothing if it does not
  /// serve.
  void stop();

  /// The one that was chosen.
  std::uint16_t port() const { return options_.port; }

 private:
  class Listener;

  InspectorOptions options_;
  const Sources sources_;
  std::unique_ptr<Listener> listener_;  ///< While it serves.
};

}  // namespace sweepd::inspector
