// SPDX-License-Identifier: MIT
//
// Protects the server's reachability: no number of connections, from one address or from many, uses up its
// descriptors for good; what a front says of its clients counts, and only what a front says.
#include <sys/resource.h>

#include <fstream>

#include "base/sanitizers.h"
#include "integration/support/guarded_server.h"
#include "integration/support/raw_http2.h"

namespace sweepd::test::connections_test {
namespace {

using ::testing::HasSubstr;

class Connections : public GuardedServerTest {
 protected:
  /// The server is started under that limit of open files.
  void start_with_files(int files_max, std::vector<std::string> options = {}) {
    start_under("ulimit -n " + std::to_string(files_max), std::move(options));
  }

  /// A shell sets these limits before it becomes the server.
  void start_under(const std::string& limits, std::vector<std::string> options = {}) {
    const std::string binary = required_environment("SWEEPD_BINARY");
    const auto wrapper = folder_.path() / "sweepd";
    std::ofstream(wrapper) << "#!/bin/sh\n" << limits << "\nexec '" << binary << "' \"$@\"\n";
    std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
    setenv("SWEEPD_BINARY", wrapper.c_str(), 1);
    start_with(std::move(options));
    setenv("SWEEPD_BINARY", binary.c_str(), 1);
  }

  std::vector<std::unique_ptr<RawHttp2>> connect(int count, const RawHttp2::Options& options = {}) {
    std::vector<std::unique_ptr<RawHttp2>> connections;
    for (int i = 0; i < count; ++i)
      connections.push_back(std::make_unique<RawHttp2>(server().port(), options));
    return connections;
  }

  static int served(const std::vector<std::unique_ptr<RawHttp2>>& connections) {
    int count = 0;
    for (const auto& connection : connections) count += connection->is_served() ? 1 : 0;
    return count;
  }

  /// Calls that are answered, each on a connection of its own.
  int answered_calls(int count) {
    int answered = 0;
    for (int i = 0; i < count; ++i) answered += client().list_matches().ok() ? 1 : 0;
    return answered;
  }

  static RawHttp2::Options from(const std::string& address) {
    RawHttp2::Options options;
    options.from = address;
    return options;
  }

