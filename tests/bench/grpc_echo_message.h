// SPDX-License-Identifier: MIT
#pragma once

#include <grpc/support/time.h>
#include <grpcpp/support/byte_buffer.h>

#include <chrono>
#include <cstdint>
#include <cstring>

namespace sweepd::bench {

/// Nanoseconds of the clock that all processes of a machine share.
using Nanoseconds = std::int64_t;

inline Nanoseconds monotonic_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

inline gpr_timespec to_timespec(Nanoseconds time) {
  constexpr Nanoseconds kSecond = 1'000'000'000;
  return {time / kSecond, static_cast<std::int32_t>(time % kSecond), GPR_CLOCK_MONOTONIC};
}

inline constexpr int kRateHz = 60;
inline constexpr Nanoseconds kInterval = 1'000'000'000 / kRateHz;
inline constexpr int kStreamsPerMatch = 4;

/// What a message begins with. The rest is padding.
struct EchoHeader {
  std::uint64_t tick = 0;             ///< In an answer to a tick: its number, from 1; else 0.
  std::uint32_t sequence_number = 0;  ///< Of a client's message; in an answer, of the last one that was read.
};

inline grpc::ByteBuffer encode(const EchoHeader& header, std::size_t bytes) {
  grpc::Slice slice(bytes);
  auto* begin = const_cast<std::uint8_t*>(slice.begin());
  std::memset(begin, 0, bytes);
  std::memcpy(begin, &header, sizeof header);
  return {&slice, 1};
}

inline EchoHeader decode_header(const grpc::ByteBuffer& message) {
  EchoHeader header;
  grpc::Slice slice;
  const bool is_whole = message.TrySingleSlice(&slice).ok() || message.DumpToSingleSlice(&slice).ok();
  if (is_whole && slice.size() >= sizeof header) std::memcpy(&header, slice.begin(), sizeof header);
  return header;
}

}  // namespace sweepd::bench
