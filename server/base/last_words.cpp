// SPDX-License-Identifier: MIT
#include "base/last_words.h"

#include <cstdio>

namespace sweepd::base {
namespace {

LastWords last_words = nullptr;

}  // namespace

void set_last_words(LastWords say) { last_words = say; }

void say_last_words(const char* what) {
  const LastWords say = last_words;
  if (say != nullptr && say(what)) return;
  std::fprintf(stderr, "%s\n", what);
}

}  // namespace sweepd::base
