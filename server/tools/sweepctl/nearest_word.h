// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sweepd::tools {

/// Which of `known` was probably meant by `word`, which is none of them; empty where none is close.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

/// "did you mean \"layers\"?", or where none is close "known are a, b and c".
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// "a, b or c"
std::string listed(const std::vector<std::string>& words, const std::string& last_separator = " or ");

}  // namespace sweepd::tools
