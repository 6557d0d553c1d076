// SPDX-License-Identifier: MIT
#include "app/guard.h"

#include "runtime/telemetry/log.h"
#include "session/match_loop.h"

namespace sweepd::app {
namespace {

constexpr std::chrono::seconds kSweepPeriod{1};
constexpr std::chrono::milliseconds kUnheardPeriod{20};
constexpr std::chrono::milliseconds kCapturePeriod{5};
constexpr std::chrono::milliseconds kOverdueMax{3};

}  // namespace

Guard::Guard(session::Backend& backend, const runtime::Acceptor& acceptor)
    : backend_(backend), acceptor_(acceptor) {
  backend_.memory.on_ceiling([this] {
    note_ended(backend_.connections.end_heaviest(),
               "the ceiling of memory is reached: connections with most bytes of no message are ended");
  });
  thread_.every(runtime::MemoryGuard::kPeriod, [this] { backend_.memory.measure(); });
  thread_.every(kUnheardPeriod, [this] {
    note_ended(backend_.connections.end_unruly_if_due(),
               "connections that send no whole message, or have too many calls, are ended");
  });
  thread_.every(kCapturePeriod, [this] {
    note_ended(end_captors(), "connections that kept a loop from its ticks are ended");
  });
  thread_.every(kSweepPeriod, [this] { backend_.connections.sweep(); });
}

void Guard::note_ended(std::size_t connections, const char* why) {
  if (connections == 0) return;
  backend_.connections_ended.fetch_add(connections);
  runtime::log_warning(why, {{"connections", connections}});
}

std::size_t Guard::end_captors() {
  using runtime::ConnectionTable;
  ConnectionTable& connections = backend_.connections;
  const runtime::TimePoint now = runtime::steady_now();
  std::size_t ended = 0;
  for (session::MatchLoop* const home : backend_.loops) {
    const runtime::Loop& loop = home->loop();
    const auto turn = loop.pulse().last_beat();
    if (loop.pulse().overdue(now) > kOverdueMax)
      ended += connections.end_captors({static_cast<std::uint32_t>(home->index()), turn, loop.cpu_time()});
  }
  const auto since = acceptor_.takes_since();
  if (since != 0 && now.time_since_epoch() - runtime::Duration(since) > kOverdueMax)
    ended += connections.end_captors({ConnectionTable::kAcceptor, since, acceptor_.cpu_time()});
  return ended;
}

}  // namespace sweepd::app
