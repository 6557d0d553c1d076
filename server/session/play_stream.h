// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/budgets/byte_budget.h"
#include "session/frame_arrivals.h"
#include "session/large_message.h"
#include "session/match_stream.h"
#include "session/play_quota.h"
#include "session/stream_participants.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

/// A participant's connection: a join, then frames. If it is shared, further joins may follow, for further
/// participants of the match, and frames say whose they are.
class PlayStream final : public MatchStream<v1::PlayResponse> {
 public:
  PlayStream(MatchLoop& accepting, StreamPipe<v1::PlayResponse>& pipe)
      : MatchStream(accepting, pipe, "Play", accepting.backend().play_streams) {}

 private:
  void begin() override { read(); }
  Status find_refusal_of(const runtime::MatchHost& host) const override;
  void attach(runtime::MatchHost& host) override;
  void tick_is_due() override { pipe_.look(); }
  void fill_ended(const runtime::MatchHost& host, v1::PlayResponse& response) override;
  void on_read(bool ok) override;
  void on_told() override;
  void on_over(bool cancelled) override;
  std::uint32_t expel_participants(std::uint64_t since_version) override;
  void seat_replaced(match::ParticipantNumber number) override;
  void end_expired_participants() override;
  void end_participant(match::ParticipantNumber number, const Status& status);

  void read_aside(std::size_t bytes);
  /// `bytes`: so many it has on the wire. `large`: what it is of; null: it is small.
  void take_request(const LargeMessage::Request& request, std::size_t bytes, LargeMessage* large = nullptr);
  /// A participant that comes back takes no more than it had.
  bool needs_memory() const override { return false; }
  void on_first_message(const v1::PlayRequest& request);
  void join(runtime::MatchHost& host, runtime::SubscriptionOptions options);
  void rejoin(runtime::MatchHost& host, runtime::SubscriptionOptions options);
  void sit_down(runtime::MatchHost& host, const runtime::Seating& seating,
                const std::optional<runtime::ResumePoint>& seen);
  void on_further_join(const v1::Join& message);
  std::optional<Status> find_error(const v1::Join& message) const;
  /// By which ticket a further join comes: `further_` from then on.
  Status let_in_further(const v1::Join& message);
  /// Of the last further join.
  const identity::Principal& further_principal() const {
    return further_ ? further_->principal : principal();
  }
  void on_refresh(const v1::TicketRefresh& message);
  void on_world(const v1::WorldInterest& message);
  static bool has_room_for_observer(const runtime::MatchHost& host,
                                    const runtime::SubscriptionOptions::World& asked, std::uint64_t own_id);
  Status join_also(const v1::Join& message);
  Status rejoin_also(const v1::Join& message);
  void sit_down_also(const runtime::Seating& seating);
  void tell_refusal(const std::string& name, const Status& refusal);
  void refuse_refresh(const Status& refusal);
  void on_message(const v1::PlayRequest& request);
  void on_frame(const v1::Frame& message);
  void on_frames(const v1::Frames& message);
  void add_own(v1::TickUpdate& update) override { arrivals_.tell(update, join_.is_shared()); }
  void on_leave(const v1::Leave& message);
  /// Of a seat, beside the address of the stream, which may be shared by seats of several.
  runtime::Payers payers_of(const identity::Principal& holder) const;
  void pay_again(runtime::MatchHost& host, match::ParticipantNumber number,
                 const identity::Principal& holder);
  void take_write_budget(std::size_t bytes);
  bool may_have_tags(match::ParticipantNumber number, const match::Frame& frame);
  bool is_within_quota(match::ParticipantNumber number, match::Tick frame_tick);
  bool is_within_write_budgets(match::ParticipantNumber number, const v1::Frame& message);
  bool is_within_byte_limits(match::ParticipantNumber number, const v1::Frame& message);
  void on_clock_control(const v1::ClockControl& message);
  void refuse_malformed(match::ParticipantNumber number, match::Tick frame_tick, std::string field,
                        std::string message);
  /// Of no frame in particular: it goes to the participant that has been here longest.
  void refuse_malformed(match::Tick frame_tick, std::string field, std::string message);

  bool has_joined_ = false;
  bool is_half_closed_ = false;
  runtime::Duration waited_{};        ///< The last message, before it was read.
  bool is_answering_ = false;         ///< A further join, before the next message is read.
  v1::Join join_;                     ///< The first.
  std::optional<Admission> further_;  ///< Of the last further join, if it had a ticket of its own.
  StreamParticipants participants_;
  LargeMessage* large_ = nullptr;  ///< While it is taken.
  PlayQuota quota_;
  FrameArrivals arrivals_;
  runtime::ByteBudget world_asks_;  ///< As many as may still come.
};

}  // namespace sweepd::session
