// SPDX-License-Identifier: MIT
//
// Protects a server's matches from what it is given to verify: a replay that would take all its memory takes
// its own verifier alone, ticks go on meanwhile, and no verifier outlives what it was started for.
#include <signal.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <thread>

#include "base/sanitizers.h"
#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"
#include "rounds.h"
#include "sweepd/input_log.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::test::verification_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Those that run or wait to be reaped.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), pid).ptr;
    if (end != name.data() + name.size()) continue;
    const std::string status = read_file(entry.path() / "stat");
    if (status.empty()) continue;
    std::istringstream fields(status.substr(status.rfind(')') + 1));  // A name may have blanks in it.
    std::string state;
    pid_t its_parent = 0;
    fields >> state >> its_parent;
    if (its_parent == parent) children.push_back(pid);
  }
  return children;
}

bool is_there(pid_t pid) { return fs::exists("/proc/" + std::to_string(pid)); }

/// Of a run in which so many players' and so many enemies' objects appear on one spot in one tick.
std::string crowd(int players, int enemies) {
  auto log = InputLog::create(shooter_config(ClockKind::kManual));
  auto ann = log->join("ann");
  for (int i = 0; i < players + enemies; ++i) {
    EXPECT_TRUE(ann->spawn(object_at({0, 0}, i < players ? 0 : 2)).ok());
  }
  EXPECT_TRUE(ann->end_frame().ok());
  EXPECT_TRUE(log->end_tick().ok());
  EXPECT_TRUE(log->finish({}).ok());
  return std::string(*log->bytes());
}

/// Hundreds of millions of pairs, in a megabyte. Far more memory than a verifier has.
std::string crowd_of_all() { return crowd(12'000, 12'000); }

/// Of a run of a few objects that takes a while.
std::string make_slow_run() {
  auto log = InputLog::create(shooter_config(ClockKind::kManual));
  auto ann = log->join("ann");
  for (int i = 0; i < 2000; ++i) {
    ObjectSpec spec = object_at({20.0 * i, 0}, 0);
    spec.motion = Motion{.velocity = {1, 1}};
    EXPECT_TRUE(ann->spawn(spec).ok());
  }
  EXPECT_TRUE(ann->end_frame().ok());
  for (int tick = 0; tick < 500'000; ++tick) EXPECT_TRUE(log->end_tick().ok());
  EXPECT_TRUE(log->finish({}).ok());
  return std::string(*log->bytes());
}

const std::string& slow_run() {
  static const std::string kRun = make_slow_run();
  return kRun;
}

/// Hours of work in some hundred kilobytes: thousands of objects in a crowd, of which each touches many and
/// creeps on, for hours.
std::string hopeless_run() {
  auto log = InputLog::create(shooter_config(ClockKind::kManual));
  auto ann = log->join("ann");
  constexpr int kObjects = 48'000;
  constexpr int kObjectsPerFrame = 12'000;
  for (int i = 0; i < kObjects; ++i) {
    ObjectSpec spec =
        object_at({static_cast<double>(i % 200) * 2, static_cast<double>(i / 200) * 2}, i % 2 == 0 ? 0 : 2);
    spec.motion = Motion{.velocity = {(i % 3 - 1) / 256.0, (i % 5 - 2) / 256.0}};
    EXPECT_TRUE(ann->spawn(spec).ok());
    if ((i + 1) % kObjectsPerFrame != 0) continue;
    EXPECT_TRUE(ann->end_frame().ok());
    EXPECT_TRUE(log->end_tick().ok());
  }
  for (int tick = 0; tick < 1'000'000; ++tick) EXPECT_TRUE(log->end_tick().ok());
  EXPECT_TRUE(log->finish({}).ok());
  return std::string(*log->bytes());
}

class Verification : public ServerTest {
 protected:
  void TearDown() override {
    if (!stopped_by_test_) {
      EXPECT_TRUE(children_of(server().process().pid()).empty());
    }
    ServerTest::TearDown();
  }

  std::future<Result<sweepd::Verification>> verify_later(const std::string& bytes) {
    return std::async(std::launch::async, [this, bytes] { return client().verify_replay(bytes); });
  }

  /// The process of the verification that runs.
  pid_t verifier() {
    const pid_t parent = server().process().pid();
    EXPECT_TRUE(eventually([&] { return !children_of(parent).empty(); }));
    const auto children = children_of(parent);
    return children.empty() ? -1 : children.front();
  }
};

TEST_F(Verification, OfMoreThanAVerifierMayTakeLeavesTheMatchesAlone) {
  if (base::kHasSanitizer) GTEST_SKIP() << "a sanitizer needs more address space than any limit";
  Client client = this->client();
  const auto match = client.create_match(shooter_config(ClockKind::kRealtime));
  ASSERT_TRUE(match.ok());
  Session session = joined(client, match->match_id, "ann", Role::kPlayer);
  const auto before = client.get_match(match->match_id)->tick;
  auto huge = verify_later(crowd_of_all());
  Tick last = before;
  int steps = 0;
  const auto is_over = [&huge] {
    return huge.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  while (!is_over()) {
    Tick now = last;
    ASSERT_TRUE(eventually([&] {
      now = client.get_match(match->match_id)->tick;
      return now > last || is_over();
    })) << "the match stands still";
    if (now > last) ++steps;
    last = now;
  }
  EXPECT_GT(steps, 1);
  const auto result = huge.get();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(result.status().reason(), "VERIFICATION_TOO_LARGE") << result.status().message();
  EXPECT_EQ(session.state(), SessionState::kJoined);
  // And the verifier is free for the next.
  EXPECT_EQ(client.verify_replay(crowd(3, 3))->verdict, ReplayVerdict::kVerified);
}

TEST_F(Verification, ThatIsHopelessIsRefusedByItsPace) {
  const std::string hopeless = hopeless_run();
  EXPECT_LT(hopeless.size(), std::size_t{2} << 20);
  const auto result = client().verify_replay(hopeless);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().reason(), "VERIFICATION_TOO_LONG");
  EXPECT_THAT(result.status().message(),
              HasSubstr("at its pace the verification would take far more than 300 s"));
}

TEST_F(Verification, EndsWithTheServer) {
  auto slow = verify_later(slow_run());
  const pid_t child = verifier();
  const auto before = std::chrono::steady_clock::now();
  server().process().signal(SIGTERM);
  EXPECT_EQ(server().process().wait(), 0) << server().process().standard_error();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30)) << "it was waited for";
  EXPECT_FALSE(is_there(child));
  EXPECT_FALSE(slow.get().ok());
  stopped_by_test_ = true;
}

