// SPDX-License-Identifier: MIT
//
// Protects the server's frame, which knows no protocol: any door that it is given is opened before
// connections come, gets them loop by loop, and is closed after the loops.
#include "app/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sweepd::app::server_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What becomes of a door, in order.
class Diary {
 public:
  void note(const std::string& what) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(what);
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  bool has_soon(std::size_t lines) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (this->lines().size() < lines && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return this->lines().size() >= lines;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

class RestingPoller final : public runtime::Poller {
 public:
  runtime::Duration poll(runtime::TimePoint) override {
    std::this_thread::sleep_for(kRest);
    return kRest;
  }
  void wake() override {}

 private:
  static constexpr std::chrono::milliseconds kRest{1};
};

/// Closes the connections that it is handed.
class FakeLoopDoor final : public session::LoopDoor {
 public:
  FakeLoopDoor(Diary& diary, std::size_t loop) : diary_(diary), loop_(std::to_string(loop)) {}

  runtime::Poller& poller() override { return poller_; }
  void open(session::MatchLoop& home) override {
    EXPECT_EQ(std::to_string(home.index()), loop_);
    diary_.note("open " + loop_);
  }
  void take_connection(int descriptor, bool /*is_own*/) override {
    diary_.note("take " + loop_);
    ::close(descriptor);
  }
  void shut_down(std::chrono::system_clock::time_point) override { diary_.note("shut down " + loop_); }
  void close() override { diary_.note("close " + loop_); }

 private:
  Diary& diary_;
  const std::string loop_;
  RestingPoller poller_;
};

class FakeDoor final : public session::Door {
 public:
  base::Result<std::vector<std::unique_ptr<session::LoopDoor>>, std::string> make_parts(
      std::size_t loops, const runtime::ClientLimits& limits) override {
    EXPECT_GT(limits.memory_max, 0u) << "what the door keeps has no bound";
    if (!fault.empty()) return fault;
    std::vector<std::unique_ptr<session::LoopDoor>> parts;
    for (std::size_t i = 0; i < loops; ++i) parts.push_back(std::make_unique<FakeLoopDoor>(diary, i));
    return parts;
  }
  base::Result<std::unique_ptr<session::DoorPart>, std::string> make_admin_part(
      session::Entrance entrance, const runtime::ClientLimits& /*limits*/) override {
    EXPECT_EQ(entrance, session::Entrance::kAdminSocket);
    return std::unique_ptr<session::DoorPart>(std::make_unique<FakeLoopDoor>(diary, 0));
  }

  std::string fault;
  Diary diary;
};

ServerOptions options() {
  ServerOptions options;
  options.listen = {"127.0.0.1", 0};
  options.loops = 2;
  options.port_watchdog.period = std::chrono::hours(1);  // It would be a connection more.
  return options;
}

TEST(Server, HandsConnectionsToTheLoopsInTurn) {
  FakeDoor door;
  Server server(options(), door);
  ASSERT_EQ(server.start(), std::nullopt);
  EXPECT_THAT(door.diary.lines(), ElementsAre("open 0", "open 1"));
  for (std::size_t i = 0; i < 3; ++i) {
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket socket(context);
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), server.address().port});
    ASSERT_TRUE(door.diary.has_soon(3 + i));
  }
  server.stop();
  EXPECT_THAT(door.diary.lines(), ElementsAre("open 0", "open 1", "take 0", "take 1", "take 0", "shut down 0",
                                              "shut down 1", "close 0", "close 1"));
}

TEST(Server, HasAPartOfItsDoorForOperators) {
  const std::string socket = ::testing::TempDir() + "admin-" + std::to_string(::getpid());
  ServerOptions options = server_test::options();
  options.loops = 1;
  options.admin.socket = socket;
  FakeDoor door;
  Server server(options, door);
  ASSERT_EQ(server.start(), std::nullopt);
  EXPECT_THAT(door.diary.lines(), ElementsAre("open 0", "open 0"));
  boost::asio::io_context context;
  boost::asio::local::stream_protocol::socket connection(context);
  connection.connect({socket});
  ASSERT_TRUE(door.diary.has_soon(3));
  server.stop();
  EXPECT_THAT(door.diary.lines(),
              ElementsAre("open 0", "open 0", "take 0", "shut down 0", "shut down 0", "close 0", "close 0"));
  EXPECT_NE(::access(socket.c_str(), F_OK), 0);
}

TEST(Server, SaysWhyItsDoorIsShut) {
  FakeDoor door;
  door.fault = "the door is stuck";
  Server server(options(), door);
  EXPECT_EQ(server.start(), "the door is stuck");
  EXPECT_THAT(door.diary.lines(), IsEmpty());
}

TEST(Server, SaysWhyItCannotListen) {
  FakeDoor door;
  Server first(options(), door);
  ASSERT_EQ(first.start(), std::nullopt);
  ServerOptions same = options();
  same.listen = first.address();
  FakeDoor other;
  Server second(same, other);
  EXPECT_THAT(second.start().value_or(""), ::testing::StartsWith("cannot listen on 127.0.0.1:"));
  EXPECT_THAT(other.diary.lines(), IsEmpty());
  first.stop();
}

}  // namespace
}  // namespace sweepd::app::server_test
