// SPDX-License-Identifier: MIT
//
// Protects matches that a caller may not see: no page of a list and no token of a page names one.
#include <set>

#include "integration/support/ticket_fixture.h"

namespace sweepd::test::match_list_test {
namespace {

class MatchList : public TicketServerTest {
 protected:
  struct Listing {
    std::vector<std::string> ids;
    std::set<std::string> tokens;
  };
  Listing list(const std::string& token, std::uint32_t page_size) {
    Listing listing;
    v1::ListMatchesRequest request;
    request.set_page_size(page_size);
    do {
      grpc::ClientContext context;
      show(token, context);
      v1::ListMatchesResponse response;
      const grpc::Status status = stub_->ListMatches(&context, request, &response);
      EXPECT_TRUE(status.ok()) << status.error_message();
      EXPECT_LE(response.matches_size(), static_cast<int>(page_size));
      EXPECT_TRUE(response.matches_size() > 0 || response.next_page_token().empty());
      for (const v1::Match& match : response.matches()) listing.ids.push_back(match.match_id());
      request.set_page_token(response.next_page_token());
      listing.tokens.insert(response.next_page_token());
    } while (!request.page_token().empty());
    return listing;
  }
};

TEST_F(MatchList, NamesNoMatchThatIsHiddenFromTheCaller) {
  start_with_tickets({"--loops", "2"});
  std::map<std::string, std::set<std::string>> ids;
  for (int i = 0; i < 15; ++i) {
    for (const std::string name : {"studio", "rival", "rival"}) ids[name].insert(created(backend(name)));
  }
  for (const std::uint32_t page_size : {1u, 2u, 7u, 15u, 100u}) {
    for (const std::string name : {"studio", "rival"}) {
      const Listing listing = list(backend(name), page_size);
      EXPECT_EQ(listing.ids, std::vector<std::string>(ids[name].begin(), ids[name].end())) << page_size;
      for (const std::string& token : listing.tokens)
        EXPECT_TRUE(token.empty() || ids[name].contains(token)) << "a page of " << page_size;
    }
  }
  EXPECT_TRUE(list(backend("stranger"), 3).ids.empty());
  const Listing all = list(token_of(ticket_of(identity::PrincipalKind::kOperator, "root")), 4);
  EXPECT_EQ(all.ids.size(), 45u);
}

}  // namespace
}  // namespace sweepd::test::match_list_test
