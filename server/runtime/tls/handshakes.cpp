// SPDX-License-Identifier: MIT
#include "runtime/tls/handshakes.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <atomic>
#include <memory>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

std::atomic<std::uint64_t> begun = 0;
std::atomic<std::uint64_t> failed = 0;
std::atomic<void (*)(const HandshakeRefusal&)> tell_refusal = nullptr;
thread_local const std::string* present_peer = nullptr;

/// Of the alert that is being sent: what made OpenSSL send it is the last error of its thread.
std::string fault_of(const SSL* connection) {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  const long verdict = SSL_get_verify_result(connection);
  std::string text = reason == nullptr ? "the handshake failed" : reason;
  if (verdict != X509_V_OK) text += std::string(": ") + X509_verify_cert_error_string(verdict);
  return text;
}

/// Of every message, alert and header of a record. After the handshake it does nothing, and stays: OpenSSL
/// calls it twice in a row for a record of TLS 1.3, and looks only once whether there is one.
void on_message(int is_sent, int /*version*/, int type, const void* bytes, std::size_t size, SSL* connection,
                void* refusal) {
  if (SSL_is_init_finished(connection) != 0) return;
  const auto* const octets = static_cast<const unsigned char*>(bytes);
  std::string& reason = static_cast<HandshakeRefusal*>(refusal)->reason;
  const bool is_alert = is_sent != 0 && type == SSL3_RT_ALERT && size == 2;
  if (is_alert && octets[0] == SSL3_AL_FATAL) reason = fault_of(connection);
  const bool is_header = is_sent == 0 && type == SSL3_RT_HEADER && size >= 2;
  if (is_header && octets[1] != SSL3_VERSION_MAJOR) reason = "what came is no TLS";
}

void on_begin(void* parent, void* /*data*/, CRYPTO_EX_DATA* all, int index, long /*number*/,
              void* /*argument*/) {
  SSL* const connection = static_cast<SSL*>(parent);
  SSL_set_options(connection, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_set_num_tickets(connection, 0);
  SSL_CTX_set_session_cache_mode(SSL_get_SSL_CTX(connection), SSL_SESS_CACHE_OFF);
  begun.fetch_add(1, std::memory_order_relaxed);
  if (present_peer == nullptr) return;
  auto refusal = std::make_unique<HandshakeRefusal>(HandshakeRefusal{.peer = *present_peer, .reason = {}});
  if (CRYPTO_set_ex_data(all, index, refusal.get()) == 0) return;
  SSL_set_msg_callback(connection, on_message);
  SSL_set_msg_callback_arg(connection, refusal.release());
}

void on_end(void* parent, void* data, CRYPTO_EX_DATA* /*all*/, int /*index*/, long /*number*/,
            void* /*argument*/) {
  const std::unique_ptr<HandshakeRefusal> refusal(static_cast<HandshakeRefusal*>(data));
  const SSL* const connection = static_cast<SSL*>(parent);
  if (SSL_is_server(connection) == 0 || SSL_get_peer_finished(connection, nullptr, 0) != 0) return;
  failed.fetch_add(1, std::memory_order_relaxed);
  const auto tell = tell_refusal.load(std::memory_order_acquire);
  if (tell != nullptr && refusal != nullptr && !refusal->reason.empty()) tell(*refusal);
}

}  // namespace

void count_handshakes() {
  static const int index = SSL_get_ex_new_index(0, nullptr, on_begin, nullptr, on_end);
  SWEEPD_ASSERT(index >= 0);
}

std::uint64_t handshakes_begun() { return begun.load(std::memory_order_relaxed); }
std::uint64_t handshakes_failed() { return failed.load(std::memory_order_relaxed); }

void tell_handshake_refusals(void (*tell)(const HandshakeRefusal& refusal)) {
  tell_refusal.store(tell, std::memory_order_release);
}

HandshakePeer::HandshakePeer(std::string name) : name_(std::move(name)) {
  SWEEPD_ASSERT(present_peer == nullptr);
  present_peer = &name_;
}

HandshakePeer::~HandshakePeer() { present_peer = nullptr; }

std::string HandshakePeer::present() { return present_peer == nullptr ? std::string() : *present_peer; }

}  // namespace sweepd::runtime
