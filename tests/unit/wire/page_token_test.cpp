// SPDX-License-Identifier: MIT
//
// Protects paging: a token leads back to where it came from, and nothing else is taken for one.
#include "wire/page_token.h"

#include <gtest/gtest.h>

namespace sweepd::wire::page_token_test {
namespace {

TEST(PageToken, LeadsBackToItsEncounter) {
  const collision::EncounterKey key{1, 4'294'967'295u, 0, 63};
  EXPECT_EQ(decode_page_token(encode_page_token(key)), key);
}

TEST(PageToken, RefusesWhatIsNone) {
  for (const char* text : {"", "1", "1-2-3", "1-2-3-", "1-2-3-4-5", "1-2-3-x", "-1-2-3-4", "4294967296-1-1-1",
                           "1-2-3-64", "1-2-300-4", " 1-2-3-4", "1-2-3-4 ", "1--2-3-4"}) {
    EXPECT_FALSE(decode_page_token(text)) << text;
  }
}

}  // namespace
}  // namespace sweepd::wire::page_token_test
