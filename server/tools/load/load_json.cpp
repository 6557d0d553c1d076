// SPDX-License-Identifier: MIT
#include <cmath>
#include <sstream>

#include "tools/load/load_result.h"
#include "tools/sweepctl/json.h"

namespace sweepd::tools::load {
namespace {

const char* key_of(EventsAsked events) {
  switch (events) {
    case EventsAsked::kAll:
      return "all";
    case EventsAsked::kOwn:
      return "own";
    case EventsAsked::kOwnEnters:
      return "own-enters";
  }
  return "";
}

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::ostringstream out;
  out.precision(6);
  out << std::fixed << value;
  return out.str();
}

std::string json_milliseconds(Histogram::Duration duration) { return number(milliseconds(duration)); }

std::string json_of(const Histogram& histogram) {
  JsonObject json;
  json.add("count", histogram.count());
  json.add_json("p50", json_milliseconds(histogram.quantile(0.5)));
  json.add_json("p90", json_milliseconds(histogram.quantile(0.9)));
  json.add_json("p99", json_milliseconds(histogram.quantile(0.99)));
  json.add_json("p99.9", json_milliseconds(histogram.quantile(0.999)));
  json.add_json("max", json_milliseconds(histogram.max()));
  json.add_json("mean", json_milliseconds(histogram.mean()));
  return json.text();
}

std::string latencies_json(const Measurements& measured) {
  JsonObject json;
  json.add_json("update_to_event", json_of(measured.update_to_event));
  json.add_json("beyond_the_wait", json_of(measured.beyond_the_wait));
  json.add_json("tick_lateness", json_of(measured.tick_lateness));
  json.add_json("input_age", json_of(measured.input_age));
  json.add_json("send_lateness", json_of(measured.send_lateness));
  return json.text();
}

std::string counts_json(const LoadResult& result) {
  const Measurements& measured = result.measured;
  JsonObject json;
  json.add("frames_sent", measured.frames_sent);
  json.add("frames_not_sent", measured.frames_not_sent);
  json.add("updates", measured.updates);
  json.add("events", measured.events);
  json.add("rejections", measured.rejections);
  json.add("probes_sent", measured.probes_sent);
  json.add("probes_lost", measured.probes_lost);
  json.add("ticks_lost", result.ticks_lost);
  json.add("reconnections", measured.reconnections);
  json.add("streams_closed", result.streams_closed);
  json.add("misbehaving_streams_closed", result.misbehaving_streams_closed);
  return json.text();
}

std::string cost_json(const ProcessCost& cost, const LoadResult& result) {
  JsonObject json;
  json.add_json("cpu_s", number(cost.cpu_s));
  json.add_json("cpu_ms_per_match_second", number(cost.cpu_s * 1000 / (result.duration_s * result.matches)));
  json.add("resident_bytes", cost.resident_bytes);
  json.add("resident_before_bytes", cost.resident_before_bytes);
  return json.text();
}

std::string seconds_json(const LoadResult& result) {
  std::vector<std::string> seconds;
  for (const SecondOfLoad& second : result.seconds) {
    JsonObject json;
    json.add_json("time_s", number(second.time_s));
    json.add("matches", second.matches);
    json.add_json("lateness_p50_ms", json_milliseconds(second.lateness_p50));
    json.add_json("lateness_p99_ms", json_milliseconds(second.lateness_p99));
    json.add_json("beyond_the_wait_p99_ms", json_milliseconds(second.beyond_the_wait_p99));
    seconds.push_back(json.text());
  }
  return json_array(seconds);
}

std::string search_json(const SearchResult& search) {
  std::vector<std::string> steps;
  for (const SearchStep& step : search.steps) {
    JsonObject json;
    json.add("matches", step.matches);
    json.add_json("held", step.held ? "true" : "false");
    json.add_json("tick_lateness_p99_ms", json_milliseconds(step.lateness_p99));
    json.add_json("beyond_the_wait_p99_ms", json_milliseconds(step.beyond_the_wait_p99));
    json.add_json("input_age_p99_ms", json_milliseconds(step.input_age_p99));
    json.add_json("tick_rate_min_hz", number(step.tick_rate_min_hz));
    json.add_json("busiest_thread", number(step.busiest_thread));
    json.add_json("load_cores_busy", number(step.cores_busy));
    json.add_json("send_lateness_p99_ms", json_milliseconds(step.send_lateness_p99));
    json.add("streams_closed", step.streams_closed);
    json.add("frames_not_sent", step.frames_not_sent);
    json.add("probes_lost", step.probes_lost);
    json.add("ticks_lost", step.ticks_lost);
    steps.push_back(json.text());
  }
  JsonObject json;
  json.add_json("bound_ms", json_milliseconds(search.bound));
  json.add("matches_held", search.matches_held);
  json.add("ended_because", search.ended_because);
  json.add_json("steps", json_array(steps));
  return json.text();
}

std::string values_json(const std::map<std::string, double>& values) {
  JsonObject json;
  for (const auto& [series, value] : values) json.add_json(series, number(value));
  return json.text();
}

std::string metrics_json(const MetricsChange& metrics) {
  JsonObject json;
  json.add_json("grown", values_json(metrics.counters));
  json.add_json("at_end", values_json(metrics.gauges));
  return json.text();
}

}  // namespace

std::string json_of(const LoadResult& result) {
  const double client_ticks = result.duration_s * result.rate_hz * result.matches * result.clients;
  JsonObject json;
  json.add("scene", result.scene);
  json.add_json("trace", result.trace_path.empty() ? "null" : base::json_string(result.trace_path));
  json.add("motion", to_string(result.motion));
  json.add("events", key_of(result.events));
  json.add("matches", result.matches);
  json.add("clients_per_match", result.clients);
  json.add_json("shared_streams", result.shared_streams ? "true" : "false");
  json.add("objects_per_match", result.objects);
  json.add("rate_hz", result.rate_hz);
  json.add_json("duration_s", number(result.duration_s));
  json.add_json("was_interrupted", result.was_interrupted ? "true" : "false");
  json.add_json("milliseconds", latencies_json(result.measured));
  json.add_json("tick_rate_min_hz", number(result.tick_rate_min_hz));
  json.add_json("tick_rate_mean_hz", number(result.tick_rate_mean_hz));
  json.add_json("bytes_up_per_client_tick",
                number(static_cast<double>(result.measured.bytes_up) / client_ticks));
  json.add_json("bytes_down_per_client_tick",
                number(static_cast<double>(result.measured.bytes_down) / client_ticks));
  if (result.asks_for_world) {
    json.add_json("world_bytes_per_client_tick",
                  number(static_cast<double>(result.measured.world_bytes) / client_ticks));
    json.add("world_tick_bytes_max", result.measured.world_tick_bytes_max);
  }
  json.add_json("counts", counts_json(result));
  json.add_json("server", result.server ? cost_json(*result.server, result) : "null");
  json.add_json("metrics", result.metrics ? metrics_json(*result.metrics) : "null");
  json.add_json("load", cost_json(result.client, result));
  json.add_json("load_busiest_thread", number(result.busiest_thread));
  json.add_json("load_cores_busy", number(cores_busy(result)));
  json.add_json("load_is_bottleneck", load_is_bottleneck(result) ? "true" : "false");
  json.add_json("search", result.search ? search_json(*result.search) : "null");
  json.add_json("seconds", seconds_json(result));
  return json.text();
}

}  // namespace sweepd::tools::load
