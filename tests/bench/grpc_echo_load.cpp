// SPDX-License-Identifier: MIT
#include "bench/grpc_echo_load.h"

#include <grpcpp/channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <array>
#include <memory>

#include "bench/grpc_echo_message.h"
#include "bench/grpc_echo_process.h"
#include "os/resident_memory.h"
#include "tools/load/play_stream.h"
#include "tools/load/tick_fit.h"

namespace sweepd::bench {
namespace {

using Samples = std::vector<double>;
using TimePoint = tools::load::TimePoint;

constexpr std::size_t kStreamsFirst = 240;

double to_ms(tools::load::Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

double to_ms(Nanoseconds time) { return static_cast<double>(time) / 1e6; }

Spread spread_of(Samples& samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  const auto at = [&samples](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
  };
  return {at(0.5), at(0.99), at(0.999)};
}

/// What is measured while it is asked for.
struct Measures {
  bool is_on = false;
  std::uint64_t messages = 0, answers = 0;
  Samples round_trip, beyond_tick, tick_lateness, unread_age, send_lateness;
  bool has_failed = false;
};

class LoadStream {
 public:
  struct Event {
    LoadStream& stream;
    void (LoadStream::*handler)(bool);
  };

  LoadStream(const EchoLoadOptions& options, grpc::CompletionQueue& queue, Measures& measures)
      : options_(options), measures_(measures) {
    channel_ = tools::load::open_load_channel(options.target, grpc::InsecureChannelCredentials());
    grpc::GenericStub stub(channel_);
    context_.set_wait_for_ready(true);
    stream_ = stub.PrepareCall(&context_, "/sweepd.v1.MatchService/Play", &queue);
    begin();
    stream_->StartCall(&has_started_);
  }

  void dispatch(const Event& event, bool ok) {
    --events_under_way_;
    (this->*event.handler)(ok);
  }

  bool is_idle() const { return events_under_way_ == 0; }
  bool has_started() const { return is_started_; }

  /// A message was due at `due`. What comes of it counts from when it is handed to the stream, now.
  void send(Nanoseconds due) {
    const TimePoint now = std::chrono::steady_clock::now();
    sent_at_[++count_ % kRemembered] = now;
    if (measures_.is_on) measures_.send_lateness.push_back(to_ms(now.time_since_epoch().count() - due));
    write_next();
  }

  void close() {
    is_closing_ = true;
    context_.TryCancel();
  }

 private:
  static constexpr std::size_t kRemembered = 1024;  ///< 17 seconds' worth.

  void begin() { ++events_under_way_; }

  void on_started(bool ok) {
    if (!ok) return fail();
    is_started_ = true;
    read();
  }

  void read() {
    begin();
    stream_->Read(&answer_, &has_read_);
  }

  void write_next() {
    if (is_writing_ || sent_ == count_ || is_closing_) return;
    is_writing_ = true;
    begin();
    stream_->Write(encode({.sequence_number = ++sent_}, options_.message_bytes), &has_written_);
  }

  void on_written(bool ok) {
    is_writing_ = false;
    if (!ok) return fail();
    write_next();
  }

  void on_read(bool ok) {
    if (!ok) return fail();
    const EchoHeader header = decode_header(answer_);
    const TimePoint now = std::chrono::steady_clock::now();
    if (measures_.is_on) ++measures_.answers;
    if (header.tick != 0) {
      const auto late = fit_.observe(header.tick, now);
      if (measures_.is_on) measures_.tick_lateness.push_back(to_ms(late));
    }
    for (; answered_ < header.sequence_number; ++answered_)
      measure(sent_at_[(answered_ + 1) % kRemembered], header, now);
    read();
  }

  void measure(TimePoint sent, const EchoHeader& header, TimePoint now) {
    if (!measures_.is_on) return;
    ++measures_.messages;
    measures_.round_trip.push_back(to_ms(now - sent));
    if (header.tick == 0) return;
    measures_.beyond_tick.push_back(to_ms(now - std::max(sent, fit_.due(header.tick))));
    measures_.unread_age.push_back(std::max(to_ms(fit_.due(header.tick - 1) - sent), 0.0));
  }

  void fail() {
    if (!is_closing_) measures_.has_failed = true;
  }

  const EchoLoadOptions& options_;
  Measures& measures_;
  std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  grpc::ByteBuffer answer_;
  tools::load::TickFit fit_{kRateHz};
  std::array<TimePoint, kRemembered> sent_at_{};
  std::uint32_t count_ = 0, sent_ = 0, answered_ = 0;
  int events_under_way_ = 0;
  bool is_started_ = false, is_writing_ = false, is_closing_ = false;
  Event has_started_{*this, &LoadStream::on_started};
  Event has_read_{*this, &LoadStream::on_read};
  Event has_written_{*this, &LoadStream::on_written};
};

class EchoLoad {
 public:
  explicit EchoLoad(const EchoLoadOptions& options) : options_(options) {}

  EchoFigures run() {
    open_streams();
    if (!measures_.has_failed) {
      send_for(options_.warm_up_seconds);
      measure();
    }
    close_streams();
    figures_.has_failed = measures_.has_failed;
    return figures_;
  }

 private:
  // One by one, as clients come: a thousand at once would wait for each other.
  void open_streams() {
    for (std::size_t i = 0; i < options_.streams && !measures_.has_failed; ++i) {
      streams_.push_back(std::make_unique<LoadStream>(options_, queue_, measures_));
      const Nanoseconds patience = monotonic_now() + 10'000'000'000;
      while (!streams_.back()->has_started() && !measures_.has_failed) {
        if (!handle_event(patience)) measures_.has_failed = true;
      }
    }
  }

  void measure() {
    measures_.is_on = true;
    const double server_before = cpu_seconds_of(options_.server_process);
    const double load_before = cpu_seconds_of_this_process();
    const Nanoseconds begin = monotonic_now();
    send_for(options_.seconds);
    const double seconds = to_ms(monotonic_now() - begin) / 1e3;
    const double server_cpu = cpu_seconds_of(options_.server_process) - server_before;
    measures_.is_on = false;
    figures_.load_cpu = (cpu_seconds_of_this_process() - load_before) / seconds;
    figures_.server_cpu = server_cpu / seconds;
    figures_.server_resident_bytes = static_cast<double>(os::ResidentMemory(options_.server_process).bytes());
    figures_.streams = options_.streams;
    figures_.messages_per_second = static_cast<double>(measures_.messages) / seconds;
    figures_.answers_per_second = static_cast<double>(measures_.answers) / seconds;
    figures_.server_us_per_message =
        server_cpu * 1e6 / static_cast<double>(std::max<std::uint64_t>(measures_.messages, 1));
    figures_.has_ticks = options_.mode == EchoMode::kTick;
    figures_.send_lateness = spread_of(measures_.send_lateness);
    figures_.round_trip = spread_of(measures_.round_trip);
    figures_.beyond_tick = spread_of(measures_.beyond_tick);
    figures_.tick_lateness = spread_of(measures_.tick_lateness);
    figures_.unread_age = spread_of(measures_.unread_age);
  }

  /// Message by message, at even distances; which of the ticks' phases they meet is left to chance.
  void send_for(double seconds) {
    const auto sends = static_cast<std::uint64_t>(seconds * kRateHz * static_cast<double>(streams_.size()));
    const Nanoseconds begin = monotonic_now();
    const auto count = static_cast<Nanoseconds>(streams_.size());
    for (std::uint64_t i = 0; i < sends; ++i) {
      const Nanoseconds due = begin + static_cast<Nanoseconds>(i) * kInterval / count;
      while (monotonic_now() < due) handle_event(due);
      for (int events = 0; events < 4 && handle_event(0); ++events) {
      }
      streams_[i % streams_.size()]->send(due);
    }
  }

  bool handle_event(Nanoseconds deadline) {
    void* tag = nullptr;
    bool ok = false;
    if (queue_.AsyncNext(&tag, &ok, to_timespec(deadline)) != grpc::CompletionQueue::GOT_EVENT) return false;
    const auto& event = *static_cast<LoadStream::Event*>(tag);
    event.stream.dispatch(event, ok);
    return true;
  }

  void close_streams() {
    for (auto& stream : streams_) stream->close();
    const auto is_any_busy = [this] {
      return std::ranges::any_of(streams_, [](const auto& stream) { return !stream->is_idle(); });
    };
    while (is_any_busy()) handle_event(monotonic_now() + 1'000'000'000);
  }

  const EchoLoadOptions options_;
  grpc::CompletionQueue queue_;
  Measures measures_;
  EchoFigures figures_;
  std::vector<std::unique_ptr<LoadStream>> streams_;
};

}  // namespace

bool EchoFigures::holds(double bound_ms) const {
  constexpr double kTakenMin = 0.99;
  if (has_failed || messages_per_second < kTakenMin * kRateHz * static_cast<double>(streams)) return false;
  if (send_lateness.p99 >= bound_ms) return false;  // Of this load generator: nobody knows what would hold.
  if (!has_ticks) return round_trip.p99 < bound_ms;
  return beyond_tick.p99 < bound_ms && tick_lateness.p99 < bound_ms && unread_age.p99 < bound_ms;
}

EchoFigures load_echo(const EchoLoadOptions& options) { return EchoLoad(options).run(); }

EchoFigures find_most_streams(EchoLoadOptions options, double bound_ms, std::size_t step,
                              std::vector<EchoFigures>& tried) {
  constexpr int kTrials = 2;  // The machine may have had something else to do.
  EchoFigures best;
  std::size_t too_many = 0;
  options.streams = kStreamsFirst;
  while (options.streams > best.streams) {
    for (int trial = 0; trial < kTrials && best.streams < options.streams; ++trial) {
      tried.push_back(load_echo(options));
      if (tried.back().holds(bound_ms)) best = tried.back();
    }
    if (best.streams < options.streams) too_many = options.streams;
    if (too_many != 0 && too_many - best.streams <= step) break;
    const std::size_t next = too_many == 0 ? best.streams * 3 / 2 : (best.streams + too_many) / 2;
    options.streams = next / kStreamsPerMatch * kStreamsPerMatch;
  }
  return best;
}

}  // namespace sweepd::bench
