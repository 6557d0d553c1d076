// SPDX-License-Identifier: MIT
//
// What a ticket costs the loop that a call comes in on: verified, for each algorithm, and known from an
// earlier call. Both in one run, so that their ratio holds whatever else the machine does.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "base/assert.h"
#include "identity/ticket_issuer.h"
#include "keys/sample_keys.h"
#include "session/gate.h"

namespace sweepd::bench {
namespace {

using identity::Algorithm;

std::shared_ptr<const identity::TicketVerifier> verifier() {
  auto keys = identity::KeySet::parse(test::sample_key_set());
  SWEEPD_ASSERT(keys.ok());
  return std::make_shared<const identity::TicketVerifier>(std::move(*keys), identity::TicketRules{});
}

std::string token_of(Algorithm algorithm) {
  const std::int64_t now_s = session::ticket_time_s();
  const identity::Ticket ticket{.subject = {.issuer = "game", .tenant = "arcade", .name = "ann"},
                                .audience = "sweepd",
                                .role = identity::PrincipalKind::kPlayer,
                                .match_id = "a-match",
                                .not_before_s = now_s - 60,
                                .expires_s = now_s + 3600,
                                .ticket_id = "0b7c9a52"};
  return *identity::issue(ticket, test::sample_key(algorithm));
}

void verified(benchmark::State& state, Algorithm algorithm) {
  const auto all = verifier();
  const std::string token = token_of(algorithm);
  for (auto _ : state) {
    const auto ticket = all->verify(token, session::ticket_time_s());
    SWEEPD_ASSERT(ticket.ok());
    benchmark::DoNotOptimize(ticket);
  }
}

void known(benchmark::State& state, Algorithm algorithm) {
  session::Gate gate;
  gate.use(verifier());
  const std::string token = token_of(algorithm);
  SWEEPD_ASSERT(gate.admit(token).ok());
  for (auto _ : state) {
    const auto admission = gate.admit(token);
    SWEEPD_ASSERT(admission.ok());
    benchmark::DoNotOptimize(admission);
  }
}

BENCHMARK_CAPTURE(verified, HS256, Algorithm::kHs256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(known, HS256, Algorithm::kHs256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(verified, RS256, Algorithm::kRs256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(known, RS256, Algorithm::kRs256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(verified, ES256, Algorithm::kEs256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(known, ES256, Algorithm::kEs256)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(verified, EdDSA, Algorithm::kEdDsa)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(known, EdDSA, Algorithm::kEdDsa)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sweepd::bench

BENCHMARK_MAIN();
