// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <variant>

#include "base/assert.h"

namespace sweepd::base {

/// A value, or the error that stands in its place. For bad data and remote errors; broken invariants are assertions.
template <typename Value, typename Error>
class [[nodiscard]] Result {
 public:
  Result(Value value) : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  Value& value() {
    SWEEPD_ASSERT(ok());
    return std::get<0>(content_);
  }
  const Value& value() const {
    SWEEPD_ASSERT(ok());
    return std::get<0>(content_);
  }
  const Error& error() const {
    SWEEPD_ASSERT(!ok());
    return std::get<1>(content_);
  }

  Value& operator*() { return value(); }
  const Value& operator*() const { return value(); }
  Value* operator->() { return &value(); }
  const Value* operator->() const { return &value(); }

 private:
  std::variant<Value, Error> content_;
};

}  // namespace sweepd::base
