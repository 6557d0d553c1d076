// SPDX-License-Identifier: MIT
//
// Protects who adds a broadphase or a kind of facts from lists that nothing else holds to the others: each of
// them names every kind, or this says which file misses which.
#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "source_files.h"

namespace {

using sweepd::test::read;
using sweepd::test::source_folder;

/// Of "kSweepAndPrune", "SWEEP_AND_PRUNE".
std::string in_capitals(const std::string& constant) {
  std::string capitals;
  for (const char c : constant.substr(1)) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && !capitals.empty()) capitals += '_';
    capitals += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return capitals;
}

std::string in_small(const std::string& constant) {
  std::string small = in_capitals(constant);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// What a definition in a file names: in the first group of `definition`, each first group of `name`.
std::vector<std::string> names_in(const std::string& file, const std::string& definition,
                                  const std::string& name) {
  const std::string text = read(source_folder() / file);
  std::smatch body;
  if (!std::regex_search(text, body, std::regex(definition))) return {};
  const std::string defined = body[1];
  const std::regex each(name);
  std::vector<std::string> names;
  for (std::sregex_iterator it(defined.begin(), defined.end(), each), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

constexpr const char* kBroadphases = "server/collision/broadphase/broadphase.h";
constexpr const char* kFacts = "server/match/tick_facts.h";

std::vector<std::string> broadphases_in(const std::string& file) {
  return names_in(file, R"(enum class BroadphaseKind[^{;]*\{([^}]*)\})", R"(\b(k\w+))");
}

/// A file that lists all of a kind, and how it names one.
struct List {
  const char* file;
  std::function<std::string(const std::string&)> entry;
};

void expect_all(const std::vector<std::string>& names, const std::string& source,
                const std::vector<List>& lists, const std::string& recipe) {
  for (const List& list : lists) {
    const std::string text = read(source_folder() / list.file);
    for (const std::string& name : names) {
      EXPECT_TRUE(text.find(list.entry(name)) != std::string::npos)
          << name << " of " << source << " misses in " << list.file << ": add \"" << list.entry(name)
          << "\" there (server/README.md, \"" << recipe << "\")";
    }
  }
}

const std::vector<List> kListsOfBroadphases = {
    {"server/README.md", [](const auto& kind) { return "| " + in_capitals(kind) + " | "; }},
    {"deploy/samples/coop_shmup.toml", in_small},
    {"tests/bench/contenders.cpp", [](const auto& kind) { return "BroadphaseKind::" + kind; }}};

TEST(Lists, NameEveryBroadphase) {
  const auto kinds = broadphases_in(kBroadphases);
  EXPECT_GE(kinds.size(), 4u);
  const std::string contract = read(source_folder() / "proto/sweepd/v1/types.proto");
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string entry =
        "  BROADPHASE_KIND_" + in_capitals(kinds[i]) + " = " + std::to_string(i + 1) + ";";
    EXPECT_NE(contract.find(entry), std::string::npos) << "types.proto misses" << entry;
  }
  expect_all(kinds, kBroadphases, kListsOfBroadphases, "A new broadphase");
}

TEST(Lists, OfBroadphasesAreInTheSdkWhatTheyAreInTheServer) {
  EXPECT_EQ(broadphases_in("client_sdk/include/sweepd/types.h"), broadphases_in(kBroadphases))
      << "the same kinds in the same order, or the SDK asks for another than the game";
}

const std::vector<List> kListsOfFacts = {
    {kFacts, [](const auto& fact) { return "visit(told." + fact + "...);"; }},
    {"client_sdk/src/facts.cpp", [](const auto& fact) { return "put_all(update." + fact + "());"; }}};

TEST(Lists, NameEveryKindOfFacts) {
  const auto facts = names_in(kFacts, R"(struct TickFacts \{([^]*?)\n\};)", R"(> (\w+) = \{\};)");
  EXPECT_GE(facts.size(), 3u);
  expect_all(facts, kFacts, kListsOfFacts, "Facts");
}

}  // namespace
