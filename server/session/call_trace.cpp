// SPDX-License-Identifier: MIT
#include "session/call_trace.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/random_bytes.h"
#include "session/call_counts.h"

namespace sweepd::session {
namespace {

constexpr std::uint32_t kLinesPerSecondMax = 100;

/// What a client does wrong is its own business; that there is no room is the operator's, and what is the
/// server's own fault even more so.
runtime::LogLevel level_of(Code code) {
  switch (code) {
    case Code::kResourceExhausted:
      return runtime::LogLevel::kInfo;
    case Code::kInternal:
    case Code::kUnknown:
    case Code::kDataLoss:
      return runtime::LogLevel::kWarning;
    default:
      return runtime::LogLevel::kDebug;
  }
}

/// One for each level: many refusals hide nothing that is worse.
runtime::LogBound& bound_of(runtime::LogLevel level) {
  static runtime::LogBound warnings(kLinesPerSecondMax);
  static runtime::LogBound rest(kLinesPerSecondMax);
  return level >= runtime::LogLevel::kWarning ? warnings : rest;
}

}  // namespace

std::string random_request_id() {
  std::array<std::uint8_t, 8> bytes{};
  runtime::fill_with_random_bytes(bytes.data(), bytes.size());
  constexpr char kHex[] = "0123456789abcdef";
  std::string id;
  for (const std::uint8_t byte : bytes) {
    id += kHex[byte >> 4];
    id += kHex[byte & 15];
  }
  return id;
}

bool is_request_id(std::string_view text) {
  const auto is_visible = [](char character) { return character > 0x20 && character < 0x7f; };
  return !text.empty() && text.size() <= kRequestIdBytesMax && std::ranges::all_of(text, is_visible);
}

std::string request_id_for(std::string_view given) {
  return is_request_id(given) ? std::string(given) : random_request_id();
}

void CallTrace::begin(std::string request_id, std::string peer) {
  request_id_ = std::move(request_id);
  peer_ = std::move(peer);
}

void CallTrace::name_caller(std::string caller, bool is_operator) {
  caller_ = std::move(caller);
  is_operator_ = is_operator;
}

void CallTrace::name_match(std::string_view match_id) { match_id_ = clipped(match_id); }

void CallTrace::audit_as(AuditEvent event, const Status& status) const {
  const runtime::LogScope scope = this->scope();
  audit({.event = event,
         .who = caller_,
         .what = call_,
         .about = object_,
         .from = peer_,
         .match_id = match_id_,
         .outcome = name_of(status.code()),
         .reason = status.message()});
}

void CallTrace::note_status(const Status& status, std::string_view what) const {
  if (is_operator_) audit_as(AuditEvent::kOperatorActed, status);
  if (status.ok()) return;
  count_refusal(status.code());
  const runtime::LogLevel level = level_of(status.code());
  if (!is_operator_ && status.code() == Code::kUnauthenticated)
    return audit_as(AuditEvent::kAuthenticationRefused, status);
  if (!is_operator_ && status.code() == Code::kPermissionDenied)
    return audit_as(AuditEvent::kPermissionRefused, status);
  if (!runtime::is_logged(level)) return;
  const runtime::LogScope scope = this->scope();
  bound_of(level).log(level, what,
                      {{"call", call_},
                       {"status", name_of(status.code())},
                       {"reason", status.message()},
                       {"peer", peer_},
                       {"caller", caller_}});
}

}  // namespace sweepd::session
