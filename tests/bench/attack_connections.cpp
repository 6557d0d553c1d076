// SPDX-License-Identifier: MIT
//
// Attacks by connections and by HTTP/2 itself.
#include <memory>

#include "bench/attack_client.h"

namespace sweepd::bench {
namespace {

using test::RawHttp2;

void do_nothing(const AttackTarget& target) { target.wait_for_end(); }

/// Half of the time open, then closed.
void take_descriptors(const AttackTarget& target) {
  const auto now = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<RawHttp2>> connections;
  for (int i = 0; i < 200; ++i)
    connections.push_back(std::make_unique<RawHttp2>(target.door, hostile_http2(target)));
  std::this_thread::sleep_until(now + (target.end - now) / 2);
  connections.clear();
  target.wait_for_end();
}

/// Of names that differ, so that nothing joins them.
std::string header_fields() {
  std::string fields;
  for (int i = 100; i < 240; ++i) {
    fields.append(std::string("\0\x04", 2)).append("x").append(std::to_string(i));
    fields.append("d").append(std::string(100, 'a'));
  }
  return fields;
}

void send_headers_without_end(const AttackTarget& target) {
  const std::string more = RawHttp2::frame(RawHttp2::kContinuation, 0, 1, header_fields());
  const std::string begin =
      RawHttp2::frame(RawHttp2::kHeaders, 0, 1, RawHttp2::call_headers("/sweepd.v1.MatchService/GetMatch"));
  in_threads(4, [&](int) {
    while (target.goes_on()) {
      RawHttp2 connection(target.door, hostile_http2(target));
      connection.send(begin);
      while (target.goes_on() && connection.send(more)) continue;
      AttackTarget::pause();
    }
  });
}

void reset_streams_in_a_rush(const AttackTarget& target) {
  const std::string headers = RawHttp2::call_headers("/sweepd.v1.MatchService/Play");
  in_threads(4, [&](int) {
    while (target.goes_on()) {
      RawHttp2 connection(target.door, hostile_http2(target));
      for (std::uint32_t stream = 1; target.goes_on();) {
        std::string burst;
        for (int i = 0; i < 200; ++i, stream += 2) {
          burst += RawHttp2::frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, stream, headers);
          burst += RawHttp2::frame(RawHttp2::kResetStream, 0, stream, std::string("\0\0\0\x08", 4));
        }
        if (!connection.send(burst) || !connection.drain()) break;
      }
      AttackTarget::pause();
    }
  });
}

/// Each is finished and thrown away; `addresses`: of as many clients.
void shake_hands_in_a_rush(const AttackTarget& target, int addresses) {
  in_threads(4, [&](int thread) {
    RawHttp2::Options options = hostile_http2(target);
    options.says_hello = false;
    for (int turn = thread; target.goes_on(); turn += 4) {
      options.from = "127.0.1." + std::to_string(1 + turn % addresses);
      const RawHttp2 connection(target.door, options);
    }
  });
}

void shake_hands_as_one(const AttackTarget& target) { shake_hands_in_a_rush(target, 1); }
void shake_hands_as_many(const AttackTarget& target) { shake_hands_in_a_rush(target, 250); }

}  // namespace

std::vector<Attack> connection_attacks() {
  return {
      {"0", "none", do_nothing},
      {"2", "200 connections held and closed, 128 descriptors", take_descriptors, "ulimit -n 128;"},
      {"4b", "HEADERS and CONTINUATION without end, 4 connections", send_headers_without_end},
      {"4b front", "the same through the front", send_headers_without_end, "", true},
      {"4d", "streams opened and reset in a rush, 4 connections", reset_streams_in_a_rush},
      {"4d front", "the same through the front", reset_streams_in_a_rush, "", true},
      {"7", "TLS handshakes in a rush, one address", shake_hands_as_one, "", false, true},
      {"7 many", "the same of 250 addresses", shake_hands_as_many, "", false, true},
  };
}

}  // namespace sweepd::bench
