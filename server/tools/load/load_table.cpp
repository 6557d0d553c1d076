// SPDX-License-Identifier: MIT
#include <iomanip>
#include <sstream>

#include "tools/load/load_result.h"

namespace sweepd::tools::load {
namespace {

const char* name_of(EventsAsked events) {
  switch (events) {
    case EventsAsked::kAll:
      return "all events to everybody";
    case EventsAsked::kOwn:
      return "events of own objects";
    case EventsAsked::kOwnEnters:
      return "ENTERs of own objects";
  }
  return "";
}

void add_quantiles(std::ostream& out, const std::string& name, const Histogram& histogram) {
  out << std::left << std::setw(34) << name << std::right;
  for (const double fraction : {0.5, 0.99, 0.999})
    out << std::setw(10) << milliseconds(histogram.quantile(fraction));
  out << std::setw(10) << milliseconds(histogram.max()) << std::setw(11) << histogram.count() << '\n';
}

void add_line(std::ostream& out, const std::string& name, const std::string& value) {
  out << std::left << std::setw(34) << name << value << '\n';
}

std::string text(double value, int digits, const std::string& unit) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value << unit;
  return out.str();
}

double per(double value, double count) { return count > 0 ? value / count : 0; }

void add_latencies(std::ostream& out, const Measurements& measured) {
  out << std::fixed << std::setprecision(2) << std::left << std::setw(34) << "milliseconds" << std::right
      << std::setw(10) << "p50" << std::setw(10) << "p99" << std::setw(10) << "p99.9" << std::setw(10)
      << "max" << std::setw(11) << "count" << '\n';
  add_quantiles(out, "update to event", measured.update_to_event);
  add_quantiles(out, "  beyond the wait for the tick", measured.beyond_the_wait);
  add_quantiles(out, "tick lateness", measured.tick_lateness);
  add_quantiles(out, "age of unread input", measured.input_age);
  add_quantiles(out, "frames sent late by the load", measured.send_lateness);
}

void add_traffic(std::ostream& out, const LoadResult& result) {
  const Measurements& measured = result.measured;
  const double client_ticks = result.duration_s * result.rate_hz * result.matches * result.clients;
  add_line(out, "bytes per client and tick",
           text(per(static_cast<double>(measured.bytes_up), client_ticks), 1, " up, ") +
               text(per(static_cast<double>(measured.bytes_down), client_ticks), 1, " down"));
  if (result.asks_for_world) {
    add_line(out, "  of these of the world",
             text(per(static_cast<double>(measured.world_bytes), client_ticks), 1, ", the largest tick ") +
                 std::to_string(measured.world_tick_bytes_max));
  }
  add_line(out, "frames sent",
           text(per(static_cast<double>(measured.frames_sent), result.duration_s), 0, " a second"));
  add_line(out, "updates received",
           text(per(static_cast<double>(measured.updates), result.duration_s), 0, " a second, with ") +
               text(per(static_cast<double>(measured.events), result.duration_s), 0, " events"));
  add_line(
      out, "tick rate",
      text(result.tick_rate_mean_hz, 2, " Hz, slowest match ") + text(result.tick_rate_min_hz, 2, " Hz"));
}

void add_costs(std::ostream& out, const LoadResult& result) {
  const double match_seconds = result.duration_s * result.matches;
  if (result.server) {
    const ProcessCost& server = *result.server;
    add_line(out, "server CPU",
             text(per(server.cpu_s * 1000, match_seconds), 2, " ms per match and second, ") +
                 text(per(server.cpu_s * 100, result.duration_s), 0, "% of a core"));
    const double grown =
        static_cast<double>(server.resident_bytes) - static_cast<double>(server.resident_before_bytes);
    add_line(out, "server memory",
             text(per(grown, result.matches) / 1000, 0, " KB a match, ") +
                 text(static_cast<double>(server.resident_bytes) / 1e6, 0, " MB in all"));
  } else {
    add_line(out, "server CPU and memory", "unknown: no --server-pid, or it is gone");
  }
  add_line(out, "load CPU",
           text(per(result.client.cpu_s * 1000, match_seconds), 2, " ms per match and second, ") +
               text(result.busiest_thread * 100, 0, "% of its busiest thread"));
}

void add_metrics(std::ostream& out, const MetricsChange& metrics) {
  constexpr int kNameWidth = 60;
  const auto old = out.precision(3);
  out << "server's metrics: how much they have grown, or =what they were at the end\n";
  for (const auto& [series, value] : metrics.counters)
    out << "  " << std::left << std::setw(kNameWidth) << series << std::right << " +" << value << '\n';
  for (const auto& [series, value] : metrics.gauges)
    out << "  " << std::left << std::setw(kNameWidth) << series << std::right << " =" << value << '\n';
  out.precision(old);
}

void add_complaints(std::ostream& out, const LoadResult& result) {
  const Measurements& measured = result.measured;
  if (load_is_bottleneck(result)) out << "the load generator is the bottleneck: these figures are its own\n";
  if (measured.reconnections > 0)
    out << measured.reconnections << " clients broke their streams and came back\n";
  if (measured.rejections > 0) out << measured.rejections << " changes were refused\n";
  if (measured.probes_lost > 0)
    out << measured.probes_lost << " probes were not answered within " << 2 * kProbeTicks << " ticks\n";
  if (measured.frames_not_sent > 0) out << measured.frames_not_sent << " frames could not be sent\n";
  if (result.misbehaving_streams_closed > 0)
    out << result.misbehaving_streams_closed << " streams of misbehaving clients were closed by the server\n";
  if (result.ticks_lost > 0) out << result.ticks_lost << " ticks were skipped after stalls\n";
  if (result.streams_closed > 0) {
    out << result.streams_closed << " streams were closed by the server: " << result.first_error << '\n';
  }
}

void add_search(std::ostream& out, const SearchResult& search) {
  const auto old = out.precision(2);
  out << "matches   held   tick lateness   beyond the wait   unread input   p99 in ms; slowest match, load\n";
  for (const SearchStep& step : search.steps) {
    out << std::setw(7) << step.matches << std::setw(7) << (step.held ? "yes" : "no") << std::setw(16)
        << milliseconds(step.lateness_p99) << std::setw(18) << milliseconds(step.beyond_the_wait_p99)
        << std::setw(15) << milliseconds(step.input_age_p99) << std::setw(12)
        << text(step.tick_rate_min_hz, 2, " Hz,") << std::setw(5) << text(step.busiest_thread * 100, 0, "%")
        << '\n';
  }
  out << search.matches_held << " matches are held with every p99 up to " << milliseconds(search.bound)
      << " ms (" << search.ended_because << ")\n";
  out.precision(old);
}

}  // namespace

std::string matches_text(const LoadResult& result) {
  std::ostringstream out;
  out << result.matches << " matches of " << result.clients << " clients"
      << (result.shared_streams ? " on one stream" : "") << " at " << result.rate_hz << " Hz";
  return out.str();
}

std::string table_of(const LoadResult& result) {
  std::ostringstream out;
  out << std::fixed;
  out << result.scene << (result.trace_path.empty() ? "" : " ") << result.trace_path << ", " << result.objects
      << " objects, " << title_of(result.motion) << ", " << name_of(result.events) << ": "
      << matches_text(result) << ", " << text(result.duration_s, 1, " s") << '\n';
  add_latencies(out, result.measured);
  add_traffic(out, result);
  add_costs(out, result);
  if (result.metrics) add_metrics(out, *result.metrics);
  if (!result.metrics_error.empty()) out << "no metrics: " << result.metrics_error << '\n';
  add_complaints(out, result);
  if (result.search) add_search(out, *result.search);
  return out.str();
}

}  // namespace sweepd::tools::load
