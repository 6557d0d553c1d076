// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sweepd::runtime {

/// Unpredictable bytes, from OpenSSL's generator. Thread-safe.
void fill_with_random_bytes(void* bytes, std::size_t size);

}  // namespace sweepd::runtime
