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
#include "runtime/budgets/prepaid.h"

namespace sweepd::runtime::budgets_test {
namespace {

using boost::asio::ip::make_address;

constexpr std::size_t kOfKey = 3;
constexpr std::size_t kInAll = 5;

const TimePoint kStart = TimePoint() + std::chrono::hours(1);

BudgetLimits limits() {
  BudgetLimits all{};
  for (BudgetLimit& limit : all.all)
    limit = {.of_key = {{kOfKey, kOfKey, kOfKey + 1, kOfKey}}, .in_all = kInAll};
  return all;
}

class BudgetsTest : public ::testing::Test {
 protected:
  Payers of(KeyKind kind, const char* key) { return budgets_.account(kind, BudgetKey(key)); }
  Payers address(const char* key) { return of(KeyKind::kAddress, key); }
  /// Of one address, all of them.
  Payers player(const char* name, const char* tenant) {
    Payers payers = address("10.0.0.1");
    payers.add(budgets_.account(KeyKind::kSubject, BudgetKey(name)));
    payers.add(budgets_.account(KeyKind::kTenant, BudgetKey(tenant)));
    return payers;
  }
  void hold(const Payers& payers, Resource resource) {
    auto share = budgets_.take(payers, resource);
    ASSERT_TRUE(share) << name_of(*share.error().kind);
    shares_.push_back(std::move(*share));
  }

