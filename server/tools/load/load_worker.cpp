// SPDX-License-Identifier: MIT
#include "tools/load/load_worker.h"

#include <grpc/support/time.h>
#include <pthread.h>

#include <algorithm>
#include <ctime>
#include <future>
#include <utility>

#include "tools/load/load_channel.h"
#include "tools/load/playbook.h"

namespace sweepd::tools::load {
namespace {

// How long posted work may wait if nothing else happens.
constexpr Duration kPauseMax = std::chrono::milliseconds(5);

// Of all numbers from 0 to 1, far from those before: however many clients there are, they spread evenly.
double spread(std::uint64_t index) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double turns = static_cast<double>(index) * kGoldenRatio;
  return turns - static_cast<double>(static_cast<std::uint64_t>(turns));
}

}  // namespace

struct LoadWorker::Match {
  CreatedMatch created;
  MatchSchedule schedule;
  std::vector<std::unique_ptr<LoadClient>> clients;
};

LoadWorker::LoadWorker(const LoadOptions& options, Loops loops)
    : options_(options),
      loops_(std::move(loops)),
      authorization_(authorization_for(options.server)),
      thread_([this] { run(); }) {}

LoadWorker::~LoadWorker() {
  do_on_thread([this] { close_all(); });
  thread_.join();
}

void LoadWorker::do_on_thread(std::function<void()> work) {
  std::promise<void> done;
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back([&] {
      work();
      done.set_value();
    });
    has_posted_ = true;
  }
  done.get_future().wait();
}

void LoadWorker::do_posted() {
  if (!has_posted_) return;
  std::vector<std::function<void()>> posted;
  {
    const std::lock_guard lock(mutex_);
    posted.swap(posted_);
    has_posted_ = false;
  }
  for (const auto& work : posted) work();
}

void LoadWorker::add(const CreatedMatch& match) {
  do_on_thread([this, &match] { start(match); });
}

void LoadWorker::begin() {
  do_on_thread([this] {
    for (const auto& match : matches_) match->schedule.has_begun = true;
  });
}

Measurements LoadWorker::take_measurements() {
  Measurements taken;
  do_on_thread([this, &taken] { std::swap(taken, measurements_); });
  return taken;
}

Measurements LoadWorker::take_last_measurements() {
  Measurements taken;
  do_on_thread([this, &taken] {
    const TimePoint end = now();
    for (const auto& match : matches_) {
      for (const auto& client : match->clients) client->end_measurement(end);
    }
    std::swap(taken, measurements_);
  });
  return taken;
}

std::vector<MatchProgress> LoadWorker::progress() {
  std::vector<MatchProgress> all;
  do_on_thread([this, &all] {
    for (const auto& match : matches_) {
      const MatchSchedule& schedule = match->schedule;
      MatchProgress progress{
          match->created.number, schedule.tick, schedule.tick_time, schedule.fit.ticks_lost(), 0, 0, 0, {}};
      for (const auto& client : match->clients) {
        progress.clients_joined += client->seats_joined();
        if (!client->is_closed()) continue;
        if (client->misbehaves() && client->has_joined()) {
          ++progress.misbehaving_clients_closed;
          continue;
        }
        ++progress.clients_closed;
        if (progress.error.empty()) progress.error = client->error().error_message();
      }
      all.push_back(std::move(progress));
    }
  });
  return all;
}

Duration LoadWorker::cpu_time() {
  clockid_t clock = 0;
  timespec time = {};
  if (pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 || clock_gettime(clock, &time) != 0)
    return {};
  return kSecond * time.tv_sec + Duration(time.tv_nsec);
}

void LoadWorker::start(const CreatedMatch& created) {
  matches_.push_back(std::make_unique<Match>(
      Match{created, {created.match_id, TickFit(options_.rate_hz), options_.rate_hz, false, 0, {}}, {}}));
  Match& match = *matches_.back();
  std::shared_ptr<grpc::Channel> channel;
  const std::vector<LoadClient::Part> parts = parts_of(created.number);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    match.clients.push_back(std::make_unique<LoadClient>(
        ClientSurroundings{queue_, reader_, measurements_, authorization_}, match.schedule, parts[i]));
    if (!channel || !options_.one_connection_per_match)
      channel = open_load_channel(created.target, options_.server);
    match.clients.back()->open(channel);
    const std::uint64_t index = std::uint64_t{created.number} * parts.size() + i;
    const auto phase = std::chrono::duration_cast<Duration>(kSecond * spread(index) / options_.rate_hz);
    const TimePoint first = now() + phase;
    schedule({first, first, match.clients.back().get()});
  }
}

std::vector<LoadClient::Part> LoadWorker::parts_of(std::uint32_t match) const {
  // Matches are at different places of the same loop: the same happens in all, but not at the same time.
  // Clients of a match are at the same.
  const std::uint32_t start_tick = match * 37 % loops_->front()->ticks();
  std::vector<LoadClient::Part> parts;
  for (std::uint32_t i = 0; i < loops_->size(); ++i) {
    if (parts.empty() || !options_.shared_streams) {
      const ClientBehavior behavior =
          behavior_of(options_.behavior, options_.matches, options_.clients, match, i);
      parts.push_back(
          {{}, options_.shared_streams, start_tick, behavior, options_.events, options_.asks_for_world});
    }
    parts.back().seats.push_back({(*loops_)[i].get(), client_name(i)});
  }
  return parts;
}

void LoadWorker::schedule(Due due) {
  dues_.push_back(due);
  std::push_heap(dues_.begin(), dues_.end(), std::greater<>());
}

void LoadWorker::send_due() {
  const TimePoint time = now();
  while (!dues_.empty() && dues_.front().due <= time) {
    std::pop_heap(dues_.begin(), dues_.end(), std::greater<>());
    Due due = dues_.back();
    dues_.pop_back();
    due.client->send(due.due, now());
    due.on_time += kSecond / options_.rate_hz;
    due.due = due.on_time;
    if (const auto jitter = Duration(options_.jitter).count(); jitter > 0) {
      due.due += Duration(static_cast<std::int64_t>(dice_.roll() % static_cast<std::uint64_t>(jitter)));
    }
    schedule(due);
  }
}

void LoadWorker::run() {
  while (!is_stopping_) {
    do_posted();
    send_due();
    wait_for_completion();
  }
  // Nothing may begin on a queue that is shut down, and a stream reads until it is closed.
  while (!all_closed()) wait_for_completion();
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) handle(tag, ok);
}

void LoadWorker::wait_for_completion() {
  const TimePoint time = now();
  Duration pause = kPauseMax;
  if (!dues_.empty()) pause = std::clamp<Duration>(dues_.front().due - time, Duration(0), kPauseMax);
  void* tag = nullptr;
  bool ok = false;
  const gpr_timespec deadline = gpr_time_from_nanos(pause.count(), GPR_TIMESPAN);
  if (queue_.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT) handle(tag, ok);
}

void LoadWorker::handle(void* tag, bool ok) {
  const auto& done = *static_cast<StreamTag*>(tag);
  (done.stream->*done.on_done)(ok);
}

bool LoadWorker::all_closed() const {
  return std::all_of(matches_.begin(), matches_.end(), [](const auto& match) {
    return std::all_of(match->clients.begin(), match->clients.end(),
                       [](const auto& client) { return client->is_closed(); });
  });
}

void LoadWorker::close_all() {
  is_stopping_ = true;
  dues_.clear();
  for (const auto& match : matches_) {
    for (const auto& client : match->clients) client->close();
  }
}

}  // namespace sweepd::tools::load
