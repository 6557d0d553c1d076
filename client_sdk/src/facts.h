// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <tuple>

#include "recent.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// What few ticks bring beside events, of each kind the newest. Each says of which tick it is.
class Facts {
 public:
  /// Takes what an update tells.
  void put(const v1::TickUpdate& update);

  /// Those of later ticks did not happen.
  void undo(Tick after_tick);

  template <typename Fact>
  std::optional<Fact> take() {
    return std::get<Recent<Fact>>(recent_).take();
  }

 private:
  template <typename Messages>
  void put_all(const Messages& messages);

  std::tuple<Recent<Destruction>, Recent<OwnerChange>, Recent<LateReport>, Recent<AppMessage>> recent_;
};

}  // namespace sweepd::internal
