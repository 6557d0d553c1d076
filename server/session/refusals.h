// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "match/match.h"
#include "runtime/loop/loop_load.h"
#include "runtime/match/match_id.h"
#include "runtime/match/step_queue.h"
#include "session/message_bytes.h"
#include "session/status.h"

/// What calls and streams are refused with, each in one place.
namespace sweepd::session {

Status match_not_found(const runtime::MatchId& id);
Status server_shutting_down();
/// It was never where it was said to be.
Status match_moving(const runtime::MatchId& id);
/// A question would take more than so many tests of shapes.
Status query_too_large(std::uint32_t tests_max);
Status too_many_matches(std::size_t matches_max);
/// `loads`: of all loops, each overloaded.
Status server_overloaded(std::span<const runtime::LoadReading> loads, const runtime::LoadLimits& limits);
Status slow_reader(std::size_t events_max);
/// The same of what it is told of the world: at most so many bytes wait.
Status slow_reader_of_world(std::size_t bytes_max);
/// Of those who only look on a match tells the world in so many ways at most.
Status too_many_interests(std::size_t interests_max);
Status invalid_token(const std::string& name);
Status join_undone(const std::string& name);
Status replaced();
/// `error.field` is relative to the config.
Status invalid_config(const match::FieldError& error);
/// There are no approved rules of that name.
Status rules_not_found(const std::string& name);
/// `mismatch`: of replay::find_rules_mismatch.
Status rules_not_approved(const std::string& mismatch);
Status invalid_field(std::string reason, match::FieldError error);
/// The request could not be read at all: see parse_request.h.
Status invalid_request(match::FieldError error);
/// Nothing where a request has at most kRequestBytesMax; else it is dropped.
std::optional<Status> refuse_too_large(MessageBytes& request);
Status join_refused(match::JoinError error, const match::Join& request, const runtime::MatchId& id);
Status tick_not_known(match::Tick tick, const match::TickRange& known);
Status step_failed(runtime::StepError error, const runtime::MatchId& id);

}  // namespace sweepd::session
