// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sweepd::verification {

/// The program that the build says is the server's, which is that of its verifiers.
inline std::string verifier_program() {
  const char* program = std::getenv("SWEEPD_BINARY");
  if (program == nullptr) throw std::runtime_error("SWEEPD_BINARY is not set: run this through ctest");
  return program;
}

}  // namespace sweepd::verification
