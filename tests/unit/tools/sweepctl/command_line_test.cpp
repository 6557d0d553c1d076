// SPDX-License-Identifier: MIT
//
// Protects who judges evidence at the terminal: what is asked for is checked or refused, and no file keeps a
// tool busy for ever, or takes all memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/sanitizers.h"
#include "recordings/forgery.h"
#include "recordings/replay_bytes.h"
#include "replay/bundle.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/verification_report.h"
#include "unit/tools/sweepctl/costly_log.h"
#include "unit/tools/sweepctl/tool_files.h"

namespace sweepd::tools::command_line_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kWrongUsage = 2;
constexpr int kDiffers = 12;

struct Ended {
  int exit_code = 0;
  std::string output = {};  ///< And errors.
};

class CommandLine : public ToolFiles {
 protected:
  /// `line`: as a shell takes it, after the program's name.
  Ended run(const std::string& line) const {
    Ended run;
    std::FILE* pipe = ::popen((program_ + " " + line + " 2>&1 </dev/null").c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::array<char, 4096> piece{};
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe))
      run.output.append(piece.data(), size);
    const int status = ::pclose(pipe);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
  }

  std::string replay() { return write("run.swpr", recordings::random_replay(7, 60)); }

  /// Every tool that looks into a file, but for the file.
  static std::vector<std::string> inspections(const std::string& output) {
    return {"replay info --pace",
            "replay world --at-tick 1",
            "replay encounters --at-tick 1",
            "replay events --at-tick 1",
            "replay claims --at-tick 1",
            "replay scores --at-tick 1",
            "replay show --around 1 --svg " + output,
            "replay cut --ticks 1 --output " + output,
            "replay check-bundle --any-packer"};
  }
};

// Else a script whose variable is empty checks nothing, and hears VERIFIED.
TEST_F(CommandLine, AnEmptyValueIsWrongUsageThatNamesTheOption) {
  const std::string file = replay();
  const std::string key = write("key.pem", replay::SigningKey::generate().public_key().to_pem());
  for (const std::string name : {"--key", "--keys", "--nonce", "--creator", "--subject", "--rules"}) {
    const Ended done = run("verify " + file + " " + name + " ''");
    EXPECT_EQ(done.exit_code, kWrongUsage) << done.output;
    EXPECT_THAT(done.output, HasSubstr(name + ": is empty"));
  }
  const std::pair<std::string, std::string> lines[] = {
      {"verify --manifest ''", "--manifest"},
      {"verify " + file + " --key " + key + " --creator lobby --creator-tenant ''", "--creator-tenant"},
      {"replay check-receipt r.json --key ''", "--key"},
      {"replay check-receipt r.json --key " + key + " --rules '' --creator lobby", "--rules"},
      {"replay check-bundle b.swpb --packer-key ''", "--packer-key"},
      {"replay check-bundle b.swpb --packer-key " + key + " --key ''", "--key"},
      {"replay bundle " + file + " --around 3 --signing-key k.pem --output b.swpb --key ''", "--key"},
      {"replay info ''", "FILE"}};
  for (const auto& [line, option] : lines) {
    const Ended done = run(line);
    EXPECT_EQ(done.exit_code, kWrongUsage) << line << ": " << done.output;
    EXPECT_THAT(done.output, HasSubstr(option + ": is empty"));
  }
}

TEST_F(CommandLine, AManifestWithoutALineVerifiesNothing) {
  for (const char* lines : {"", "\n \n"}) {
    const Ended done = run("verify --json --manifest " + write("none.jsonl", lines));
    EXPECT_EQ(done.exit_code, kExitBadRequest);
    EXPECT_THAT(done.output, HasSubstr("has no line"));
  }
}

TEST_F(CommandLine, InspectionsReadNoPipesAndNoDevices) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string good = replay();
  for (const std::string& file : {pipe, std::string("/dev/zero")}) {
    for (const std::string& inspection : inspections((folder_ / "out").string())) {
      const Ended done = run(inspection + " " + file);
      EXPECT_EQ(done.exit_code, 1) << inspection;
      EXPECT_THAT(done.output, HasSubstr("a pipe or a device")) << inspection;
    }
    EXPECT_THAT(run("replay diff " + good + " " + file).output, HasSubstr("a pipe or a device"));
  }
}

