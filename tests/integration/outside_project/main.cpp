// SPDX-License-Identifier: MIT
//
// Protects the installed SDK: everything that a program needs is there, and what is called without a server
// fails as a value.
#include <sweepd/client.h>

#include <cmath>
#include <cstdio>
#include <thread>

namespace {

bool check(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "ok" : "FAILED", what);
  return holds;
}

bool bad_numbers_are_errors(sweepd::Client& client) {
  sweepd::MatchConfig config;
  config.layers = {"player"};
  config.playfield = sweepd::Box{0, 0, std::nan(""), 1};
  const sweepd::Status status = client.create_match(config).status();
  return check(status.code() == sweepd::ErrorCode::kNotANumber, "a NaN is refused as such") &&
         check(status.field() == "config.playfield.max_x", "the error names the field");
}

bool an_unreachable_server_is_an_error(sweepd::Client& client) {
  const sweepd::Status status = client.get_match("none").status();
  sweepd::Session session = client.join({.match_id = "none", .name = "nobody"});
  while (session.state() == sweepd::SessionState::kConnecting) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return check(status.code() == sweepd::ErrorCode::kUnavailable, "a call says that nobody is there") &&
         check(session.state() == sweepd::SessionState::kFailed, "a session fails") &&
         check(session.error().code() == sweepd::ErrorCode::kUnavailable, "and says why") &&
         check(session.end_frame().code() == sweepd::ErrorCode::kNotJoined, "and takes no frames");
}

}  // namespace

int main() {
  // Port 1 on loopback: nobody listens there.
  sweepd::Client client({.server = "127.0.0.1:1"});
  const bool numbers = bad_numbers_are_errors(client);
  const bool server = an_unreachable_server_is_an_error(client);
  return numbers && server ? 0 : 1;
}
