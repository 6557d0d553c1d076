// SPDX-License-Identifier: MIT
//
// Protects tickets from reaching another server than theirs: a command means the server that was named,
// contexts are read as they are written, and no other user of the machine can change or read them.
#include "tools/sweepctl/contexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "tools/sweepctl/private_file.h"

namespace sweepd::tools::contexts_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kTwo =
    "current = \"prod\"\n"
    "\n"
    "[context.prod]\n"
    "server = \"game.example:7777\"\n"
    "ca = \"/etc/ca.pem\"\n"
    "cert = \"/c.pem\"\n"
    "key = \"/k.pem\"\n"
    "token_file = \"/home/ann/prod \\\"1\\\".token\"\n"
    "tls = true\n"
    "\n"
    "[context.local]\n"
    "server = \"127.0.0.1:7777\"\n";

class ContextsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "contexts_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "config" / "sweepd" / "contexts.toml";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& text, fs::perms mode = fs::perms::owner_read | fs::perms::owner_write) {
    fs::create_directories(path_.parent_path());
    std::ofstream(path_) << text;
    fs::permissions(path_, mode);
  }
  std::string server_of(const ContextChoice& choice) {
    const auto context = choose_context(choice, path_);
    return context.ok() ? context->server : context.status().message();
  }

  fs::path folder_;
  fs::path path_;
};

std::string error_of(const std::string& text) {
  const auto contexts = parse_contexts(text, "c.toml");
  EXPECT_FALSE(contexts.ok()) << text;
  return contexts.ok() ? "" : contexts.status().message();
}

TEST_F(ContextsTest, AreWrittenAsTheyAreRead) {
  const auto contexts = parse_contexts(kTwo, "c.toml");
  ASSERT_TRUE(contexts.ok()) << contexts.status().message();
  EXPECT_EQ(contexts->current, "prod");
  ASSERT_EQ(contexts->all.size(), 2u);
  const Context& prod = *contexts->find("prod");
  EXPECT_EQ(prod.server, "game.example:7777");
  EXPECT_TRUE(prod.tls);
  EXPECT_FALSE(contexts->find("local")->tls);
  EXPECT_EQ(prod.ca_file, "/etc/ca.pem");
  EXPECT_EQ(prod.certificate_file, "/c.pem");
  EXPECT_EQ(prod.key_file, "/k.pem");
  EXPECT_EQ(prod.token_file, "/home/ann/prod \"1\".token");
  EXPECT_EQ(contexts->find("local")->token_file, "");
  EXPECT_EQ(contexts->find("other"), nullptr);
  EXPECT_EQ(contexts_text(*contexts), kTwo);
  EXPECT_TRUE(parse_contexts("", "c.toml").ok());
}

TEST_F(ContextsTest, ASlipIsToldByItsPlace) {
  EXPECT_THAT(error_of("[context.a]\nserver = 7777\n"), HasSubstr("c.toml:2:10: context.a.server"));
  EXPECT_THAT(error_of("[context.a]\nca = \"x\"\n"), HasSubstr("context.a.server is missing"));
  EXPECT_THAT(error_of("[context.a]\nserver = \"s\"\ntoken_fil = \"x\"\n"),
              HasSubstr("did you mean \"token_file\"?"));
  EXPECT_THAT(error_of("[context.a]\nserver = \"\"\n"), HasSubstr("context.a.server"));
  EXPECT_THAT(error_of("[context.a]\nserver = \"a\\nb\"\n"), HasSubstr("control characters"));
  EXPECT_THAT(error_of("[context.\"a b\"]\nserver = \"s\"\n"), HasSubstr("no name of a context"));
  EXPECT_THAT(error_of("current = \"a\"\n"), HasSubstr("c.toml:1:11: current names no context"));
  EXPECT_THAT(error_of("[context.a]\nserver = \"s\"\ntls = 1\n"), HasSubstr("context.a.tls"));
  EXPECT_THAT(error_of("context = 1\n"), HasSubstr("must be a table of contexts"));
  EXPECT_THAT(error_of("contexts = 1\n"), HasSubstr("contexts is no key"));
  EXPECT_THAT(error_of("[context.a]\nserver = \"s\"\n[context.a]\n"), HasSubstr("c.toml:3:"));
  EXPECT_THAT(error_of("x"), HasSubstr("c.toml:1:"));
}

