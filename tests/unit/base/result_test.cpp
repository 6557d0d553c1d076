// SPDX-License-Identifier: MIT
// Protects Result: it holds either a value or an error, and says which.

#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sweepd::base::result_test {
namespace {

enum class Fault { kBad };

TEST(Result, HoldsAValue) {
  Result<std::string, Fault> result = std::string("held");
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(*result, "held");
  EXPECT_EQ(result->size(), 4u);
  result.value() += "!";
  EXPECT_EQ(std::as_const(result).value(), "held!");
}

TEST(Result, HoldsAnError) {
  const Result<std::string, Fault> result = Fault::kBad;
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error(), Fault::kBad);
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>, Fault> result = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = std::move(result.value());
  EXPECT_EQ(*taken, 5);
}

TEST(ResultDeathTest, AskingForWhatIsNotThereIsABrokenInvariant) {
  const Result<int, Fault> error = Fault::kBad;
  const Result<int, Fault> value = 1;
  EXPECT_DEATH(error.value(), "broken invariant");
  EXPECT_DEATH(value.error(), "broken invariant");
}

}  // namespace
}  // namespace sweepd::base::result_test
