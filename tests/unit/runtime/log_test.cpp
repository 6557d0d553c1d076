// SPDX-License-Identifier: MIT
//
// Protects the log from those whom it is about: whatever they send stays one field of one line, they cannot
// drown what others have to say, and no thread that logs ever waits.
#include "runtime/telemetry/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <condition_variable>
#include <cstdio>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/visible_text.h"
#include "runtime/telemetry/log_line.h"
#include "runtime/telemetry/log_metrics.h"

namespace sweepd::runtime::log_test {
namespace {

using base::append_escaped;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

/// Lines as they were written; all are there once the log is gone.
class WrittenLog {
 public:
  explicit WrittenLog(LogOptions options = {}) {
    options.write = [this](std::string_view line) { lines.emplace_back(line); };
    log_.emplace(std::move(options));
  }
  const std::vector<std::string>& end() {
    log_.reset();
    return lines;
  }

  std::vector<std::string> lines;

 private:
  std::optional<Log> log_;
};

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text, 1000);
  return out;
}

TEST(LogLine, TextForPeopleHasFieldsAfterTheMessage) {
  const std::vector<LogField> fields{
      {"match_id", "abc"}, {"tick", 7u}, {"delta", -3}, {"name", "two words"}, {"empty", ""}};
  EXPECT_EQ(text_line("match ended", fields),
            "match ended match_id=abc tick=7 delta=-3 name=\"two words\" empty=\"\"");
}

TEST(LogLine, JsonKeepsNumbersNumbersAndTextText) {
  const std::vector<LogField> fields{{"match_id", "7"},
                                     {"tick", std::numeric_limits<std::uint64_t>::max()},
                                     {"delta", std::numeric_limits<std::int64_t>::min()}};
  EXPECT_EQ(
      json_line("match \"a\" ended", fields),
      R"("message":"match \"a\" ended","match_id":"7","tick":18446744073709551615,"delta":-9223372036854775808)");
}

TEST(LogLine, NobodyGetsOutOfHisField) {
  for (const char* name : {"a\nb", "a\r\nb", "a\" admin=\"1", "a admin=1", "a\x1b[2Jb", "a\\", "\x7f"}) {
    const std::vector<LogField> fields{{"name", name}};
    const std::string text = text_line("joined", fields);
    EXPECT_THAT(text, ::testing::StartsWith("joined name=\"")) << name;
    EXPECT_THAT(text, EndsWith("\"")) << name;
    EXPECT_EQ(text.find_first_of("\n\r\x1b\x7f"), std::string::npos) << name;
    EXPECT_EQ(json_line("joined", fields), "\"message\":\"joined\"," + ("\"name\":" + text.substr(12)));
  }
}

TEST(LogLine, AMessageStaysOnItsLine) {
  EXPECT_EQ(text_line("cannot read a\nb: [error] no", {}), "cannot read a\\u000ab: [error] no");
}

TEST(LogLine, WhatIsNoUtf8AndWhatTurnsTextAroundIsSpelledOut) {
  EXPECT_EQ(escaped("Zoë 名 🚀"), "Zoë 名 🚀");
  EXPECT_EQ(escaped("a\xff"
                    "b"),
            "a\\ufffdb");
  EXPECT_EQ(escaped("\xc3"), "\\ufffd") << "a beginning without an end";
  EXPECT_EQ(escaped("\xc0\xaf"), "\\ufffd\\ufffd") << "longer than need be";
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\\ufffd\\ufffd\\ufffd") << "half of a pair";
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), "\\ufffd\\ufffd\\ufffd\\ufffd") << "beyond all there is";
  EXPECT_EQ(escaped("a\xe2\x80\xa8z"), "a\\u2028z") << "an end of a line";
  EXPECT_EQ(escaped("a\xe2\x80\xae z"), "a\\u202e z") << "from right to left";
  EXPECT_EQ(escaped("a\xc2\x85z"), "a\\u0085z") << "the next line of Latin-1";
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a\\u0000b");
}

