// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sweepd::verification {

// How a server and the verifier that it starts deal with each other. The verifier is started with this
// argument and the server's process id. It has the replay as a file on descriptor 0, writes a
// v1::VerifyReplayResponse to 1 and errors to 2, has the v1::VerificationOptions as a file on 3, and exits
// with 0 when it has answered.
inline constexpr const char* kVerifierArgument = "--verify-stdin";
inline constexpr int kVerifierOptions = 3;

// Its exit codes, where it has no answer.
inline constexpr int kVerifierCannotStart = 70;
inline constexpr int kVerifierOutOfMemory = 71;
inline constexpr int kVerifierBroken = 72;
inline constexpr int kVerifierHopeless = 73;  ///< By its pace it would take many times what it may.

/// What even a match that never waits for anything may take of a processor.
inline constexpr int kVerifierProcessorSecondsMax = 300;

/// Of address space: a match of the most objects that a config may ask for takes a fraction of it, unless all
/// of them are on one spot.
inline constexpr std::size_t kVerifierMemoryBytesMax = std::size_t{2} << 30;

/// Is a verifier: what is left to do for a program that has been started as one. `parent`: the second
/// argument. To be called before there are other threads. Never returns.
[[noreturn]] void be_verifier(const char* parent);

}  // namespace sweepd::verification
