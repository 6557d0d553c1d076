// SPDX-License-Identifier: MIT
#include "app/budget_metrics.h"

#include <string>

namespace sweepd::app {
namespace {

using runtime::Resource;
using runtime::Sample;

std::vector<Sample> connection_refusals(const runtime::Acceptor& acceptor) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < runtime::kConnectionRefusals; ++i) {
    const auto refusal = static_cast<runtime::ConnectionRefusal>(i);
    samples.push_back(
        {{{"reason", std::string(name_of(refusal))}}, static_cast<double>(acceptor.refusals(refusal))});
  }
  return samples;
}

/// Of what calls ask for: connections are counted apart.
std::vector<Sample> budget_refusals(const runtime::Budgets& budgets) {
  std::vector<Sample> samples;
  for (const Resource resource :
       {Resource::kStreams, Resource::kCalls, Resource::kMatches, Resource::kBytes}) {
    for (const bool is_of_key : {true, false}) {
      samples.push_back(
          {{{"resource", std::string(name_of(resource))}, {"scope", is_of_key ? "client" : "server"}},
           static_cast<double>(budgets.refusals(resource, is_of_key))});
    }
  }
  return samples;
}

}  // namespace

void add_budget_metrics(runtime::Metrics& metrics, const session::Backend& backend,
                        const runtime::Acceptor& acceptor, const runtime::PortWatchdog& watchdog,
                        std::vector<runtime::ComputedMetric>& to) {
  const auto gauge = [&](const char* name, const char* help, auto value) {
    to.push_back(metrics.computed_gauge(name, help, [value] { return static_cast<double>(value()); }));
  };
  const auto counter = [&](const char* name, const char* help, auto value) {
    to.push_back(metrics.computed_counter(name, help, [value] { return static_cast<double>(value()); }));
  };
  const runtime::Budgets& budgets = backend.budgets;
  gauge("sweepd_connections", "Connections of clients.",
        [&budgets] { return budgets.taken(Resource::kConnections); });
  gauge("sweepd_connections_max", "Connections that may be.",
        [&budgets] { return budgets.limit(Resource::kConnections).in_all; });
  gauge("sweepd_calls", "Calls with one answer that are under way.",
        [&budgets] { return budgets.taken(Resource::kCalls); });
  gauge("sweepd_message_bytes", "Large requests that are worked on and large answers that are not taken.",
        [&budgets] { return budgets.taken(Resource::kBytes); });
  gauge("sweepd_memory_bytes", "Resident memory of the process.",
        [&backend] { return backend.memory.bytes(); });
  gauge("sweepd_memory_max_bytes", "Its ceiling; from nine tenths of it on new work is refused.",
        [&backend] { return backend.memory.bytes_max(); });
  counter("sweepd_answers_not_taken_total", "Answers that were cancelled as their clients did not take them.",
          [&backend] { return backend.answers_not_taken.load(); });
  counter("sweepd_connections_ended_total",
          "Connections that were ended: they sent much and no whole message.",
          [&backend] { return backend.connections_ended.load(); });
  counter("sweepd_port_probe_failures_total", "Connections of the server to its own ports that failed.",
          [&watchdog] { return watchdog.failures(); });
  to.push_back(metrics.computed_counters("sweepd_connections_refused_total",
                                         "Connections that were closed as soon as they came.",
                                         [&acceptor] { return connection_refusals(acceptor); }));
  to.push_back(metrics.computed_counters(
      "sweepd_budget_refusals_total",
      "Calls and streams that were refused by what their client, or all clients, may take.",
      [&budgets] { return budget_refusals(budgets); }));
}

}  // namespace sweepd::app
