// SPDX-License-Identifier: MIT
//
// Protects the figures of processes: whose they are, and that one that is gone has none.
#include "tools/load/process_meter.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sweepd::tools::load::process_meter_test {
namespace {

TEST(LoadProcessMeter, FindsWhoListensOnAPort) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_TRUE(bind(file, any, size) == 0 && getsockname(file, any, &size) == 0);
  EXPECT_EQ(find_listener(ntohs(address.sin_port)), std::nullopt);
  ASSERT_EQ(listen(file, 1), 0);
  EXPECT_EQ(find_listener(ntohs(address.sin_port)), getpid());
  close(file);
}

TEST(LoadProcessMeter, AProcessThatIsGoneHasNoFigures) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended = {};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(use_of_process(child).has_value()) << "that nobody has waited for";
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(use_of_process(child).has_value());
  EXPECT_GT(use_of_this_process().resident_bytes, 0u);
  EXPECT_GE(cores_of_this_process(), 1u);
}

TEST(LoadProcessMeter, KnowsThisMachineByItsNames) {
  EXPECT_EQ(loopback_port("127.0.0.1:7777"), 7777u);
  EXPECT_EQ(loopback_port("localhost:1"), 1u);
  EXPECT_EQ(loopback_port("[::1]:65535"), 65535u);
  EXPECT_EQ(loopback_port("example.org:7777"), std::nullopt);
}

}  // namespace
}  // namespace sweepd::tools::load::process_meter_test
