// SPDX-License-Identifier: MIT
#include "tools/load/load_run.h"

#include <absl/synchronization/mutex.h>

#include <algorithm>
#include <iomanip>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "tools/load/load_search.h"

namespace sweepd::tools::load {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause(20);
constexpr std::chrono::seconds kJoinTimeMax(30);

double seconds_of(SteadyClock::duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string text(double value, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

void add_closed_streams(const std::vector<MatchProgress>& matches, LoadResult& result) {
  for (const MatchProgress& match : matches) {
    result.streams_closed += match.clients_closed;
    result.misbehaving_streams_closed += match.misbehaving_clients_closed;
    if (result.first_error.empty()) result.first_error = match.error;
  }
}

std::string text(Histogram::Duration duration) {
  return text(static_cast<double>(duration.count()) / 1e6, 2);
}

}  // namespace

LoadRun::LoadRun(const LoadOptions& options, std::function<bool()> should_stop,
                 std::function<void(const std::string&)> on_progress)
    : options_(options),
      should_stop_(std::move(should_stop)),
      on_progress_(std::move(on_progress)),
      playbook_(make_playbook(options)),
      server_pid_(options.server_pid) {
  const auto port = loopback_port(options.server.address);
  if (!server_pid_ && port) server_pid_ = find_listener(*port);
}

LoadRun::~LoadRun() { (void)end(); }

std::uint32_t LoadRun::end() {
  workers_.clear();
  return end_matches();
}

LoadResult LoadRun::new_result() const {
  LoadResult result;
  result.scene = playbook_.name;
  result.trace_path = options_.trace_path;
  result.motion = options_.motion;
  result.events = options_.events;
  result.asks_for_world = options_.asks_for_world;
  result.shared_streams = options_.shared_streams;
  result.matches = static_cast<std::uint32_t>(matches_.size());
  result.clients = options_.clients;
  result.rate_hz = options_.rate_hz;
  result.objects = playbook_.objects;
  if (server_pid_) result.server = ProcessCost{0, server_bytes_before_, 0};
  result.client.resident_before_bytes = own_bytes_before_;
  result.client_cores = cores_of_this_process();
  return result;
}

Result<LoadResult> LoadRun::run() {
  if (server_pid_) {
    const auto use = use_of_process(*server_pid_);
    if (!use)
      return Status(ErrorCode::kNotFound, "no process " + std::to_string(*server_pid_) + " can be measured");
    server_bytes_before_ = use->resident_bytes;
  }
  if (!options_.metrics_address.empty()) {
    const auto page = fetch_metrics(options_.metrics_address,
                                    options_.server);  // It should fail before the run, not after.
    if (!page.ok()) return page.status();
  }
  // Distributions ship Abseil with its search for lock cycles on, at every lock that gRPC takes.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  own_bytes_before_ = use_of_this_process().resident_bytes;
  for (std::uint32_t i = 0; i < options_.threads; ++i) {
    workers_.push_back(std::make_unique<LoadWorker>(options_, playbook_.loops));
  }
  if (options_.search_bound) return search();
  if (Status status = play(options_.matches); !status.ok()) return status;
  LoadResult result = new_result();
  measure_with_metrics(result);
  return result;
}

Status LoadRun::play(std::uint32_t matches) {
  if (Status status = create_matches(matches); !status.ok()) return status;
  open_streams();
  if (Status status = wait_for_joins(); !status.ok()) return status;
  for (const auto& worker : workers_) worker->begin();
  wait(options_.warm_up);
  return {};
}

// Until a number of matches was not held twice in a row: once may be chance.
Result<LoadResult> LoadRun::search() {
  SearchResult found;
  found.bound = *options_.search_bound;
  std::optional<LoadResult> best;
  std::vector<SecondOfLoad> seconds;
  double time_s = 0;
  for (std::uint32_t matches = options_.matches, failures = 0; failures < 2 && !should_stop_();) {
    if (Status status = play(matches); !status.ok()) {
      found.ended_because = status.message();
      if (found.steps.empty()) return status;
      break;
    }
    if (should_stop_()) break;
    LoadResult result = new_result();
    measure_with_metrics(result);
    for (SecondOfLoad second : result.seconds) {
      second.time_s += time_s;
      seconds.push_back(second);
    }
    time_s += result.duration_s;
    if (result.was_interrupted) {
      if (!best) best = std::move(result);
      break;  // Too short to be judged.
    }
    found.steps.push_back(step_of(result, found.bound));
    failures = found.steps.back().held ? 0 : failures + 1;
    if (failures == 0) {
      found.matches_held = matches;
      matches += options_.search_step;
    }
    if (found.steps.back().streams_closed > 0) failures = 2;  // They do not come back.
    if (failures == 2) found.ended_because = why_not_held(found.steps.back(), found.bound, options_.rate_hz);
    if (best && best->first_error.empty()) best->first_error = result.first_error;
    if (failures == 0 || !best) best = std::move(result);
  }
  if (should_stop_()) found.ended_because = "interrupted";
  if (!best) {
    best = new_result();
    best->server.reset();
  }
  best->search = std::move(found);
  best->seconds = std::move(seconds);
  best->was_interrupted = should_stop_();
  return *best;
}

// A client only for as long as it is needed: every thread that waits for the network in this process wakes up
// for the streams' messages, too, and hands them to the thread whose they are.
Status LoadRun::create_matches(std::uint32_t count) {
  Client client = make_client(options_.server);
  Targets targets(options_.server);
  while (matches_.size() < count && !should_stop_()) {
    const auto number = static_cast<std::uint32_t>(matches_.size());
    MatchConfig config = playbook_.config;
    config.name = "load " + playbook_.name + " " + std::to_string(number + 1);
    const Result<MatchInfo> match = client.create_match(config);
    if (!match.ok()) return match.status();
    matches_.push_back({number, match->match_id, targets.of(*match)});
  }
  return {};
}

// All are created before the first one plays, and all have joined before the first frame: a server that is
// too busy to let clients in would be another test.
void LoadRun::open_streams() {
  for (; streams_opened_ < matches_.size(); ++streams_opened_) {
    workers_[streams_opened_ % workers_.size()]->add(matches_[streams_opened_]);
  }
}

Status LoadRun::wait_for_joins() {
  const auto deadline = SteadyClock::now() + kJoinTimeMax;
  while (!should_stop_()) {
    std::uint32_t joined = 0;
    for (const MatchProgress& match : progress()) {
      joined += match.clients_joined;
      if (match.clients_closed > 0)
        return Status(ErrorCode::kUnavailable, "a client could not join: " + match.error);
    }
    if (joined == matches_.size() * options_.clients) return {};
    if (SteadyClock::now() > deadline) {
      return Status(ErrorCode::kDeadlineExceeded,
                    std::to_string(joined) + " of " + std::to_string(matches_.size() * options_.clients) +
                        " clients have joined within " + std::to_string(kJoinTimeMax.count()) + " s");
    }
    wait(kPause);
  }
  return {};
}

void LoadRun::wait(std::chrono::milliseconds duration) {
  const auto end = SteadyClock::now() + duration;
  while (SteadyClock::now() < end && !should_stop_()) {
    std::this_thread::sleep_for(std::min<SteadyClock::duration>(kPause, end - SteadyClock::now()));
  }
}

Measurements LoadRun::take_measurements(bool are_last) {
  Measurements all;
  for (const auto& worker : workers_)
    all.merge(are_last ? worker->take_last_measurements() : worker->take_measurements());
  return all;
}

std::vector<MatchProgress> LoadRun::progress() {
  std::vector<MatchProgress> all;
  for (const auto& worker : workers_) {
    for (MatchProgress& match : worker->progress()) all.push_back(std::move(match));
  }
  return all;
}

void LoadRun::measure_with_metrics(LoadResult& result) {
  if (options_.metrics_address.empty()) return measure(result);
  const auto before = fetch_metrics(options_.metrics_address, options_.server);
  measure(result);
  const auto after = fetch_metrics(options_.metrics_address, options_.server);
  if (before.ok() && after.ok()) {
    result.metrics = change_of(*before, *after);
  } else {
    result.metrics_error = (before.ok() ? after : before).status().message();
  }
}

void LoadRun::measure(LoadResult& result) {
  const auto begin = SteadyClock::now();
  (void)take_measurements(false);
  const auto server_before = server_pid_ ? use_of_process(*server_pid_) : std::nullopt;
  const ProcessUse client_before = use_of_this_process();
  std::vector<Duration> cpu_before;
  for (const auto& worker : workers_) cpu_before.push_back(worker->cpu_time());
  const std::vector<MatchProgress> progress_before = progress();
  const TimePoint progress_begin = SteadyClock::now();
  for (bool is_last = false; !is_last;) {
    const auto left = begin + options_.duration - SteadyClock::now();
    wait(std::min(std::chrono::milliseconds(1000), std::chrono::ceil<std::chrono::milliseconds>(left)));
    is_last = SteadyClock::now() - begin >= options_.duration || should_stop_();
    const Measurements second = take_measurements(is_last);
    add_second(result, second, seconds_of(SteadyClock::now() - begin));
    result.measured.merge(second);
  }
  const std::vector<MatchProgress> progress_after = progress();
  const TimePoint end = SteadyClock::now();
  result.duration_s = seconds_of(end - begin);
  const auto server_after = server_pid_ ? use_of_process(*server_pid_) : std::nullopt;
  const ProcessUse client_after = use_of_this_process();
  if (server_before && server_after && result.server) {
    result.server->cpu_s = seconds_of(server_after->cpu_time - server_before->cpu_time);
    result.server->resident_bytes = server_after->resident_bytes;
  } else {
    result.server.reset();  // It ended meanwhile.
  }
  result.client.cpu_s = seconds_of(client_after.cpu_time - client_before.cpu_time);
  result.client.resident_bytes = client_after.resident_bytes;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const double busy = seconds_of(workers_[i]->cpu_time() - cpu_before[i]) / result.duration_s;
    result.busiest_thread = std::max(result.busiest_thread, busy);
  }
  const TickRates rates =
      tick_rates(progress_before, progress_after, {progress_begin, end}, options_.rate_hz);
  result.tick_rate_min_hz = rates.min_hz;
  result.tick_rate_mean_hz = rates.mean_hz;
  result.ticks_lost = rates.ticks_lost;
  add_closed_streams(progress_after, result);
  result.was_interrupted = should_stop_();
}

void LoadRun::add_second(LoadResult& result, const Measurements& second, double time_s) const {
  const SecondOfLoad added{time_s, static_cast<std::uint32_t>(matches_.size()),
                           second.tick_lateness.quantile(0.5), second.tick_lateness.quantile(0.99),
                           second.beyond_the_wait.quantile(0.99)};
  result.seconds.push_back(added);
  on_progress_(text(time_s, 0) + " s: " + std::to_string(added.matches) + " matches, tick lateness p99 " +
               text(added.lateness_p99) + " ms, update to event beyond the wait p99 " +
               text(added.beyond_the_wait_p99) + " ms, " + std::to_string(second.events) + " events");
}

// A server that does not answer once is not asked a thousand times more, each with a deadline of its own.
std::uint32_t LoadRun::end_matches() {
  if (matches_.empty()) return 0;
  Client client = make_client(options_.server);
  std::size_t ended = 0;
  for (; ended < matches_.size(); ++ended) {
    const ErrorCode code = client.end_match(matches_[ended].match_id).status().code();
    if (code == ErrorCode::kUnavailable || code == ErrorCode::kDeadlineExceeded) break;
  }
  const auto left = static_cast<std::uint32_t>(matches_.size() - ended);
  matches_.clear();
  return left;
}

}  // namespace sweepd::tools::load
