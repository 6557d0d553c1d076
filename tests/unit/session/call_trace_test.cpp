// SPDX-License-Identifier: MIT
//
// Protects whoever follows a call through the log: its name is one word, given or made up, and what is
// counted and logged has the names of the public contract.
#include "session/call_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "runtime/feed/reason_names.h"
#include "session/call_counts.h"
#include "sweepd/v1/claims.pb.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::session::call_trace_test {
namespace {

TEST(RequestId, IsAWordOfVisibleCharacters) {
  EXPECT_TRUE(is_request_id("a"));
  EXPECT_TRUE(is_request_id("9f0c-\"[player:7]\"/=~!"));
  EXPECT_TRUE(is_request_id(std::string(64, 'x')));
  EXPECT_FALSE(is_request_id(std::string(65, 'x')));
  for (const char* wrong : {"", " ", "a b", "a\n", "a\t", "\x7f", "caf\xc3\xa9"}) {
    EXPECT_FALSE(is_request_id(wrong)) << wrong;
  }
}

TEST(RequestId, OneThatNobodyHasGivenIsLikeNoOther) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = random_request_id();
    EXPECT_TRUE(is_request_id(id));
    EXPECT_EQ(id.size(), 16u);
    EXPECT_TRUE(ids.insert(id).second);
  }
}

TEST(CallCounts, AStatusIsCountedUnderTheNameThatGrpcHasForIt) {
  const auto count_of = [](const std::string& status) {
    for (const runtime::Sample& sample : refusal_samples()) {
      if (sample.labels == runtime::Labels{{"status", status}}) return sample.value;
    }
    return -1.0;
  };
  const double before = count_of("NOT_FOUND");
  ASSERT_GE(before, 0);
  CallTrace("GetMatch").note_status({Code::kNotFound, "no match", ""});
  CallTrace("GetMatch").note_status(Status{});
  EXPECT_EQ(count_of("NOT_FOUND"), before + 1);
  EXPECT_EQ(count_of("OK"), -1) << "no refusal";
}

TEST(ReasonNames, AreThoseOfTheContract) {
  const auto& reasons = *v1::RejectionReason_descriptor();
  for (int number = 1; number < static_cast<int>(match::kRejectionReasonsEnd); ++number) {
    const auto* value = reasons.FindValueByNumber(number);
    const std::string name(runtime::name_of(static_cast<match::RejectionReason>(number)));
    EXPECT_EQ(value == nullptr ? "" : value->name(), name.empty() ? "" : "REJECTION_REASON_" + name)
        << number;
  }
  const auto& verdicts = *v1::Verdict_descriptor();
  for (int number = 1; number < static_cast<int>(match::kVerdictsEnd); ++number) {
    const auto* value = verdicts.FindValueByNumber(number);
    ASSERT_NE(value, nullptr) << number;
    EXPECT_EQ(value->name(), "VERDICT_" + std::string(runtime::name_of(static_cast<match::Verdict>(number))));
  }
}

}  // namespace
}  // namespace sweepd::session::call_trace_test
