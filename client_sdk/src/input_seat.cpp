// SPDX-License-Identifier: MIT
#include <utility>

#include "input_log_impl.h"

namespace sweepd {
namespace {

Status no_seat() { return {ErrorCode::kNotJoined, "the participant has left, or the log is finished"}; }

}  // namespace

class InputSeat::Source final : public internal::DraftSource {
 public:
  Source(std::shared_ptr<InputLog::Impl> log, ParticipantNumber number)
      : log_(std::move(log)), number_(number) {}

  internal::FrameDraft* draft(Status* why) override {
    auto* const seat = log_->find(number_);
    if (seat == nullptr) *why = no_seat();
    return seat == nullptr ? nullptr : &seat->draft;
  }
  const char* owner() const override { return "participant"; }
  std::string all_ids(const internal::ObjectIds&) const override { return "of the participant's block"; }

 private:
  std::shared_ptr<InputLog::Impl> log_;
  ParticipantNumber number_;
};

InputSeat::InputSeat(std::shared_ptr<InputLog::Impl> log, ParticipantNumber number)
    : FrameAuthor(std::make_shared<Source>(log, number)), log_(std::move(log)), number_(number) {}

ObjectId InputSeat::first_id() const {
  const auto* seat = log_->find(number_);
  return seat == nullptr ? 0 : seat->draft.ids.first();
}

ObjectId InputSeat::last_id() const {
  const auto* seat = log_->find(number_);
  return seat == nullptr ? 0 : seat->draft.ids.last();
}

Status InputSeat::end_frame(Tick tick) {
  return log_->find(number_) == nullptr ? no_seat() : log_->add_frame(number_, tick);
}

Status InputSeat::leave() { return log_->find(number_) == nullptr ? no_seat() : log_->leave(number_); }

}  // namespace sweepd
