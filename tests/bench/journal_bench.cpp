// SPDX-License-Identifier: MIT
//
// What the journal costs on a real disk: CPU per record while 200 matches run at 60 Hz, with a record of 346
// bytes for each tick as matches under explicit moves have them; how long it takes until a tick is durable;
// the same without pauses; and how fast everything is packed away, and read again when a server starts.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "match/match.h"
#include "replay/config_codec.h"
#include "replay/tick_encoder.h"
#include "runtime/journal/compaction.h"
#include "runtime/journal/sqlite_journal.h"

namespace sweepd::bench {
namespace {

using runtime::Journal;
using runtime::JournalRecord;
using std::chrono::steady_clock;

constexpr std::size_t kMatches = 200;
constexpr std::size_t kRecordBytes = 346;
constexpr int kTickRateHz = 60;

double process_cpu_us() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

double thread_cpu_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// A directory of its own beside the benchmark, on a disk rather than in memory.
class Folder {
 public:
  Folder() : path_(std::filesystem::current_path() / ("journal-bench-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path journal() const { return path_ / "journal.db"; }

 private:
  std::filesystem::path path_;
};

/// As many moves as make about that many bytes.
std::string tick_bytes(match::Tick tick) {
  replay::TickRecord record{.tick = tick, .digest = tick * 0x9e3779b97f4a7c15};
  match::Submission submission;
  for (std::uint32_t i = 0; i < 44; ++i) {
    submission.frame.moves.push_back(
        {1 + i, {static_cast<int>(tick * 37 + i * 5000), static_cast<int>(i * 9000)}});
  }
  record.inputs.push_back(std::move(submission));
  replay::TickEncoder encoder;
  encoder.add(record);
  return encoder.take();
}

JournalRecord tick_record(std::size_t match, match::Tick tick) {
  return {match + 1, runtime::RecordKind::kTick, tick, tick_bytes(tick)};
}

/// Paced as running matches are; each tick of them at its own moment.
void run_matches(benchmark::State& state) {
  const auto flush = std::chrono::milliseconds(state.range(0));
  std::vector<double> delays_ms;
  double cpu_us = 0;
  std::size_t records = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const Folder folder;
    runtime::SqliteJournal journal(
        std::make_unique<runtime::JournalStore>(folder.journal(), runtime::JournalSync::kFull),
        {.flush = flush});
    const double before = process_cpu_us() - thread_cpu_us();
    const auto begin = steady_clock::now();
    std::vector<std::pair<Journal::Position, steady_clock::time_point>> waiting;
    for (match::Tick tick = 1; tick <= 3 * kTickRateHz; ++tick) {
      for (std::size_t match = 0; match < kMatches; ++match) {
        JournalRecord record = tick_record(match, tick);
        bytes += record.content.size();
        waiting.emplace_back(journal.append(std::move(record)), steady_clock::now());
        ++records;
        if (match % 20 != 0) continue;
        const auto durable = journal.durable_position();
        const auto now = steady_clock::now();
        const auto first =
            std::ranges::partition_point(waiting, [&](const auto& entry) { return entry.first <= durable; });
        for (auto entry = waiting.begin(); entry != first; ++entry)
          delays_ms.push_back(std::chrono::duration<double, std::milli>(now - entry->second).count());
        waiting.erase(waiting.begin(), first);
        std::this_thread::sleep_until(
            begin +
            std::chrono::microseconds(1'000'000 * ((tick - 1) * 10 + match / 20) / (10 * kTickRateHz)));
      }
    }
    journal.stop();
    cpu_us += process_cpu_us() - thread_cpu_us() - before;
  }
  std::ranges::sort(delays_ms);
  state.counters["bytes/record"] = static_cast<double>(bytes) / static_cast<double>(records);
  state.counters["cpu_us/record"] = cpu_us / static_cast<double>(records);
  state.counters["durable_ms_p50"] = delays_ms[delays_ms.size() / 2];
  state.counters["durable_ms_p99"] = delays_ms[delays_ms.size() * 99 / 100];
}

/// As fast as the disk takes them, then packed, then read.
void write_pack_and_read(benchmark::State& state) {
  constexpr match::Tick kTicks = 1200;
  double write_us = 0;
  double pack_us = 0;
  double read_us = 0;
  double bytes = 0;
  for (auto _ : state) {
    const Folder folder;
    auto store = std::make_unique<runtime::JournalStore>(folder.journal(), runtime::JournalSync::kFull);
    std::vector<JournalRecord> group;
    auto begin = steady_clock::now();
    const auto us = [&begin] {
      const auto now = steady_clock::now();
      return std::chrono::duration<double, std::micro>(now - std::exchange(begin, now)).count();
    };
    for (std::size_t match = 0; match < kMatches; ++match) {
      match::MatchConfig config;
      config.layers = {"a"};
      const auto created = match::Match::create(config);
      const runtime::MatchOrigin origin{"match" + std::to_string(match), 0,
                                        replay::head_of(**created, "match", "nonce")};
      group.push_back({match + 1, runtime::RecordKind::kCreated, 0, encode(origin)});
    }
    for (match::Tick tick = 1; tick <= kTicks; ++tick) {
      for (std::size_t match = 0; match < kMatches; ++match) group.push_back(tick_record(match, tick));
      store->write(group);
      group.clear();
    }
    write_us += us();
    const runtime::RecentTicks recent(*store, ~std::size_t{0}, [](const auto&) {});
    for (const runtime::JournalKey match : recent.matches()) {
      for (const auto& tick : recent.of(match, 1, kTicks)) benchmark::DoNotOptimize(decode_tick(tick));
    }
    read_us += us();
    pack_recent_ticks(*store, recent, {}, [&](const auto& work) { work(*store); });
    pack_us += us();
    store.reset();
    bytes += static_cast<double>(std::filesystem::file_size(folder.journal()));
  }
  const auto records = static_cast<double>(kMatches * kTicks) * static_cast<double>(state.iterations());
  state.counters["write_us/record"] = write_us / records;
  state.counters["read_us/record"] = read_us / records;
  state.counters["pack_us/record"] = pack_us / records;
  state.counters["disk_bytes/record"] = bytes / records;
}

BENCHMARK(run_matches)->Arg(10)->Arg(20)->Arg(50)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(write_pack_and_read)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sweepd::bench

BENCHMARK_MAIN();
