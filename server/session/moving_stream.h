// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <utility>

#include "runtime/feed/subscriber.h"
#include "runtime/match/match_host.h"
#include "session/stream.h"

namespace sweepd::session {

/// A stream that lives on one loop, its home: first the one that accepted it, then that of its match,
/// wherever that moves. What its pipe tells is posted to its home, so that its state is touched by one thread
/// only. `home_` is written by the thread of the loop that it names until then, and read by every thread that
/// passes an event on: so the home does not change while its own thread handles an event. If the home loop
/// has changed, the event is reposted.
///
/// An event that is posted on may be overtaken by one that went straight to the new home, but never by one of
/// its own kind: of each kind there is one under way at most, as the next read or write is begun when the one
/// before has been handled. Between kinds there is no order, and nothing here relies on one: kDone may come
/// before a read or write that it has ended, and the stream goes when it has all its events back.
class MovingStream : public Stream, public runtime::Subscriber {
 public:
  /// An event of the pipe. On the accepting loop's thread, or on that of its home.
  void ended(StreamEvent event, bool ok);

 protected:
  MovingStream(MatchLoop& accepting, Pipe& pipe, const char* name, std::string rpc)
      : Stream(accepting, pipe, name, std::move(rpc)), home_(&accepting) {}

  /// The call has come to the loop of its match.
  virtual void attach(runtime::MatchHost& host) = 0;
  /// OK, or why the caller may not follow that match.
  virtual Status find_refusal_of(const runtime::MatchHost& host) const = 0;
  /// Attaching may take milliseconds: it is done in a slice of long work.
  virtual bool is_long_to_attach() const { return false; }
  /// It looks for no match any more.
  virtual bool is_over() const = 0;

  MatchLoop& home() const { return *home_.load(); }

  /// Goes on in `attach` on the loop of the match, or ends the call. `id` stays while the call does.
  void move_to_match(const runtime::MatchId& id) { look_for_match(id, 0); }

  /// Runs `work` at home, wherever that is by then, as what ends an event. From any thread; of what is no
  /// event of the pipe's, of a stream that has left its match.
  template <typename Work>
  void end_event(Work work) {
    post_home([this, work] {
      forget_event();
      work();
      release();
    });
  }
  void end_event() {
    end_event([] {});
  }

 private:
  void match_moved(std::size_t loop) final;
  /// To another loop, whose thread may end it before this returns: touch nothing of it afterwards.
  void leave_thread(MatchLoop& target, const runtime::MatchId& id, int looks);
  void end_event_at_home(std::function<void()> work) final;
  void handle(StreamEvent event, bool ok);
  template <typename Work>
  void end_event_here(const Work& work);
  bool look_for_match(const runtime::MatchId& id, int looks);
  void attach_in_slice(const runtime::MatchId& id, int looks);
  void attach_if_allowed(runtime::MatchHost& host);
  void come_to_match(const runtime::MatchId& id, int looks);
  void release();

  template <typename Work>
  void post_home(Work work) {
    MatchLoop* const home = home_;
    home->loop().post([this, home, work] {
      if (home_ == home) return work();
      post_home(work);
    });
  }

  std::atomic<MatchLoop*> home_;
  bool* has_left_ = nullptr;  ///< Of the event that is being handled: set when the stream leaves in it.
};

}  // namespace sweepd::session
