// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "session/client_budget.h"
#include "session/match_loop.h"
#include "session/stream_pipe.h"

namespace sweepd::ws {

class Connection;

/// The session's side of a connection, which owns it.
class StreamEnd {
 public:
  virtual ~StreamEnd() = default;
  virtual void arrive(session::CallOrigin origin) = 0;
  virtual void tell(session::StreamEvent event, bool ok) = 0;
};

/// A stream of the contract, as connections ask for it.
struct StreamKind {
  std::string_view path;
  std::unique_ptr<StreamEnd> (*make)(Connection& connection, session::MatchLoop& home);
  /// Its client says one thing, with which it arrives.
  bool has_one_request = false;
  /// An empty message says that there are no more: a browser cannot wait for an answer once it has closed.
  bool ends_with_empty_message = false;
};

/// Null: none is there.
const StreamKind* find_stream_kind(std::string_view path);

}  // namespace sweepd::ws
