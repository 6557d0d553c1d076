// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::rpc {

/// From here on what Protobuf and gRPC have to say goes to the server's log (runtime/telemetry/log.h), as
/// lines with `library`, `file` and `line`. By themselves they write to stderr on the thread that has the
/// trouble, as often as clients cause it, and wait while stderr takes nothing: loops would stand still. While
/// there is no log, they are silent. To be called before there are other threads.
void take_library_logs();

}  // namespace sweepd::rpc
