// SPDX-License-Identifier: MIT
#include "runtime/telemetry/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

constexpr std::string_view kPrefix = "sweepd_";
constexpr std::string_view kCounterEnding = "_total";
constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr const char* kOther = "other";
constexpr Duration::rep kNotNow = Duration::min().count();

prometheus::ClientMetric to_metric(const Labels& labels) {
  prometheus::ClientMetric metric;
  for (const auto& [name, value] : labels) metric.label.push_back({name, value});
  return metric;
}

prometheus::ClientMetric to_metric(const HistogramSample& sample, const std::vector<double>& bounds) {
  SWEEPD_ASSERT(sample.counts.size() == bounds.size() + 1);
  prometheus::ClientMetric metric = to_metric(sample.labels);
  prometheus::ClientMetric::Histogram& histogram = metric.histogram;
  for (std::size_t i = 0; i < sample.counts.size(); ++i) {
    histogram.sample_count += sample.counts[i];
    const double bound = i < bounds.size() ? bounds[i] : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  histogram.sample_sum = sample.sum;
  return metric;
}

/// What collects metrics of samples, whose values `put` writes.
template <typename Put>
auto collector(Metrics::Values values, Put put) {
  return [values = std::move(values), put] {
    std::vector<prometheus::ClientMetric> metrics;
    for (const Sample& sample : values()) put(metrics.emplace_back(to_metric(sample.labels)), sample.value);
    return metrics;
  };
}

void put_gauge(prometheus::ClientMetric& metric, double value) { metric.gauge.value = value; }

void put_counter(prometheus::ClientMetric& metric, double value) { metric.counter.value = value; }

Metrics::Values single(Metrics::Value value) {
  return [value = std::move(value)] { return std::vector<Sample>{{{}, value()}}; };
}

}  // namespace

struct CounterFamily::State {
  State(prometheus::Family<prometheus::Counter>& counters, std::string label_name)
      : family(counters), label(std::move(label_name)) {}

  prometheus::Family<prometheus::Counter>& family;
  const std::string label;
  std::mutex mutex;
  std::set<std::string> values;
};

struct Metrics::Computed {
  std::string help;
  prometheus::MetricType type;
  std::function<std::vector<prometheus::ClientMetric>()> collect;
};

struct Metrics::State {
  explicit State(Clock time) : clock(std::move(time)) {}

  const Clock clock;
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Throw};
  std::mutex mutex;  ///< Of what follows.
  std::set<std::string> names;
  std::map<std::string, Computed> computed;
  std::list<CounterFamily::State> families;  ///< Handles point to them, as to the next: they stay put.
  std::list<AgeGauge::Since> ages;
};

void Counter::add(std::uint64_t count) { counter_->Increment(static_cast<double>(count)); }

std::uint64_t Counter::value() const { return static_cast<std::uint64_t>(counter_->Value()); }

void Gauge::set(double value) { gauge_->Set(value); }

double Gauge::value() const { return gauge_->Value(); }

void Histogram::observe(double value) { histogram_->Observe(value); }

Counter CounterFamily::with(const std::string& value) {
  const std::scoped_lock lock(state_->mutex);
  const bool has_room = state_->values.size() < kValuesMax || state_->values.contains(value);
  if (has_room) state_->values.insert(value);
  return Counter(state_->family.Add({{state_->label, has_room ? value : kOther}}));
}

Gauge GaugeFamily::with(const std::string& value) { return Gauge(family_->Add({{label_, value}})); }

void AgeGauge::set_since(TimePoint since) { since_->store(since.time_since_epoch().count()); }

void AgeGauge::clear() { since_->store(kNotNow); }

ComputedMetric::ComputedMetric(ComputedMetric&& other) noexcept
    : metrics_(std::exchange(other.metrics_, nullptr)), name_(std::move(other.name_)) {}

ComputedMetric& ComputedMetric::operator=(ComputedMetric&& other) noexcept {
  std::swap(metrics_, other.metrics_);
  std::swap(name_, other.name_);
  return *this;
}

ComputedMetric::~ComputedMetric() {
  if (metrics_ != nullptr) metrics_->remove_computed(name_);
}

Metrics::Metrics(Clock clock) : state_(std::make_unique<State>(std::move(clock))) {}

Metrics::~Metrics() = default;

Counter Metrics::counter(const std::string& name, const std::string& help) {
  claim(name, true);
  return Counter(prometheus::BuildCounter().Name(name).Help(help).Register(state_->registry).Add({}));
}