TEST(LogLine, AValueIsCutAtItsBoundBetweenTwoCharacters) {
  std::string cut;
  append_escaped(cut, "12名4567", 4);
  EXPECT_EQ(cut, "12…");
  const std::string name(100'000, 'x');
  const std::vector<LogField> fields{{"name", name}};
  EXPECT_EQ(text_line("m", fields).size(), std::string("m name=\"…\"").size() + kLogValueBytesMax);
  EXPECT_EQ(text_line(std::string(100'000, 'x'), {}).size(), kLogMessageBytesMax + std::string("…").size());
}

TEST(Log, WritesALineOfTextForEachThatIsLoud) {
  WrittenLog log;
  log_debug("a detail");
  log_info("started", {{"port", 7777}});
  log_error("no");
  EXPECT_THAT(log.end(), ElementsAre(MatchesRegex(R"(\[[0-9-]{10} [0-9:.]{12}\] \[info\] started port=7777)"
                                                  "\n"),
                                     MatchesRegex(R"(\[.*\] \[error\] no)"
                                                  "\n")));
}

TEST(Log, WritesAnObjectOfJsonInEachLine) {
  WrittenLog log({.level = LogLevel::kTrace, .format = LogFormat::kJson});
  log_warning("a \"name\"", {{"participant", 3}});
  EXPECT_THAT(
      log.end(),
      ElementsAre(MatchesRegex(
          R"(\{"time":"[0-9-]{10}T[0-9:.]{12}Z","level":"warning","message":"a \\"name\\"","participant":3\})"
          "\n")));
}

TEST(Log, TheLevelChangesWhileItRuns) {
  WrittenLog log;
  log_debug("1");
  set_log_level(LogLevel::kDebug);
  log_debug("2");
  set_log_level(LogLevel::kOff);
  log_error("3");
  const auto& lines = log.end();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines.front(), EndsWith(" 2\n"));
}

TEST(Log, LevelsHaveTheNamesThatTheyAreCalledBy) {
  for (const char* name : {"trace", "debug", "info", "warning", "error", "off"}) {
    const auto level = parse_log_level(name);
    ASSERT_TRUE(level) << name;
    EXPECT_EQ(to_string(*level), name);
    EXPECT_THAT(std::string(kLogLevelNames), HasSubstr(name));
  }
  EXPECT_EQ(parse_log_level("warn"), LogLevel::kWarning);
  for (const char* name : {"", "Info", "info ", "fatal", "1"})
    EXPECT_EQ(parse_log_level(name), std::nullopt) << name;
}

TEST(Log, WithoutALogNothingIsLogged) {
  EXPECT_FALSE(is_logged(LogLevel::kError));
  log_error("nobody hears this");
  WrittenLog log;
  EXPECT_TRUE(log.end().empty());
}

TEST(Log, ThreadsSayWhichCallTheyAreAt) {
  WrittenLog log;
  {
    const LogScope outer("request_id", "outer");
    log_info("1");
    {
      const LogScope inner("request_id", std::string(100, 'i'));
      log_info("2", {{"tick", 1}});
      const LogScope nobody("request_id", "");
      log_info("3");
    }
    log_info("4");
    std::thread([] { log_info("5"); }).join();
  }
  log_info("6");
  EXPECT_THAT(log.end(),
              ElementsAre(EndsWith(" 1 request_id=outer\n"),
                          EndsWith(" 2 tick=1 request_id=" + std::string(64, 'i') + "\n"), EndsWith(" 3\n"),
                          EndsWith(" 4 request_id=outer\n"), EndsWith(" 5\n"), EndsWith(" 6\n")));
}

TEST(Log, ClientsGetSoManyLinesASecondAndTheRestIsCounted) {
  TimePoint now(std::chrono::seconds(100));
  LogBound bound(3, [&now] { return now; });
  WrittenLog log;
  const std::uint64_t before = Log::lines_left_out();
  for (int i = 0; i < 10; ++i) bound.log(LogLevel::kInfo, "refused", {{"number", i}});
  EXPECT_EQ(Log::lines_left_out() - before, 7u);
  bound.log(LogLevel::kDebug, "not logged at all, so not counted either");
  EXPECT_EQ(Log::lines_left_out() - before, 7u);
  now += std::chrono::seconds(1);
  bound.log(LogLevel::kInfo, "refused", {{"number", 10}});
  bound.log(LogLevel::kInfo, "refused", {{"number", 11}});
  EXPECT_THAT(log.end(), ElementsAre(EndsWith("number=0\n"), EndsWith("number=1\n"), EndsWith("number=2\n"),
                                     EndsWith("number=10 lines_left_out=7\n"), EndsWith("number=11\n")));
}

TEST(Log, ItsEndDoesNotWaitForWhoeverDoesNotTakeALine) {
  struct Stuck {
    std::mutex mutex;
    std::condition_variable condition;
    bool is_open = false;
    int lines = 0;
  };
  const auto stuck = std::make_shared<Stuck>();
  {
    const Log log({.write = [stuck](std::string_view) {
      std::unique_lock lock(stuck->mutex);
      stuck->condition.wait(lock, [&stuck] { return stuck->is_open; });
      ++stuck->lines;
      stuck->condition.notify_all();
    }});
    log_info("1");
    log_info("2");
  }
  std::unique_lock lock(stuck->mutex);
  EXPECT_EQ(stuck->lines, 0) << "it has ended before";
  stuck->is_open = true;
  stuck->condition.notify_all();
  stuck->condition.wait(lock, [&stuck] { return stuck->lines == 2; });
}

TEST(LogDeathTest, TheLinesBeforeABrokenInvariantAreWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    const Log log({.write = [](std::string_view line) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // So that lines wait.
      std::fwrite(line.data(), 1, line.size(), stderr);
    }});
    for (int i = 1; i <= 5; ++i) log_info("line", {{"number", i}});
    SWEEPD_ASSERT(!is_logged(LogLevel::kError));
  };
  EXPECT_DEATH(fail(), "number=5");
}

TEST(LogDeathTest, ABrokenInvariantIsALineOfTheLog) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    const Log log({.level = LogLevel::kOff, .format = LogFormat::kJson, .write = [](std::string_view line) {
                     std::fwrite(line.data(), 1, line.size(), stderr);
                   }});
    SWEEPD_ASSERT(is_logged(LogLevel::kInfo));
  };
  EXPECT_DEATH(fail(), "^\\{\"time\":.*\"level\":\"error\",\"message\":\".*broken invariant: is_logged");
}

