// SPDX-License-Identifier: MIT
#include "runtime/telemetry/log.h"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/sink.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/last_words.h"
#include "runtime/telemetry/log_line.h"

namespace sweepd::runtime {
namespace {

constexpr std::array<std::string_view, 6> kNames{"trace", "debug", "info", "warning", "error", "off"};
// The payload is a line of log_line.h. Times of text are the operator's, times for machines are UTC.
constexpr const char* kTextPattern = "[%Y-%m-%d %H:%M:%S.%e] [%^%l%$] %v";
constexpr const char* kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

// The log's reader may hang: the end of the server waits for it no longer than this.
constexpr std::chrono::seconds kLastLinesPatience{2};
constexpr int kLastLinesPatiencesMax = 5;  // For a reader that is slow.
constexpr std::chrono::seconds kFatalPatience{1};

std::atomic<Log::State*> current_log = nullptr;
std::atomic<std::uint64_t> all_left_out = 0;
thread_local const LogScope* innermost_scope = nullptr;

class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_({line.data(), line.size()});
  }
  void flush_() override {}

  const std::function<void(std::string_view)> write_;
};

/// How far the log's thread has come: the sink before this one in its logger has written what this one is
/// given.
class Progress final : public spdlog::sinks::sink {
 public:
  std::uint64_t lines() const { return lines_; }
  std::uint64_t flushes() const { return flushes_; }

  void log(const spdlog::details::log_msg& /*message*/) override { ++lines_; }
  void flush() override { ++flushes_; }
  void set_pattern(const std::string& /*pattern*/) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter> /*formatter*/) override {}

 private:
  std::atomic<std::uint64_t> lines_ = 0;
  std::atomic<std::uint64_t> flushes_ = 0;
};

spdlog::sink_ptr make_sink(LogOptions& options) {
  using StreamSink = spdlog::sinks::ansicolor_sink<spdlog::details::console_mutex>;
  if (options.write) return std::make_shared<FunctionSink>(std::move(options.write));
  // A thread that is stuck writing holds the lock of its stream, and the end of a process flushes stderr.
  static std::FILE* const stream = ::fdopen(::dup(STDERR_FILENO), "w");
  // Colours on a terminal only.
  const bool is_text = options.format == LogFormat::kText;
  return std::make_shared<StreamSink>(stream == nullptr ? stderr : stream,
                                      is_text ? spdlog::color_mode::automatic : spdlog::color_mode::never);
}

std::unique_ptr<spdlog::formatter> make_formatter(LogFormat format) {
  if (format == LogFormat::kText) return std::make_unique<spdlog::pattern_formatter>(kTextPattern);
  return std::make_unique<spdlog::pattern_formatter>(kJsonPattern, spdlog::pattern_time_type::utc);
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return spdlog::level::trace;
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

}  // namespace

struct Log::State {
  explicit State(LogOptions options)
      : format(options.format),
        is_stderr(!options.write),
        threads(std::make_shared<spdlog::details::thread_pool>(options.lines_waiting_max, 1)),
        progress(std::make_shared<Progress>()),
        logger(std::make_shared<spdlog::async_logger>(
            "sweepd", spdlog::sinks_init_list{make_sink(options), progress}, threads,
            spdlog::async_overflow_policy::overrun_oldest)) {
    logger->set_formatter(make_formatter(format));
    logger->set_level(spdlog::level::trace);  // What is below ours does not come this far.
  }

  const LogFormat format;
  const bool is_stderr;
  std::shared_ptr<spdlog::details::thread_pool> threads;
  const std::shared_ptr<Progress> progress;
  std::shared_ptr<spdlog::async_logger> logger;
};

