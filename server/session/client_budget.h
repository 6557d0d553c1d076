// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "runtime/budgets/budgets.h"
#include "runtime/budgets/memory_guard.h"
#include "runtime/connections/connection_table.h"
#include "session/entrance.h"
#include "session/gate.h"
#include "session/status.h"

namespace sweepd::session {

struct Backend;

/// Messages of fewer bytes are bounded by the number of calls and streams alone.
inline constexpr std::size_t kSmallMessageBytes = std::size_t{16} << 10;

/// Who calls.
struct Caller {
  Admission admission = {};     ///< Once it is in.
  runtime::Payers payers = {};  ///< Its address and, once it is in with a ticket, its subject and tenant.
  Entrance entrance = Entrance::kOrdinary;
  /// Counts the call for as long as it lives; null: the connection is none of the acceptor's.
  std::shared_ptr<runtime::ConnectionUse> connection;
  /// The client behind a front: "ipv4:192.0.2.1". Empty: the peer is the client, and its own certificate says
  /// who it is.
  std::string behind_front = {};
  /// Whom the caller's certificate names; null: it has shown none that is good. A certificate says who a
  /// client is, not what it may.
  std::shared_ptr<const runtime::CertifiedSubject> certified = {};

  /// A message of the call has come. `bytes`: where it may be large.
  void count_message(std::size_t bytes = 0) const {
    if (!connection) return;
    connection->messages.fetch_add(1, std::memory_order_relaxed);
    connection->message_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
};

/// Of a peer of that address, or the client behind it, where it is a front that passes clients on. Once a
/// call, which keeps it.
Caller caller_at(Backend& backend, const boost::asio::ip::tcp::endpoint& endpoint);
/// Of a peer that has no address.
Caller caller_named(Backend& backend, std::string name);

/// Who calls, and by what the call is found in the log.
struct CallOrigin {
  std::string request_id;
  std::string peer;
  std::string token;  ///< What the client has shown of who it is; empty: nothing.
  Caller caller;
};

using BudgetShare = runtime::Budgets::Share;

/// So much of what is held; an error where one of the payers has too much, or all have.
base::Result<BudgetShare, Status> take(Backend& backend, const runtime::Payers& payers,
                                       runtime::Resource resource, std::size_t amount = 1);

/// Memory for a message, where it is not small.
base::Result<BudgetShare, Status> take_message(Backend& backend, const runtime::Payers& payers,
                                               std::size_t bytes);

/// RESOURCE_EXHAUSTED with RetryInfo: TOO_MANY_STREAMS, _CALLS, _MATCHES, _BYTES and so on; `scope` in the
/// metadata is "client" or "server", and `key` is what the limit is of: address, subject, backend or tenant.
Status over_budget(const runtime::Excess& excess);
/// The message of it, with the limit and what raises it.
std::string text_of(const runtime::Excess& excess);
/// RESOURCE_EXHAUSTED / MEMORY_SHORT.
Status memory_is_short(const runtime::MemoryGuard& memory);

}  // namespace sweepd::session
