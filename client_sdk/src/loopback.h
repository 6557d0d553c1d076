// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace sweepd::internal {

// Schemes that a server's address may begin with.
inline constexpr std::string_view kDns = "dns:///";
inline constexpr std::string_view kUnix = "unix:";

/// The host of a server or a target, without brackets: "game.example.com" of "dns:///game.example.com:7777".
/// Empty: there is none, as in "unix:PATH".
std::string host_of(std::string_view target);

/// Whether what is sent there stays on this machine: 127.0.0.0/8, ::1, localhost, unix:.
bool is_on_this_machine(std::string_view target);

}  // namespace sweepd::internal
