// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <functional>

namespace sweepd::property {

/// Chooses one of `count` possibilities, counted from 0; `count` is at least 1.
using Choose = std::function<std::uint64_t(std::uint64_t count)>;

/// Fills a message of any type by its descriptor, so that a field that is added to the contract is covered at
/// once. Numbers are mostly extremes and small ones. Columns of one message have equally many rows, and ids
/// of objects are mostly `first_id` to `first_id` + 7, so that what is said of objects often fits.
void fill_randomly(google::protobuf::Message& message, std::uint32_t first_id, const Choose& choose);

}  // namespace sweepd::property