  Budgets budgets_{limits()};
  std::vector<Budgets::Share> shares_;
};

TEST_F(BudgetsTest, OfOneKeyAndOfAllAreBoundedAndComeBack) {
  const Payers a = address("a");
  const Payers b = address("b");
  for (std::size_t i = 0; i < kOfKey; ++i) hold(a, Resource::kCalls);
  const auto of_key = budgets_.take(a, Resource::kCalls);
  ASSERT_FALSE(of_key);
  EXPECT_EQ(of_key.error().kind, KeyKind::kAddress);
  EXPECT_EQ(of_key.error().limit, kOfKey);
  EXPECT_TRUE(budgets_.take(a, Resource::kStreams)) << "each resource has a budget of its own";
  while (shares_.size() < kInAll) hold(b, Resource::kCalls);
  const auto in_all = budgets_.take(b, Resource::kCalls);
  ASSERT_FALSE(in_all);
  EXPECT_FALSE(in_all.error().kind);
  EXPECT_EQ(b.own().taken(Resource::kCalls), kInAll - kOfKey) << "a refusal takes nothing";
  EXPECT_EQ(budgets_.refusals(Resource::kCalls, KeyKind::kAddress), 1u);
  EXPECT_EQ(budgets_.refusals(Resource::kCalls, KeyKind::kTenant), 0u);
  EXPECT_EQ(budgets_.refusals(Resource::kCalls, std::nullopt), 1u);
  shares_.clear();
  EXPECT_EQ(budgets_.taken(Resource::kCalls), 0u);
  EXPECT_EQ(a.own().taken(Resource::kCalls), 0u);
}

TEST_F(BudgetsTest, AreChargedForACallerOrNotAtAll) {
  for (std::size_t i = 0; i < kOfKey; ++i) hold(of(KeyKind::kTenant, "arcade"), Resource::kSeats);
  hold(player("ann", "arcade"), Resource::kSeats);
  const Payers bob = player("bob", "arcade");
  const auto refused = budgets_.take(bob, Resource::kSeats);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, KeyKind::kTenant);
  EXPECT_EQ(refused.error().limit, kOfKey + 1);
  EXPECT_EQ(bob.of(KeyKind::kSubject)->taken(Resource::kSeats), 0u);
  EXPECT_EQ(bob.of(KeyKind::kAddress)->taken(Resource::kSeats), 1u) << "that of ann alone";
  EXPECT_EQ(bob.of(KeyKind::kTenant)->taken(Resource::kSeats), kOfKey + 1);
  EXPECT_EQ(budgets_.taken(Resource::kSeats), kOfKey + 1);
  hold(player("bob", "other"), Resource::kSeats);
}

TEST_F(BudgetsTest, OfOneSubjectLeaveItsNeighbourAtTheSameAddressWhatTheAddressHas) {
  for (std::size_t i = 0; i + 1 < kOfKey; ++i) hold(player("ann", "a"), Resource::kStreams);
  hold(player("bob", "b"), Resource::kStreams);
  EXPECT_EQ(budgets_.take(player("bob", "b"), Resource::kStreams).error().kind, KeyKind::kAddress);
}

TEST_F(BudgetsTest, GiveTheFirstPieceAtAnySizeAndThenNoMore) {
  const Payers payers = address("a");
  auto large = budgets_.take(payers, Resource::kBytes, 100);
  ASSERT_TRUE(large);
  EXPECT_FALSE(budgets_.take(payers, Resource::kBytes, 1));
  *large = {};
  EXPECT_TRUE(budgets_.take(payers, Resource::kBytes, 3));
}

TEST_F(BudgetsTest, GiveSharesThatGrowAndGoTogether) {
  const Payers payers = player("ann", "arcade");
  Budgets::Share whole;
  for (int i = 0; i < 3; ++i) whole.add(std::move(*budgets_.take(payers, Resource::kBytes)));
  EXPECT_EQ(payers.own().taken(Resource::kBytes), 3u);
  whole = {};
  EXPECT_EQ(payers.own().taken(Resource::kBytes), 0u);
  EXPECT_EQ(budgets_.taken(Resource::kBytes), 0u);
}

TEST_F(BudgetsTest, ChargeAShareToFurtherPayersAndCountItOnceInAll) {
  Payers bearer = player("ann", "arcade");
  bearer.remove(KeyKind::kAddress);
  for (std::size_t i = 0; i < kOfKey; ++i) {
    auto share = budgets_.take(address("10.0.0.1"), Resource::kBytes, 1);
    ASSERT_TRUE(share);
    EXPECT_FALSE(budgets_.charge_also(*share, bearer));
    shares_.push_back(std::move(*share));
  }
  EXPECT_EQ(budgets_.taken(Resource::kBytes), kOfKey);
  EXPECT_EQ(bearer.of(KeyKind::kTenant)->taken(Resource::kBytes), kOfKey);
  auto elsewhere = budgets_.take(address("10.0.0.2"), Resource::kBytes, 1);
  ASSERT_TRUE(elsewhere);
  const auto excess = budgets_.charge_also(*elsewhere, bearer);
  ASSERT_TRUE(excess);
  EXPECT_EQ(excess->kind, KeyKind::kSubject);
  EXPECT_EQ(bearer.of(KeyKind::kTenant)->taken(Resource::kBytes), kOfKey) << "a refusal takes nothing";
  shares_.clear();
  EXPECT_EQ(bearer.own().taken(Resource::kBytes), 0u);
  EXPECT_EQ(budgets_.taken(Resource::kBytes), 1u);
  Budgets::Share nothing;
  EXPECT_FALSE(budgets_.charge_also(nothing, bearer));
}

TEST_F(BudgetsTest, CountWhatWasThereBeforeBeyondTheirLimits) {
  const Payers payers = address("a");
  for (std::size_t i = 0; i < 2 * kInAll; ++i)
    shares_.push_back(budgets_.take_anyway(payers, Resource::kMatches));
  EXPECT_EQ(budgets_.take(payers, Resource::kMatches).error().kind, KeyKind::kAddress);
  shares_.clear();
  EXPECT_TRUE(budgets_.take(payers, Resource::kMatches));
}

TEST_F(BudgetsTest, OfARateAreSpentByAllWhoPayAndSayWhenToTryAgain) {
  const Payers ann = player("ann", "arcade");
  EXPECT_FALSE(budgets_.spend(ann, Resource::kFrames, 5 * kOfKey, kStart)) << "more than is left: a debt";
  const auto excess = budgets_.spend(ann, Resource::kFrames, 1, kStart);
  ASSERT_TRUE(excess);
  EXPECT_EQ(excess->kind, KeyKind::kSubject);
  EXPECT_EQ(excess->limit, kOfKey);
  EXPECT_EQ(excess->retry_after, std::chrono::seconds(1));
  EXPECT_EQ(budgets_.refusals(Resource::kFrames, KeyKind::kSubject), 1u);
  EXPECT_EQ(budgets_.spend(player("bob", "other"), Resource::kFrames, 0, kStart)->kind, KeyKind::kAddress);
  EXPECT_FALSE(budgets_.spend(ann, Resource::kFrames, 1, kStart + std::chrono::seconds(1)));
  EXPECT_FALSE(budgets_.spend(of(KeyKind::kSubject, "bob"), Resource::kFrames, 1, kStart))
      << "it paid nothing";
}

TEST_F(BudgetsTest, OfARateAreTakenInAdvanceAndNeverExceeded) {
  constexpr std::uint64_t kRate = 12'800;
  BudgetLimits all{};
  all[Resource::kFrames].of_key = {{kRate, 0, 0, 2 * kRate}};
  Budgets budgets(all);
  Payers ann = budgets.account(KeyKind::kSubject, "ann");
  ann.add(budgets.account(KeyKind::kAddress, "10.0.0.1"));
  EXPECT_EQ(ann.least_rate(Resource::kFrames), kRate);
  Prepaid prepaid(Resource::kFrames);
  std::uint64_t taken = 0;
  while (!prepaid.take(budgets, ann, 1, kStart)) ++taken;
  EXPECT_GT(taken, 4 * kRate);
  EXPECT_LE(taken, 4 * kRate + 17);
}

TEST_F(BudgetsTest, RememberOnlyWhoHasSomethingOrOwesSomething) {
  const Payers kept = address("kept");
  const auto share = budgets_.take(kept, Resource::kCalls);
  address("debtor").charge(Resource::kClaims, 1'000'000, steady_now());
  for (int i = 0; i < 100'000; ++i) budgets_.account(KeyKind::kSubject, BudgetKey(std::to_string(i)));
  EXPECT_LT(budgets_.accounts(), 200u);
  EXPECT_EQ(budgets_.account(KeyKind::kAddress, BudgetKey("kept")), kept.of(KeyKind::kAddress));
  EXPECT_TRUE(budgets_.spend(address("debtor"), Resource::kClaims, 0, steady_now()))
      << "it came back in vain";
}

TEST_F(BudgetsTest, OfOneNameAreApartForEachKind) {
  EXPECT_NE(budgets_.account(KeyKind::kTenant, "a"), budgets_.account(KeyKind::kSubject, "a"));
  EXPECT_EQ(budgets_.account(KeyKind::kTenant, "a"), budgets_.account(KeyKind::kTenant, "a"));
}

TEST_F(BudgetsTest, HoldWithManyThreads) {
  const auto take_and_give_back = [this](int number) {
    const Payers payers = player(number % 2 == 0 ? "ann" : "bob", "arcade");
    for (int i = 0; i < 20'000; ++i) {
      const auto share = budgets_.take(payers, Resource::kCalls);
      EXPECT_LE(budgets_.taken(Resource::kCalls), kInAll);
      (void)budgets_.spend(payers, Resource::kFrames, 1, steady_now());
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(take_and_give_back, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budgets_.taken(Resource::kCalls), 0u);
  EXPECT_EQ(address("10.0.0.1").own().taken(Resource::kCalls), 0u);
}

TEST(Resource, HasANameAndAFlagForEachKindOfKey) {
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    EXPECT_EQ(resource_named(name_of(resource)), resource);
    EXPECT_EQ(name_of(resource).ends_with("_per_s"), is_spent(resource)) << name_of(resource);
  }
  EXPECT_FALSE(resource_named("others"));
  EXPECT_EQ(flag_of(Resource::kStreams, KeyKind::kAddress), "--streams-per-client-max");
  EXPECT_EQ(flag_of(Resource::kStreams, KeyKind::kTenant), "--tenant-max streams=N");
  EXPECT_EQ(flag_of(Resource::kSeats, KeyKind::kAddress), "--address-max seats=N");
}

TEST(BudgetKey, TellsTheTenantOfASubject) {
  EXPECT_EQ(tenant_in("ann\x1fgame\x1f"
                      "arcade"),
            "arcade");
  EXPECT_EQ(tenant_in("ann\x1fgame\x1f"), "");
  EXPECT_EQ(tenant_in("10.0.0.1"), "");
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
  EXPECT_EQ(limits[Resource::kConnections].in_all, 832u);
  EXPECT_EQ(limits[Resource::kStreams].of_key[KeyKind::kAddress], 7u);
  EXPECT_EQ(limits[Resource::kStreams].of_key[KeyKind::kSubject], 7u) << "as an address";
  EXPECT_EQ(limits[Resource::kStreams].of_key[KeyKind::kTenant], 50u) << "half of all";
  EXPECT_EQ(limits[Resource::kStreams].in_all, 100u);
  EXPECT_EQ(limits[Resource::kBytes].in_all, std::size_t{256} << 20);
  EXPECT_GT(default_memory_max(1), std::uint64_t{64} << 20);
}

TEST(ClientLimits, AreNeverLessForABackendOrATenantThanForASubject) {
  ClientLimits asked;
  asked.memory_max = std::uint64_t{1} << 30;
  asked.journal_bytes_per_second = 1'000;
  const BudgetLimits limits = budget_limits(asked, 1024, 100, 100);
  for (std::size_t i = 0; i < kResources; ++i) {
    const ByKind<std::uint64_t>& of_key = limits.all[i].of_key;
    EXPECT_GE(of_key[KeyKind::kBackend], of_key[KeyKind::kSubject]) << name_of(static_cast<Resource>(i));
    EXPECT_GE(of_key[KeyKind::kTenant], of_key[KeyKind::kBackend]) << name_of(static_cast<Resource>(i));
  }
}

TEST(ClientLimits, OfAKindOfKeyAreWhatTheOperatorSays) {
  ClientLimits asked;
  asked.memory_max = std::uint64_t{1} << 30;
  asked.quotas[index_of(Resource::kMatches)][KeyKind::kBackend] = 30;
  asked.quotas[index_of(Resource::kMatches)][KeyKind::kTenant] = 1'000'000;
  asked.quotas[index_of(Resource::kFrames)][KeyKind::kSubject] = 0;
  const BudgetLimits limits = budget_limits(asked, 1024, 100, 100);
  EXPECT_EQ(limits[Resource::kMatches].of_key[KeyKind::kBackend], 30u);
  EXPECT_EQ(limits[Resource::kMatches].of_key[KeyKind::kTenant], 100u) << "never more than there is";
  EXPECT_EQ(limits[Resource::kFrames].of_key[KeyKind::kSubject], 0u);
}

TEST(ClientLimits, OfMemoryAreBelowWhatTheProcessMayMap) {
  if (base::kHasSanitizer) GTEST_SKIP() << "sanitizers map more than any limit allows";
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit limited{std::uint64_t{1} << 30, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  const std::uint64_t memory_max = default_memory_max(1);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LE(memory_max, std::uint64_t{768} << 20);
}

}  // namespace
}  // namespace sweepd::runtime::budgets_test
