// SPDX-License-Identifier: MIT
#include "replay/compression.h"

#include <zstd.h>

#include "base/assert.h"

namespace sweepd::replay {

std::string compress(std::string_view bytes, int level) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), level);
  SWEEPD_ASSERT(!ZSTD_isError(size));
  frame.resize(size);
  return frame;
}

std::uint64_t unpacked_bytes(std::string_view frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  const bool is_known = size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR;
  return is_known ? size : 0;
}

std::optional<std::string> decompress(std::string_view frame, std::size_t bytes_max) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > bytes_max)
    return std::nullopt;
  // One frame and nothing behind it: further bytes would have no meaning.
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t written = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(written) || written != bytes.size()) return std::nullopt;
  return bytes;
}

}  // namespace sweepd::replay
