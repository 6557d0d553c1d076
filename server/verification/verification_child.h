// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace sweepd::verification {

// How a program and the verifier that it starts deal with each other. The verifier is started with these
// arguments: kVerifierArgument, the process id of its parent, and its limits, seconds of a processor and
// bytes of address space, 0 for none. It has the replay as a file on descriptor 0, writes its
// findings (verifier_findings.h) and a v1::VerifyReplayResponse to 1 and errors to 2, has the
// v1::VerificationOptions as a file on 3, and exits with 0 when it has answered.
inline constexpr const char* kVerifierArgument = "--verify-stdin";
inline constexpr std::size_t kVerifierArguments = 5;  ///< With the program's name.
inline constexpr int kVerifierOptions = 3;

// Its exit codes, where it has no answer.
inline constexpr int kVerifierCannotStart = 70;
inline constexpr int kVerifierOutOfMemory = 71;
inline constexpr int kVerifierBroken = 72;
inline constexpr int kVerifierHopeless = 73;  ///< By its pace it would take many times what it may.

/// Whether these arguments of a program say that it has been started as a verifier.
bool is_verifier(std::span<char* const> arguments);

/// What is left to do for such a program. To be called before there are other threads. Never returns.
[[noreturn]] void be_verifier(std::span<char* const> arguments);

}  // namespace sweepd::verification
