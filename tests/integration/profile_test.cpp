// SPDX-License-Identifier: MIT
//
// Protects the profiles: one command each shows where a server under load spends its time and who asks for
// its memory, by names of the server's own functions, and leaves the server running as it was.
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "integration/support/server_fixture.h"

namespace sweepd::test::profile_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

bool succeeds(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

std::string script(const std::string& name) {
  return required_environment("SWEEPD_SOURCE_DIR") + "/deploy/" + name;
}

/// A match that keeps its server busy with nothing but ticks, as long as this lives: so profiles of a second
/// have something to show on any machine.
class Load {
 public:
  explicit Load(Client client)
      : client_(std::move(client)),
        match_id_(client_.create_match(shooter_config(ClockKind::kManual))->match_id),
        session_(joined(client_, match_id_, "player", Role::kPlayer)),
        thread_([this](const std::stop_token& stop) { play(stop); }) {}

 private:
  void play(const std::stop_token& stop) {
    std::vector<ObjectId> ships;
    for (int i = 0; i < 500; ++i) ships.push_back(*session_.spawn(object_at({i * 4.0, 0}, i % 4)));
    for (int round = 1; !stop.stop_requested(); ++round) {
      // To and fro, so that they never leave the world.
      for (const ObjectId ship : ships)
        (void)session_.set_motion(ship, {{round % 2 == 0 ? 0.25 : -0.25, 0}, {}});
      (void)session_.end_frame();
      (void)client_.step_match(match_id_, 200);
      drain(session_);
    }
  }

  Client client_;
  std::string match_id_;
  Session session_;
  std::jthread thread_;
};

class Profile : public ServerTest {
 protected:
  void SetUp() override {
    for (const std::string tool : {"perf", "python3", "heaptrack"}) {
      ASSERT_TRUE(succeeds("command -v " + tool)) << tool << " is missing: deploy/install-packages.sh test";
    }
    ServerTest::SetUp();
  }
  void TearDown() override {
    if (!HasFatalFailure()) ServerTest::TearDown();
  }

  /// Where the kernel does not let this user watch processes, a script has to say what is to be done.
  void expect_says_what_is_missing(const std::string& name, const std::string& advice) {
    Process process({script(name), pid(), "0.2", profile_folder()}, folder_.path());
    EXPECT_EQ(process.wait(), 1);
    EXPECT_THAT(process.standard_error(), HasSubstr(advice));
    EXPECT_FALSE(std::filesystem::exists(profile_folder()));
  }

  /// Its standard output; the test fails where it fails.
  std::string run(const std::vector<std::string>& command) const {
    Process process(command, folder_.path());
    EXPECT_EQ(process.wait(), 0) << process.standard_error();
    return process.standard_output();
  }

  std::string pid() { return std::to_string(server().process().pid()); }
  std::string left(const std::string& name) const { return read_file(folder_.path() / "profile" / name); }
  std::string profile_folder() const { return (folder_.path() / "profile").string(); }

  TemporaryFolder folder_;
};

TEST_F(Profile, OfTheCpuNamesTheFunctionsOfALoadedServer) {
  if (!succeeds("perf record -q -o /dev/null -p " + pid() + " -- true")) {
    return expect_says_what_is_missing("profile-cpu.sh", "perf may not watch this process: run as root");
  }
  const Load load(client());
  const std::string output = run({script("profile-cpu.sh"), pid(), "1.5", profile_folder()});
  EXPECT_THAT(output, HasSubstr("share  thread"));
  EXPECT_THAT(left("cpu.txt"), HasSubstr("sweepd::match::Match"));
  EXPECT_THAT(left("cpu.svg"), StartsWith("<svg "));
  EXPECT_THAT(left("cpu.svg"), EndsWith("</svg>\n"));
}

TEST_F(Profile, OfTheHeapTellsWhoAsksForMemory) {
  if (!succeeds("perf probe -l")) {
    return expect_says_what_is_missing("profile-heap.sh", "malloc cannot be watched: run as root");
  }
  const Load load(client());
  const std::string output = run({script("profile-heap.sh"), pid(), "1.5", profile_folder()});
  EXPECT_THAT(output, HasSubstr("sweepd::"));
  EXPECT_THAT(left("heap.txt"), HasSubstr("sweepd::runtime::Loop::run"));
  EXPECT_THAT(left("heap.svg"), HasSubstr("</svg>"));
  EXPECT_FALSE(succeeds("perf probe -l 2>/dev/null | grep sweepd_" + pid())) << "the probe was left behind";
}

TEST_F(Profile, OfAProcessThatIsNotThereIsAnErrorThatSaysSo) {
  for (const char* name : {"profile-cpu.sh", "profile-heap.sh"}) {
    Process process({script(name), "999999999"}, folder_.path());
    EXPECT_EQ(process.wait(), 1);
    EXPECT_THAT(process.standard_error(), HasSubstr("there is no process 999999999")) << name;
  }
}

TEST_F(Profile, OfTheHeapFromTheStartTellsWhoHeldMemoryAtThePeak) {
  const std::string ready = (folder_.path() / "ready").string();
  Process process({"/usr/bin/setsid", "/bin/bash", "-c", "cd \"$0\" && exec \"$@\"", folder_.path().string(),
                   script("profile-heap.sh"), "--", required_environment("SWEEPD_BINARY"), "--listen",
                   "127.0.0.1:0", "--ready-file", ready},
                  folder_.path());
  ASSERT_TRUE(eventually([&] { return !read_file(ready).empty(); })) << process.standard_error();
  // As a terminal's Ctrl-C: all of the group hear it. A server that heard it twice would end at once.
  ASSERT_EQ(kill(-process.pid(), SIGINT), 0);
  EXPECT_EQ(process.wait(), 0) << process.standard_error();
  EXPECT_THAT(process.standard_output(), HasSubstr("peak heap memory consumption"));
  EXPECT_THAT(process.standard_output(), HasSubstr("sweepd::"));
}

TEST_F(Profile, OfAServerThatDoesNotStartIsAnErrorThatSaysWhy) {
  Process process(
      {"/bin/bash", "-c", "cd \"$0\" && exec \"$@\"", folder_.path().string(), script("profile-heap.sh"),
       "--", required_environment("SWEEPD_BINARY"), "--no-such-option"},
      folder_.path());
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.standard_error(), HasSubstr("--no-such-option"));
  EXPECT_THAT(process.standard_error(), HasSubstr("the server ended by itself"));
}

}  // namespace
}  // namespace sweepd::test::profile_test
