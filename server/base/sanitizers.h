// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::base {

// What the code is compiled with. clang answers by __has_feature, g++ by macros.
#if defined(__has_feature)
#define SWEEPD_HAS_FEATURE(name) __has_feature(name)
#else
#define SWEEPD_HAS_FEATURE(name) 0
#endif

#if SWEEPD_HAS_FEATURE(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kHasAddressSanitizer = true;
#else
inline constexpr bool kHasAddressSanitizer = false;
#endif

#if SWEEPD_HAS_FEATURE(thread_sanitizer) || defined(__SANITIZE_THREAD__)
inline constexpr bool kHasThreadSanitizer = true;
#else
inline constexpr bool kHasThreadSanitizer = false;
#endif

/// A sanitizer takes address space, memory and system calls for itself, and much time.
inline constexpr bool kHasSanitizer = kHasAddressSanitizer || kHasThreadSanitizer;

#undef SWEEPD_HAS_FEATURE

}  // namespace sweepd::base
