// SPDX-License-Identifier: MIT
//
// Protects games whose backends issue tickets with something else than ours: another implementation takes the
// tickets of sweepctl and ours takes its, the recipes of the documentation work as they stand, and the tools
// keep secrets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <regex>

#include "integration/support/page_rules.h"
#include "integration/support/process.h"

namespace sweepd::test::ticket_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAlgorithms[] = {"EdDSA", "ES256", "RS256", "HS256"};

struct Outcome {
  int code = -1;
  std::string output;
  std::string error;
};

/// A folder in which commands of a shell run, with `sweepctl` and a home of their own.
class Tickets : public ::testing::Test {
 protected:
  Outcome run(const std::string& command) {
    const std::string binaries = fs::path(required_environment("SWEEPCTL_BINARY")).parent_path().string();
    const fs::path output = folder_.path() / ("run" + std::to_string(++runs_));
    Process shell({"/bin/bash", "-c",
                   "set -o pipefail; cd '" + folder_.path().string() + "'; export HOME=$PWD PATH='" +
                       binaries + "':$PATH; unset XDG_CONFIG_HOME SWEEPD_SERVER; " + command},
                  output);
    Outcome outcome;
    outcome.code = shell.wait().value_or(-1);
    outcome.output = shell.standard_output();
    outcome.error = shell.standard_error();
    return outcome;
  }

  void expect_well(const std::string& command) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command << "\n" << outcome.output << outcome.error;
  }

  /// The independent implementation, Debian's.
  Outcome python(const std::string& script, const std::string& arguments) {
    std::ofstream(folder_.path() / "script.py") << script;
    return run("/usr/bin/python3 script.py " + arguments);
  }

  /// NAME.jwk of each algorithm, and the server's keys.json.
  void make_keys() {
    for (const std::string algorithm : kAlgorithms) {
      expect_well("sweepctl key new --alg " + algorithm + " --kid " + algorithm +
                  " --issuer game --jwks keys.json");
    }
  }

  fs::perms mode_of(const std::string& name) const { return fs::status(folder_.path() / name).permissions(); }

  TemporaryFolder folder_;

 private:
  int runs_ = 0;
};

constexpr const char* kVerify = R"(
import json, jwt, sys
keys = {key["kid"]: key for key in json.load(open("keys.json"))["keys"]}
for algorithm in sys.argv[1:]:
    token = open(algorithm + ".token").read().strip()
    key = jwt.PyJWK(keys[jwt.get_unverified_header(token)["kid"]])
    claims = jwt.decode(token, key.key, algorithms=[algorithm], audience="sweepd", issuer="game",
                        options={"require": ["exp", "nbf", "iat", "sub", "jti"]})
    assert claims["sub"] == "änn" and claims["match"] == "m1" and claims["role"] == "player", claims
    assert claims["exp"] - claims["nbf"] == 900, claims
    try:
        jwt.decode(token[:-8] + "AAAAAAAA", key.key, algorithms=[algorithm], audience="sweepd")
        sys.exit("a forgery was taken")
    except jwt.InvalidSignatureError:
        pass
)";

TEST_F(Tickets, OfSweepctlAreTakenByAnotherImplementation) {
  make_keys();
  std::string algorithms;
  for (const std::string algorithm : kAlgorithms) {
    expect_well("sweepctl token issue --key " + algorithm + ".jwk --sub änn --match m1 --lifetime 15m > " +
                algorithm + ".token");
    algorithms += " " + algorithm;
  }
  const Outcome verified = python(kVerify, algorithms);
  EXPECT_EQ(verified.code, 0) << verified.error;
}

// Prints a token by changes of good claims, which are on the command line as JSON.
constexpr const char* kIssue = R"(
import json, jwt, sys, time
algorithm, changes = sys.argv[1], json.loads(sys.argv[2])
jwk = json.load(open(algorithm + ".jwk"))
now = int(time.time())
claims = {"iss": "game", "aud": ["other", "sweepd"], "sub": "ann", "role": "player", "match": "m1", "nbf": now, "exp": now + 600}
for claim in ("nbf", "exp"):
    if claim in changes:
        changes[claim] += now
claims.update(changes.pop("claims", {}))
alg = changes.pop("alg", algorithm)
claims.update(changes)
print(jwt.encode(claims, None if alg == "none" else jwt.PyJWK(jwk).key, algorithm=alg, headers={"kid": jwk["kid"]}))
)";

