// SPDX-License-Identifier: MIT
//
// Protects players of a server whose thread hangs: health says so while it lasts, metrics and log tell of it
// afterwards; and a server from signals that mean it no harm.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>

#include "integration/support/server_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::stall_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// One thread of a child process, which stands still while this lives. The others go on.
class StoppedThread {
 public:
  explicit StoppedThread(pid_t thread) : thread_(thread) {
    is_stopped_ = ::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr) == 0 &&
                  ::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr) == 0 &&
                  ::waitpid(thread_, nullptr, __WALL) == thread_;
  }
  ~StoppedThread() { ::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr); }
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;
  bool is_stopped() const { return is_stopped_; }

 private:
  const pid_t thread_;
  bool is_stopped_ = false;
};

/// The thread of this name; 0: there is none.
pid_t thread_named(pid_t process, const std::string& name) {
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    if (read_file(task.path() / "comm") == name + "\n") return std::stoi(task.path().filename());
  }
  return 0;
}

class Stall : public ServerTest {
 protected:
  void SetUp() override {
    const auto port_file = folder_.path() / "http-port";
    start({"--loops", "2", "--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
    port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  std::string get(const std::string& path) const { return test::get(port_, path); }
  bool says(const std::string& path, const std::string& what) const {
    return eventually([&] { return get(path).find(what) != std::string::npos; });
  }
  /// Of a metric without other labels than `labels`.
  double metric(const std::string& name_and_labels) const {
    const std::string metrics = get("/metrics");
    const std::size_t at = metrics.find("\n" + name_and_labels + " ");
    return at == std::string::npos ? -1 : std::stod(metrics.substr(at + name_and_labels.size() + 2));
  }

  TemporaryFolder folder_;
  std::uint16_t port_ = 0;
};

TEST_F(Stall, ALoopThatHangsFailsReadinessThenLivenessUntilItGoesOn) {
  const pid_t loop = thread_named(server().process().pid(), "loop-1");
  ASSERT_NE(loop, 0);
  EXPECT_THAT(get("/livez"), StartsWith("HTTP/1.1 200"));
  {
    const StoppedThread stopped(loop);
    ASSERT_TRUE(stopped.is_stopped()) << "ptrace is needed";
    EXPECT_TRUE(says("/readyz", "loops: loop 1 has stood still for more than 1 s\n"));
    EXPECT_THAT(get("/readyz"), StartsWith("HTTP/1.1 503"));
    EXPECT_THAT(get("/livez"), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(get("/healthz"), HasSubstr(R"("loops":"failing: loop 1 has stood still)"));
    EXPECT_GT(metric(R"(sweepd_loop_poll_age_seconds{loop="1"})"), 1);
    EXPECT_LT(metric(R"(sweepd_loop_poll_age_seconds{loop="0"})"), 1);
    EXPECT_TRUE(says("/livez", "loops: loop 1 has stood still for more than 10 s\n"));
    EXPECT_THAT(get("/livez"), StartsWith("HTTP/1.1 503"));
  }
  EXPECT_TRUE(says("/livez", "alive\n"));
  EXPECT_TRUE(says("/readyz", "ready\n"));
  EXPECT_EQ(metric(R"(sweepd_loop_stalls_total{loop="1"})"), 1);
  EXPECT_EQ(metric(R"(sweepd_loop_stalls_total{loop="0"})"), 0);
  EXPECT_GT(metric(R"(sweepd_loop_longest_poll_gap_seconds{loop="1"})"), 10);
  EXPECT_EQ(metric("sweepd_process_stalls_total"), 0);
  const std::string log = server().process().standard_error();
  EXPECT_THAT(log, HasSubstr("[error] a loop stands still: its matches do not tick loop=1"));
  EXPECT_THAT(log, HasSubstr("[warning] the loop goes on loop=1 stood_still_ms=1"));
}

TEST_F(Stall, AProcessThatWasStoppedTellsOfItAndSkipsWhatItMissed) {
  Client client = this->client();
  ASSERT_TRUE(client.create_match(shooter_config(ClockKind::kRealtime)).ok());
  server().process().signal(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(3));  // What the server has to notice is time.
  server().go_on();
  EXPECT_TRUE(eventually([&] { return metric("sweepd_process_stalls_total") == 1; }));
  EXPECT_GT(metric("sweepd_process_stall_seconds_total"), 2);
  EXPECT_TRUE(eventually([&] {
    return metric(R"(sweepd_ticks_skipped_total{loop="0"})") +
               metric(R"(sweepd_ticks_skipped_total{loop="1"})") >
           60;
  }));
  EXPECT_THAT(server().process().standard_error(), HasSubstr("the process stood still"));
  EXPECT_TRUE(says("/readyz", "ready\n"));
  EXPECT_TRUE(says("/livez", "alive\n"));
}

TEST_F(Stall, HarmlessSignalsEndNoServer) {
  Client client = this->client();
  for (const int number :
       {SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGIO, SIGPWR, SIGTTOU, SIGTTIN, SIGXFSZ}) {
    server().process().signal(number);
    EXPECT_TRUE(client.list_matches().ok()) << "after signal " << number;
    EXPECT_TRUE(server().process().is_running()) << "after signal " << number;
  }
  EXPECT_TRUE(eventually([&] {
    return server().process().standard_error().find("SIGHUP: files of keys are read again") !=
           std::string::npos;
  }));
}

}  // namespace
}  // namespace sweepd::test::stall_test
