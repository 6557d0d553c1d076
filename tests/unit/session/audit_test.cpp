// SPDX-License-Identifier: MIT
//
// Protects what operators do from being forgotten: each call has a line, at every level of the log and
// beside any number of refusals that strangers cause.
#include "session/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "runtime/telemetry/log.h"
#include "session/call_trace.h"

namespace sweepd::session::audit_test {
namespace {

using ::testing::HasSubstr;

/// Its lines once the log has been closed.
std::vector<std::string> lines_of(runtime::LogLevel level, const std::function<void()>& work) {
  std::vector<std::string> lines;
  std::mutex mutex;
  runtime::LogOptions options;
  options.level = level;
  options.write = [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    lines.emplace_back(line);
  };
  {
    const runtime::Log log(options);
    work();
  }
  return lines;
}

Status refusal(Code code) { return make_status(code, {.reason = "NO", .message = "as the test says"}); }

TEST(AuditTest, ALineHasEachFieldOfTheSchema) {
  const auto lines = lines_of(runtime::LogLevel::kInfo, [] {
    audit({.event = AuditEvent::kPermissionRefused,
           .who = "player ann of game",
           .what = "EndMatch",
           .about = "",
           .from = "ipv4:192.0.2.1:5",
           .match_id = "m1",
           .outcome = "PERMISSION_DENIED",
           .reason = "may not"});
  });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0],
              HasSubstr("audit event=permission_refused who=\"player ann of game\" what=EndMatch about=\"\" "
                        "from=ipv4:192.0.2.1:5 match_id=m1 outcome=PERMISSION_DENIED reason=\"may not\""));
}

TEST(AuditTest, RefusalsAreOfTheirKindAndWhatOperatorsDoIsAnAct) {
  const auto lines = lines_of(runtime::LogLevel::kInfo, [] {
    CallTrace trace("EndMatch");
    trace.begin("r1", "a-peer");
    trace.note_status(refusal(Code::kUnauthenticated));
    trace.name_caller("player ann of game", false);
    trace.note_status(Status{});
    trace.note_status(refusal(Code::kPermissionDenied));
    trace.name_caller("operator root of ops", true);
    trace.name_match("m1");
    trace.note_status(Status{});
    trace.note_status(refusal(Code::kNotFound));
  });
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines[0], HasSubstr("event=authentication_refused who=\"\" what=EndMatch"));
  EXPECT_THAT(lines[1], HasSubstr("event=permission_refused who=\"player ann of game\""));
  EXPECT_THAT(lines[2],
              HasSubstr("event=operator_acted who=\"operator root of ops\" what=EndMatch about=\"\" "
                        "from=a-peer match_id=m1 outcome=OK reason=\"\" request_id=r1"));
  EXPECT_THAT(lines[3], HasSubstr("outcome=NOT_FOUND reason=\"as the test says\""));
}

TEST(AuditTest, NoFloodOfRefusalsLeavesOutAnAct) {
  const auto lines = lines_of(runtime::LogLevel::kInfo, [] {
    for (int i = 0; i < 1'000; ++i) {
      audit({.event = AuditEvent::kAuthenticationRefused});
      audit({.event = AuditEvent::kPermissionRefused});
      if (i % 100 == 99) audit({.event = AuditEvent::kOperatorActed});
    }
  });
  const auto count = [&lines](const std::string& event) {
    return std::ranges::count_if(
        lines, [&](const std::string& line) { return line.find("event=" + event) != std::string::npos; });
  };
  EXPECT_EQ(count("operator_acted"), 10);
  EXPECT_LT(count("authentication_refused"), 1'000);
  EXPECT_LT(count("permission_refused"), 1'000);
  EXPECT_GE(count("permission_refused"), 1) << "the other flood leaves room";
}

TEST(AuditTest, WhatOperatorsDoIsWrittenAtEveryLevel) {
  const auto lines = lines_of(runtime::LogLevel::kOff, [] {
    audit({.event = AuditEvent::kPermissionRefused});
    audit({.event = AuditEvent::kOperatorActed, .what = "SetLogLevel"});
  });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("what=SetLogLevel"));
}

}  // namespace
}  // namespace sweepd::session::audit_test
