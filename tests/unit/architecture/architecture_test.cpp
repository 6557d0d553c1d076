// SPDX-License-Identifier: MIT
//
// Protects the shape of the house: who may include whom, what the core must never see, how large a file may
// grow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "source_files.h"
#include "source_tree.h"

namespace {

namespace fs = std::filesystem;
using sweepd::test::entries_below;
using sweepd::test::read;
using sweepd::test::source_folder;
using Names = std::set<std::string>;

Names folders_of_server() {
  Names folders;
  for (const auto& entry : fs::directory_iterator(source_folder() / "server")) {
    if (entry.is_directory()) folders.insert(entry.path().filename().string());
  }
  return folders;
}

/// A module, and the modules it may include; itself always.
using Modules = std::map<std::string, Names>;

Modules read_table_of_modules() {
  static const std::regex kRow(R"(\n\| (\w+) \| ([\w, ]*)\|)");
  static const std::regex kName(R"(\w+)");
  const std::string page = read(source_folder() / "server/README.md");
  const std::size_t begin = page.find("\n| target | modules |");
  if (begin == std::string::npos) return {};
  const std::string table = page.substr(begin, page.find("\n\n", begin) - begin);
  const Names folders = folders_of_server();
  Modules modules;
  for (std::sregex_iterator row(table.begin(), table.end(), kRow), end; row != end; ++row) {
    if (!folders.contains((*row)[1].str())) continue;
    Names& allowed = modules[(*row)[1].str()];
    const std::string cell = (*row)[2].str();
    for (std::sregex_iterator name(cell.begin(), cell.end(), kName); name != end; ++name)
      allowed.insert(name->str());
  }
  return modules;
}

/// The table of server/README.md.
const Modules& modules_allowed() {
  static const Modules kModules = read_table_of_modules();
  return kModules;
}

/// Beginnings of includes that a module must never see.
const std::map<std::string, std::vector<std::string>> kForbidden = {
    {"base", {"boost/", "grpc", "google/", "sweepd/", "spdlog/"}},
    {"os", {"boost/", "grpc", "google/", "sweepd/", "spdlog/"}},
    {"identity", {"boost/", "grpc", "google/", "sweepd/", "spdlog/"}},
    {"collision", {"boost/", "grpc", "google/", "sweepd/", "spdlog/"}},
    {"match", {"boost/", "grpc", "google/", "sweepd/", "spdlog/"}},
    {"replay", {"boost/", "grpc", "sweepd/v1/", "spdlog/"}},
    {"wire", {"boost/", "grpc", "spdlog/"}},
    {"verification", {"boost/", "grpc", "spdlog/"}},
    {"runtime", {"grpc", "google/", "sweepd/", "boost/beast"}},
    {"session", {"grpc", "boost/beast", "prometheus/", "spdlog/"}},
    {"inspector", {"grpc", "google/", "sweepd/", "spdlog/", "prometheus/"}},
    {"rpc",
     {"boost/beast", "prometheus/", "spdlog/", "runtime/connections/", "runtime/journal/",
      "runtime/loop/loop_watchdog"}},
    {"ws",
     {"grpc", "prometheus/", "spdlog/", "runtime/connections/", "runtime/journal/",
      "runtime/loop/loop_watchdog"}},
    {"app", {"grpc", "google/", "sweepd/", "prometheus/", "spdlog/"}},
    {"tools", {"prometheus/", "spdlog/"}},
};

/// What a pure state machine has no use for: clocks, threads, sockets, files, chance.
const Names kImpure = {
    "chrono", "ctime",  "thread",  "mutex",      "shared_mutex", "atomic",       "condition_variable",
    "future", "random", "fstream", "filesystem", "iostream",     "sys/socket.h", "unistd.h"};

bool is_source(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp" || path.extension() == ".proto";
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : entries_below(folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
  }
  return files;
}

std::vector<fs::path> all_sources() {
  std::vector<fs::path> files;
  for (const char* folder : {"server", "client_sdk", "tests", "proto", "deploy"}) {
    for (const fs::path& file : sources_below(source_folder() / folder)) files.push_back(file);
  }
  return files;
}

std::vector<std::string> includes_of(const fs::path& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<std::string> includes;
  std::istringstream lines(read(file));
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) includes.push_back(match[1]);
  }
  return includes;
}