  static RawHttp2::Options through_front(const std::string& client) {
    RawHttp2::Options options;
    options.before_hello = RawHttp2::proxy_header(client);
    return options;
  }
};

TEST_F(Connections, ThatWouldTakeAllDescriptorsAreRefusedAndThenAllCallsAreAnswered) {
  start_with_files(128);
  auto connections = connect(200);
  const auto refused = [&] {
    return metric("sweepd_connections_refused_total{reason=\"limit\"}") +
           metric("sweepd_connections_refused_total{reason=\"client_limit\"}");
  };
  EXPECT_TRUE(eventually([&] { return refused() > 100; })) << page("/metrics");
  connections.clear();
  EXPECT_TRUE(eventually([&] { return metric("sweepd_connections") == 0; }));
  EXPECT_EQ(answered_calls(12), 12);
}

// The server has counted on more descriptors than it gets: what it keeps in reserve turns them away.
TEST_F(Connections, ForWhichThereIsNoDescriptorAreClosedToldAndForgotten) {
  start_with({"--port-watchdog-ms", "100"});
  EXPECT_TRUE(
      eventually([&] { return page("/healthz").find("\"connections\":\"ok\"") != std::string::npos; }));
  rlimit before = {};
  ASSERT_EQ(prlimit(server().process().pid(), RLIMIT_NOFILE, nullptr, &before), 0);
  rlimit few{64, before.rlim_max};
  ASSERT_EQ(prlimit(server().process().pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  auto connections = connect(100);
  EXPECT_LT(served(connections), 64) << "the others are closed, not left to wait";
  EXPECT_TRUE(eventually(
      [&] { return server().process().standard_error().find("no_descriptors") != std::string::npos; }));
  connections.clear();
  EXPECT_EQ(answered_calls(12), 12);
  EXPECT_GT(metric("sweepd_connections_refused_total{reason=\"no_descriptors\"}"), 0);
  EXPECT_TRUE(
      eventually([&] { return page("/healthz").find("\"connections\":\"ok\"") != std::string::npos; }));
}

TEST_F(Connections, OfOneAddressLeaveRoomForOthersAndComeBackWhenTheyEnd) {
  start_with({"--connections-per-client-max", "8"});
  auto greedy = connect(20, from("127.0.0.2"));
  EXPECT_EQ(served(greedy), 8);
  EXPECT_EQ(served(connect(3, from("127.0.0.3"))), 3);
  EXPECT_EQ(answered_calls(1), 1);
  greedy.clear();
  EXPECT_TRUE(eventually([&] { return served(connect(8, from("127.0.0.2"))) == 8; }));
}

TEST_F(Connections, OfAllAddressesTogetherAreBounded) {
  start_with({"--connections-max", "10"});
  std::vector<std::unique_ptr<RawHttp2>> connections;
  for (int i = 2; i < 22; ++i) {
    connections.push_back(std::make_unique<RawHttp2>(server().port(), from("127.0.0." + std::to_string(i))));
  }
  EXPECT_EQ(served(connections), 10);
  EXPECT_EQ(metric("sweepd_connections"), 10);
  EXPECT_EQ(metric("sweepd_connections_max"), 10);
}

TEST_F(Connections, ThroughAFrontAreCountedForTheClientBehindIt) {
  start_with({"--anonymous", "--trust-front", "127.0.0.1", "--connections-per-client-max", "4"});
  const auto one = connect(6, through_front("192.0.2.1"));
  EXPECT_EQ(served(one), 4);
  const auto other = connect(4, through_front("192.0.2.2"));
  EXPECT_EQ(served(other), 4);
  EXPECT_EQ(answered_calls(1), 1) << "the front's machine is a client, too, if it says nothing";
}

TEST_F(Connections, MaySayThatTheyAreOfOthersOnlyWhereTheyComeFromAFront) {
  start_with({"--anonymous", "--trust-front", "127.0.0.9", "--connections-per-client-max", "4"});
  RawHttp2 connection(server().port(), through_front("192.0.2.1"));
  EXPECT_TRUE(eventually([&] { return !connection.drain(); })) << "its header is no HTTP/2";
}

TEST_F(Connections, OfAFrontWithHalfAHeaderKeepNoneOfItsClientsOut) {
  start_with({"--anonymous", "--trust-front", "127.0.0.1"});
  RawHttp2::Options half = through_front("192.0.2.1");
  half.before_hello.resize(half.before_hello.size() / 2);
  half.says_hello = false;
  const auto halves = connect(300, half);
  EXPECT_EQ(served(connect(10, through_front("192.0.2.2"))), 10);
  EXPECT_EQ(answered_calls(1), 1);
}

TEST_F(Connections, ThatSayNothingOfHttp2AreClosed) {
  start_with({});
  RawHttp2::Options silent;
  silent.says_hello = false;
  RawHttp2 connection(server().port(), silent);
  EXPECT_TRUE(eventually([&] { return !connection.drain(); }));
}

TEST_F(Connections, HaveTheirServerStartOnlyWhereItMayOpenEnoughFiles) {
  for (const int files_max : {8, 16, 24, 32, 48, 63}) {
    TemporaryFolder folder;
    const std::string limited = "ulimit -n " + std::to_string(files_max) + "; exec \"$0\" \"$@\"";
    Process server({"/bin/sh", "-c", limited, required_environment("SWEEPD_BINARY"), "--loops", "2"},
                   folder.path());
    EXPECT_EQ(server.wait(), 1) << files_max;
    EXPECT_THAT(server.standard_error(), HasSubstr("too few files may be open at once (ulimit -n)"));
  }
  start_with_files(64, {"--loops", "2", "--data-dir", (folder_.path() / "data").string()});
}

TEST_F(Connections, HaveTheirServerStartOnlyWhereItMayHaveEnoughAddressSpace) {
  if (base::kHasSanitizer) GTEST_SKIP() << "a sanitizer takes all of it";
  const auto limits = [](int mebibytes) {
    return "ulimit -s 8192; ulimit -v " + std::to_string(mebibytes * 1024);
  };
  constexpr int kNeeded = 64 + (32 + 2 * 2) * 8 + 64;
  for (const int mebibytes : {80, 120, 200, 300, 400, kNeeded - 1}) {
    TemporaryFolder folder;
    Process server({"/bin/sh", "-c", limits(mebibytes) + "; exec \"$0\" \"$@\"",
                    required_environment("SWEEPD_BINARY"), "--loops", "2"},
                   folder.path());
    EXPECT_EQ(server.wait(), 1) << mebibytes;
    EXPECT_THAT(server.standard_error(), HasSubstr("too little address space (ulimit -v)"));
  }
  start_under(limits(kNeeded), {"--loops", "2", "--data-dir", (folder_.path() / "data").string()});
  EXPECT_EQ(answered_calls(20), 20);
  EXPECT_EQ(metric("sweepd_memory_max_bytes"), 64 << 20);
}

TEST_F(Connections, OptionsBeyondTheirRangesAreUsageErrorsThatNameThem) {
  for (const auto& [option, value] : {std::pair<std::string, std::string>{"--connections-max", "0"},
                                      {"--memory-max-mib", "1"},
                                      {"--trust-front", "front.example.com"},
                                      {"--trust-front", "10.0.0.0/33"}}) {
    TemporaryFolder folder;
    Process bad({required_environment("SWEEPD_BINARY"), option, value}, folder.path());
    EXPECT_EQ(bad.wait(), 2) << option << " " << value;
    EXPECT_THAT(bad.standard_error(), HasSubstr(option));
  }
  start_with({});
}

}  // namespace
}  // namespace sweepd::test::connections_test
