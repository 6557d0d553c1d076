// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>

#include <chrono>
#include <cstddef>
#include <list>

#include "runtime/clock.h"

namespace sweepd::rpc {

/// Answers that gRPC has and whose clients have not taken them yet. One that is not taken in time is
/// cancelled. All have the same time, so they are kept in the order of their deadlines. For one thread.
class AnswerDeadlines {
 public:
  static constexpr std::chrono::seconds kTime{15};

  struct Answer {
    grpc::ServerContext* context;  ///< Null: it has been cancelled.
    runtime::TimePoint deadline;
  };
  using Place = std::list<Answer>::iterator;

  Place add(grpc::ServerContext& context, runtime::TimePoint now) {
    return answers_.insert(answers_.end(), {&context, now + kTime});
  }
  /// The answer has been taken, or its call is over.
  void remove(Place place) { answers_.erase(place); }

  /// Cancels those whose time is over; how many those are. To be called about once a second.
  std::size_t cancel_overdue(runtime::TimePoint now) {
    std::size_t cancelled = 0;
    for (Answer& answer : answers_) {
      if (answer.deadline > now) break;
      if (answer.context == nullptr) continue;
      answer.context->TryCancel();
      answer.context = nullptr;
      ++cancelled;
    }
    return cancelled;
  }

 private:
  std::list<Answer> answers_;
};

}  // namespace sweepd::rpc
