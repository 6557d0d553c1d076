// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "sweepd/types.h"

namespace sweepd::demo {

/// Tells encounters in words, no faster than they can be read, and counts all of them.
class Report {
 public:
  /// `name_of` says what an object is, part included: "boss (cannon)".
  using NameOf = std::function<std::string(ObjectId id, std::uint32_t layer, std::uint32_t part)>;

  Report(MatchConfig config, NameOf name_of);

  void tell(const Event& event);
  void tell_news(Tick tick, const std::string& news);
  void print_counts() const;

  std::uint64_t enters() const { return enters_; }
  std::uint64_t exits() const { return exits_; }

 private:
  bool may_print();
  std::string words_of(const Event& event) const;

  MatchConfig config_;
  NameOf name_of_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts_;  ///< By layers, the lower first.
  std::chrono::steady_clock::time_point next_print_;
  std::uint64_t unprinted_ = 0;
  std::uint64_t enters_ = 0;
  std::uint64_t exits_ = 0;
};

}  // namespace sweepd::demo
