// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frame_draft.h"
#include "play_stream.h"
#include "sweepd/session.h"
#include "token_text.h"

namespace sweepd {

/// A session's half on the game's thread: the frame in progress and the ids. The other half is the stream.
class Session::Impl final : public internal::DraftSource {
 public:
  /// The sessions on a stream, in the order in which they came. For the game's thread.
  using OnStream = std::vector<Impl*>;

  Impl(std::shared_ptr<internal::Network> network, std::shared_ptr<internal::PlayStream> stream,
       std::shared_ptr<internal::PlaySeat> seat, std::shared_ptr<OnStream> on_stream)
      : network_(std::move(network)),
        stream_(std::move(stream)),
        seat_(std::move(seat)),
        on_stream_(std::move(on_stream)) {
    on_stream_->push_back(this);
  }
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  internal::PlayStream& stream() { return *stream_; }
  internal::Subscription& subscription() { return stream_->subscription(); }
  SessionState state() { return seat_->state(subscription().state()); }
  Status error();
  std::optional<Participant> participant();
  std::shared_ptr<Impl> join_also(const std::string& name, Role role, const std::string& reconnect_token);
  std::string reconnect_token() const { return internal::token_text(seat_->token()); }
  Status end_frame(Tick tick);
  Status end_frames(Tick tick);
  void leave();
  /// The ids of a participant of this stream; without a number of the first that is here. Null: of none.
  internal::ObjectIds* ids_of(std::optional<ParticipantNumber> number);
  const OnStream& on_stream() const { return *on_stream_; }

  internal::ObjectIds& ids() { return draft_.ids; }

  internal::FrameDraft* draft(Status* why) override;
  const char* owner() const override { return "session"; }
  std::string all_ids(const internal::ObjectIds& block) const override;

  Status control_clock(const ClockControl& control);
  Status refresh_ticket(const std::string& ticket);
  Status ask_for_world(const WorldInterest& interest);

 private:
  bool is_joined();
  /// Before every change: whether there is a seat to make it from.
  Status check_joined();
  bool has_company() const;

  std::shared_ptr<internal::Network> network_;  ///< The last to go: the stream is on it.
  std::shared_ptr<internal::PlayStream> stream_;
  std::shared_ptr<internal::PlaySeat> seat_;
  std::shared_ptr<OnStream> on_stream_;
  bool has_seat_ = false;  ///< draft_ knows the match.
  internal::FrameDraft draft_;
};

}  // namespace sweepd
