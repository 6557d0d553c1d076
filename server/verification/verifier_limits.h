// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace sweepd::verification {

/// What verifications may take of a machine. The defaults are the contract's; tests wait less.
struct VerifierLimits {
  /// Started as a verifier (verification_child.h) for each verification. Empty: the program that runs.
  std::string program = {};

  /// Of each verifier; 0: no limit. What even a match that never waits for anything may take of a processor.
  std::chrono::seconds processor_time{300};
  /// Of address space; 0: no limit. A match of the most objects that a config may ask for takes a fraction of
  /// it, unless all of them are on one spot.
  std::size_t memory_bytes = std::size_t{2} << 30;

  /// In each of these so many bytes of a replay have to come, or its last ones: an upload that stands still
  /// would keep others out.
  std::chrono::milliseconds upload_window{10'000};
  std::size_t upload_window_bytes = std::size_t{16} << 10;
  std::chrono::milliseconds upload_time{300'000};  ///< From the call's beginning to its last byte.
  std::chrono::milliseconds queue_time{120'000};   ///< From there until a verifier is free.
  std::chrono::milliseconds run_time{300'000};     ///< By the clock on the wall.
  /// Of the run time: beyond it a verification ends where others wait, of other addresses.
  std::chrono::milliseconds share_time{30'000};
  std::chrono::milliseconds answer_time{60'000};  ///< Until the client has taken the answer.

  std::size_t processes = 1;       ///< That run at once.
  std::size_t waiting = 32;        ///< That wait for one of those.
  std::size_t uploads = 16;        ///< On their way to the server at once.
  std::size_t calls_per_peer = 4;  ///< From one address, until their answers are taken.
};

}  // namespace sweepd::verification
