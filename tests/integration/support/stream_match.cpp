// SPDX-License-Identifier: MIT
#include "integration/support/stream_match.h"

namespace sweepd::test {

std::optional<v1::WatchResponse> RawWatch::read() {
  v1::WatchResponse response;
  if (!reader_->Read(&response)) return std::nullopt;
  return response;
}

v1::WatchStarted RawWatch::started() {
  const auto response = read();
  EXPECT_TRUE(response && response->has_started());
  return response ? response->started() : v1::WatchStarted{};
}

std::vector<std::uint64_t> RawWatch::numbers_through(Tick tick) {
  std::vector<std::uint64_t> numbers;
  while (const auto response = read()) {
    for (const std::uint64_t number : numbers_of(response->update())) numbers.push_back(number);
    if (response->update().tick() >= tick) break;
  }
  return numbers;
}

grpc::Status RawWatch::finish() {
  while (read()) continue;
  return reader_->Finish();
}

std::vector<std::uint64_t> numbers_of(const v1::TickUpdate& update) {
  const v1::EventColumns& columns = update.events();
  const int rows = columns.object_a_size();
  std::vector<std::uint64_t> numbers;
  std::uint64_t number =
      update.last_sequence_number() - columns.events_after() - static_cast<std::uint64_t>(rows) + 1;
  for (const std::uint64_t gap : columns.sequence_gap()) number -= gap;
  for (int i = 0; i < rows; ++i) {
    if (columns.sequence_gap_size() > 0) number += columns.sequence_gap(i);
    numbers.push_back(number++);
  }
  return numbers;
}

void StreamTest::SetUp() {
  ServerTest::SetUp();
  client_.emplace(client());
  stub_ =
      v1::MatchService::NewStub(grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
}

void StreamTest::begin(MatchConfig config) {
  driver_.reset();
  config.max_lead_ticks = 3600;
  ManualMatchTest::begin(config);
  JoinOptions options;
  options.match_id = match_id_;
  options.name = "driver";
  options.reconnect = patient();
  options.frames_queued_max = kEventTicks + 1;
  driver_.emplace(client_->join(options));
  ASSERT_TRUE(is_in(*driver_, SessionState::kJoined));
  const ObjectId ship = driver_->participant()->first_id;
  for (Tick tick = 2; tick <= kEventTicks + 1; ++tick) {
    ASSERT_TRUE(driver_->move(ship, {tick % 2 == 0 ? 0.0 : 1000.0, 0}).ok());
    ASSERT_TRUE(driver_->end_frame(tick).ok());
  }
  // Last, so that all are there when it is.
  ASSERT_EQ(*driver_->spawn(object_at({1000, 0}, 0)), ship);
  ASSERT_TRUE(driver_->spawn(object_at({0, 0}, 2)).ok());
  ASSERT_TRUE(driver_->end_frame(1).ok());
  step();
}

v1::Join StreamTest::join_as(const std::string& name) const {
  v1::Join join;
  join.set_match_id(match_id_);
  join.set_name(name);
  join.set_role(v1::ROLE_PLAYER);
  return join;
}

v1::WatchRequest StreamTest::watch_request() const {
  v1::WatchRequest request;
  request.set_match_id(match_id_);
  return request;
}

v1::Match StreamTest::get_match() {
  grpc::ClientContext context;
  v1::GetMatchRequest request;
  v1::GetMatchResponse response;
  request.set_match_id(match_id_);
  EXPECT_TRUE(stub_->GetMatch(&context, request, &response).ok());
  return response.match();
}

std::string refusal_text(const grpc::Status& status) {
  std::string text = std::to_string(status.error_code());
  text += ' ';
  text += describe(status);
  return text;
}

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t number = first; number <= last; ++number) result.push_back(number);
  return result;
}

}  // namespace sweepd::test
