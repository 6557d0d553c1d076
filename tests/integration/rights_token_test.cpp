// SPDX-License-Identifier: MIT
//
// Protects the server from tokens: none that is wrong in any way lets its bearer in, each is refused with the
// documented status and never logged, and the keys they are verified by follow their file.
#include <grpcpp/generic/generic_stub.h>

#include "identity/base64url.h"
#include "integration/support/ticket_fixture.h"

namespace sweepd::test::rights_token_test {
namespace {

using identity::Algorithm;
using identity::PrincipalKind;

class RightsToken : public SecureTicketServerTest {
 protected:
  static identity::Ticket studio_ticket() { return ticket_of(PrincipalKind::kBackend, "studio"); }
  static std::string changed(const std::function<void(identity::Ticket&)>& change) {
    identity::Ticket ticket = studio_ticket();
    change(ticket);
    return token_of(ticket);
  }

  static std::string signed_text(const std::string& text, const identity::Key& key) {
    return text + "." + identity::to_base64url(*key.sign(text));
  }
  /// Any header and claims, signed with the sample of EdDSA.
  static std::string token_of_texts(const std::string& header, const std::string& claims) {
    return signed_text(identity::to_base64url(header) + "." + identity::to_base64url(claims),
                       *identity::Key::from(Algorithm::kEdDsa, sample_key(Algorithm::kEdDsa).numbers));
  }
  std::string claims() const {
    const std::size_t begin = studio_.find('.') + 1;
    return *identity::from_base64url(studio_.substr(begin, studio_.rfind('.') - begin));
  }
  /// The public key of RS256, in any of its forms, as a secret of HS256.
  std::string by_public_key(const std::string& secret) const {
    const std::string text =
        identity::to_base64url(R"({"alg":"HS256","kid":"RS256"})") + "." + identity::to_base64url(claims());
    return signed_text(text, *identity::Key::from(Algorithm::kHs256, {.k = secret}));
  }
  /// By a key of a stranger's that has the name of a known one.
  static std::string re_signed() {
    identity::Jwk key = sample_key(Algorithm::kEdDsa);
    key.numbers = *identity::generate_key(Algorithm::kEdDsa);
    return *identity::issue(studio_ticket(), key);
  }
  std::string with_claims_twice() const {
    std::string text = claims();
    text.insert(1, R"("sub":"mallory",)");
    return token_of_texts(R"({"alg":"EdDSA","kid":"EdDSA"})", text);
  }
  std::string padded_to(std::size_t bytes) const {
    std::string text = claims();
    const std::string header = R"({"alg":"EdDSA","kid":"EdDSA"})";
    const auto size_with = [&](std::size_t padding) {
      std::string padded = text;
      padded.insert(1, "\"padding\":\"" + std::string(padding, 'x') + "\",");
      return token_of_texts(header, padded);
    };
    std::size_t padding = 0;
    while (size_with(padding).size() < bytes) padding += 16;
    return size_with(padding);
  }
};

struct WrongToken {
  const char* what;
  std::string token;
  const char* reason;
};

TEST_F(RightsToken, ThatIsWrongLetsNobodyInAndIsNotLogged) {
  const std::string match_id = create_match(config());
  const std::string rsa_jwk = identity::key_set_text(sample_key(Algorithm::kRs256));
  const std::string head = studio_.substr(0, studio_.find('.') + 1);
  const std::string signature = studio_.substr(studio_.rfind('.'));
  std::string altered = claims();
  altered.replace(altered.find("studio"), 6, "mallor");
  const WrongToken kWrong[] = {
      {"expired", changed([](auto& ticket) { ticket.expires_s = now_s() - 30; }), "TICKET_EXPIRED"},
      {"early", changed([](auto& ticket) { ticket.not_before_s = now_s() + 300; }), "TICKET_NOT_YET_VALID"},
      {"of another audience", changed([](auto& ticket) { ticket.audience = "another"; }),
       "TICKET_AUDIENCE_FOREIGN"},
      {"of another issuer", changed([](auto& ticket) { ticket.subject.issuer = "stranger"; }),
       "TICKET_ISSUER_FOREIGN"},
      {"of another tenant than the key's", changed([](auto& ticket) { ticket.subject.tenant = "console"; }),
       "TICKET_BEYOND_KEY"},
      {"for too long", changed([](auto& ticket) { ticket.expires_s = now_s() + 30 * 24 * 60 * 60; }),
       "TICKET_LIFETIME_TOO_LONG"},
      {"truncated", studio_.substr(0, studio_.rfind('.')), "TICKET_MALFORMED"},
      {"with half a signature", studio_.substr(0, studio_.size() - signature.size() / 2 + 1),
       "TICKET_SIGNATURE_WRONG"},
      {"altered", head + identity::to_base64url(altered) + signature, "TICKET_SIGNATURE_WRONG"},
      {"signed again", re_signed(), "TICKET_SIGNATURE_WRONG"},
      {"of an unknown key", token_of_texts(R"({"alg":"EdDSA","kid":"stranger"})", claims()),
       "TICKET_KEY_UNKNOWN"},
      {"of alg none",
       identity::to_base64url(R"({"alg":"none","kid":"EdDSA"})") + "." + identity::to_base64url(claims()) +
           signature,
       "TICKET_ALGORITHM_WRONG"},
      {"by the PEM of RS256", by_public_key(sample_rsa_public_pem()), "TICKET_ALGORITHM_WRONG"},
      {"by the JWK of RS256", by_public_key(rsa_jwk), "TICKET_ALGORITHM_WRONG"},
      {"by the modulus of RS256", by_public_key(sample_key(Algorithm::kRs256).numbers.n),
       "TICKET_ALGORITHM_WRONG"},
      {"with a claim twice", with_claims_twice(), "TICKET_CLAIMS_WRONG"},
      {"with a header twice", token_of_texts(R"({"alg":"EdDSA","kid":"EdDSA","kid":"EdDSA"})", claims()),
       "TICKET_MALFORMED"},
      {"no token", std::string(6000, 'a'), "TICKET_MALFORMED"},
  };
  for (const WrongToken& wrong : kWrong) {
    const grpc::Status status = get_match(wrong.token, match_id);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << wrong.what;
    EXPECT_EQ(describe(status), wrong.reason) << wrong.what << ": " << status.error_message();
    const auto by_sdk = client_with(wrong.token).get_match(match_id);
    EXPECT_EQ(by_sdk.status().code(), ErrorCode::kUnauthenticated) << wrong.what;
    EXPECT_EQ(by_sdk.status().reason(), wrong.reason) << wrong.what;
    EXPECT_EQ(log().find(wrong.token.substr(wrong.token.size() - 24)), std::string::npos)
        << wrong.what << ": the log has the token";
  }
  EXPECT_TRUE(is_logged("the ticket's key is not known")) << log();
  EXPECT_EQ(log().find("eyJ"), std::string::npos) << "no part of any token";
  EXPECT_EQ(describe(get_match("", match_id)), "TICKET_REQUIRED");
  EXPECT_TRUE(get_match(studio_, match_id).ok());
}

// The metadata of a call has 8 KiB in all: what is larger gRPC refuses by itself.
TEST_F(RightsToken, ThatIsTooLargeIsRefusedHoweverItComes) {
  const std::string match_id = create_match(config());
  EXPECT_TRUE(get_match(padded_to(6000), match_id).ok());
  const auto stream = play(studio_);
  v1::Join join = join_as(match_id, "first");
  join.set_is_shared(true);
  stream->joined(join);
  join = join_as(match_id, "second");
  join.set_ticket(padded_to(8200));
  stream->join(join);
  while (const auto response = stream->read()) {
    if (!response->has_join_refused()) continue;
    EXPECT_EQ(response->join_refused().code(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(response->join_refused().reason(), "TICKET_TOO_LARGE");
    break;
  }
  // Last: gRPC ends the connection of a call with such headers, and what else is on it.
  EXPECT_EQ(get_match(padded_to(8300), match_id).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(log().find("eyJ"), std::string::npos);
}

TEST_F(RightsToken, ShowsNoSchemaWhereTicketsAreAskedFor) {
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  show(token_of(ticket_of(PrincipalKind::kOperator, "root")), context);
  grpc::CompletionQueue queue;
  const auto stream =
      stub.PrepareCall(&context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  void* tag = nullptr;
  bool ok = false;
  stream->StartCall(nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok));
  grpc::Status status;
  stream->Finish(&status, nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(RightsToken, IsNotAskedForOnLoopbackOrWhereOperatorsAreWantedForAll) {
  const auto run = [this](const std::vector<std::string>& options) {
    std::vector<std::string> command{required_environment("SWEEPD_BINARY"),
                                     "--listen",
                                     "0.0.0.0:0",
                                     "--insecure",
                                     "--ready-file",
                                     path("ready")};
    command.insert(command.end(), options.begin(), options.end());
    return std::make_unique<Process>(command, folder_.path());
  };
  const auto refused = run({});
  EXPECT_EQ(refused->wait(), 1);
  EXPECT_THAT(refused->standard_error(), ::testing::HasSubstr("--ticket-keys, or --anonymous"));
  const auto allowed = run({"--anonymous"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(path("ready")); }));
  EXPECT_THAT(allowed->standard_error(), ::testing::HasSubstr("is an operator (--anonymous)"));
  allowed->signal(SIGTERM);
  EXPECT_EQ(allowed->wait(), 0);
}

TEST_F(RightsToken, KeysFollowTheirFileWithoutARestart) {
  const std::string match_id = create_match(config());
  const std::string by_hmac = token_of(studio_ticket(), Algorithm::kHs256);
  EXPECT_TRUE(get_match(by_hmac, match_id).ok());
  write_keys(identity::key_set_text(sample_key(Algorithm::kEdDsa)));
  EXPECT_TRUE(eventually([&] { return describe(get_match(by_hmac, match_id)) == "TICKET_KEY_UNKNOWN"; }));
  EXPECT_TRUE(get_match(studio_, match_id).ok()) << "its key stays";
  write_keys("{");
  EXPECT_TRUE(is_logged("those from before are good further on")) << log();
  EXPECT_EQ(metric("sweepd_ticket_key_reloads_total{outcome=\"refused\"}"), 1);
  EXPECT_TRUE(get_match(studio_, match_id).ok()) << "a broken file changes nothing";
}

}  // namespace
}  // namespace sweepd::test::rights_token_test