TEST(LogDeathTest, ABrokenInvariantEndsTheProcessThoughNothingTakesItsLog) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    const Log log({.write = [](std::string_view) { std::this_thread::sleep_for(std::chrono::hours(1)); }});
    log_info("held up");
    SWEEPD_ASSERT(!is_logged(LogLevel::kInfo));
  };
  EXPECT_EXIT(fail(), ::testing::KilledBySignal(SIGABRT), "");
}

/// Holds up the thread that writes until it is let go.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    is_reached_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
  }
  void wait_until_reached() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_reached_; });
  }
  void open() {
    const std::scoped_lock lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_reached_ = false;
  bool is_open_ = false;
};

TEST(Log, WhoLogsNeverWaitsTheOldestLinesGoAndAreCounted) {
  Gate gate;
  std::vector<std::string> lines;
  {
    Log log({.lines_waiting_max = 4, .write = [&](std::string_view line) {
               gate.pass();
               lines.emplace_back(line);
             }});
    Metrics metrics;
    const LogMetrics log_metrics(metrics, log);
    log_info("0");
    gate.wait_until_reached();
    for (int i = 1; i <= 10; ++i) log_info(std::to_string(i));
    EXPECT_EQ(log.lines_dropped(), 6u);
    EXPECT_EQ(log.lines_waiting(), 4u);
    EXPECT_THAT(metrics.to_text(), HasSubstr("\nsweepd_log_messages_dropped_total 6\n"));
    EXPECT_THAT(metrics.to_text(), HasSubstr("\nsweepd_log_messages_waiting 4\n"));
    gate.open();
  }
  EXPECT_THAT(lines, ElementsAre(EndsWith(" 0\n"), EndsWith(" 7\n"), EndsWith(" 8\n"), EndsWith(" 9\n"),
                                 EndsWith(" 10\n")));
}

TEST(Log, WhatIsSaidLastIsWrittenBeforeTheLogGoes) {
  WrittenLog log;
  for (int i = 0; i < 1000; ++i) log_error("line " + std::to_string(i));
  ASSERT_EQ(log.end().size(), 1000u);
  EXPECT_THAT(log.lines.back(), EndsWith("line 999\n"));
}

TEST(Log, ManyThreadsLogWholeLines) {
  WrittenLog log({.lines_waiting_max = 10'000});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 500; ++i) log_info("said", {{"thread", thread}, {"line", i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int> next(4, 0);
  for (const std::string& line : log.end()) {
    const int thread = line.at(line.find("thread=") + 7) - '0';
    const std::string expected = "line=" + std::to_string(next.at(static_cast<std::size_t>(thread))++) + "\n";
    EXPECT_THAT(line, EndsWith(expected));
  }
  EXPECT_THAT(next, ElementsAre(500, 500, 500, 500));
}

}  // namespace
}  // namespace sweepd::runtime::log_test
