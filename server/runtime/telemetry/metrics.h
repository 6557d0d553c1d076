// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/clock.h"

namespace prometheus {
class Counter;
template <typename Metric>
class Family;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace sweepd::runtime {

class Metrics;

/// Only grows. Handles are small, are copied freely, and are valid as long as their Metrics. An update is an
/// atomic operation, of a histogram a short lock. Thread-safe.
class Counter {
 public:
  void add(std::uint64_t count = 1);
  std::uint64_t value() const;

 private:
  friend class Metrics;
  friend class CounterFamily;
  explicit Counter(prometheus::Counter& counter) : counter_(&counter) {}
  prometheus::Counter* counter_;
};

class Gauge {
 public:
  void set(double value);
  double value() const;

 private:
  friend class Metrics;
  friend class GaugeFamily;
  explicit Gauge(prometheus::Gauge& gauge) : gauge_(&gauge) {}
  prometheus::Gauge* gauge_;
};

/// Gauges of one name, told apart by the value of a label: one of few that the server itself gives.
class GaugeFamily {
 public:
  /// Takes a lock: to be kept.
  Gauge with(const std::string& value);

 private:
  friend class Metrics;
  GaugeFamily(prometheus::Family<prometheus::Gauge>& family, std::string label)
      : family_(&family), label_(std::move(label)) {}
  prometheus::Family<prometheus::Gauge>* family_;
  std::string label_;
};

class Histogram {
 public:
  void observe(double value);
  void observe(Duration time) { observe(std::chrono::duration<double>(time).count()); }

 private:
  friend class Metrics;
  explicit Histogram(prometheus::Histogram& histogram) : histogram_(&histogram) {}
  prometheus::Histogram* histogram_;
};

/// Counters of one name, told apart by the value of a label.
class CounterFamily {
 public:
  /// Of so many values at most; what has a further one is counted as "other", so that made-up values take no
  /// memory.
  static constexpr std::size_t kValuesMax = 64;

  /// Takes a lock: for what is rare, or to be kept.
  Counter with(const std::string& value);

 private:
  friend class Metrics;
  struct State;
  explicit CounterFamily(State& state) : state_(&state) {}
  State* state_;
};

/// How long something has been so, in seconds; 0 while it is not. It goes on growing even if the thread that
/// set it hangs.
class AgeGauge {
 public:
  void set_since(TimePoint since);
  void clear();

 private:
  friend class Metrics;
  using Since = std::atomic<Duration::rep>;
  explicit AgeGauge(Since& since) : since_(&since) {}
  Since* since_;
};

/// A metric whose values are asked for when it is read. Asked no more once this is gone.
class ComputedMetric {
 public:
  ComputedMetric() = default;
  ComputedMetric(ComputedMetric&& other) noexcept;
  ComputedMetric& operator=(ComputedMetric&& other) noexcept;
  ~ComputedMetric();

 private:
  friend class Metrics;
  ComputedMetric(Metrics& metrics, std::string name) : metrics_(&metrics), name_(std::move(name)) {}
  Metrics* metrics_ = nullptr;
  std::string name_;
};

/// What tells values of one name apart: names of labels, and their values.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// A value of a computed metric.
struct Sample {
  Labels labels;
  double value = 0;
};

/// The same of a histogram.
struct HistogramSample {
  Labels labels;
  std::vector<std::uint64_t> counts;  ///< Of each bucket alone; at last of what is beyond all bounds.
  double sum = 0;                     ///< Of all that was observed.
};

/// What the server counts and measures, for Prometheus. Names: sweepd_<noun>_<unit>, of counters with _total
/// at the end; each is used once. Thread-safe.
class Metrics {
 public:
  explicit Metrics(Clock clock = steady_now);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  Counter counter(const std::string& name, const std::string& help);
  CounterFamily counters(const std::string& name, const std::string& help, const std::string& label);
  Gauge gauge(const std::string& name, const std::string& help);
  GaugeFamily gauges(const std::string& name, const std::string& help, const std::string& label);
  AgeGauge age_gauge(const std::string& name, const std::string& help);
  /// `bounds`: the upper bounds of the buckets, ascending.
  Histogram histogram(const std::string& name, const std::string& help, std::vector<double> bounds);

  // The functions are called on the reader's thread, and must not use these metrics. A counter's values only
  // grow. What has labels has few, and none that others make up.
  using Value = std::function<double()>;
  using Values = std::function<std::vector<Sample>()>;
  [[nodiscard]] ComputedMetric computed_gauge(const std::string& name, const std::string& help, Value value);
  [[nodiscard]] ComputedMetric computed_counter(const std::string& name, const std::string& help,
                                                Value value);
  [[nodiscard]] ComputedMetric computed_gauges(const std::string& name, const std::string& help,
                                               Values values);
  [[nodiscard]] ComputedMetric computed_counters(const std::string& name, const std::string& help,
                                                 Values values);
  /// `bounds` as above; each sample has one count more.
  [[nodiscard]] ComputedMetric computed_histograms(const std::string& name, const std::string& help,
                                                   std::vector<double> bounds,
                                                   std::function<std::vector<HistogramSample>()> values);

  /// Everything in Prometheus' text format, by name.
  std::string to_text() const;
  static constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  friend class ComputedMetric;
  struct State;
  struct Computed;
  void claim(const std::string& name, bool is_counter);
  ComputedMetric add_computed(const std::string& name, Computed computed);
  void remove_computed(const std::string& name);

  const std::unique_ptr<State> state_;
};

}  // namespace sweepd::runtime
