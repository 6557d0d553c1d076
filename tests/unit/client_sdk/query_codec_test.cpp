// SPDX-License-Identifier: MIT
//
// Protects answers in several pages: the next one goes on where the last one ended, and a server that says
// that there is more without saying where gets an error.
#include "query_codec.h"

#include <gtest/gtest.h>

namespace sweepd::internal::query_codec_test {
namespace {

TEST(QueryCodec, TheNextPageOfARegionBeginsAfterTheLastPart) {
  v1::QueryRegionRequest request;
  v1::QueryRegionResponse page;
  page.add_parts()->set_object_id(3);
  page.add_parts()->set_object_id(5);
  page.mutable_parts(1)->set_part(2);
  page.set_has_more(true);
  std::vector<PartName> parts;
  ASSERT_TRUE(take_page(page, &request, &parts).ok());
  EXPECT_EQ(parts, (std::vector<PartName>{{3, 0}, {5, 2}}));
  EXPECT_EQ(request.after().object_id(), 5u);
  EXPECT_EQ(request.after().part(), 2u);
}

TEST(QueryCodec, TheNextPageOfAWorldIsOfTheSameTick) {
  v1::GetWorldRequest request;
  v1::GetWorldResponse page;
  page.set_tick(7);
  page.add_objects()->set_object_id(4);
  page.set_has_more(true);
  World world;
  ASSERT_TRUE(take_page(page, &request, &world).ok());
  EXPECT_EQ(world.tick, 7u);
  EXPECT_EQ(world.objects[0].id, 4u);
  EXPECT_EQ(request.at_tick(), 7u);
  EXPECT_EQ(request.after_object_id(), 4u);
}

TEST(QueryCodec, AnEmptyPageBeforeTheLastIsAnError) {
  v1::QueryRegionRequest region_request;
  v1::QueryRegionResponse region;
  std::vector<PartName> parts;
  EXPECT_TRUE(take_page(region, &region_request, &parts).ok());
  region.set_has_more(true);
  EXPECT_EQ(take_page(region, &region_request, &parts).code(), ErrorCode::kInternal);
  v1::GetWorldRequest world_request;
  v1::GetWorldResponse world_page;
  World world;
  EXPECT_TRUE(take_page(world_page, &world_request, &world).ok());
  world_page.set_has_more(true);
  EXPECT_EQ(take_page(world_page, &world_request, &world).code(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace sweepd::internal::query_codec_test
