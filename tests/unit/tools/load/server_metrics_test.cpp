// SPDX-License-Identifier: MIT
//
// Protects what a load test tells of its server's own metrics: the right numbers of the right kind, whatever
// else is on the page.
#include "tools/load/server_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::tools::load::server_metrics_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr char kBefore[] = R"(# HELP sweepd_commits_total Group commits.
# TYPE sweepd_commits_total counter
sweepd_commits_total 100
# TYPE sweepd_failures_total counter
sweepd_failures_total{what="disk } full"} 0
# TYPE sweepd_matches gauge
sweepd_matches 7
# TYPE sweepd_streams gauge
sweepd_streams 0
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 3
)";

constexpr char kAfter[] = R"(# TYPE sweepd_commits_total counter
sweepd_commits_total 1.5e+02 1700000000000
# TYPE sweepd_failures_total counter
sweepd_failures_total{what="disk } full"} 2
# TYPE sweepd_commit_seconds histogram
sweepd_commit_seconds_count 50
sweepd_commit_seconds_sum 0.25
sweepd_commit_seconds_bucket{le="0.001"} 40
sweepd_commit_seconds_bucket{le="+Inf"} 50
# TYPE sweepd_matches gauge
sweepd_matches 0
# TYPE sweepd_streams gauge
sweepd_streams 0
# TYPE sweepd_age_seconds gauge
sweepd_age_seconds 0.125
# TYPE sweepd_odd summary
sweepd_odd{quantile="0.5"} 1
sweepd_commits_total not-a-number
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 4)";

TEST(LoadServerMetrics, CountersByWhatTheyHaveGrownAndGaugesAsTheyAreAtTheEnd) {
  const MetricsChange change = change_of(parse_metrics(kBefore), parse_metrics(kAfter));
  EXPECT_THAT(
      change.counters,
      ElementsAre(Pair("sweepd_commit_seconds_count", 50), Pair("sweepd_commit_seconds_sum", 0.25),
                  Pair("sweepd_commits_total", 50), Pair("sweepd_failures_total{what=\"disk } full\"}", 2)));
  // One that has become 0 tells something, one that has always been 0 does not.
  EXPECT_THAT(change.gauges, ElementsAre(Pair("sweepd_age_seconds", 0.125), Pair("sweepd_matches", 0)));
}

TEST(LoadServerMetrics, OfAPageWithoutMetricsThereAreNone) {
  for (const char* text : {"", "\n\n", "<html>\n", "# TYPE\n", "{} 1\n", "} 1", " 1"}) {
    const MetricsPage page = parse_metrics(text);
    EXPECT_TRUE(page.counters.empty() && page.gauges.empty()) << text;
  }
}

TEST(LoadServerMetrics, AnAddressThatIsNoneIsNamed) {
  for (const char* address : {"", "host", ":1", "host:", "host:0", "host:65536", "host:x", "https://host/",
                              "https://:1/", "http:///metrics"}) {
    const auto page = fetch_metrics(address, {});
    ASSERT_FALSE(page.ok()) << address;
    EXPECT_EQ(page.status().code(), ErrorCode::kInvalidArgument) << address;
    EXPECT_THAT(page.status().message(), HasSubstr("this is not HOST:PORT")) << address;
  }
}

}  // namespace
}  // namespace sweepd::tools::load::server_metrics_test