TEST_F(Verification, EndsWithAServerThatIsKilled) {
  auto slow = verify_later(slow_run());
  const pid_t child = verifier();
  server().process().signal(SIGKILL);
  server().process().wait();
  EXPECT_TRUE(eventually([child] { return !is_there(child); }));
  EXPECT_FALSE(slow.get().ok());
  stopped_by_test_ = true;
}

TEST_F(Verification, EndsWithTheClientsPatience) {
  const std::string& bytes = slow_run();
  std::atomic<bool> keeps_going = true;
  auto slow = std::async(std::launch::async, [&] {
    return client().verify_replay(bytes, {.keep_going = [&] { return keeps_going.load(); }});
  });
  const pid_t child = verifier();
  keeps_going = false;
  EXPECT_FALSE(slow.get().ok());
  EXPECT_TRUE(eventually([child] { return !is_there(child); }));
}

TEST_F(Verification, RunsWithinItsLimits) {
  auto slow = verify_later(slow_run());
  const fs::path child = "/proc/" + std::to_string(verifier());
  const auto limits = [&] { return read_file(child / "limits"); };
  // It says first what it may take, and then looks at what it was given.
  EXPECT_TRUE(
      eventually([&] { return limits().find("Max open files            16 ") != std::string::npos; }));
  EXPECT_TRUE(eventually([&] { return limits().find("Max core file size        0 ") != std::string::npos; }));
  EXPECT_THAT(limits(), HasSubstr("Max cpu time              300 "));
  if (!base::kHasSanitizer) {
    EXPECT_TRUE(eventually(
        [&] { return limits().find("Max address space         2147483648 ") != std::string::npos; }));
  }
  EXPECT_EQ(read_file(child / "oom_score_adj"), "1000\n");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(child / "fd")) ++files;
  EXPECT_EQ(files, 4u);
  server().process().signal(SIGTERM);
  server().process().wait();
  (void)slow.get();
  stopped_by_test_ = true;
}

TEST_F(Verification, RunsWhereItCanOnlyCompute) {
  if (base::kHasSanitizer) GTEST_SKIP() << "a sanitizer needs more system calls";
  auto slow = verify_later(slow_run());
  const fs::path status = "/proc/" + std::to_string(verifier()) + "/status";
  EXPECT_TRUE(eventually([&] { return read_file(status).find("\nSeccomp:\t2\n") != std::string::npos; }));
  EXPECT_THAT(read_file(status), HasSubstr("\nNoNewPrivs:\t1\n"));
  server().process().signal(SIGTERM);
  server().process().wait();
  (void)slow.get();
  stopped_by_test_ = true;
}

TEST_F(Verification, IsForManyAtOnce) {
  constexpr int kEach = rounds(10);
  const std::string bytes = crowd(100, 100);
  std::atomic<int> verified = 0;
  std::atomic<int> others = 0;
  const auto ask = [&] {
    Client client = this->client();
    for (int asked = 0; asked < kEach;) {
      const auto result = client.verify_replay(bytes);
      if (!result.ok() && result.status().reason() == "TOO_MANY_VERIFICATIONS") continue;
      ++asked;
      ++(result.ok() && result->verdict == ReplayVerdict::kVerified ? verified : others);
    }
  };
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) clients.emplace_back(ask);
  clients.clear();
  EXPECT_EQ(verified, 8 * kEach);
  EXPECT_EQ(others, 0);
}

TEST_F(Verification, IsNoOptionOfTheCommandLine) {
  Process help({required_environment("SWEEPD_BINARY"), "--help"}, server().folder() / "help");
  EXPECT_EQ(help.wait(), 0);
  EXPECT_EQ(help.standard_output().find("verify"), std::string::npos);
  // By hand, it has not been started by whom it says.
  Process by_hand({required_environment("SWEEPD_BINARY"), "--verify-stdin", "1", "300", "0"},
                  server().folder() / "hand");
  EXPECT_EQ(by_hand.wait(), 70);
}

TEST_F(Verification, OfNothingIsNotFoundUnderAnIdWithoutEnd) {
  const std::string endless(1'000'000, 'a');
  EXPECT_EQ(client().get_match(endless).status().reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(client().end_match(endless).status().reason(), "MATCH_NOT_FOUND");
  RawStream stream(*v1::MatchService::NewStub(
      grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials())));
  stream.join(endless, "ann");
  EXPECT_EQ(describe(stream.finish()), "MATCH_NOT_FOUND");
}

}  // namespace
}  // namespace sweepd::test::verification_test
