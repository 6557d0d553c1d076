// SPDX-License-Identifier: MIT
#include "rpc/call_trace.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "rpc/call_counts.h"
#include "runtime/random_bytes.h"

namespace sweepd::rpc {
namespace {

constexpr std::uint32_t kLinesPerSecondMax = 100;

/// What a client does wrong is its own business; that there is no room is the operator's, and what is the
/// server's own fault even more so.
runtime::LogLevel level_of(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return runtime::LogLevel::kInfo;
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::DATA_LOSS:
      return runtime::LogLevel::kWarning;
    default:
      return runtime::LogLevel::kDebug;
  }
}

/// Of each level: who is refused a lot hides nothing that is worse.
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

void CallTrace::begin(grpc::ServerContext& context) {
  const auto it = context.client_metadata().find(kRequestIdKey);
  if (it != context.client_metadata().end()) request_id_.assign(it->second.data(), it->second.size());
  if (!is_request_id(request_id_)) request_id_ = random_request_id();
  context.AddInitialMetadata(kRequestIdKey, request_id_);
  peer_ = context.peer();
}

void CallTrace::note_status(const grpc::Status& status, std::string_view what) const {
  if (status.ok()) return;
  count_refusal(status.error_code());
  const runtime::LogLevel level = level_of(status.error_code());
  if (!runtime::is_logged(level)) return;
  const runtime::LogScope scope = this->scope();
  bound_of(level).log(level, what,
                      {{"call", call_},
                       {"status", name_of(status.error_code())},
                       {"reason", status.error_message()},
                       {"peer", peer_}});
}

}  // namespace sweepd::rpc