TEST_F(CommandLine, InspectionsEndWhatTakesTooLong) {
  const std::string busy = write("busy.swpi", crowd(3'000, 60, 2, 1'000'000));
  for (const char* command : {"replay scores --at-tick 9", "replay show --around 9 --svg out.svg"}) {
    const Ended done = run(std::string(command) + " --max-seconds 1 " + busy);
    EXPECT_EQ(done.exit_code, kExitTooLong) << done.output;
    EXPECT_THAT(done.output, HasSubstr("busy.swpi: TOO_LONG: it takes more than 1 s"));
  }
}

TEST_F(CommandLine, InspectionsEndWhatTakesTooMuchMemory) {
  if (base::kHasSanitizer) GTEST_SKIP() << "sanitizers take more address space than any limit";
  const std::string huge = write("huge.swpi", crowd(20'000, 1, 0, 1));
  const Ended done = run("replay world --at-tick 1 --max-memory 256 " + huge);
  EXPECT_EQ(done.exit_code, kExitTooLarge) << done.output;
  EXPECT_THAT(done.output, HasSubstr("huge.swpi: TOO_LARGE: it takes more than 256 MiB"));
}

TEST_F(CommandLine, ABundleWhosePackerIsNotCheckedSaysSo) {
  const auto packer = replay::SigningKey::generate();
  const std::string bytes = recordings::random_replay(7, 60);
  const auto reader = replay::Reader::open(bytes);
  const auto bundle = replay::make_bundle(*reader, bytes, {.at = 9, .first = 5, .last = 12}, packer);
  ASSERT_TRUE(bundle.ok());
  const std::string check = "replay check-bundle " + write("b.swpb", *bundle);
  const Ended unsaid = run(check);
  EXPECT_EQ(unsaid.exit_code, kWrongUsage);
  EXPECT_THAT(unsaid.output, HasSubstr("--packer-key or --any-packer"));
  const Ended any = run(check + " --any-packer");
  EXPECT_EQ(any.exit_code, 0);
  EXPECT_THAT(any.output, HasSubstr(", which is UNCHECKED, without a receipt"));
  const Ended checked = run(check + " --packer-key " + write("packer.pem", packer.public_key().to_pem()));
  EXPECT_EQ(checked.exit_code, 0) << checked.output;
  EXPECT_THAT(checked.output, Not(HasSubstr("UNCHECKED")));
}

TEST_F(CommandLine, DiffNamesWhatReplaysSayOtherwiseOfTheSameTicks) {
  const auto key = replay::SigningKey::generate();
  const std::string one = write("one.swpr", recordings::random_replay(7, 60));
  const std::string copy = write("copy.swpr", recordings::random_replay(7, 60));
  EXPECT_EQ(run("replay diff " + one + " " + copy).exit_code, 0);
  const std::string other =
      write("other.swpr", recordings::random_replay(7, 60, {.nonce = "n", .key = &key}));
  const Ended done = run("replay diff " + one + " " + other);
  EXPECT_EQ(done.exit_code, kDiffers);
  EXPECT_EQ(done.output, "the same ticks from beginning to end; they differ in nonce, receipt\n");
  EXPECT_EQ(run("replay diff --json " + one + " " + other).output,
            "{\"same\":false,\"statements\":[\"nonce\",\"receipt\"]}\n");
}

TEST_F(CommandLine, DiffFindsARecordThatAForgerHasChanged) {
  const auto key = replay::SigningKey::generate();
  const std::string whole = recordings::random_replay(7, 60, {.key = &key, .key_frame_ticks = 20});
  recordings::Forgery forgery(whole);
  forgery.header().set_engine_version("9.9.9");
  forgery.make_consistent();
  const std::string files = write("one.swpr", whole) + " " + write("other.swpr", forgery.bytes());
  const Ended done = run("replay diff " + files);
  EXPECT_EQ(done.exit_code, kDiffers);
  EXPECT_EQ(done.output,
            "the same ticks from beginning to end; they differ in engine version; the receipt of the second "
            "is not over what its file says\n");
  EXPECT_EQ(run("replay diff --json " + files).output,
            "{\"same\":false,\"statements\":[\"engine version\"],\"wrong_receipts\":[\"second\"]}\n");
}

TEST_F(CommandLine, VerifySaysThatAMatchIsUnranked) {
  EXPECT_THAT(run("verify " + replay()).output,
              HasSubstr(", signature none, UNRANKED, not signed: rules, creator "));
}

}  // namespace
}  // namespace sweepd::tools::command_line_test
