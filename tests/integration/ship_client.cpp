// SPDX-License-Identifier: MIT
//
// A client in a process of its own, for tests that kill it: joins MATCH at SERVER, parks a ship at X, prints
// "parked", the ship's id and the session's reconnect token, and stays.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "integration/support/server_fixture.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  sweepd::ClientOptions options;
  options.server = argv[1];
  sweepd::Client client(options);
  sweepd::Session session = sweepd::test::joined(client, argv[2], "victim", sweepd::Role::kPlayer);
  const auto ship = session.spawn(sweepd::test::object_at({std::atof(argv[3]), 0}, 0));
  if (!ship.ok() || !session.end_frame().ok()) return 1;
  std::printf("parked %u %s\n", *ship, session.reconnect_token().c_str());
  std::fflush(stdout);
  while (session.state() == sweepd::SessionState::kJoined) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    while (session.poll_event()) continue;
  }
  return 0;
}
