// SPDX-License-Identifier: MIT
//
// Protects a server's journal, replays and signing key from other users of its machine.
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "integration/support/server_fixture.h"

namespace sweepd::test::private_files_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;

/// The mask of this process, and of those that it starts, while this lives.
class LaxMask {
 public:
  LaxMask() : before_(::umask(0)) {}
  ~LaxMask() { ::umask(before_); }

 private:
  const mode_t before_;
};

class PrivateFiles : public ServerTest {
 protected:
  void SetUp() override {}
  fs::path data() const { return folder_.path() / "data"; }

  TemporaryFolder folder_;
};

TEST_F(PrivateFiles, UnderAnyMaskOfTheProcessThatStartsIt) {
  const LaxMask mask;
  start({"--data-dir", data().string()});
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  ASSERT_TRUE(client.step_match(match_id, 3).ok());
  ASSERT_TRUE(client.end_match(match_id).ok());
  EXPECT_TRUE(eventually([&] { return fs::exists(data() / "replays" / (match_id + ".swpr")); }));
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(data())) {
    names.insert(entry.path().filename());
    EXPECT_EQ(entry.status().permissions() & kOthers, fs::perms::none) << entry.path();
  }
  EXPECT_EQ(fs::status(data()).permissions() & kOthers, fs::perms::none);
  const std::vector<std::string> expected{"journal.db", "journal.db-wal", "signing_key.pem",
                                          match_id + ".swpr"};
  EXPECT_THAT(names, IsSupersetOf(expected));
  EXPECT_EQ(fs::status(server().folder() / "ready").permissions(), fs::perms(0644)) << "that is for others";
}

TEST_F(PrivateFiles, ASigningKeyThatOthersMayReadOrWriteKeepsTheServerFromStarting) {
  stopped_by_test_ = true;
  start({"--data-dir", data().string()});
  server().process().signal(SIGTERM);
  ASSERT_EQ(server().process().wait(), 0);
  const fs::path key = data() / "signing_key.pem";
  for (const fs::perms mode : {fs::perms(0666), fs::perms(0640)}) {
    fs::permissions(key, mode);
    Process refused(
        {required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0", "--data-dir", data().string()},
        folder_.path() / "refused");
    EXPECT_EQ(refused.wait(), 1);
    EXPECT_THAT(refused.standard_error(), HasSubstr("chmod 600 " + key.string()));
  }
}

}  // namespace
}  // namespace sweepd::test::private_files_test