bool is_pure(const std::string& module) {
  static const Names kPure = {"base", "identity", "collision", "match", "replay"};
  return kPure.contains(module);
}

TEST(Architecture, TheTableOfThePageHasEveryModule) {
  const Names folders = folders_of_server();
  EXPECT_EQ(modules_allowed().size(), folders.size());
  EXPECT_EQ(kForbidden.size(), folders.size());
  for (const auto& [module, allowed] : modules_allowed()) {
    for (const std::string& name : allowed) EXPECT_TRUE(folders.contains(name)) << module << ": " << name;
  }
}

TEST(Architecture, ModulesIncludeOnlyWhatTheTableAllows) {
  for (const auto& [module, allowed] : modules_allowed()) {
    const auto files = sources_below(source_folder() / "server" / module);
    EXPECT_FALSE(files.empty()) << module;
    for (const fs::path& file : files) {
      for (const std::string& include : includes_of(file)) {
        const std::string top = include.substr(0, include.find('/'));
        if (top == module || !modules_allowed().contains(top)) continue;
        EXPECT_TRUE(allowed.contains(top)) << file << " includes " << include;
      }
    }
  }
}

TEST(Architecture, ModulesNeverSeeTheLibrariesForbiddenToThem) {
  for (const auto& [module, forbidden] : kForbidden) {
    for (const fs::path& file : sources_below(source_folder() / "server" / module)) {
      for (const std::string& include : includes_of(file)) {
        for (const std::string& beginning : forbidden) {
          EXPECT_FALSE(include.starts_with(beginning)) << file << " includes " << include;
        }
        EXPECT_FALSE(is_pure(module) && kImpure.contains(include)) << file << " includes " << include;
      }
    }
  }
}

TEST(Architecture, OnlyMainKnowsWhichDoorsTheServerHas) {
  for (const fs::path& file : sources_below(source_folder() / "server/app")) {
    if (file.filename() == "sweepd_main.cpp") continue;
    for (const std::string& include : includes_of(file))
      EXPECT_FALSE(include.starts_with("rpc/") || include.starts_with("ws/"))
          << file << " includes " << include;
  }
}

TEST(Architecture, TheCoreHasIntegersOnly) {
  static const std::regex kFloating(R"(\b(float|double)\b)");
  static const std::regex kComment(R"(//[^\n]*)");
  for (const char* module : {"collision", "match"}) {
    for (const fs::path& file : sources_below(source_folder() / "server" / module)) {
      EXPECT_FALSE(std::regex_search(std::regex_replace(read(file), kComment, ""), kFloating)) << file;
    }
  }
}

TEST(Architecture, TheCoreIteratesOverNoUnorderedContainer) {
  static const std::regex kUnordered(R"(unordered_(map|set)<[^;]*>\s+(\w+);)");
  for (const char* module : {"collision", "match"}) {
    for (const fs::path& file : sources_below(source_folder() / "server" / module)) {
      const std::string text = read(file);
      for (std::sregex_iterator it(text.begin(), text.end(), kUnordered), end; it != end; ++it) {
        const std::regex loop(R"(for \([^;)]*: )" + (*it)[2].str() + R"(\))");
        EXPECT_FALSE(std::regex_search(text, loop)) << file << " iterates over " << (*it)[2];
      }
    }
  }
}

TEST(Architecture, TheSdkSeesNothingOfTheServer) {
  for (const fs::path& file : sources_below(source_folder() / "client_sdk")) {
    for (const std::string& include : includes_of(file)) {
      EXPECT_FALSE(modules_allowed().contains(include.substr(0, include.find('/'))))
          << file << " includes " << include;
    }
  }
}

