// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "session/aside.h"
#include "session/call_trace.h"
#include "session/client_budget.h"
#include "session/match_loop.h"
#include "session/parse_request.h"
#include "session/permission.h"
#include "session/refusals.h"

namespace sweepd::session {

template <typename Request, typename Response>
class UnaryCall;

/// A method with one request and one answer.
template <typename RequestType, typename ResponseType>
struct UnaryMethod {
  using Request = RequestType;
  using Response = ResponseType;
  using Handler = void (*)(UnaryCall<Request, Response>&);

  constexpr UnaryMethod(Handler function, bool relief = false, bool aside = false)
      : handle(function), is_relief(relief), is_handled_aside(aside) {}

  Handler handle;  ///< Runs on the accepting loop.
  bool is_relief;  ///< Takes next to no memory, or frees some: handled even where it is short.
  /// A large request of it runs on the thread that has parsed it: what it asks for is long to check.
  bool is_handled_aside;
};
template <typename Request, typename Response>
UnaryMethod(void (*)(UnaryCall<Request, Response>&), bool = false, bool = false)
    -> UnaryMethod<Request, Response>;

/// A call with one request and one answer. It stays on the loop that accepted it. Its handler answers exactly
/// once, from any thread, and touches it no more. The door's part of it, which derives, sends the answer and
/// destroys both.
template <typename Request, typename Response>
class UnaryCall {
 public:
  UnaryCall(const UnaryCall&) = delete;
  UnaryCall& operator=(const UnaryCall&) = delete;

  const Request& request() const { return request_; }
  bool is_large() const {
    return is_large_;
  }  ///< A worker has parsed it, and handles it, too, if it says so.
  Response& response() { return response_; }
  MatchLoop& home() { return home_; }
  /// Whose budgets it is charged to.
  const runtime::Payers& payers() const { return caller_.payers; }
  const identity::Principal& principal() const { return caller_.admission.principal; }
  /// As the table of rights has it.
  static const std::string& rpc() {
    static const std::string name = rpc_of(*Request::descriptor(), false);
    return name;
  }

  // For the audit log, before the answer.
  void name_match(const runtime::MatchId& id) { trace_.name_match(id); }
  void name_object(std::string object) { trace_.name_object(std::move(object)); }

  /// Told on the accepting loop if the client gives up or its deadline passes. To be set by the handler,
  /// before the call is handed on.
  void on_cancel(std::function<void()> callback) { on_cancel_ = std::move(callback); }

  /// For handlers on another loop than the accepting one: see CallTrace.
  runtime::LogScope log_scope() const { return trace_.scope(); }

  // From the loop that has the answer; the door sends it from the accepting one.
  void reply() {
    home_.run([this] { answer(); });
  }
  void fail(const Status& status) {
    trace_.note_status(status);
    home_.run([this, status] { refuse(status); });
  }

 protected:
  explicit UnaryCall(MatchLoop& home) : home_(home) { home_.count_call(); }
  virtual ~UnaryCall() { home_.uncount_call(); }

  /// Once. Serialised within the call, which must not destroy this.
  virtual void send(const Response& answer) = 0;
  virtual void send(const Status& refusal) = 0;

  /// The call is here: handled, or refused.
  void arrive(CallOrigin origin, MessageBytes& bytes, const UnaryMethod<Request, Response>& method) {
    trace_.begin(std::move(origin.request_id), std::move(origin.peer));
    caller_ = std::move(origin.caller);
    if (home_.backend().is_shutting_down) return fail(server_shutting_down());
    const runtime::LogScope scope = log_scope();
    // First of all: what cannot be read, and who may not, is charged to its address, too.
    Status refusal = admit(bytes.size(), method.is_relief);
    if (refusal.ok()) refusal = let_in(home_.backend(), rpc(), origin.token, caller_);
    trace_.name_caller(text_of(caller_), is_known_operator(principal()));
    if (refusal.ok()) refusal = charge_bearer();
    if (!refusal.ok()) {
      bytes.drop();
      return fail(refusal);
    }
    if (const auto refusal = refuse_too_large(bytes)) return fail(*refusal);
    is_large_ = bytes.is_large();
    if (is_large_) return arrive_aside(bytes, method);
    handle(parse_request(bytes, request_), method);
  }

  /// The client has given up.
  void cancelled() {
    is_cancelled_ = true;
    if (on_cancel_) on_cancel_();
  }

