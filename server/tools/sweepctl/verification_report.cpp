// SPDX-License-Identifier: MIT
#include "tools/sweepctl/verification_report.h"

#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/receipt_findings.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/testimony_text.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

struct ObstacleRow {
  VerificationObstacle obstacle;
  std::string_view name;
  int exit_code;
};

constexpr ObstacleRow kObstacles[] = {
    {VerificationObstacle::kBadRequest, "BAD_REQUEST", kExitBadRequest},
    {VerificationObstacle::kUnreadable, "UNREADABLE", kExitUnreadable},
    {VerificationObstacle::kTooLong, "TOO_LONG", kExitTooLong},
    {VerificationObstacle::kTooLarge, "TOO_LARGE", kExitTooLarge},
    {VerificationObstacle::kFailed, "FAILED", kExitVerifierFailed},
};

const ObstacleRow* find_row(VerificationObstacle obstacle) {
  for (const ObstacleRow& row : kObstacles) {
    if (row.obstacle == obstacle) return &row;
  }
  return nullptr;
}

void add_request(JsonObject& object, const VerificationRequest& request) {
  object.add("file", request.file);
  if (request.line != 0) object.add("line", request.line);
  if (!request.player.empty()) object.add("player", request.player);
  if (request.participant) object.add("participant", *request.participant);
  if (request.subject.is_known()) object.add_json("claimed_subject", subject_json(request.subject));
  if (request.claimed_score) object.add("claimed_score", *request.claimed_score);
}

void add_findings(JsonObject& object, const VerificationReport& report) {
  const auto add = [&object](std::string_view name, const std::string& text) {
    if (!text.empty()) object.add(name, text);
  };
  add("match_id", report.receipt.match_id());
  add("key", report.key_id);
  add("sha256", to_hex(report.sha256));
  add("duplicate_of", report.duplicate_of);
  add("same_run_as", report.same_run_as);
}

}  // namespace

std::string_view name_of_result(const VerificationReport& report) {
  const ObstacleRow* row = find_row(report.obstacle);
  return row != nullptr ? row->name : replay::name_of(report.verification.verdict);
}

int exit_code_of(const VerificationReport& report) {
  const ObstacleRow* row = find_row(report.obstacle);
  return row != nullptr ? row->exit_code : exit_code_of(report.verification.verdict);
}

std::string report_json(const VerificationReport& report) {
  JsonObject object;
  add_request(object, report.request);
  if (report.obstacle == VerificationObstacle::kNone) {
    object.add("kind", report.is_input_log ? "input log" : "replay");
    add_verification(object, report.verification);
    add_receipt(object, report.receipt, report.verification);
  } else {
    object.add("verdict", name_of_result(report)).add("what", report.what);
  }
  add_findings(object, report);
  return object.text();
}

std::string report_text(const VerificationReport& report) {
  std::string text = visible(report.request.file) + ": ";
  if (report.obstacle == VerificationObstacle::kNone) {
    text += verification_text(report.verification) + receipt_remarks(report.receipt, report.verification);
  } else {
    text += std::string(name_of_result(report)) + ": " + visible(report.what);
  }
  if (!report.duplicate_of.empty()) text += ", the same file as " + visible(report.duplicate_of);
  if (!report.same_run_as.empty()) text += ", the same run as " + visible(report.same_run_as);
  return text;
}

}  // namespace sweepd::tools
