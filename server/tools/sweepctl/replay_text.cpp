// SPDX-License-Identifier: MIT
#include "tools/sweepctl/replay_text.h"

#include <sstream>
#include <vector>

#include "replay/player.h"
#include "replay/player_score.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/testimony_text.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

using replay::Reader;
using replay::ReplayVerdict;
using replay::SignatureState;

const char* name_of(SignatureState signature) {
  switch (signature) {
    case SignatureState::kNone:
      return "none";
    case SignatureState::kGood:
      return "good";
    case SignatureState::kUntrusted:
      return "untrusted";
    case SignatureState::kBad:
      return "bad";
  }
  return "";
}

const char* name_of(ReplayEnd end) {
  switch (end) {
    case ReplayEnd::kMatchEnded:
      return "the match ended";
    case ReplayEnd::kStillRunning:
      return "the match went on";
    case ReplayEnd::kCut:
      return "cut there";
    case ReplayEnd::kUnknown:
      break;
  }
  return "its end is unknown";
}

template <typename Scores>
std::string scores_text(const Scores& scores) {
  std::string text;
  for (const auto& score : scores) {
    text += (text.empty() ? "" : ", ") + name_text(score.name) + " " + std::to_string(score.score);
  }
  return text;
}

std::string scores_json(const std::vector<match::Score>& scores) {
  std::vector<std::string> entries;
  for (const match::Score& score : scores) {
    entries.push_back(JsonObject()
                          .add("participant", score.participant)
                          .add("name", score.name)
                          .add("score", score.score)
                          .add_json("has_left", score.has_left ? "true" : "false")
                          .text());
  }
  return json_array(entries);
}

std::vector<match::Score> claimed_scores_of(const verification::InputLog& log) {
  std::vector<match::Score> scores;
  for (const v1::Score& score : log.end().claimed_scores()) {
    scores.push_back({score.participant(), score.name(), score.score(), score.has_left()});
  }
  return scores;
}

std::string participants_text(const replay::Cast& cast) {
  std::string text;
  for (const replay::Join& participant : cast.participants) {
    text += (text.empty() ? "" : ", ") + name_text(participant.name);
    if (participant.role == match::Role::kStage) text += " (stage)";
  }
  return text;
}

std::string receipt_text(const std::optional<replay::Receipt>& receipt) {
  if (!receipt) return "none";
  const auto& key = receipt->public_key.bytes;
  return (receipt->version() == 1 ? "of version 1 (weaker: it does not cover the inputs), "
                                  : "of version 2, ") +
         ("of the key " + to_hex({reinterpret_cast<const char*>(key.data()), key.size()})) +
         ", unchecked: see sweepctl verify";
}

std::string ruleset_text(const match::Ruleset& ruleset) {
  return ruleset.name.empty() ? "without a name" : name_text(ruleset.name) + " " + name_text(ruleset.version);
}

}  // namespace

const char* name_of(replay::EndReason reason) {
  switch (reason) {
    case replay::EndReason::kMatchEnded:
      return "match ended";
    case replay::EndReason::kStillRunning:
      return "still running";
    case replay::EndReason::kCut:
      return "cut";
  }
  return "";
}

int exit_code_of(ReplayVerdict verdict) {
  constexpr int kFirst = 10;
  if (verdict == ReplayVerdict::kVerified) return 0;
  return kFirst + static_cast<int>(verdict) - static_cast<int>(ReplayVerdict::kUnsupportedVersion);
}

std::string verification_text(const replay::Verification& verification) {
  std::string text(replay::name_of(verification.verdict));
  if (!verification.what.empty()) text += ": " + visible(verification.what) + ";";
  text += (verification.what.empty() ? ", " : " ") + std::to_string(verification.ticks_played) +
          " ticks, digest " + replay::digest_text(verification.digest);
  if (!verification.scores.empty()) text += ", scores " + scores_text(verification.scores);
  if (verification.scores_not_listed > 0)
    text += ", " + replay::not_listed_text(verification.scores_not_listed);
  text += ", signature " + std::string(name_of(verification.signature));
  return text +
         (verification.receipt_version == 1 ? " (version 1: weaker, it does not cover the inputs)" : "");
}

void add_verification(JsonObject& object, const replay::Verification& verification) {
  object.add("verdict", replay::name_of(verification.verdict)).add("what", verification.what);
  if (verification.verdict == ReplayVerdict::kDiverged) {
    object.add("diverging_tick", verification.diverging_tick);
    if (verification.diverging_object) object.add("diverging_object", *verification.diverging_object);
    if (verification.compared_tick != 0) object.add("compared_tick", verification.compared_tick);
  }
  if (verification.fault)
    object.add("byte", verification.fault->offset).add("record", verification.fault->record);
  object.add("ticks", verification.ticks_played)
      .add("digest", replay::digest_text(verification.digest))
      .add_json("scores", scores_json(verification.scores))
      .add("scores_not_listed", verification.scores_not_listed)
      .add_json("recorded_scores", scores_json(verification.recorded_scores))
      .add("signature", name_of(verification.signature))
      .add("receipt_version", verification.receipt_version)
      .add("rules_digest", to_hex(verification.rules_digest));
}