TEST_F(ContextsTest, TheServerIsTheOneThatIsNamedMostClearly) {
  EXPECT_EQ(server_of({}), kDefaultServer);
  EXPECT_EQ(server_of({.environment = "e:1"}), "e:1");
  write(kTwo);
  EXPECT_EQ(server_of({}), "game.example:7777");
  EXPECT_EQ(server_of({.environment = "e:1"}), "e:1");
  EXPECT_EQ(server_of({.context = "local", .environment = "e:1"}), "127.0.0.1:7777");
  EXPECT_EQ(server_of({.server = "s:1", .context = "local", .environment = "e:1"}), "s:1");
  EXPECT_THAT(server_of({.context = "nowhere"}), HasSubstr("no context 'nowhere' in " + path_.string()));
  write("[context.a]\nserver = \"a:1\"\n");
  EXPECT_EQ(server_of({}), kDefaultServer) << "no context is in use";
}

TEST_F(ContextsTest, NoTokenGoesToAServerThatWasNamedApartFromItsContext) {
  write(kTwo);
  EXPECT_EQ(choose_context({}, path_)->token_file, "/home/ann/prod \"1\".token");
  EXPECT_EQ(choose_context({.server = "s:1"}, path_)->token_file, "");
  EXPECT_EQ(choose_context({.server = "s:1"}, path_)->ca_file, "");
  EXPECT_EQ(choose_context({.environment = "s:1"}, path_)->token_file, "");
  EXPECT_EQ(choose_context({.server = "s:1", .context = "prod"}, path_)->token_file,
            "/home/ann/prod \"1\".token")
      << "both were said";
}

TEST_F(ContextsTest, AFileThatIsNoneIsToldUnlessItDoesNotMatter) {
  write("x");
  EXPECT_THAT(server_of({}), HasSubstr(path_.string() + ":1:"));
  EXPECT_EQ(server_of({.server = "s:1"}), "s:1");
}

TEST_F(ContextsTest, AFileThatOthersMayWriteIsRefused) {
  for (const fs::perms other : {fs::perms::group_write, fs::perms::others_write}) {
    write(kTwo, fs::perms::owner_read | fs::perms::owner_write | other);
    EXPECT_THAT(server_of({}), HasSubstr("may be written by others"));
  }
  write(kTwo, fs::perms::owner_read | fs::perms::group_read);
  EXPECT_EQ(server_of({}), "game.example:7777") << "there is no secret in it";
}

TEST_F(ContextsTest, FilesAndFoldersAreTheirOwnersAlone) {
  const mode_t before = ::umask(0);
  const Status status = write_contexts(path_, *parse_contexts(kTwo, "c.toml"));
  ::umask(before);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(path_.parent_path()).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(folder_ / "config").permissions(), fs::perms(0700));
  EXPECT_EQ(contexts_text(*read_contexts(path_)), kTwo);
  EXPECT_FALSE(write_contexts({}, {}).ok());
}

TEST_F(ContextsTest, ANewPrivateFileTakesNoPlaceThatIsTaken) {
  const fs::path file = folder_ / "key.jwk";
  ASSERT_TRUE(write_new_private_file(file, "secret").ok());
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  EXPECT_FALSE(write_new_private_file(file, "other").ok());
  EXPECT_EQ(*read_private_file(file, 6, 077), "secret");
  EXPECT_FALSE(read_private_file(file, 5, 077).ok());
  fs::permissions(file, fs::perms(0640));
  EXPECT_THAT(read_private_file(file, 6, 077).status().message(), HasSubstr("may be read by others"));
  const fs::path link = folder_ / "link";
  fs::create_symlink(folder_ / "elsewhere", link);
  EXPECT_FALSE(write_new_private_file(link, "secret").ok());
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
  EXPECT_FALSE(read_private_file(folder_, 6, 077).ok());
}

}  // namespace
}  // namespace sweepd::tools::contexts_test
