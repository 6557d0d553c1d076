// SPDX-License-Identifier: MIT
//
// Protects every client's room from every other client: what one key takes is bounded, what all take is, and
// all of it comes back.
#include "runtime/budgets/budgets.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <thread>
#include <vector>

#include "base/sanitizers.h"
#include "runtime/budgets/client_limits.h"

namespace sweepd::runtime::budgets_test {
namespace {

using boost::asio::ip::make_address;

constexpr std::size_t kOfKey = 3;
constexpr std::size_t kInAll = 5;

BudgetLimits limits() {
  BudgetLimits all{};
  all.fill({kOfKey, kInAll});
  return all;
}

TEST(Budgets, OfOneKeyAndOfAllAreBoundedAndComeBack) {
  Budgets budgets(limits());
  const auto a = budgets.account(BudgetKey("a"));
  const auto b = budgets.account(BudgetKey("b"));
  std::vector<Budgets::Share> shares;
  for (std::size_t i = 0; i < kOfKey; ++i) shares.push_back(std::move(*budgets.take(a, Resource::kCalls)));
  const auto of_key = budgets.take(a, Resource::kCalls);
  ASSERT_FALSE(of_key);
  EXPECT_TRUE(of_key.error().is_of_key);
  EXPECT_EQ(of_key.error().limit, kOfKey);
  EXPECT_TRUE(budgets.take(a, Resource::kStreams)) << "each resource has a budget of its own";
  while (shares.size() < kInAll) shares.push_back(std::move(*budgets.take(b, Resource::kCalls)));
  const auto in_all = budgets.take(b, Resource::kCalls);
  ASSERT_FALSE(in_all);
  EXPECT_FALSE(in_all.error().is_of_key);
  EXPECT_EQ(b->taken(Resource::kCalls), kInAll - kOfKey) << "a refusal takes nothing";
  EXPECT_EQ(budgets.refusals(Resource::kCalls, true), 1u);
  EXPECT_EQ(budgets.refusals(Resource::kCalls, false), 1u);
  shares.clear();
  EXPECT_EQ(budgets.taken(Resource::kCalls), 0u);
  EXPECT_EQ(a->taken(Resource::kCalls), 0u);
}

TEST(Budgets, GiveTheFirstPieceAtAnySizeAndThenNoMore) {
  Budgets budgets(limits());
  const auto account = budgets.account(BudgetKey("a"));
  auto large = budgets.take(account, Resource::kBytes, 100);
  ASSERT_TRUE(large);
  EXPECT_FALSE(budgets.take(account, Resource::kBytes, 1));
  *large = {};
  EXPECT_TRUE(budgets.take(account, Resource::kBytes, 3));
}

TEST(Budgets, RememberOnlyWhoHasSomething) {
  Budgets budgets(limits());
  const auto kept = budgets.account(BudgetKey("kept"));
  const auto share = budgets.take(kept, Resource::kCalls);
  for (int i = 0; i < 100'000; ++i) budgets.account(BudgetKey(std::to_string(i)));
  EXPECT_LT(budgets.accounts(), 200u);
  EXPECT_EQ(budgets.account(BudgetKey("kept")), kept);
}

TEST(Budgets, HoldWithManyThreads) {
  Budgets budgets(limits());
  const auto take_and_give_back = [&budgets](int number) {
    const auto account = budgets.account(BudgetKey(std::to_string(number % 2)));
    for (int i = 0; i < 20'000; ++i) {
      const auto share = budgets.take(account, Resource::kCalls);
      EXPECT_LE(budgets.taken(Resource::kCalls), kInAll);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(take_and_give_back, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budgets.taken(Resource::kCalls), 0u);
}

TEST(BudgetKey, IsAnAddressOfVersion4OrTheFirstHalfOfOneOfVersion6) {
  EXPECT_EQ(key_of_address(make_address("10.0.0.1")).text(), "10.0.0.1");
  EXPECT_EQ(key_of_address(make_address("::ffff:10.0.0.1")).text(), "10.0.0.1");
  EXPECT_EQ(key_of_address(make_address("2001:db8:1:2:3:4:5:6")).text(), "2001:db8:1:2::/64");
  EXPECT_EQ(key_of_address(make_address("2001:db8:1:2::1")), key_of_address(make_address("2001:db8:1:2::2")));
  EXPECT_NE(key_of_address(make_address("2001:db8:1:2::1")), key_of_address(make_address("2001:db8:1:3::1")));
}

TEST(ClientLimits, LeaveDescriptorsForEverythingElse) {
  EXPECT_EQ(connections_for(128), 64u);
  EXPECT_EQ(connections_for(1024), 832u);
  EXPECT_EQ(connections_for(65'536), 64'512u);
  EXPECT_EQ(connections_for(std::uint64_t(-1)), 100'000u);
  for (std::uint64_t files : {1u, 2u, 3u, 64u, 200u}) EXPECT_LE(connections_for(files), files);
}

TEST(ClientLimits, OfOneClientAreAQuarterOfAllButNoSmallServerIsDivided) {
  EXPECT_EQ(per_client(10'000), 2500u);
  EXPECT_EQ(per_client(1000), 256u);
  EXPECT_EQ(per_client(10), 10u);
}

TEST(ClientLimits, AreWhatTheOperatorSaysAndNeverMoreThanThereIs) {
  ClientLimits asked;
  asked.memory_max = std::uint64_t{1} << 30;
  asked.connections_max = 1'000'000;
  asked.streams_per_client_max = 7;
  const BudgetLimits limits = budget_limits(asked, 1024, 100, 100);
  const auto of = [&limits](Resource resource) { return limits[static_cast<std::size_t>(resource)]; };
  EXPECT_EQ(of(Resource::kConnections).in_all, 832u);
  EXPECT_EQ(of(Resource::kStreams).of_key, 7u);
  EXPECT_EQ(of(Resource::kStreams).in_all, 100u);
  EXPECT_EQ(of(Resource::kBytes).in_all, std::size_t{256} << 20);
  EXPECT_GT(default_memory_max(), std::uint64_t{64} << 20);
}

TEST(ClientLimits, OfMemoryAreBelowWhatTheProcessMayMap) {
  if (base::kHasSanitizer) GTEST_SKIP() << "sanitizers map more than any limit allows";
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit limited{std::uint64_t{1} << 30, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  const std::uint64_t memory_max = default_memory_max();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LE(memory_max, std::uint64_t{768} << 20);
}

}  // namespace
}  // namespace sweepd::runtime::budgets_test
