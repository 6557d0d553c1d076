// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>

namespace sweepd::fuzz {

/// One way to read bytes. `run` aborts where what it reads breaks a promise.
struct Decoder {
  const char* name;
  void (*run)(std::string_view bytes);
};

/// The first byte of an input chooses the decoder, the others are what it reads. Seeds begin with the number
/// of a row: new rows go to the end.
inline int run_decoder(std::span<const Decoder> table, const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  table[data[0] % table.size()].run({reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}

/// So that who has an input that fails knows what it is for.
inline int print_table(std::span<const Decoder> table) {
  std::fputs("decoders by first byte:", stderr);
  for (std::size_t i = 0; i < table.size(); ++i) std::fprintf(stderr, " %zu %s", i, table[i].name);
  std::fputs("\n", stderr);
  return 0;
}

}  // namespace sweepd::fuzz

/// The entry points of a fuzzer of the decoders in `table`.
#define SWEEPD_FUZZ_DECODERS(table)                                                               \
  extern "C" int LLVMFuzzerInitialize(int*, char***) { return sweepd::fuzz::print_table(table); } \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {             \
    return sweepd::fuzz::run_decoder(table, data, size);                                          \
  }
