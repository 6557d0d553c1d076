// SPDX-License-Identifier: MIT
//
// Protects who waits for a server that is not there: told to give up, a call for a replay does so at once,
// and not when its time is over.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "network_hole.h"
#include "sweepd/client.h"

namespace sweepd::testing::give_up_test {
namespace {

using Clock = std::chrono::steady_clock;

/// For how long a call goes on that is to be given up at once.
template <typename Call>
Clock::duration time_of(const Call& call) {
  const auto begin = Clock::now();
  call();
  return Clock::now() - begin;
}

TEST(GivingUp, TakesNoSecondWhereNobodyAnswers) {
  const NetworkHole hole;
  ClientOptions options;
  options.server = hole.address();
  options.timeout = std::chrono::seconds(60);
  Client client(options);
  int asked = 0;
  const KeepGoing not_for_long = [&asked] { return ++asked < 3; };
  const auto fetching = time_of([&] {
    const auto info = client.get_replay(
        "m", [](std::string_view) { return true; }, not_for_long);
    EXPECT_EQ(info.status().code(), ErrorCode::kUnavailable);
    EXPECT_EQ(info.status().message(), "given up by the caller");
  });
  EXPECT_LT(fetching, std::chrono::milliseconds(700));
  EXPECT_GE(asked, 3);
  VerificationOptions verification;
  asked = 0;
  verification.keep_going = not_for_long;
  const auto verifying = time_of([&] {
    const auto result = client.verify_replay("bytes", verification);
    EXPECT_EQ(result.status().message(), "given up by the caller");
  });
  EXPECT_LT(verifying, std::chrono::milliseconds(700));
}

}  // namespace
}  // namespace sweepd::testing::give_up_test