TEST(Architecture, ToolsSeeNothingOfTheSdkButItsPublicHeaders) {
  for (const fs::path& file : sources_below(source_folder() / "server/tools")) {
    for (const std::string& include : includes_of(file))
      EXPECT_FALSE(fs::exists(source_folder() / "client_sdk/src" / include))
          << file << " includes " << include;
  }
}

TEST(Architecture, OnlyCodecsOfConfigsSeeTheFieldCodec) {
  const Names may = {"server/replay", "server/wire", "server/tools", "client_sdk/src"};
  for (const char* top : {"server", "client_sdk", "deploy"}) {
    for (const fs::path& file : sources_below(source_folder() / top)) {
      const std::string path = fs::relative(file, source_folder()).string();
      const bool is_allowed =
          std::ranges::any_of(may, [&path](const std::string& folder) { return path.starts_with(folder); });
      for (const std::string& include : includes_of(file))
        EXPECT_TRUE(is_allowed || !include.starts_with("codec/")) << file << " includes " << include;
    }
  }
}

TEST(Architecture, TheSdksPublicHeadersHideGrpcAndProtobuf) {
  for (const fs::path& file : sources_below(source_folder() / "client_sdk/include")) {
    for (const std::string& include : includes_of(file)) {
      EXPECT_THAT(include, ::testing::Not(::testing::HasSubstr("grpc"))) << file;
      EXPECT_THAT(include, ::testing::Not(::testing::HasSubstr("google"))) << file;
      EXPECT_THAT(include, ::testing::Not(::testing::HasSubstr(".pb.h"))) << file;
    }
  }
}

TEST(Architecture, FilesStaySmallAndNameTheirLicense) {
  for (const fs::path& file : all_sources()) {
    const std::string text = read(file);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 500) << file;
    EXPECT_TRUE(text.starts_with("// SPDX-License-Identifier: ")) << file;
  }
}

/// deploy/cmake/Compiler.cmake says why. In a CMake file headers stand in lists of precompiled ones only.
TEST(Architecture, PrecompiledHeadersHaveNoneOfOurOwn) {
  const std::regex own(R"(["<]((?!sweepd/(v1|replay/v1)/)[a-z_]+/[a-z_/]+\.h)[">])");
  int files = 0;
  for (const char* room : {"server", "client_sdk", "tests", "deploy", "proto"}) {
    for (const auto& entry : entries_below(source_folder() / room)) {
      if (entry.path().filename() != "CMakeLists.txt") continue;
      ++files;
      const std::string text = read(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), own), end; it != end; ++it) {
        const std::string header = (*it)[1].str();
        const bool is_ours = fs::exists(source_folder() / "client_sdk" / "include" / header) ||
                             fs::exists(source_folder() / "server" / header) ||
                             fs::exists(source_folder() / "tests" / header);
        EXPECT_FALSE(is_ours) << entry.path() << ": " << header;
      }
    }
  }
  EXPECT_GT(files, 20);
}

TEST(Architecture, AFileIncludesItsOwnHeaderFirst) {
  for (const fs::path& file : all_sources()) {
    fs::path header = file;
    if (file.extension() != ".cpp" || !fs::exists(header.replace_extension(".h"))) continue;
    const auto includes = includes_of(file);
    ASSERT_FALSE(includes.empty()) << file;
    EXPECT_EQ(fs::path(includes.front()).filename(), header.filename()) << file;
  }
}

TEST(Architecture, EveryFieldOfTheContractIsInSnakeCaseAndEveryEnumBeginsUnspecified) {
  static const std::regex kEnum(R"(enum (\w+) \{\s*(?://[^\n]*\s*)*(\w+) = 0;)");
  for (const fs::path& file : sources_below(source_folder() / "proto/sweepd")) {
    const std::string text = read(file);
    EXPECT_THAT(text, ::testing::HasSubstr("package sweepd.v1;")) << file;
    for (std::sregex_iterator it(text.begin(), text.end(), kEnum), end; it != end; ++it) {
      EXPECT_TRUE((*it)[2].str().ends_with("_UNSPECIFIED")) << (*it)[1];
    }
  }
}

}  // namespace
