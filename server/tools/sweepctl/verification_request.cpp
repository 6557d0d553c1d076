// SPDX-License-Identifier: MIT
#include "tools/sweepctl/verification_request.h"

#include <limits>

#include "identity/strict_json.h"
#include "replay/file_format.h"
#include "tools/sweepctl/hex.h"

namespace sweepd::tools {
namespace {

using identity::Json;

constexpr std::size_t kPathBytesMax = 4096;
constexpr std::size_t kPlayerBytesMax = 256;

/// What is wrong with a member; empty: nothing.
std::string take_text(const Json& value, std::size_t bytes_max, std::string& text) {
  if (!value.is_string()) return "is no text";
  const auto& found = value.get_ref<const std::string&>();
  if (found.empty() || found.size() > bytes_max || found.find('\0') != std::string::npos) {
    return "has " + std::to_string(found.size()) + " bytes; 1 to " + std::to_string(bytes_max) +
           " are allowed, and no zero among them";
  }
  text = found;
  return "";
}

std::string take_score(const Json& value, std::optional<std::int64_t>& score) {
  const bool is_too_large =
      value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer() || is_too_large) return "is no whole number of 64 bits";
  score = value.get<std::int64_t>();
  return "";
}

std::string take_participant(const Json& value, std::optional<std::uint32_t>& participant) {
  const bool is_number =
      value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  if (!is_number) return "is no number of a participant";
  participant = value.get<std::uint32_t>();
  return "";
}

std::string take_nonce(const Json& value, std::optional<std::string>& nonce) {
  std::string text;
  if (auto fault = take_text(value, 2 * replay::kIdBytesMax, text); !fault.empty()) return fault;
  nonce = from_hex(text);
  return nonce ? "" : "is not in hexadecimal digits";
}

std::string take_member(const std::string& name, const Json& value, VerificationRequest& request) {
  if (name == "file") return take_text(value, kPathBytesMax, request.file);
  if (name == "player") return take_text(value, kPlayerBytesMax, request.player);
  if (name == "key") return take_text(value, kPlayerBytesMax, request.key);
  if (name == "subject") return take_text(value, replay::kSubjectBytesMax, request.subject.name);
  if (name == "subject_issuer") return take_text(value, replay::kSubjectBytesMax, request.subject.issuer);
  if (name == "subject_tenant") return take_text(value, replay::kSubjectBytesMax, request.subject.tenant);
  if (name == "rules") return take_text(value, kPathBytesMax, request.rules);
  if (name == "participant") return take_participant(value, request.participant);
  if (name == "score") return take_score(value, request.claimed_score);
  if (name == "nonce") return take_nonce(value, request.nonce);
  return "is not known";
}

std::string find_fault(std::string_view text, VerificationRequest& request) {
  if (text.size() > kManifestLineBytesMax) {
    return "has more than " + std::to_string(kManifestLineBytesMax) + " bytes";
  }
  const auto json = identity::parse_json_object(text);
  if (!json) return json.error().text;
  for (const auto& [name, value] : json->items()) {
    const std::string fault = take_member(name, value, request);
    if (!fault.empty()) return "the member \"" + name + "\" " + fault;
  }
  if (request.file.empty()) return "has no \"file\"";
  const bool names_player = !request.player.empty() || request.participant.has_value();
  if (request.claimed_score && !names_player) return "has a \"score\", and no \"player\" or \"participant\"";
  const bool has_subject_part = !request.subject.issuer.empty() || !request.subject.tenant.empty();
  if (has_subject_part && !request.subject.is_known()) return "has a part of a subject, and no \"subject\"";
  return "";
}

}  // namespace

VerificationRequest read_manifest_line(std::string_view text, std::uint64_t line,
                                       const VerificationRequest& defaults) {
  VerificationRequest request = defaults;
  request.line = line;
  const std::string fault = find_fault(text, request);
  if (!fault.empty()) request.fault = "line " + std::to_string(line) + " of the manifest " + fault;
  return request;
}

}  // namespace sweepd::tools
