// SPDX-License-Identifier: MIT
//
// Protects who trusts a receipt: what a server has signed, the SDK finds signed, and nothing else. The
// receipts are those of the golden replays, so both sides have to stay with the bytes that were signed then.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "replay/reader.h"
#include "sweepd/replay/v1/file.pb.h"
#include "sweepd/replays.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/small_file.h"
#include "wire/replay_codec.h"

namespace sweepd::tools::receipt_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

fs::path golden(const std::string& name) {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  return fs::path(source != nullptr ? source : ".") / "tests/golden/replays" / name;
}

PublicKey key_in(const fs::path& file) { return *PublicKey::from_pem(*read_small_file(file, 10'000)); }

PublicKey golden_key() { return key_in(golden("public_key.pem")); }

/// Of a replay that a server signed with its own key, beside it; of the others, the one they share.
PublicKey golden_key_of(const std::string& name) {
  const fs::path own = golden(name).replace_extension(".pem");
  return fs::exists(own) ? key_in(own) : golden_key();
}

Role role_of(match::Role role) {
  return role == match::Role::kPlayer  ? Role::kPlayer
         : role == match::Role::kStage ? Role::kStage
                                       : Role::kObserver;
}

/// As a server sends it.
v1::Receipt message_of(const replay::Reader& reader) {
  v1::Receipt message;
  wire::encode_receipt(reader.head(), *reader.footer(), message);
  return message;
}

std::string json_of(const v1::Receipt& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(message, &json, options).ok());
  return json;
}

/// Of version 2.
Receipt statement_receipt() {
  const auto bytes = read_replay(golden("statement.swpr").string());
  return *Receipt::from_json(json_of(message_of(*replay::Reader::open(*bytes))));
}

/// What the footer of a golden replay says.
Receipt golden_receipt(const std::string& name) {
  const auto bytes = read_replay(golden(name).string());
  const auto reader = replay::Reader::open(*bytes);
  if (reader->footer()->receipt && reader->footer()->receipt->version() == 2)
    return *Receipt::from_json(json_of(message_of(*reader)));
  const replay::Head& head = reader->head();
  const replay::Ending& ending = reader->footer()->ending;
  Receipt receipt{.match_id = head.match_id,
                  .nonce = head.nonce,
                  .config_digest = head.config_digest,
                  .engine_version = head.engine_version,
                  .digest_version = head.digest_version,
                  .end = static_cast<ReplayEnd>(ending.reason),
                  .tick_count = ending.tick_count,
                  .final_digest = ending.final_digest,
                  .participants_not_listed = ending.cast.omitted};
  for (const replay::Join& join : ending.cast.participants) {
    receipt.participants.push_back({join.number, join.name, role_of(join.role)});
  }
  for (const match::Score& score : ending.scores) {
    receipt.scores.push_back({score.participant, score.name, score.score, score.has_left});
  }
  const auto& signed_by = reader->footer()->receipt;
  if (signed_by) {
    receipt.public_key.emplace().bytes = signed_by->public_key.bytes;
    receipt.signature.assign(signed_by->signature.begin(), signed_by->signature.end());
  }
  return receipt;
}

TEST(Receipt, OfEveryGoldenReplayIsItsServers) {
  int receipts = 0;
  for (const auto& entry : fs::directory_iterator(golden(""))) {
    if (entry.path().extension() != ".swpr") continue;
    const std::string name = entry.path().filename().string();
    const Receipt receipt = golden_receipt(name);
    const Status status = check_receipt(receipt, golden_key_of(name));
    EXPECT_TRUE(status.ok()) << entry.path() << ": " << status.message();
    ++receipts;
  }
  EXPECT_GE(receipts, 4);
}

TEST(Receipt, OfWhichAnythingIsAnotherIsNobodys) {
  const Receipt original = golden_receipt("claims_strike.swpr");
  const std::vector<std::function<void(Receipt&)>> changes{
      [](Receipt& receipt) { receipt.match_id += "x"; },
      [](Receipt& receipt) { receipt.nonce[0] ^= 1; },
      [](Receipt& receipt) { receipt.config_digest[31] ^= 1; },
      [](Receipt& receipt) { receipt.config_digest += '\0'; },
      [](Receipt& receipt) { receipt.engine_version = "9.9.9"; },
      [](Receipt& receipt) { ++receipt.digest_version; },
      [](Receipt& receipt) { receipt.end = ReplayEnd::kCut; },
      [](Receipt& receipt) { ++receipt.tick_count; },
      [](Receipt& receipt) { receipt.final_digest ^= 1; },
      [](Receipt& receipt) { ++receipt.participants[0].number; },
      [](Receipt& receipt) { receipt.participants[0].name = "eve"; },
      [](Receipt& receipt) { receipt.participants[0].role = Role::kObserver; },
      [](Receipt& receipt) { std::swap(receipt.participants[0], receipt.participants[1]); },
      [](Receipt& receipt) { receipt.participants.pop_back(); },
      [](Receipt& receipt) { ++receipt.participants_not_listed; },
      [](Receipt& receipt) { ++receipt.scores[0].participant; },
      [](Receipt& receipt) { receipt.scores[0].name = "eve"; },
      [](Receipt& receipt) { ++receipt.scores[0].score; },
      [](Receipt& receipt) { receipt.scores[0].has_left = !receipt.scores[0].has_left; },
      [](Receipt& receipt) { receipt.scores.pop_back(); },
      [](Receipt& receipt) { receipt.signature[0] ^= 1; },
      [](Receipt& receipt) { receipt.signature.pop_back(); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Receipt receipt = original;
    changes[i](receipt);
    const Status status = check_receipt(receipt, golden_key());
    EXPECT_EQ(status.code(), ErrorCode::kPermissionDenied) << i;
    EXPECT_THAT(status.message(), HasSubstr("not over what the receipt says")) << i;
  }
}

TEST(Receipt, OfVersion2IsReadFromWhatWasSignedAlone) {
  const Receipt original = statement_receipt();
  ASSERT_EQ(original.version, 2u);
  const std::vector<std::function<void(Receipt&)>> changes{
      [](Receipt& receipt) { receipt.records_digest[0] ^= 1; },
      [](Receipt& receipt) { receipt.rules_digest[0] ^= 1; },
      [](Receipt& receipt) { receipt.rules_name += "x"; },
      [](Receipt& receipt) { receipt.creator.name += "x"; },
      [](Receipt& receipt) { receipt.creator.tenant += "x"; },
      [](Receipt& receipt) { ++receipt.create_time_unix_ms; },
      [](Receipt& receipt) { ++receipt.start_time_unix_ms; },
      [](Receipt& receipt) { ++receipt.end_time_unix_ms; },
      [](Receipt& receipt) { ++receipt.tick_rate_hz; },
      [](Receipt& receipt) { receipt.clock_changes.emplace_back(); },
      [](Receipt& receipt) { receipt.seat_holders.emplace_back(); },
      [](Receipt& receipt) { receipt.build += "x"; },
      [](Receipt& receipt) { receipt.key_id += "x"; },
      [](Receipt& receipt) { ++receipt.tick_count; },
      [](Receipt& receipt) { receipt.statement.pop_back(); },
      [](Receipt& receipt) { receipt.version = 1; },
      [](Receipt& receipt) { receipt.version = 3; },
  };
  const PublicKey key = golden_key_of("statement.swpr");
  ASSERT_TRUE(check_receipt(original, key).ok());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Receipt receipt = original;
    changes[i](receipt);
    EXPECT_EQ(check_receipt(receipt, key).code(), ErrorCode::kPermissionDenied) << i;
  }
  v1::Receipt beside;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(original.to_json(), &beside).ok());
  beside.set_rules_name("official");  // Beside the statement, for people.
  EXPECT_EQ(Receipt::from_json(json_of(beside)).status().code(), ErrorCode::kInvalidArgument);
}

// The writer of a file chooses its statement: one of millions of participants would be unpacked by a server.
TEST(Receipt, IsReadFromNoStatementAboutSomethingElse) {
  const auto bytes = read_replay(golden("statement.swpr").string());
  const auto reader = replay::Reader::open(*bytes);
  replay::Footer footer = *reader->footer();
  const std::string original = footer.receipt->statement;
  std::string crowd;
  for (int i = 0; i < 100'000; ++i) crowd += std::string("\x4a\0", 2);  // A participant.
  for (const std::string& statement : {original + crowd, crowd, std::string("no statement")}) {
    footer.receipt->statement = statement;
    v1::Receipt message;
    wire::encode_receipt(reader->head(), footer, message);
    EXPECT_LT(message.ByteSizeLong(), original.size() + 1'000);
    EXPECT_EQ(message.version(), 2u);
    EXPECT_EQ(message.statement(), "");
  }
}

// Without these it says that some match of the server came to that, and any match does.
TEST(Receipt, IsCheckedAgainstRulesAndCreator) {
  const Receipt receipt = statement_receipt();
  const PublicKey key = golden_key_of("statement.swpr");
  const auto check = [&](const TicketSubject& creator, const std::vector<std::string>& rules) {
    return check_receipt(receipt, key, {.rules_digests = rules, .creator = creator});
  };
  const std::vector<std::string> rules{std::string(32, 'x'), receipt.rules_digest};
  const TicketSubject creator = receipt.creator;
  ASSERT_FALSE(creator.name.empty());
  EXPECT_TRUE(check(creator, rules).ok());
  EXPECT_TRUE(check({creator.name, "", creator.tenant}, rules).ok());
  EXPECT_EQ(check(creator, {}).field(), "rules_digests");
  EXPECT_EQ(check({}, rules).field(), "creator");
  EXPECT_THAT(check(creator, {rules[0]}).message(), HasSubstr("by other rules"));
  EXPECT_THAT(check({"eve", "", creator.tenant}, rules).message(), HasSubstr("was created by"));
  EXPECT_EQ(check({creator.name, "", creator.tenant + "x"}, rules).code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(check({creator.name, "eve's", creator.tenant}, rules).code(), ErrorCode::kPermissionDenied);
  const Receipt weak = golden_receipt("claims_strike.swpr");
  EXPECT_THAT(check_receipt(weak, golden_key(), {.rules_digests = rules, .creator = creator}).message(),
              HasSubstr("of version 1"));
}

void fill(replay::v1::TicketSubject& subject) {
  subject.set_name("ann@example");
  subject.set_issuer("issuer");
  subject.set_tenant("eu");
}

void fill_lists(replay::v1::Statement& statement) {
  auto& participant = *statement.add_participants();
  participant.set_number(1);
  participant.set_name("ann");
  participant.set_role(2);
  auto& score = *statement.add_scores();
  score.set_participant(1);
  score.set_name("ann");
  score.set_score(-7);
  score.set_has_left(true);
  auto& change = *statement.add_clock_changes();
  change.set_tick(3);
  change.set_unix_ms(4);
  change.set_is_paused(true);
  change.set_tick_rate_hz(30);
  change.set_is_restart(true);
  auto& holder = *statement.add_seat_holders();
  holder.set_number(1);
  holder.set_name("ann");
  fill(*holder.mutable_subject());
  fill(*statement.mutable_creator());
}

/// With every field.
replay::v1::Statement full_statement() {
  replay::v1::Statement statement;
  fill_lists(statement);
  statement.set_match_id("id");
  statement.set_nonce("nonce");
  statement.set_config_digest("config");
  statement.set_engine_version("1");
  statement.set_digest_version(2);
  statement.set_end(1);
  statement.set_tick_count(100);
  statement.set_final_digest(5);
  statement.set_participants_not_listed(6);
  statement.set_version(2);
  statement.set_records_digest("records");
  statement.set_rules_digest("rules");
  statement.set_rules_name("official");
  statement.set_create_time_unix_ms(7);
  statement.set_start_time_unix_ms(8);
  statement.set_end_time_unix_ms(9);
  statement.set_clock(1);
  statement.set_tick_rate_hz(60);
  statement.set_clock_changes_not_listed(10);
  statement.set_seat_holders_not_listed(11);
  statement.set_build("build");
  statement.set_key_id("key");
  return statement;
}

// The server writes one, and the SDK reads the other.
TEST(Receipt, HasTheFieldsOfTheStatementThatIsSigned) {
  const std::string bytes = full_statement().SerializeAsString();
  v1::Receipt receipt;
  ASSERT_TRUE(receipt.ParseFromString(bytes));
  receipt.DiscardUnknownFields();
  EXPECT_EQ(receipt.SerializeAsString(), bytes);
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  receipt.GetReflection()->ListFields(receipt, &fields);
  EXPECT_EQ(fields.size(), 27u);
  EXPECT_EQ(receipt.scores(0).score(), -7);
  EXPECT_EQ(receipt.seat_holders(0).subject().tenant(), "eu");
  EXPECT_EQ(v1::Receipt::descriptor()->field_count(), 27 + 3) << "public_key, signature and statement aside";
}

TEST(Receipt, SaysWhoseItIsNot) {
  Receipt receipt = golden_receipt("claims_strike.swpr");
  PublicKey other = golden_key();
  other.bytes[3] ^= 1;
  EXPECT_THAT(check_receipt(receipt, other).message(), HasSubstr("of another key"));
  receipt.public_key = other;  // Who says that it is his has to have signed it.
  EXPECT_FALSE(check_receipt(receipt, other).ok());
  receipt.public_key.reset();
  receipt.signature.clear();
  EXPECT_THAT(check_receipt(receipt, golden_key()).message(), HasSubstr("nobody has signed"));
}

TEST(Receipt, ComesBackFromJsonAsItWas) {
  const Receipt original = golden_receipt("stage_handed_over.swpr");
  const auto receipt = Receipt::from_json(original.to_json());
  ASSERT_TRUE(receipt.ok()) << receipt.status().message();
  EXPECT_TRUE(check_receipt(*receipt, golden_key()).ok());
  EXPECT_EQ(receipt->to_json(), original.to_json());
  for (const char* text : {"", "{", "[]", R"({"no_such_field":1})", R"({"tick_count":"many"})"}) {
    EXPECT_EQ(Receipt::from_json(text).status().code(), ErrorCode::kInvalidArgument) << text;
  }
}

TEST(Receipt, ThatReadsInTwoWaysIsRefused) {
  const std::string json = golden_receipt("claims_strike.swpr").to_json();
  const auto changed = [&json](const std::string& from, const std::string& to) {
    const std::size_t place = json.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return std::string(json).replace(place, from.size(), to);
  };
  const std::vector<std::string> texts{
      changed("{", R"({"matchId":"another",)"),            // The last one wins, people read the first.
      changed("{", R"({"match_id":"another",)"),           // So of two of one name.
      changed(R"("match_id")", R"("matchId")"),            // Another name,
      changed("{", R"({"participants_not_listed":"0",)"),  // what need not be said,
      changed(R"("name": ")", R"("name": "\u0020)"),       // another name of somebody,
      changed(R"("REPLAY_END_MATCH_ENDED")", "1"),        json + "x",
  };
  for (const std::string& text : texts) {
    const auto receipt = Receipt::from_json(text);
    EXPECT_EQ(receipt.status().code(), ErrorCode::kInvalidArgument) << text;
    EXPECT_EQ(receipt.status().field(), "json");
  }
  EXPECT_THAT(Receipt::from_json(texts[0]).status().message(), HasSubstr("each field once"));
}

TEST(Receipt, MayBeSetOtherwise) {
  const Receipt original = golden_receipt("claims_strike.swpr");
  std::string json;
  for (const char byte : original.to_json())
    json += byte == '\n' ? std::string("\r\n\t") : std::string(1, byte);
  ASSERT_TRUE(Receipt::from_json(json).ok());
  Receipt spaced = original;
  spaced.participants.at(0).name = R"(a "b \\ { c)";
  EXPECT_EQ(Receipt::from_json(spaced.to_json())->participants[0].name, spaced.participants[0].name);
}

TEST(Receipt, ThatIsCheckedIsToldInWords) {
  Receipt receipt{.match_id = "m\n1", .end = ReplayEnd::kMatchEnded, .tick_count = 7};
  const std::string weaker = "; of version 1: weaker, it does not cover the inputs";
  EXPECT_EQ(checked_receipt_text(receipt),
            "match \"m\\u000a1\", 7 ticks, the match ended, no scores" + weaker);
  receipt.scores = {{.participant = 0, .name = "ann", .score = 21},
                    {.participant = 1, .name = "b\x1b", .score = -3}};
  EXPECT_EQ(checked_receipt_text(receipt),
            "match \"m\\u000a1\", 7 ticks, the match ended, scores \"ann\" 21, \"b\\u001b\" -3" + weaker);
}

TEST(PublicKey, ComesBackFromPemAsItWas) {
  EXPECT_EQ(*PublicKey::from_pem(golden_key().to_pem()), golden_key());
  EXPECT_EQ(golden_key().to_pem(), *read_small_file(golden("public_key.pem"), 10'000));
  for (const std::string& pem : {std::string(), std::string("key"), golden_key().to_pem().substr(0, 60),
                                 golden_key().to_pem() + golden_key().to_pem()}) {
    EXPECT_EQ(PublicKey::from_pem(pem).status().code(), ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sweepd::tools::receipt_test