TEST_F(Tickets, OfAnotherImplementationAreTakenAndRefusedForWhatIsWrong) {
  make_keys();
  const auto verdict = [this](const std::string& algorithm, const std::string& changes) {
    const Outcome issued = python(kIssue, algorithm + " '" + changes + "' > token");
    EXPECT_EQ(issued.code, 0) << issued.error;
    return run("sweepctl token inspect --jwks keys.json token");
  };
  for (const std::string algorithm : kAlgorithms) {
    const Outcome accepted = verdict(algorithm, "{}");
    EXPECT_EQ(accepted.code, 0) << algorithm << accepted.output;
    EXPECT_THAT(accepted.output, AllOf(HasSubstr(R"("sub": "ann")"), HasSubstr(R"("verdict": "accepted")")));
  }
  const std::pair<const char*, const char*> kWrong[] = {
      {R"({"alg":"none"})", "alg"},
      {R"({"exp":-10,"nbf":-20})", "expired"},
      {R"({"nbf":60,"exp":120})", "not valid yet"},
      {R"({"exp":90000})", "lifetime"},
      {R"({"aud":"other"})", "audience"},
      {R"({"iss":"stranger"})", "iss"},
      {R"({"role":"operator"})", "role"},
      {R"({"tenant":"arcade"})", "tenant"},
      {R"({"match":""})", "match"},
  };
  for (const auto& [changes, what] : kWrong) {
    const Outcome refused = verdict("EdDSA", changes);
    EXPECT_EQ(refused.code, 15) << changes << refused.error;
    EXPECT_THAT(refused.output, AllOf(HasSubstr("\"verdict\": \"refused: "), HasSubstr(what))) << changes;
  }
}

TEST_F(Tickets, AreIssuedByTheRecipesOfTheDocumentation) {
  expect_well(blocks_of_this_test("sh"));
  const auto verdict = [this](const std::string& command) {
    const Outcome inspected =
        run(command + " backend-1.jwk bob match-7 | sweepctl token inspect --jwks keys.json");
    EXPECT_EQ(inspected.code, 0) << command << inspected.output << inspected.error;
    EXPECT_THAT(inspected.output,
                AllOf(HasSubstr(R"("sub": "bob")"), HasSubstr(R"("match": "match-7")"),
                      HasSubstr(R"("seat": "bob")"), HasSubstr(R"("verdict": "accepted")")));
  };
  std::ofstream(folder_.path() / "ticket.js") << blocks_of_this_test("js");
  verdict("node ticket.js");
  const std::string python = blocks_of_this_test("python");
  std::ofstream(folder_.path() / "ticket.py") << python;
  verdict("/usr/bin/python3 ticket.py");
  // No test has .NET: what its recipe writes is held against the one that has just worked.
  const std::string csharp = blocks_of_this_test("csharp");
  static const std::regex kName("\"(\\w+)\": ");
  for (std::sregex_iterator it(python.begin(), python.end(), kName), end; it != end; ++it)
    EXPECT_THAT(csharp, ContainsRegex("[ {]" + (*it)[1].str() + " = "));
}

TEST_F(Tickets, SecretsAreTheirOwnersAloneAndNeverOverwritten) {
  make_keys();
  for (const std::string algorithm : kAlgorithms) EXPECT_EQ(mode_of(algorithm + ".jwk"), fs::perms(0600));
  EXPECT_EQ(mode_of("keys.json"), fs::perms(0600)) << "it has the key of HS256";
  const std::string before = read_file(folder_.path() / "EdDSA.jwk");
  const Outcome again = run("sweepctl key new --kid new --output EdDSA.jwk --jwks keys.json");
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.error, HasSubstr("EdDSA.jwk: cannot be created: File exists"));
  EXPECT_EQ(read_file(folder_.path() / "EdDSA.jwk"), before);
  EXPECT_THAT(read_file(folder_.path() / "keys.json"), Not(HasSubstr("\"new\"")));
  const Outcome twice = run("sweepctl key new --kid EdDSA --output other.jwk --jwks keys.json");
  EXPECT_EQ(twice.code, 1);
  EXPECT_THAT(twice.error, AllOf(HasSubstr("keys.json"), HasSubstr("is there twice")));
  EXPECT_FALSE(fs::exists(folder_.path() / "other.jwk"));
  expect_well("chmod 640 EdDSA.jwk");
  const Outcome lax = run("sweepctl token issue --key EdDSA.jwk --sub ann --match m");
  EXPECT_EQ(lax.code, 1);
  EXPECT_THAT(lax.error, HasSubstr("may be read by others"));
  expect_well("umask 0; sweepctl token issue --key ES256.jwk --sub ann --match m --output a.token");
  EXPECT_EQ(mode_of("a.token"), fs::perms(0600));
}

