// SPDX-License-Identifier: MIT
#include "integration/support/page_rules.h"

#include <gtest/gtest.h>

#include "integration/support/process.h"

namespace sweepd::test {
namespace {

using enum PageProof;

const PageRule kRules[] = {
    {"README.md", "## Two commands", "sh", kNames, ""},
    {"README.md", "## Thirty lines of SDK", "cpp", kQuote, "client_sdk/examples/first_match.cpp"},

    {"client_sdk/README.md", "## First match", "cmake", kQuote,
     "tests/integration/outside_project/CMakeLists.txt"},
    {"client_sdk/README.md", "## First match", "sh", kTest, "PageCommands.OfAServerOfTheBuild"},
    {"client_sdk/README.md", "## First match", "cpp", kQuote, "tests/integration/page_command_test.cpp"},
    {"client_sdk/README.md", "## Reconnect", "cpp", kQuote, "tests/integration/new_process_test.cpp"},
    {"client_sdk/README.md", "## A match in a file", "toml", kTest, "PageCommands.OfAMatchInAFile"},
    {"client_sdk/README.md", "## A match in a file", "sh", kTest, "PageCommands.OfAMatchInAFile"},
    {"client_sdk/README.md", "## Shapes, fast shots, broadphases", "cpp", kQuote,
     "client_sdk/examples/shape_match.cpp"},
    {"client_sdk/README.md", "## What contact does", "cpp", kQuote, "client_sdk/examples/scored_match.cpp"},
    {"client_sdk/README.md", "## Hit claims and the past", "cpp", kQuote,
     "client_sdk/examples/coop_shmup.cpp"},
    {"client_sdk/README.md", "## Visibility", "toml", kTest, "PageCommands.OfAMatchThatHidesShips"},

    {"client_sdk/ts/README.md", "# The TypeScript SDK", "sh", kNames, ""},
    {"client_sdk/ts/README.md", "# The TypeScript SDK", "js", kQuote,
     "client_sdk/ts/examples/first_match.js"},
    {"client_sdk/ts/README.md", "## What to know", "ts", kQuote,
     "client_sdk/ts/tests/integration/tls_test.ts"},
    {"client_sdk/ts/README.md", "## Build and test", "sh", kNames, ""},

    {"deploy/README.md", "## By hand", "sh", kTest, "PageCommands.OfAServerByHand"},
    {"deploy/README.md", "## Nothing lost", "sh", kTest, "Documentation.OfNothingLostWorksAsItStandsThere"},
    {"deploy/README.md", "## Restart and upgrade", "ini", kTest,
     "Documentation.OfTheUnitWorksAsItStandsThere"},
    {"deploy/README.md", "## Replays, verified scores, receipts", "sh", kTest, "PageCommands.OfReplays"},
    {"deploy/README.md", "## Firewalls, port mappings, containers", "sh", kTest,
     "Documentation.OfFirewallsWorksAsItStandsThere"},
    {"deploy/README.md", "## Firewalls, port mappings, containers", "yaml", kTest,
     "Documentation.OfContainersWorksAsItStandsThere"},
    {"deploy/README.md", "## Encryption", "sh", kTest, "Documentation.OfEncryptionWorksAsItStandsThere"},
    {"deploy/README.md", "## Tickets", "sh", kTest, "Tickets.AreIssuedByTheRecipesOfTheDocumentation"},
    {"deploy/README.md", "## Tickets", "bash", kTest, "Documentation.OfOldKeysWorksAsItStandsThere"},
    {"deploy/README.md", "## Tickets", "js", kTest, "Tickets.AreIssuedByTheRecipesOfTheDocumentation"},
    {"deploy/README.md", "## Tickets", "python", kTest, "Tickets.AreIssuedByTheRecipesOfTheDocumentation"},
    {"deploy/README.md", "## Tickets", "csharp", kTest, "Tickets.AreIssuedByTheRecipesOfTheDocumentation"},
    {"deploy/README.md", "## Operators", "sh", kTest, "Documentation.OfOperatorsWorksAsItStandsThere"},
    {"deploy/README.md", "## Where strangers can reach it", "sh", kTest,
     "Documentation.OfTheFrontWorksAsItStandsThere"},
    {"deploy/README.md", "## Where strangers can reach it", "bash", kTest,
     "Documentation.OfTheFrontWorksAsItStandsThere"},
    {"deploy/README.md", "## Watching a server", "sh", kTest, "Documentation.OfWatchingWorksAsItStandsThere"},

    {"deploy/disputes.md", "", "sh", kTest,
     "DisputeTest.TheCommandsOfTheWalkThroughLeadFromAReportToABundle"},
    {"deploy/disputes.md", "", "bash", kTest, "PageCommands.OfAContextForDisputes"},

    {"proto/README.md", "## Python", "sh", kTest, "ProtocolRecipes.OfPythonPlaysAMatch"},
    {"proto/README.md", "## Python", "python", kTest, "ProtocolRecipes.OfPythonPlaysAMatch"},
    {"proto/README.md", "## Node", "sh", kTest, "ProtocolRecipes.OfNodePlaysAMatch"},
    {"proto/README.md", "## Node", "js", kTest, "ProtocolRecipes.OfNodePlaysAMatch"},
    {"proto/README.md", "## Go", "sh", kTest, "ProtocolRecipes.OfGoHasProtocReadEveryFile"},
    {"proto/README.md", "## C#", "sh", kNames, ""},
    {"proto/README.md", "## C#", "xml", kNames, ""},
    {"proto/README.md", "## WebSocket", "js", kTest, "ProtocolRecipes.OfAPageShakesHandsWithTheServer"},

    {"server/README.md", "# The architecture on one page", "", kTest,
     "PageBlocks.OfTheArchitectureHasEachModule"},

    {"tests/README.md", "# How to test, measure, profile and fuzz", "sh", kNames, ""},
    {"tests/README.md", "## A second judge", "sh", kNames, ""},
    {"tests/README.md", "## Fuzzing", "sh", kNames, ""},
    {"tests/README.md", "## Profiling", "sh", kNames, ""},
    {"tests/README.md", "## How many matches a server holds", "sh", kTest, "PageCommands.OfLoads"},
};

}  // namespace

std::span<const PageRule> page_rules() { return kRules; }

std::string blocks_of_this_test(const std::string& language) {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = test.test_suite_name() + std::string(".") + test.name();
  std::string blocks;
  for (const PageRule& rule : kRules) {
    if (rule.proof != kTest || rule.by != name || rule.language != language) continue;
    for (const PageBlock& block : page_content(required_environment("SWEEPD_SOURCE_DIR"), rule.page).blocks)
      if (rule.covers(block)) blocks += block.text;
  }
  EXPECT_FALSE(blocks.empty()) << name << " runs no block of " << language;
  return blocks;
}

}  // namespace sweepd::test
