// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::base {

/// Deleter of a C library's objects, which have functions of their own to free them:
/// std::unique_ptr<T, FreeBy<T_free>>.
template <auto kFree>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

}  // namespace sweepd::base
