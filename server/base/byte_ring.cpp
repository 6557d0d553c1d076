// SPDX-License-Identifier: MIT
#include "base/byte_ring.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::base {

void ByteRing::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (size_ + bytes.size() > capacity_) move_to(tight_capacity(size_ + bytes.size()));
  const std::size_t end = (front_ + size_) % capacity_;
  const std::size_t up_to_wrap = std::min(bytes.size(), capacity_ - end);
  bytes.copy(&bytes_[end], up_to_wrap);
  bytes.substr(up_to_wrap).copy(&bytes_[0], bytes.size() - up_to_wrap);
  size_ += bytes.size();
}

/// What a burst has taken is given back when it is over.
void ByteRing::drop(std::size_t count) {
  SWEEPD_ASSERT(count <= size_);
  if (count == 0) return;
  front_ = (front_ + count) % capacity_;
  size_ -= count;
  if (tight_capacity(size_) < capacity_ / 2) move_to(size_ == 0 ? 0 : tight_capacity(size_));
}

std::string ByteRing::copy(std::size_t offset, std::size_t count) const {
  SWEEPD_ASSERT(offset <= size_);
  count = std::min(count, size_ - offset);
  if (count == 0) return {};
  const std::size_t begin = (front_ + offset) % capacity_;
  const std::size_t up_to_wrap = std::min(count, capacity_ - begin);
  std::string bytes(&bytes_[begin], up_to_wrap);
  bytes.append(&bytes_[0], count - up_to_wrap);
  return bytes;
}

void ByteRing::move_to(std::size_t capacity) {
  const std::string bytes = copy(0, size_);
  bytes_ = capacity == 0 ? nullptr : std::make_unique_for_overwrite<char[]>(capacity);
  bytes.copy(bytes_.get(), bytes.size());
  capacity_ = capacity;
  front_ = 0;
}

}  // namespace sweepd::base