TEST_F(Tickets, PublicHalvesHaveNoSecrets) {
  const Outcome made = run("sweepctl key new --alg ES256 --kid a --role moderator --tenant arcade");
  EXPECT_EQ(made.code, 0) << made.error;
  EXPECT_THAT(made.output, AllOf(HasSubstr(R"("kid": "a")"), HasSubstr("moderator"), HasSubstr("arcade"),
                                 Not(HasSubstr("\"d\""))));
  EXPECT_EQ(run("sweepctl key public a.jwk").output, made.output);
  expect_well("sweepctl key public a.jwk > a.json");
  EXPECT_EQ(run("sweepctl key public a.json").code, 1) << "a set is no private key";
  EXPECT_EQ(run("sweepctl key new --alg HS256 --kid h").code, 2) << "its secret is not printed";
  expect_well("sweepctl key new --alg HS256 --kid h --jwks h.json");
  EXPECT_EQ(run("sweepctl key public h.jwk").code, 1);
  EXPECT_EQ(run("sweepctl key new --kid ../escape").code, 2);
}

TEST_F(Tickets, NoServerWouldTakeAreNotIssued) {
  expect_well("sweepctl key new --kid a --role player > a.json");
  EXPECT_EQ(run("sweepctl token issue --key a.jwk --sub ann --match m").code, 2) << "no issuer";
  const Outcome role = run("sweepctl token issue --key a.jwk --issuer game --sub ann --role operator");
  EXPECT_EQ(role.code, 1);
  EXPECT_THAT(role.error, HasSubstr("more than its key may: role"));
  EXPECT_THAT(run("sweepctl token issue --key a.jwk --issuer game --sub ann").error,
              HasSubstr("malformed: match"));
  EXPECT_EQ(run("sweepctl token issue --key a.jwk --issuer game --sub ann --match m --lifetime 1w").code, 2);
  EXPECT_EQ(run("sweepctl token issue --key none.jwk --issuer game --sub ann --match m").code, 1);
  const Outcome longer =
      run("sweepctl token issue --key a.jwk --issuer game --sub ann --match m --lifetime 2d > t");
  EXPECT_EQ(longer.code, 0);
  EXPECT_THAT(longer.error, HasSubstr("24 h"));
  EXPECT_EQ(run("sweepctl token inspect --jwks a.json t").code, 15);
  EXPECT_EQ(run("sweepctl token inspect t").code, 0) << "without keys there is no verdict";
  EXPECT_EQ(run("echo no.token.here | sweepctl token inspect").code, 1);
}

TEST_F(Tickets, ContextsNameServersAndServerWins) {
  const auto server_of = [this](const std::string& arguments) { return run("sweepctl " + arguments).error; };
  EXPECT_EQ(run("sweepctl context set prod").code, 2) << "no server";
  EXPECT_EQ(run("sweepctl context set 'a b' --server 127.0.0.1:1").code, 2);
  expect_well("sweepctl context set prod --server 127.0.0.1:1 --token-file prod.token");
  expect_well("sweepctl context set test --server 127.0.0.1:2");
  EXPECT_EQ(run("sweepctl context use other").code, 1);
  expect_well("echo a.b.c > prod.token");
  expect_well("sweepctl context use prod");
  const std::string list = run("sweepctl context list").output;
  EXPECT_THAT(list, HasSubstr("* prod  127.0.0.1:1  token " + fs::canonical(folder_.path()).string() +
                              "/prod.token\n"));
  EXPECT_THAT(list, HasSubstr("  test  127.0.0.1:2\n"));
  EXPECT_EQ(mode_of(".config/sweepd/contexts.toml"), fs::perms(0600));
  EXPECT_THAT(server_of("ls"), HasSubstr("127.0.0.1:1"));
  EXPECT_THAT(server_of("--context test ls"), HasSubstr("127.0.0.1:2"));
  EXPECT_THAT(server_of("ls --context test"), HasSubstr("127.0.0.1:2"));
  EXPECT_THAT(server_of("ls --context test --server 127.0.0.1:3"), HasSubstr("127.0.0.1:3"));
  EXPECT_THAT(run("SWEEPD_SERVER=127.0.0.1:4 sweepctl ls").error, HasSubstr("127.0.0.1:4"));
  EXPECT_THAT(server_of("ls --context other"), HasSubstr("no context 'other'"));
  expect_well("echo broken > .config/sweepd/contexts.toml");
  EXPECT_THAT(server_of("ls"), HasSubstr("contexts.toml:1:"));
  expect_well("sweepctl key new --kid a");
}

}  // namespace
}  // namespace sweepd::test::ticket_test