CounterFamily Metrics::counters(const std::string& name, const std::string& help, const std::string& label) {
  claim(name, true);
  auto& family = prometheus::BuildCounter().Name(name).Help(help).Register(state_->registry);
  const std::scoped_lock lock(state_->mutex);
  return CounterFamily(state_->families.emplace_back(family, label));
}

Gauge Metrics::gauge(const std::string& name, const std::string& help) {
  claim(name, false);
  return Gauge(prometheus::BuildGauge().Name(name).Help(help).Register(state_->registry).Add({}));
}

GaugeFamily Metrics::gauges(const std::string& name, const std::string& help, const std::string& label) {
  claim(name, false);
  return {prometheus::BuildGauge().Name(name).Help(help).Register(state_->registry), label};
}

AgeGauge Metrics::age_gauge(const std::string& name, const std::string& help) {
  claim(name, false);
  AgeGauge::Since* since = nullptr;
  {
    const std::scoped_lock lock(state_->mutex);
    since = &state_->ages.emplace_back(kNotNow);
  }
  const auto age = [since, clock = &state_->clock] {
    const Duration then(since->load());
    if (then.count() == kNotNow) return 0.0;
    return std::max(0.0, std::chrono::duration<double>((*clock)().time_since_epoch() - then).count());
  };
  const std::scoped_lock lock(state_->mutex);
  state_->computed.emplace(name,
                           Computed{help, prometheus::MetricType::Gauge, collector(single(age), put_gauge)});
  return AgeGauge(*since);
}

Histogram Metrics::histogram(const std::string& name, const std::string& help, std::vector<double> bounds) {
  claim(name, false);
  SWEEPD_ASSERT(!bounds.empty() && std::ranges::is_sorted(bounds, std::less_equal<>()));
  auto& family = prometheus::BuildHistogram().Name(name).Help(help).Register(state_->registry);
  return Histogram(family.Add({}, prometheus::Histogram::BucketBoundaries(std::move(bounds))));
}

ComputedMetric Metrics::computed_gauge(const std::string& name, const std::string& help, Value value) {
  return computed_gauges(name, help, single(std::move(value)));
}

ComputedMetric Metrics::computed_counter(const std::string& name, const std::string& help, Value value) {
  return computed_counters(name, help, single(std::move(value)));
}

ComputedMetric Metrics::computed_gauges(const std::string& name, const std::string& help, Values values) {
  claim(name, false);
  return add_computed(name, {help, prometheus::MetricType::Gauge, collector(std::move(values), put_gauge)});
}

ComputedMetric Metrics::computed_counters(const std::string& name, const std::string& help, Values values) {
  claim(name, true);
  return add_computed(name,
                      {help, prometheus::MetricType::Counter, collector(std::move(values), put_counter)});
}

ComputedMetric Metrics::computed_histograms(const std::string& name, const std::string& help,
                                            std::vector<double> bounds,
                                            std::function<std::vector<HistogramSample>()> values) {
  claim(name, false);
  const auto collect = [bounds = std::move(bounds), values = std::move(values)] {
    std::vector<prometheus::ClientMetric> metrics;
    for (const HistogramSample& sample : values()) metrics.push_back(to_metric(sample, bounds));
    return metrics;
  };
  return add_computed(name, {help, prometheus::MetricType::Histogram, collect});
}

std::string Metrics::to_text() const {
  std::vector<prometheus::MetricFamily> families = state_->registry.Collect();
  {
    // Held while they are asked: after a metric is removed its function is not called.
    const std::scoped_lock lock(state_->mutex);
    for (const auto& [name, computed] : state_->computed) {
      families.push_back({name, computed.help, computed.type, computed.collect()});
    }
  }
  std::ranges::sort(families, {}, &prometheus::MetricFamily::name);
  return prometheus::TextSerializer().Serialize(families);
}

void Metrics::claim(const std::string& name, bool is_counter) {
  SWEEPD_ASSERT(name.starts_with(kPrefix) && name.find_first_not_of(kNameCharacters) == std::string::npos);
  SWEEPD_ASSERT(name.ends_with(kCounterEnding) == is_counter);
  const std::scoped_lock lock(state_->mutex);
  const bool is_new = state_->names.insert(name).second;
  SWEEPD_ASSERT(is_new);
}

ComputedMetric Metrics::add_computed(const std::string& name, Computed computed) {
  const std::scoped_lock lock(state_->mutex);
  state_->computed.emplace(name, std::move(computed));
  return {*this, name};
}

void Metrics::remove_computed(const std::string& name) {
  const std::scoped_lock lock(state_->mutex);
  state_->computed.erase(name);
  state_->names.erase(name);
}

}  // namespace sweepd::runtime