namespace {

bool waits_until(std::chrono::steady_clock::time_point end, const std::function<bool()>& condition) {
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// A thread that is stuck writing to it has its stream locked, and the end of the process would wait to flush
/// it.
void leave_stderr_alone_at_exit() {
  on_exit(
      [](int exit_code, void* /*nothing*/) {
        std::fflush(stdout);
        _exit(exit_code);
      },
      nullptr);
}

/// The lines before a broken invariant tell how it came to it, so they are written before this returns.
bool say_at_the_end(const char* what) noexcept try {
  static std::atomic<bool> has_begun = false;  // A thread that fails meanwhile goes on without.
  const Log::State* const log = current_log.load(std::memory_order_acquire);
  if (log == nullptr) return false;
  if (has_begun.exchange(true)) return true;
  log_detail::write(LogLevel::kError, what, {}, 0);
  const auto end = std::chrono::steady_clock::now() + kFatalPatience;
  // A flush that finds the queue full would take the place of a line.
  if (!waits_until(end, [log] { return log->threads->queue_size() == 0; })) return true;
  const std::uint64_t flushes = log->progress->flushes();
  log->logger->flush();
  waits_until(end, [&] { return log->progress->flushes() > flushes; });
  return true;
} catch (...) {  // No memory: stderr is all that is left.
  return false;
}

}  // namespace

std::string_view to_string(LogLevel level) { return kNames.at(static_cast<std::size_t>(level)); }

std::optional<LogLevel> parse_log_level(std::string_view name) {
  if (name == "warn") return LogLevel::kWarning;
  const auto it = std::ranges::find(kNames, name);
  if (it == kNames.end()) return std::nullopt;
  return static_cast<LogLevel>(it - kNames.begin());
}

void change_log_level(LogLevel level) {
  const LogLevel before = log_level();
  const auto tell = [&] {
    log_info("log level changed", {{"from", to_string(before)}, {"to", to_string(level)}});
  };
  if (level > before) tell();
  set_log_level(level);
  if (level <= before) tell();
}

Log::Log(LogOptions options) : state_(std::make_unique<State>(options)) {
  State* none = nullptr;
  const bool is_only_one = current_log.compare_exchange_strong(none, state_.get());
  SWEEPD_ASSERT(is_only_one && options.lines_waiting_max > 0);
  base::set_last_words(say_at_the_end);
  set_log_level(options.level);
}

Log::~Log() {
  set_log_level(LogLevel::kOff);
  base::set_last_words(nullptr);
  current_log = nullptr;
  std::promise<void> written;
  const std::future<void> is_written = written.get_future();
  // Its thread writes what waits, then ends; the logger, which that thread uses, has to be there until then.
  std::thread ending([threads = std::move(state_->threads), logger = state_->logger,
                      written = std::move(written)]() mutable {
    threads.reset();
    written.set_value();
  });
  bool is_over = false;
  bool goes_on = true;
  for (int i = 0; i < kLastLinesPatiencesMax && goes_on && !is_over; ++i) {
    const std::uint64_t lines = state_->progress->lines();
    is_over = is_written.wait_for(kLastLinesPatience) == std::future_status::ready;
    goes_on = state_->progress->lines() > lines;
  }
  if (is_over) {
    ending.join();
  } else {
    ending.detach();  // With all that it uses.
    if (state_->is_stderr) leave_stderr_alone_at_exit();
  }
}

std::uint64_t Log::lines_dropped() const { return state_->threads->overrun_counter(); }

std::size_t Log::lines_waiting() const { return state_->threads->queue_size(); }

std::uint64_t Log::lines_left_out() { return all_left_out.load(std::memory_order_relaxed); }

void log_detail::write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields,
                       std::uint64_t left_out_before) {
  Log::State* const log = current_log.load(std::memory_order_acquire);
  if (log == nullptr) return;
  std::vector<LogField> all(fields);
  const LogScope* const scope = innermost_scope;
  if (scope != nullptr && !scope->value().empty()) all.emplace_back(scope->name(), scope->value());
  if (left_out_before > 0) all.emplace_back("lines_left_out", left_out_before);
  const std::string line =
      log->format == LogFormat::kJson ? json_line(message, all) : text_line(message, all);
  log->logger->log(to_spdlog(level), spdlog::string_view_t(line));
}

void LogBound::log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (is_logged(level)) log_always(level, message, fields);
}

void LogBound::log_always(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  std::uint64_t left_out = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (!lines_.take(1, lines_per_second_, clock_())) {
      ++left_out_;
      all_left_out.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    left_out = std::exchange(left_out_, 0);
  }
  log_detail::write(level, message, fields, left_out);
}

LogScope::LogScope(std::string_view name, std::string_view value)
    : name_(name),
      bytes_(value.copy(value_.data(), kValueBytesMax)),
      outer_(std::exchange(innermost_scope, this)) {}

LogScope::~LogScope() { innermost_scope = outer_; }

}  // namespace sweepd::runtime
