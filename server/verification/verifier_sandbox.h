// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sweepd::verification {

/// What keeps a verifier from doing anything but computing, should the bytes that it reads take it over.
struct Sandbox {
  /// No system call but those that computing needs: no file is opened, no socket made, no process started, no
  /// memory made executable; only what is open already is written to.
  bool has_seccomp = false;
  bool has_landlock = false;  ///< No file is opened by its name, by any system call.

  bool is_whole() const { return has_seccomp && has_landlock; }
  /// What is missing, for people; empty: nothing.
  std::string missing() const;
};

/// What of it this system has: kernels and containers differ.
Sandbox available_sandbox();

/// Confines this process for good: with NoNewPrivs, and with those parts of `wanted` that can be had. False:
/// one that available_sandbox() has cannot be had. With seccomp, `write` works on descriptors 1 and 2 alone.
/// To be called before there are other threads.
bool enter_sandbox(const Sandbox& wanted);

}  // namespace sweepd::verification
