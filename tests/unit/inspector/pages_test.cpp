// SPDX-License-Identifier: MIT
//
// Protects what operators and their machines read: the right status for each state of the server, with the
// reason.
#include "inspector/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::inspector::pages_test {
namespace {

using runtime::Impact;

Sources sources_of(std::vector<runtime::ComponentHealth> components) {
  return {.metrics_text = [] { return "sweepd_matches 1\n"; },
          .components = [components] { return components; }};
}

TEST(Pages, MetricsAreInPrometheusTextFormat) {
  const Page page = find_page("/metrics", sources_of({}));
  EXPECT_EQ(page.status, 200u);
  EXPECT_EQ(page.type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(page.body, "sweepd_matches 1\n");
}

TEST(Pages, AServerThatFailsIsAliveAndNotReady) {
  const Sources sources =
      sources_of({{.name = "journal", .failure = "disk full"},
                  {.name = "keys"},
                  {.name = "server", .failure = "starting", .impact = Impact::kNotReady}});
  EXPECT_EQ(find_page("/livez", sources).status, 200u);
  const Page ready = find_page("/readyz", sources);
  EXPECT_EQ(ready.status, 503u);
  EXPECT_EQ(ready.body, "server: starting\n");
}

TEST(Pages, AServerOfWhichALoopHangsIsNeitherReadyNorAlive) {
  const Sources sources =
      sources_of({{.name = "journal", .failure = "disk full"},
                  {.name = "loops", .failure = "loop 1 has stood still", .impact = Impact::kNotAlive},
                  {.name = "server"}});
  for (const char* path : {"/livez", "/readyz"}) {
    const Page page = find_page(path, sources);
    EXPECT_EQ(page.status, 503u) << path;
    EXPECT_EQ(page.body, "loops: loop 1 has stood still\n") << path;
  }
}

// Matches go on: whoever balances by readiness must not take their players away.
TEST(Pages, AServerWhoseDiskFailsIsReady) {
  const Page ready =
      find_page("/readyz", sources_of({{.name = "journal", .failure = "disk full"}, {.name = "server"}}));
  EXPECT_EQ(ready.status, 200u);
}

TEST(Pages, AServerThatIsWellIsReady) {
  const Page ready = find_page("/readyz", sources_of({{.name = "journal"}, {.name = "server"}}));
  EXPECT_EQ(ready.status, 200u);
  EXPECT_EQ(ready.body, "ready\n");
}

TEST(Pages, HealthTellsOfEveryPart) {
  const Page page = find_page(
      "/healthz", sources_of({{.name = "journal", .failure = "a \"bad\" disk"}, {.name = "server"}}));
  EXPECT_EQ(page.status, 200u);
  EXPECT_EQ(page.type, "application/json");
  EXPECT_EQ(page.body, "{\"journal\":\"failing: a \\\"bad\\\" disk\",\"server\":\"ok\"}\n");
  EXPECT_EQ(find_page("/healthz", sources_of({})).body, "{}\n");
}

class LogLevelPage : public ::testing::Test {
 protected:
  Page change(std::string_view query, RequestOrigin origin = RequestOrigin::kThisMachine) {
    return change_log_level(query, origin, sources_);
  }

  runtime::LogLevel level_ = runtime::LogLevel::kInfo;
  const Sources sources_{.metrics_text = [] { return ""; },
                         .components = [] { return std::vector<runtime::ComponentHealth>(); },
                         .log_level = [this] { return level_; },
                         .set_log_level = [this](runtime::LogLevel level) { level_ = level; }};
};

TEST_F(LogLevelPage, TellsTheLevel) { EXPECT_EQ(find_page("/log-level", sources_).body, "info\n"); }

TEST_F(LogLevelPage, ChangesItAndTellsTheNewOne) {
  const Page page = change("level=debug");
  EXPECT_EQ(page.status, 200u);
  EXPECT_EQ(page.body, "debug\n");
  EXPECT_EQ(level_, runtime::LogLevel::kDebug);
  EXPECT_EQ(change("level=warn").body, "warning\n");
}

TEST_F(LogLevelPage, SaysWhatItCouldHaveBeen) {
  for (const char* query : {"level=", "level=loud", "level=DEBUG", "level=debug&level=off"}) {
    const Page page = change(query);
    EXPECT_EQ(page.status, 400u) << query;
    EXPECT_EQ(page.body, "400 level is one of trace, debug, info, warning, error, off\n");
  }
  for (const char* query : {"", "debug", "Level=debug", "a=b&level=debug"}) {
    const Page page = change(query);
    EXPECT_EQ(page.status, 400u) << query;
    EXPECT_EQ(page.body, "400 what is asked for is /log-level?level=LEVEL\n");
  }
  EXPECT_EQ(level_, runtime::LogLevel::kInfo);
}

TEST_F(LogLevelPage, IsChangedFromTheServersMachineOnly) {
  const Page page = change("level=debug", RequestOrigin::kElsewhere);
  EXPECT_EQ(page.status, 403u);
  EXPECT_EQ(level_, runtime::LogLevel::kInfo);
}

TEST_F(LogLevelPage, IsNotChangedWhereTheSourcesDoNot) {
  Sources fixed = sources_;
  fixed.set_log_level = nullptr;
  const Page page = change_log_level("level=debug", RequestOrigin::kThisMachine, fixed);
  EXPECT_EQ(page.status, 403u);
  EXPECT_THAT(page.body, ::testing::HasSubstr("sweepctl admin log-level"));
  EXPECT_EQ(find_page("/log-level", fixed).body, "info\n");
}

TEST(Pages, WhatIsNotThereIsNotFound) {
  for (const char* path : {"", "/", "/metrics/", "/Metrics", "metrics", "/livez2", "/../metrics", "*"}) {
    const Page page = find_page(path, sources_of({}));
    EXPECT_EQ(page.status, 404u) << path;
    EXPECT_THAT(page.body, ::testing::HasSubstr("/metrics"));
  }
}

}  // namespace
}  // namespace sweepd::inspector::pages_test
