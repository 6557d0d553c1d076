// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/clock.h"
#include "runtime/tls/certified_subject.h"

struct ssl_st;
struct ssl_ctx_st;

namespace sweepd::ws {

/// A connection's bytes, in plain text or by TLS. Nothing here waits.
class Socket {
 public:
  enum class State : std::uint8_t {
    kReady,      ///< It went as far as it was asked to.
    kWantsRead,  ///< More has to come, or the connection to take more, before it goes on.
    kWantsWrite,
    kClosed,
  };
  struct Transfer {
    std::size_t bytes = 0;
    State state = State::kReady;  ///< With no bytes: why.
  };

  /// Takes the descriptor over. `tls`: null for plain text.
  Socket(int descriptor, ssl_ctx_st* tls);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int descriptor() const { return descriptor_; }

  /// Of TLS. To be called again until it is kReady or kClosed.
  State shake_hands();
  /// Whom its client's certificate names, once hands are shaken; null: there is none.
  std::shared_ptr<const runtime::CertifiedSubject> certified() const;

  Transfer receive(std::span<std::uint8_t> room);
  Transfer send(std::string_view bytes);
  /// Nothing more will be sent.
  void end_sending();
  /// Closes it without a goodbye when it goes.
  void reset_when_closed();

  /// For how long what was received last had been here, by the kernel's clock; 0: it does not tell.
  runtime::Duration waited() const;

 private:
  struct FreeTls {
    void operator()(ssl_st* connection) const;
  };
  friend struct SocketBio;

  Transfer receive_bytes(std::span<std::uint8_t> room);
  Transfer send_bytes(std::string_view bytes);
  State state_after(int result) const;

  const int descriptor_;
  std::unique_ptr<ssl_st, FreeTls> tls_;  ///< Null: plain text.
  timespec arrival_{};                    ///< Of the last bytes, in wall time; 0: not known.
};

}  // namespace sweepd::ws