std::string replay_info_text(const Reader& reader, bool pace) {
  const replay::Head& head = reader.head();
  const match::MatchConfig& config = reader.config();
  std::ostringstream text;
  text << "match        " << id_text(head.match_id) << " " << name_text(config.name) << "\n"
       << "rules        " << ruleset_text(config.ruleset) << ", config " << to_hex(head.config_digest) << "\n"
       << "recorded by  sweepd " << visible(head.engine_version) << ", nonce " << to_hex(head.nonce) << "\n"
       << "ticks        " << reader.tick_count() << " in " << reader.chunks().size() << " chunks, "
       << reader.key_frames().size() << " key frames\n";
  if (reader.fault()) text << "broken       " << visible(text_of(*reader.fault())) << "\n";
  if (!reader.footer()) return text.str();
  const replay::Ending& ending = reader.footer()->ending;
  text << "end          " << name_of(ending.reason) << ", digest " << replay::digest_text(ending.final_digest)
       << "\n"
       << "participants " << participants_text(ending.cast) << "\n"
       << "scores       " << scores_text(ending.scores) << " (as recorded)\n"
       << "receipt      " << receipt_text(reader.footer()->receipt) << "\n"
       << testimony_text(reader) << (pace ? pace_text(reader) : std::string());
  return text.str();
}

std::string replay_info_json(const std::string& file, const Reader& reader, bool pace) {
  const replay::Head& head = reader.head();
  JsonObject object;
  object.add("file", file)
      .add("match_id", head.match_id)
      .add("name", reader.config().name)
      .add("ruleset", reader.config().ruleset.name)
      .add("ruleset_version", reader.config().ruleset.version)
      .add("config_digest", to_hex(head.config_digest))
      .add("engine_version", head.engine_version)
      .add("nonce", to_hex(head.nonce))
      .add("ticks", reader.tick_count())
      .add("chunks", reader.chunks().size())
      .add("key_frames", reader.key_frames().size());
  if (reader.fault()) object.add("broken", text_of(*reader.fault()));
  if (!reader.footer()) return object.text();
  const replay::Ending& ending = reader.footer()->ending;
  object.add("end", name_of(ending.reason))
      .add("final_digest", replay::digest_text(ending.final_digest))
      .add_json("recorded_scores", scores_json(ending.scores))
      .add_json("has_receipt", reader.footer()->receipt ? "true" : "false");
  if (reader.footer()->receipt) {
    const auto& key = reader.footer()->receipt->public_key.bytes;
    object.add("receipt_version", reader.footer()->receipt->version())
        .add("public_key", to_hex({reinterpret_cast<const char*>(key.data()), key.size()}))
        .add("key_id", replay::key_id(reader.footer()->receipt->public_key));
  }
  add_testimony(object, reader);
  if (pace) add_pace(object, reader);
  return object.text();
}

std::string input_log_info_text(const verification::InputLog& log) {
  const match::MatchConfig& config = log.config();
  std::ostringstream text;
  text << "input log    " << name_text(config.name) << "\n"
       << "rules        " << ruleset_text(config.ruleset) << "\n"
       << "nonce        " << to_hex(log.header().nonce()) << ", seed " << config.seed << "\n"
       << "ticks        " << log.end().tick_count() << (log.end().match_ended() ? ", the match ended" : "")
       << "\n"
       << "scores       " << scores_text(claimed_scores_of(log)) << " (as claimed)\n";
  if (log.end().has_final_digest()) {
    text << "digest       " << replay::digest_text(log.end().final_digest()) << " (as claimed)\n";
  }
  return text.str();
}

std::string input_log_info_json(const std::string& file, const verification::InputLog& log) {
  const match::MatchConfig& config = log.config();
  JsonObject object;
  object.add("file", file)
      .add("kind", "input log")
      .add("name", config.name)
      .add("ruleset", config.ruleset.name)
      .add("ruleset_version", config.ruleset.version)
      .add("nonce", to_hex(log.header().nonce()))
      .add("seed", config.seed)
      .add("ticks", log.end().tick_count())
      .add_json("match_ended", log.end().match_ended() ? "true" : "false")
      .add_json("claimed_scores", scores_json(claimed_scores_of(log)));
  if (log.end().has_final_digest()) {
    object.add("claimed_digest", replay::digest_text(log.end().final_digest()));
  }
  return object.text();
}

std::string checked_receipt_text(const Receipt& receipt) {
  std::string text = "match " + id_text(receipt.match_id) + ", " + std::to_string(receipt.tick_count) +
                     " ticks, " + name_of(receipt.end);
  text += receipt.scores.empty() ? ", no scores" : ", scores " + scores_text(receipt.scores);
  if (receipt.version < 2) return text + "; of version 1: weaker, it does not cover the inputs";
  text += receipt.rules_name.empty() ? ", UNRANKED" : ", rules " + name_text(receipt.rules_name);
  const auto& creator = receipt.creator;
  text += ", created by " + subject_text({creator.name, creator.issuer, creator.tenant});
  if (receipt.seat_holders_not_listed == 0) return text;
  return text + "; " + std::to_string(receipt.seat_holders_not_listed) + " holders of seats are not listed";
}

}  // namespace sweepd::tools
