// SPDX-License-Identifier: MIT
//
// Protects what the server says of where things are: regions, rays and what is nearest, in the shapes that
// the objects have and in whole pages; and that a bad question is refused with the name of its field.
#include <cmath>
#include <limits>

#include "integration/support/raw_stream.h"
#include "integration/support/solo_match.h"
#include "sweepd/v1/query_service.grpc.pb.h"

namespace sweepd::test::query_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kPlayer = 0;
constexpr std::uint32_t kEnemy = 2;

class QueryTest : public SoloMatchTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    begin();
    stub_ = v1::QueryService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  }

  ObjectId spawn_circle(Vec2 position, double radius) {
    ObjectSpec spec;
    spec.position = position;
    spec.parts = {Part::circle({0, 0}, radius, kEnemy)};
    return spawn(spec);
  }

  /// Asks with a request that the SDK would not make.
  template <typename Request, typename Response>
  std::string refusal_of(grpc::Status (v1::QueryService::Stub::*method)(grpc::ClientContext*, const Request&,
                                                                        Response*),
                         Request request) {
    request.set_match_id(match_id_);
    grpc::ClientContext context;
    Response response;
    return describe(((*stub_).*method)(&context, request, &response));
  }

  std::unique_ptr<v1::QueryService::Stub> stub_;
};

TEST_F(QueryTest, ARegionHoldsThePartsThatTouchItByObjectAndPart) {
  ObjectSpec boss = object_at({0, 0}, kEnemy);
  boss.parts.push_back({Box{10, 0, 20, 10}, kEnemy});
  const ObjectId left = spawn(boss);
  const ObjectId right = spawn(object_at({40, 0}, kPlayer));
  spawn(object_at({400, 0}, kPlayer));
  step();
  const auto parts = client_->query_region(match_id_, Box{4, 0, 36, 1});  // Two edges touch.
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  EXPECT_THAT(*parts, ElementsAre(PartName{left, 0}, PartName{left, 1}, PartName{right, 0}));
  EXPECT_THAT(*client_->query_region(match_id_, Box{4, 0, 36, 1}, {kPlayer}),
              ElementsAre(PartName{right, 0}));
  EXPECT_THAT(*client_->query_region(match_id_, Box{100, 100, 101, 101}), IsEmpty());
}

TEST_F(QueryTest, ShapesCountAndNotTheBoxesAroundThem) {
  const ObjectId circle = spawn_circle({0, 0}, 10);
  step();
  EXPECT_THAT(*client_->query_region(match_id_, Box{8, 8, 9, 9}), IsEmpty())
      << "in the corner beside the circle";
  EXPECT_THAT(*client_->query_region(match_id_, Box{7, 7, 9, 9}), ElementsAre(PartName{circle, 0}));
  EXPECT_THAT(*client_->cast_ray(match_id_, {9, 9}, {9, 5}), IsEmpty())
      << "at x = 9 the circle reaches up to 4.36";
  EXPECT_EQ(client_->cast_ray(match_id_, {9, 9}, {9, 4})->size(), 1u);
}

TEST_F(QueryTest, ARayMeetsThingsInTheirOrderAndStopsAtTheLimit) {
  const ObjectId far = spawn(object_at({96, 0}, kEnemy));
  const ObjectId near = spawn(object_at({36, 0}, kEnemy));
  step();
  const auto first = client_->cast_ray(match_id_, {0, 0}, {128, 0});
  ASSERT_TRUE(first.ok()) << first.status().message();
  ASSERT_EQ(first->size(), 1u);
  EXPECT_EQ((*first)[0].part, (PartName{near, 0}));
  EXPECT_EQ((*first)[0].distance, 0.25);  // Its edge is at 32 of 128.
  const auto all = client_->cast_ray(match_id_, {0, 0}, {128, 0}, {}, 10);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[1].part, (PartName{far, 0}));
  EXPECT_THAT(*client_->cast_ray(match_id_, {0, 0}, {128, 0}, {kPlayer}, 10), IsEmpty());
}

TEST_F(QueryTest, TheNearestIsMeasuredToTheEdgeOfItsShape) {
  EXPECT_FALSE(client_->find_nearest(match_id_, {0, 0})->has_value()) << "nothing is there yet";
  const ObjectId circle = spawn_circle({30, 40}, 10);
  const ObjectId box = spawn(object_at({-60, 0}, kPlayer));
  step();
  const auto nearest = client_->find_nearest(match_id_, {0, 0});
  ASSERT_TRUE(nearest.ok()) << nearest.status().message();
  EXPECT_EQ((*nearest)->part, (PartName{circle, 0}));
  EXPECT_EQ((*nearest)->distance, 40);
  EXPECT_EQ((*client_->find_nearest(match_id_, {0, 0}, {kPlayer}))->part, (PartName{box, 0}));
}

TEST_F(QueryTest, TheDisabledAreNowhere) {
  const ObjectId ship = spawn(object_at({0, 0}, kPlayer));
  step();
  EXPECT_EQ(client_->query_region(match_id_, Box{0, 0, 1, 1})->size(), 1u);
  ASSERT_TRUE(session_->disable(ship).ok());
  step();
  EXPECT_THAT(*client_->query_region(match_id_, Box{0, 0, 1, 1}), IsEmpty());
  EXPECT_THAT(*client_->cast_ray(match_id_, {-9, 0}, {9, 0}), IsEmpty());
  EXPECT_FALSE(client_->find_nearest(match_id_, {0, 0})->has_value());
}

