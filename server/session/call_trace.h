// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/telemetry/log.h"
#include "session/audit.h"
#include "session/status.h"

namespace sweepd::session {

/// Metadata by which a client names a call, and by which it is told what the call's name is in the server's
/// log.
inline constexpr const char* kRequestIdKey = "x-request-id";
inline constexpr std::size_t kRequestIdBytesMax = 64;

/// A random one: 16 characters.
std::string random_request_id();
/// 1 to 64 visible characters of ASCII: nothing that could be taken for more than one field of a line.
bool is_request_id(std::string_view text);
/// That of a call: the one that its client has given it, or a random one. It goes back to the client with the
/// first that the client gets.
std::string request_id_for(std::string_view given);

/// By what a call is found in the log. Begun once, before other threads have the call; the rest from any
/// thread.
class CallTrace {
 public:
  /// `call`: "GetMatch"; outlives this.
  explicit CallTrace(std::string_view call) : call_(call) {}

  /// `peer`: for the log.
  void begin(std::string request_id, std::string peer);

  /// Who calls, as soon as that is known: for the log. `is_operator`: all that it does is audited.
  void name_caller(std::string caller, bool is_operator);
  /// What the call is about, as soon as that is known.
  void name_match(std::string_view match_id);
  /// What else it is about, for the audit log. What it has of the client's is clipped.
  void name_object(std::string object) { object_ = std::move(object); }
  const std::string& match_id() const { return match_id_; }

  /// While that lives, whatever is logged is this call's.
  runtime::LogScope scope() const { return {"request_id", request_id_}; }

  /// The client is told this status. OK is news of an operator's call only. `what`: "call refused", or what
  /// else it is to the client; refusals of authentication and permission are in the audit log.
  void note_status(const Status& status, std::string_view what = "call refused") const;

 private:
  void audit_as(AuditEvent event, const Status& status) const;

  std::string_view call_;
  std::string request_id_;
  std::string peer_;
  std::string caller_;  ///< Empty: not known, or no tickets are asked for.
  std::string match_id_;
  std::string object_;
  bool is_operator_ = false;
};

}  // namespace sweepd::session
