// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/clock.h"

namespace prometheus {
class Counter;
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
  explicit Gauge(prometheus::Gauge& gauge) : gauge_(&gauge) {}
  prometheus::Gauge* gauge_;
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
  /// Of so many values at most; what has a further one is counted as "other", or whoever makes up values
  /// would make up memory.
  static constexpr std::size_t kValuesMax = 64;

  /// Takes a lock: for what is rare, or to be kept.
  Counter with(const std::string& value);

 private:
  friend class Metrics;
  struct State;
  explicit CounterFamily(State& state) : state_(&state) {}
  State* state_;
};

/// How long something has been so, in seconds; 0 while it is not. It goes on growing even if whoever set it
/// hangs.
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

/// A gauge whose value is asked for when it is read. Asked no more once this is gone.
class ComputedGauge {
 public:
  ComputedGauge() = default;
  ComputedGauge(ComputedGauge&& other) noexcept;
  ComputedGauge& operator=(ComputedGauge&& other) noexcept;
  ~ComputedGauge();

 private:
  friend class Metrics;
  ComputedGauge(Metrics& metrics, std::string name) : metrics_(&metrics), name_(std::move(name)) {}
  Metrics* metrics_ = nullptr;
  std::string name_;
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
  AgeGauge age_gauge(const std::string& name, const std::string& help);
  /// `bounds`: the upper bounds of the buckets, ascending.
  Histogram histogram(const std::string& name, const std::string& help, std::vector<double> bounds);

  /// `value` is called by whoever reads, on their thread, and must not use these metrics.
  [[nodiscard]] ComputedGauge computed_gauge(const std::string& name, const std::string& help,
                                             std::function<double()> value);

  /// Everything in Prometheus' text format, by name.
  std::string to_text() const;
  static constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  friend class ComputedGauge;
  struct State;
  void claim(const std::string& name, bool is_counter);
  void add_computed(const std::string& name, const std::string& help, std::function<double()> value);
  void remove_computed(const std::string& name);

  const std::unique_ptr<State> state_;
};

}  // namespace sweepd::runtime
