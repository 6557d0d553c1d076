// SPDX-License-Identifier: MIT
#include "runtime/random_bytes.h"

#include <openssl/rand.h>

#include "base/assert.h"

namespace sweepd::runtime {

void fill_with_random_bytes(void* bytes, std::size_t size) {
  const int result = RAND_bytes(static_cast<unsigned char*>(bytes), static_cast<int>(size));
  SWEEPD_ASSERT(result == 1);  // Without randomness there are no secrets: better no server than one without.
}

}  // namespace sweepd::runtime