 private:
  // `bytes` stay where they are until the call has been answered.
  void arrive_aside(MessageBytes& bytes, const UnaryMethod<Request, Response>& method) {
    const auto work = [this, &bytes, method] {
      const runtime::LogScope scope = log_scope();
      // Those before it may have taken what there was.
      const bool is_bound = !method.is_relief && caller_.entrance != Entrance::kAdminSocket;
      if (is_bound && home_.backend().memory.is_full()) {
        bytes.drop();
        return fail(memory_is_short(home_.backend().memory));
      }
      const auto fault = parse_request(bytes, request_);
      if (method.is_handled_aside) return handle(fault, method);
      home_.run([this, fault, method] {
        const runtime::LogScope home_scope = log_scope();
        if (is_cancelled_) return fail(Status(Code::kCancelled, "the client has given up", {}));
        handle(fault, method);
      });
    };
    if (run_aside(home_.backend(), caller_.payers, work)) return;
    bytes.drop();
    fail(server_shutting_down());
  }

  void handle(const std::optional<match::FieldError>& fault, const UnaryMethod<Request, Response>& method) {
    if (fault) return fail(invalid_request(*fault));
    if constexpr (requires { request_.match_id(); }) trace_.name_match(request_.match_id());
    method.handle(*this);
  }

  /// "GetMatch" of GetMatchRequest.
  static std::string_view name() {
    const std::string_view request = Request::descriptor()->name();
    return request.substr(0, request.rfind("Request"));
  }

  Status admit(std::size_t bytes, bool is_relief) {
    Backend& backend = home_.backend();
    // Not bound by what strangers take: operators must be able to stop them.
    if (caller_.entrance == Entrance::kAdminSocket) return {};
    if (!is_relief && backend.memory.is_full()) return memory_is_short(backend.memory);
    caller_.count_message(bytes);
    auto place = take(backend, caller_.payers, runtime::Resource::kCalls);
    if (!place) return place.error();
    place_ = std::move(*place);
    if (const Status full = find_room(); !full.ok()) return full;
    return take_memory(bytes);
  }

  /// What its address has paid for, the bearer of a ticket and its tenant pay for as well.
  Status charge_bearer() {
    runtime::Budgets& budgets = home_.backend().budgets;
    runtime::Payers bearer = caller_.payers;
    bearer.remove(runtime::KeyKind::kAddress);
    for (BudgetShare* const share : {&place_, &memory_})
      if (const auto excess = budgets.charge_also(*share, bearer)) return over_budget(*excess);
    return {};
  }

  // Before work goes into an answer that would not be let out: a client that takes none has none of this.
  Status find_room() {
    constexpr std::size_t kPartOfBudget = 16;
    runtime::Budgets& budgets = home_.backend().budgets;
    const auto bytes = budgets.limit(runtime::Resource::kBytes).of_key[runtime::KeyKind::kAddress];
    const auto room = budgets.take(caller_.payers, runtime::Resource::kBytes, bytes / kPartOfBudget);
    return room ? Status{} : over_budget(room.error());
  }

  // Of the request until it is answered, then of the answer until it is taken.
  Status take_memory(std::size_t bytes) {
    memory_ = {};
    auto share = take_message(home_.backend(), caller_.payers, bytes);
    if (!share) return share.error();
    memory_ = std::move(*share);
    return {};
  }

  void answer() {
    if (const Status refusal = take_memory(response_.ByteSizeLong()); !refusal.ok()) {
      trace_.note_status(refusal);
      return refuse(refusal);
    }
    trace_.note_status(Status{});
    send(response_);
    forget_messages();
  }

  void refuse(const Status& status) {
    send(status);
    forget_messages();
  }

  // The door has the answer as bytes: once is enough.
  void forget_messages() {
    if (is_large_) {
      const auto messages = std::make_shared<std::pair<Request, Response>>();
      messages->first.Swap(&request_);
      messages->second.Swap(&response_);
      return free_aside(home_.backend(), caller_.payers, messages);
    }
    Request().Swap(&request_);
    Response().Swap(&response_);
  }

  MatchLoop& home_;
  Request request_;
  Response response_;
  std::function<void()> on_cancel_;
  CallTrace trace_{name()};
  Caller caller_;
  BudgetShare place_;
  BudgetShare memory_;
  bool is_large_ = false;
  bool is_cancelled_ = false;
};

}  // namespace sweepd::session
