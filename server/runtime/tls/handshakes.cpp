// SPDX-License-Identifier: MIT
#include "runtime/tls/handshakes.h"

#include <openssl/ssl.h>

#include <atomic>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

std::atomic<std::uint64_t> begun = 0;
std::atomic<std::uint64_t> failed = 0;

void on_begin(void* parent, void* /*data*/, CRYPTO_EX_DATA* /*all*/, int /*index*/, long /*number*/,
              void* /*argument*/) {
  SSL* const connection = static_cast<SSL*>(parent);
  SSL_set_options(connection, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_set_num_tickets(connection, 0);
  SSL_CTX_set_session_cache_mode(SSL_get_SSL_CTX(connection), SSL_SESS_CACHE_OFF);
  begun.fetch_add(1, std::memory_order_relaxed);
}

void on_end(void* parent, void* /*data*/, CRYPTO_EX_DATA* /*all*/, int /*index*/, long /*number*/,
            void* /*argument*/) {
  const SSL* const connection = static_cast<SSL*>(parent);
  if (SSL_is_server(connection) == 0 || SSL_get_peer_finished(connection, nullptr, 0) != 0) return;
  failed.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void count_handshakes() {
  static const int index = SSL_get_ex_new_index(0, nullptr, on_begin, nullptr, on_end);
  SWEEPD_ASSERT(index >= 0);
}

std::uint64_t handshakes_begun() { return begun.load(std::memory_order_relaxed); }
std::uint64_t handshakes_failed() { return failed.load(std::memory_order_relaxed); }

}  // namespace sweepd::runtime
