// SPDX-License-Identifier: MIT
//
// Protects what programs read out of an error: the stable reason and the field at fault, in the standard's
// encoding.
#include "session/refusals.h"

#include <google/rpc/error.pb.h>
#include <gtest/gtest.h>

namespace sweepd::session::status_test {
namespace {

google::rpc::Status details_of(const Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.details()));
  EXPECT_EQ(details.code(), static_cast<int>(status.code()));
  EXPECT_EQ(details.message(), status.message());
  return details;
}

google::rpc::ErrorInfo info_of(const Status& status) {
  google::rpc::ErrorInfo info;
  EXPECT_TRUE(details_of(status).details(0).UnpackTo(&info));
  EXPECT_EQ(info.domain(), "sweepd");
  return info;
}

TEST(Status, CarriesReasonAndFacts) {
  const Status status = match_not_found("abc");
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(info_of(status).reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(info_of(status).metadata().at("match_id"), "abc");
  EXPECT_EQ(details_of(status).details(0).type_url(), "type.googleapis.com/google.rpc.ErrorInfo");
}

TEST(Status, SaysNoMoreOfWhatAClientWroteThanFitsInATrailer) {
  const std::string endless(std::size_t{1} << 20, 'x');
  const Status status = match_not_found(endless);
  EXPECT_EQ(info_of(status).metadata().at("match_id"), std::string(64, 'x') + "…");
  for (const Status& each :
       {status, invalid_token(endless), invalid_config({endless, endless}), step_failed({}, endless),
        join_refused(match::JoinError::kNameTaken, {endless, {}}, endless),
        make_status(Code::kInternal, {.reason = "ANY", .message = endless})}) {
    // Messages are sent with up to three bytes for one, details with four for three.
    EXPECT_LT(3 * each.message().size() + each.details().size() * 4 / 3, 8000u);
  }
}

TEST(Status, ClipsNoCharacterInTwo) {
  EXPECT_EQ(clipped("", 3), "");
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abcd", 3), "abc…");
  EXPECT_EQ(clipped("aäöü", 4), "aä…");
  EXPECT_EQ(clipped("\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80", 7), "\xf0\x9f\x9a\x80…");
}

TEST(Status, AnOverloadIsToldWithItsFiguresTheLimitsAndWhenToTryAgain) {
  const std::vector<runtime::LoadReading> loads{
      {.busy_ratio = 0.97, .lateness_p99 = std::chrono::milliseconds(30), .is_overloaded = true},
      {.busy_ratio = 0.91, .lateness_p99 = std::chrono::milliseconds(12), .is_overloaded = true}};
  const Status status = server_overloaded(loads, {});
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_EQ(info_of(status).reason(), "SERVER_OVERLOADED");
  EXPECT_EQ(status.message(),
            "every loop of the server is overloaded: the least busy one works 91% of the time (limit 85%, "
            "--loop-busy-max-percent), and its ticks begin up to 12 ms late (p99, limit 8 ms, "
            "--loop-lateness-max-ms); a loop that stands still counts as overloaded, too");
  EXPECT_EQ(info_of(status).metadata().at("busy_percent"), "91");
  EXPECT_EQ(info_of(status).metadata().at("lateness_max_ms"), "8");
  google::rpc::RetryInfo retry;
  ASSERT_EQ(details_of(status).details_size(), 2);
  ASSERT_TRUE(details_of(status).details(1).UnpackTo(&retry));
  EXPECT_EQ(retry.retry_delay().seconds(), 3);
}

TEST(Status, NamesTheFieldOfAConfigWithItsWholePath) {
  const Status status = invalid_config({"slots[2].name", "empty; 1 to 64 bytes are allowed"});
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(info_of(status).reason(), "INVALID_CONFIG");
  google::rpc::BadRequest bad_request;
  ASSERT_TRUE(details_of(status).details(1).UnpackTo(&bad_request));
  EXPECT_EQ(bad_request.field_violations(0).field(), "config.slots[2].name");
  EXPECT_EQ(bad_request.field_violations(0).description(), "empty; 1 to 64 bytes are allowed");
}

TEST(Status, EveryJoinErrorHasTheReasonOfTheContract) {
  const auto reason = [](match::JoinError error) {
    return info_of(join_refused(error, {"a", {}}, "m")).reason();
  };
  EXPECT_EQ(reason(match::JoinError::kInvalidName), "INVALID_JOIN");
  EXPECT_EQ(reason(match::JoinError::kNameTaken), "NAME_TAKEN");
  EXPECT_EQ(reason(match::JoinError::kNoSuchSlot), "NO_SUCH_SLOT");
  EXPECT_EQ(reason(match::JoinError::kSlotTaken), "SLOT_TAKEN");
  EXPECT_EQ(reason(match::JoinError::kMatchFull), "MATCH_FULL");
  EXPECT_EQ(reason(match::JoinError::kMatchEnded), "MATCH_NOT_FOUND");
}

TEST(Status, EveryStepErrorHasTheCodeOfTheContract) {
  const auto code = [](runtime::StepError error) { return step_failed(error, "m").code(); };
  EXPECT_EQ(code(runtime::StepError::kClockNotManual), Code::kFailedPrecondition);
  EXPECT_EQ(code(runtime::StepError::kStepInProgress), Code::kAborted);
  EXPECT_EQ(code(runtime::StepError::kCancelled), Code::kDeadlineExceeded);
  EXPECT_EQ(code(runtime::StepError::kMatchEnded), Code::kNotFound);
  EXPECT_EQ(code(runtime::StepError::kShuttingDown), Code::kUnavailable);
}

}  // namespace
}  // namespace sweepd::session::status_test
