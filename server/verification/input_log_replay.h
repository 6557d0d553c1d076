// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "replay/record_reader.h"

namespace sweepd::verification {

/// The run that an input log describes as a replay (.swpr), which has no id and no receipt: for all that is
/// done with replays. The fault where the log cannot be read, or its run is not what it says. As long a run
/// as there may be takes some hundred bytes of memory a tick, and what comes into it.
base::Result<std::string, replay::FileFault> replay_of_input_log(std::string_view bytes);

}  // namespace sweepd::verification