TEST_F(QueryTest, PagesOfARegionGoOnWhereTheLastEnded) {
  std::vector<ObjectId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(spawn(object_at({0, 0}, kEnemy)));
  step();
  v1::QueryRegionRequest request;
  request.set_match_id(match_id_);
  request.mutable_region();
  request.set_parts_max(2);
  std::vector<ObjectId> seen;
  std::vector<int> sizes;
  v1::QueryRegionResponse response;
  do {
    grpc::ClientContext context;
    ASSERT_TRUE(stub_->QueryRegion(&context, request, &response).ok());
    for (const auto& part : response.parts()) seen.push_back(part.object_id());
    sizes.push_back(response.parts_size());
    *request.mutable_after() = *response.parts().rbegin();
  } while (response.has_more());
  EXPECT_EQ(seen, ids);
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
  EXPECT_EQ(response.tick(), 1u);
}

TEST_F(QueryTest, ManyPartsComeInSeveralCalls) {
  session_.reset();
  start({"--match-parts-max", "20000"});
  begin();
  ObjectSpec crowd;
  crowd.parts.assign(32, Part{Box{0, 0, 1, 1}, kEnemy});
  for (int i = 0; i < 320; ++i) spawn(crowd);
  step();
  const auto parts = client_->query_region(match_id_, Box{0, 0, 1, 1});
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  EXPECT_EQ(parts->size(), 320u * 32u);
}

TEST_F(QueryTest, TheEncountersOfOneObjectAreAskedFor) {
  const ObjectId ship = spawn(object_at({0, 0}, kPlayer));
  const ObjectId enemy = spawn(object_at({0, 0}, kEnemy));
  const ObjectId other = spawn(object_at({100, 0}, kPlayer));
  spawn(object_at({100, 0}, kEnemy));
  step();
  EXPECT_EQ(client_->list_encounters(match_id_)->size(), 2u);
  const auto encounters = client_->list_encounters(match_id_, ship);
  ASSERT_EQ(encounters->size(), 1u);
  EXPECT_EQ((*encounters)[0].object_b, enemy);
  EXPECT_EQ(client_->list_encounters(match_id_, other)->size(), 1u);
}

TEST_F(QueryTest, BadQuestionsAreRefusedByTheNameOfTheirField) {
  using Stub = v1::QueryService::Stub;
  v1::QueryRegionRequest region;
  EXPECT_EQ(refusal_of(&Stub::QueryRegion, region), "INVALID_QUERY region");
  region.mutable_region()->set_min_y(1);
  EXPECT_EQ(refusal_of(&Stub::QueryRegion, region), "INVALID_QUERY region.min_y");
  region.mutable_region()->set_max_y(1);
  region.set_parts_max(10'001);
  EXPECT_EQ(refusal_of(&Stub::QueryRegion, region), "INVALID_QUERY parts_max");
  region.set_parts_max(10'000);
  EXPECT_EQ(refusal_of(&Stub::QueryRegion, region), "") << "at the limit";
  region.add_layers(3);
  EXPECT_EQ(refusal_of(&Stub::QueryRegion, region), "") << "the last layer";
  region.add_layers(4);
  EXPECT_EQ(refusal_of(&Stub::QueryRegion, region), "INVALID_QUERY layers[1]");
  v1::CastRayRequest ray;
  ray.set_hits_max(10'001);
  EXPECT_EQ(refusal_of(&Stub::CastRay, ray), "INVALID_QUERY hits_max");
  v1::FindNearestRequest nearest;
  nearest.add_layers(std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(refusal_of(&Stub::FindNearest, nearest), "INVALID_QUERY layers[0]");
  v1::GetWorldRequest world;
  world.set_objects_max(2'000);
  EXPECT_EQ(refusal_of(&Stub::GetWorld, world), "") << "at the limit";
  world.set_objects_max(2'001);
  EXPECT_EQ(refusal_of(&Stub::GetWorld, world), "INVALID_QUERY objects_max");
}

TEST_F(QueryTest, TheSdkRefusesWhatCannotBeAsked) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(client_->query_region(match_id_, Box{0, nan, 1, 1}).status().field(), "region.min_y");
  EXPECT_EQ(client_->query_region(match_id_, Box{1, 0, 0, 0}).status().field(), "region.min_x");
  EXPECT_EQ(client_->cast_ray(match_id_, {0, 0}, {1e30, 0}).status().field(), "to.x");
  EXPECT_EQ(client_->cast_ray(match_id_, {0, 0}, {1, 0}, {}, 0).status().field(), "hits_max");
  EXPECT_EQ(client_->find_nearest(match_id_, {0, nan}).status().field(), "point.y");
  EXPECT_THAT(client_->find_nearest(match_id_, {0, 0}, {9}).status().message(), HasSubstr("layers 0 to 3"));
}

TEST_F(QueryTest, AnUnknownMatchIsNotFound) {
  EXPECT_EQ(client_->query_region("nowhere", Box{0, 0, 1, 1}).status().reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(client_->cast_ray("nowhere", {0, 0}, {1, 1}).status().reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(client_->find_nearest("nowhere", {0, 0}).status().reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(client_->get_world("nowhere").status().reason(), "MATCH_NOT_FOUND");
}

}  // namespace
}  // namespace sweepd::test::query_test
