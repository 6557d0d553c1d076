// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "runtime/budgets/budget_key.h"
#include "session/gate.h"
#include "wire/frame_codec.h"

namespace sweepd::session {

/// A participant and what its stream keeps of it.
struct StreamParticipant {
  match::ParticipantNumber number = 0;
  std::string name;
  std::string token;
  runtime::BudgetKey owner = {};            ///< Of the seat.
  std::optional<Admission> admission = {};  ///< By a ticket of its own; nothing: by the stream's.
  wire::FrameDecoder decoder = {};
};

/// The participants on one stream: one, or several if it is shared.
class StreamParticipants {
 public:
  static constexpr std::size_t kParticipantsMax = 64;

  void add(StreamParticipant participant) {
    SWEEPD_ASSERT(!is_full());
    all_.push_back(std::move(participant));
  }
  void remove(match::ParticipantNumber number) {
    std::erase_if(all_, [number](const StreamParticipant& one) { return one.number == number; });
  }

  /// Null: not one of these, or not any more.
  StreamParticipant* find(match::ParticipantNumber number) {
    const auto it = std::ranges::find(all_, number, &StreamParticipant::number);
    return it == all_.end() ? nullptr : &*it;
  }
  /// Whose own tickets are good no more.
  std::vector<match::ParticipantNumber> expired(const Gate& gate) {
    std::vector<match::ParticipantNumber> numbers;
    for (StreamParticipant& one : all_)
      if (one.admission && !gate.is_still_good(*one.admission)) numbers.push_back(one.number);
    return numbers;
  }
  /// The one that has been here longest. There is one as long as the stream goes on.
  StreamParticipant& first() { return all_.front(); }
  bool has_name(std::string_view name) const {
    return std::ranges::find(all_, name, &StreamParticipant::name) != all_.end();
  }
  bool is_full() const { return all_.size() == kParticipantsMax; }
  /// In the order in which they joined.
  const std::vector<StreamParticipant>& all() const { return all_; }

 private:
  std::vector<StreamParticipant> all_;
};

}  // namespace sweepd::session
