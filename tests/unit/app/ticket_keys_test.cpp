// SPDX-License-Identifier: MIT
//
// Protects the keys of tickets: a file that others may read, where it has a secret, or write is not used, and
// the keys from before stay, which is counted.
#include "app/ticket_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "identity/ticket_issuer.h"
#include "keys/sample_keys.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::app::ticket_keys_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class TicketKeysTest : public ::testing::Test {
 protected:
  void write(const std::string& text, unsigned mode) {
    std::ofstream(file_) << text;
    fs::permissions(file_, fs::perms(mode));
  }
  /// What is wrong with the file; empty: nothing.
  std::string load() { return keys_.load().value_or(""); }
  static std::string public_keys() {
    return identity::key_set_text(test::sample_key(identity::Algorithm::kEdDsa));
  }
  static std::string count_of(const std::string& outcome, int count) {
    return "sweepd_ticket_key_reloads_total{outcome=\"" + outcome + "\"} " + std::to_string(count) + "\n";
  }

  runtime::TemporaryFolder folder_;
  const fs::path file_ = folder_.path() / "keys.json";
  session::Gate gate_;
  runtime::Metrics metrics_;
  TicketKeys keys_{gate_, {.keys = file_}, nullptr, &metrics_};
};

TEST_F(TicketKeysTest, WithASecretAreTheirOwnersAlone) {
  for (const unsigned mode : {0644u, 0640u, 0604u, 0620u, 0602u}) {
    write(test::sample_key_set(), mode);
    EXPECT_THAT(load(), HasSubstr("has a key of HS256")) << std::oct << mode;
    EXPECT_FALSE(gate_.has_keys());
  }
  write(test::sample_key_set(), 0600);
  EXPECT_EQ(load(), "");
  EXPECT_TRUE(gate_.has_keys());
}

TEST_F(TicketKeysTest, ThatArePublicMayBeReadByAllAndWrittenByTheirOwner) {
  for (const unsigned mode : {0664u, 0646u}) {
    write(public_keys(), mode);
    EXPECT_THAT(load(), HasSubstr("chmod go-w")) << std::oct << mode;
  }
  EXPECT_FALSE(gate_.has_keys());
  write(public_keys(), 0644);
  EXPECT_EQ(load(), "");
}

TEST_F(TicketKeysTest, ThatBecomeLaxLeaveTheFormerOnes) {
  write(test::sample_key_set(), 0600);
  ASSERT_EQ(load(), "");
  write(public_keys(), 0666);
  EXPECT_FALSE(keys_.reload());
  EXPECT_EQ(reason_of(gate_.admit("a.b.c").error()), "TICKET_MALFORMED");
  EXPECT_TRUE(gate_.has_keys());
}

TEST_F(TicketKeysTest, ThatAreReadAgainAreCountedByWhatCameOfIt) {
  write(public_keys(), 0600);
  ASSERT_EQ(load(), "");
  EXPECT_THAT(metrics_.to_text(), HasSubstr(count_of("taken", 0))) << "the first time is no reload";
  EXPECT_TRUE(keys_.reload());
  write("{", 0600);
  EXPECT_FALSE(keys_.reload());
  fs::remove(file_);
  EXPECT_FALSE(keys_.reload());
  EXPECT_THAT(metrics_.to_text(), HasSubstr(count_of("taken", 1)));
  EXPECT_THAT(metrics_.to_text(), HasSubstr(count_of("refused", 2)));
}

TEST_F(TicketKeysTest, AreAFileAndNoFolder) {
  fs::create_directory(file_);
  EXPECT_THAT(load(), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace sweepd::app::ticket_keys_test
