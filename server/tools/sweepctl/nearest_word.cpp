// SPDX-License-Identifier: MIT
#include "tools/sweepctl/nearest_word.h"

#include <algorithm>
#include <numeric>

namespace sweepd::tools {
namespace {

// How many characters have to be added, left out or changed (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kBytesMax = 64;  // More is no typing error; the time stays short.
  if (word.size() > kBytesMax) return {};
  std::string nearest;
  std::size_t least = word.size() / 3 + 2;  // One more than what still is a slip of the pen.
  for (const std::string& candidate : known) {
    const std::size_t slips = distance(word, candidate);
    if (slips >= least || slips >= candidate.size()) continue;
    least = slips;
    nearest = candidate;
  }
  return nearest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  if (!nearest.empty()) return "did you mean \"" + nearest + "\"?";
  return "known are " + listed(known, " and ");
}

std::string listed(const std::vector<std::string>& words, const std::string& last_separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last_separator : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace sweepd::tools
