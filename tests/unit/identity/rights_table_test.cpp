// SPDX-License-Identifier: MIT
//
// Protects every rpc from being open by oversight: each has its row, no row is for an rpc that there is not,
// and what is documented is what is compiled.
#include "identity/rights_table.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <grpc/health/v1/health_service.pb.h>
#include <gtest/gtest.h>
#include <sweepd/v1/admin_service.pb.h>
#include <sweepd/v1/match_service.pb.h>
#include <sweepd/v1/query_service.pb.h>
#include <sweepd/v1/replay_service.pb.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace sweepd::identity::rights_table_test {
namespace {

namespace fs = std::filesystem;
using google::protobuf::FileDescriptor;

/// gRPC's own, which generated code of ours does not have.
constexpr const char* kReflection = "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
const std::string kPlay = "sweepd.v1.MatchService/Play";

fs::path source_folder() {
  const char* folder = std::getenv("SWEEPD_SOURCE_DIR");
  return folder != nullptr ? folder : fs::current_path();
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

void add_rpcs(const FileDescriptor& file, std::set<std::string>& rpcs) {
  for (int s = 0; s < file.service_count(); ++s) {
    for (int m = 0; m < file.service(s)->method_count(); ++m) {
      rpcs.insert(file.service(s)->full_name() + "/" + file.service(s)->method(m)->name());
    }
  }
}

const FileDescriptor* file_named(const std::string& name) {
  return google::protobuf::DescriptorPool::generated_pool()->FindFileByName(name);
}

/// Of every file of the contract that is in the source folder, and of the health protocol.
std::set<std::string> all_rpcs() {
  // The descriptors of a library are there as soon as one of its messages is used.
  v1::KickRequest::descriptor();
  v1::GetMatchRequest::descriptor();
  v1::GetWorldRequest::descriptor();
  v1::GetReplayRequest::descriptor();
  grpc::health::v1::HealthCheckRequest::descriptor();
  std::set<std::string> rpcs{kReflection};
  for (const char* folder : {"sweepd/v1", "grpc/health/v1"}) {
    for (const auto& entry : fs::directory_iterator(source_folder() / "proto" / folder)) {
      const std::string name = folder + ("/" + entry.path().filename().string());
      const FileDescriptor* file = file_named(name);
      EXPECT_NE(file, nullptr) << name;
      if (file != nullptr) add_rpcs(*file, rpcs);
    }
  }
  return rpcs;
}

TEST(RightsTableTest, HasARowForEachRpcAndNoOther) {
  std::set<std::string> expected = all_rpcs();
  ASSERT_GT(expected.size(), 15u);
  ASSERT_EQ(expected.erase(kPlay), 1u);
  for (const PrincipalKind role : {PrincipalKind::kPlayer, PrincipalKind::kStage, PrincipalKind::kObserver}) {
    expected.insert(play_as(role));
  }
  std::set<std::string> rows;
  for (const RightsRow& row : rights_rows()) {
    EXPECT_TRUE(rows.insert(std::string(row.rpc)).second) << row.rpc << " has two rows";
  }
  EXPECT_EQ(rows, expected);
}

TEST(RightsTableTest, WhatHasNoRowIsRefused) {
  for (const PrincipalKind kind : kPrincipalKinds) {
    for (const std::string& rpc :
         {std::string("sweepd.v1.MatchService/Destroy"), kPlay, std::string(),
          "/" + std::string(rights_rows()[0].rpc), play_as(PrincipalKind::kOperator)}) {
      EXPECT_EQ(right_of(rpc, kind, MatchRelation::kOwn), Right::kNo) << rpc;
    }
  }
}

TEST(RightsTableTest, AnAnonymousCallerMayAskWhetherTheServerIsWellAndNothingElse) {
  for (const RightsRow& row : rights_rows()) {
    const Right expected = row.rpc == "grpc.health.v1.Health/Check" ? Right::kYes : Right::kNo;
    EXPECT_EQ(right_of(row.rpc, PrincipalKind::kAnonymous, MatchRelation::kOwn), expected) << row.rpc;
    EXPECT_EQ(right_of(row.rpc, PrincipalKind::kAnonymous, MatchRelation::kOther), expected) << row.rpc;
  }
}

TEST(RightsTableTest, NoCallerMayMoreOnAnothersMatchThanOnItsOwnAndOnlyOperatorsMayAnything) {
  std::set<std::string>
      everywhere;  // What others than operators may on any match: calls that are about none.
  for (const RightsRow& row : rights_rows()) {
    for (const PrincipalKind kind : kPrincipalKinds) {
      const Right own = right_of(row.rpc, kind, MatchRelation::kOwn);
      const Right other = right_of(row.rpc, kind, MatchRelation::kOther);
      EXPECT_TRUE(other == own || other == Right::kNo || other == Right::kAtAdminListener)
          << row.rpc << " " << name_of(kind);
      if (kind == PrincipalKind::kOperator) {
        EXPECT_TRUE(other == Right::kYes || other == Right::kAtAdminListener) << row.rpc;
      } else if (other != Right::kNo) {
        everywhere.insert(std::string(row.rpc));
      }
    }
  }
  EXPECT_EQ(everywhere, (std::set<std::string>{
                            "sweepd.v1.MatchService/CreateMatch", "sweepd.v1.ReplayService/VerifyReplay",
                            "sweepd.v1.ReplayService/GetPublicKey", "grpc.health.v1.Health/Check",
                            "grpc.health.v1.Health/Watch"}));
}

TEST(RightsTableTest, OperatorsEndAndPaceMatchesOfOthersOnTheAdminListenerOnly) {
  for (const RightsRow& row : rights_rows()) {
    const bool is_admins =
        row.rpc.starts_with("sweepd.v1.AdminService/") || row.rpc.starts_with("grpc.reflection.");
    const bool is_operation = row.rpc.ends_with("/EndMatch") || row.rpc.ends_with("/StepMatch") ||
                              row.rpc.ends_with("/ControlClock");
    const Right own = is_admins ? Right::kAtAdminListener : Right::kYes;
    const Right other = is_admins || is_operation ? Right::kAtAdminListener : Right::kYes;
    EXPECT_EQ(right_of(row.rpc, PrincipalKind::kOperator, MatchRelation::kOwn), own) << row.rpc;
    EXPECT_EQ(right_of(row.rpc, PrincipalKind::kOperator, MatchRelation::kOther), other) << row.rpc;
    for (const PrincipalKind kind : kPrincipalKinds) {
      if (kind == PrincipalKind::kOperator) continue;
      const Right right = right_of(row.rpc, kind, MatchRelation::kOwn);
      EXPECT_TRUE(is_admins ? right == Right::kNo : right != Right::kAtAdminListener) << row.rpc;
    }
  }
}

TEST(RightsTableTest, PlayersAskNothingOfTheWorldAndOperateNoMatchUnlessItsConfigSaysSo) {
  for (const RightsRow& row : rights_rows()) {
    const bool is_question = row.rpc.starts_with("sweepd.v1.QueryService/");
    const bool is_operation = row.rpc.ends_with("/EndMatch") || row.rpc.ends_with("/StepMatch") ||
                              row.rpc.ends_with("/ControlClock") || row.rpc.ends_with("/GetReplay");
    if (!is_question && !is_operation) continue;
    for (const PrincipalKind kind : {PrincipalKind::kPlayer, PrincipalKind::kObserver}) {
      EXPECT_EQ(right_of(row.rpc, kind, MatchRelation::kOwn), Right::kIfMatchAllows) << row.rpc;
    }
    EXPECT_EQ(right_of(row.rpc, PrincipalKind::kBackend, MatchRelation::kOwn), Right::kYes) << row.rpc;
  }
  EXPECT_EQ(right_of("sweepd.v1.MatchService/GetMatch", PrincipalKind::kPlayer, MatchRelation::kOwn),
            Right::kInPart);
}

TEST(RightsTableTest, EachTakesSeatsOfItsOwnRole) {
  const PrincipalKind kSeats[] = {PrincipalKind::kStage, PrincipalKind::kPlayer, PrincipalKind::kObserver};
  for (const PrincipalKind seat : kSeats) {
    for (const PrincipalKind kind : kSeats) {
      EXPECT_EQ(right_of(play_as(seat), kind, MatchRelation::kOwn) != Right::kNo, seat == kind);
      EXPECT_EQ(right_of(play_as(seat), kind, MatchRelation::kOther), Right::kNo);
    }
    EXPECT_EQ(right_of(play_as(seat), PrincipalKind::kModerator, MatchRelation::kOwn), Right::kNo);
  }
}

TEST(RightsTableTest, TheDocumentationHasItToTheLetter) {
  const std::string page = read(source_folder() / "server/THREATS.md");
  const std::string begin = "<!-- rights -->\n";
  const auto from = page.find(begin);
  const auto to = page.find("<!-- /rights -->");
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(page.substr(from + begin.size(), to - from - begin.size()), rights_markdown());
}

}  // namespace
}  // namespace sweepd::identity::rights_table_test
