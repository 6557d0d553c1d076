// SPDX-License-Identifier: MIT
//
// Protects the log from what clients send: what Protobuf and gRPC have to say of it is a few lines.
#include "rpc/library_log.h"

#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <gtest/gtest.h>

#include "rpc/request_bytes.h"
#include "runtime/telemetry/log.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::rpc::library_log_test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

/// As a client would send it that does not look at its texts.
std::string bytes_without_utf8() {
  const google::protobuf::LogSilencer silencer;
  v1::GetMatchRequest get;
  get.set_match_id("stage \xff 1");
  return get.SerializeAsString();
}

bool is_read(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  RequestBytes request;
  request.buffer = grpc::ByteBuffer(&slice, 1);
  v1::GetMatchRequest get;
  return request.read_into(get);
}

TEST(LibraryLog, WhatLibrariesSayIsAFewLinesOfTheLogHoweverOftenItIsCaused) {
  take_library_logs();
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);  // As gRPC does when it begins.
  const std::string bytes = bytes_without_utf8();
  std::vector<std::string> lines;
  const std::uint64_t left_out_before = runtime::Log::lines_left_out();
  {
    const runtime::Log log({.write = [&lines](std::string_view line) { lines.emplace_back(line); }});
    for (int i = 0; i < 10'000; ++i) EXPECT_FALSE(is_read(bytes));
    EXPECT_FALSE(lines.empty() && runtime::Log::lines_left_out() == left_out_before);
    gpr_log(GPR_ERROR, "accept failed: %d", 24);
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), HasSubstr("[error] accept failed: 24 library=grpc file=library_log_test.cpp"));
  lines.pop_back();
  EXPECT_THAT(lines, Each(HasSubstr("library=protobuf")));
  EXPECT_LT(lines.size(), 500u) << "20 a second";
  EXPECT_EQ(lines.size() + runtime::Log::lines_left_out() - left_out_before, 10'000u);
}

}  // namespace
}  // namespace sweepd::rpc::library_log_test
