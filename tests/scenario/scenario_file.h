// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sweepd::scenario {

/// Commands and the log expected of them. Where `commands` is empty the block is text between blocks:
/// comments and blank lines, kept as they are.
struct Block {
  std::size_t line = 0;  ///< Of the first command; from 1.
  std::vector<std::string> commands;
  std::vector<std::string> expected;
  std::vector<std::string> text;
};

/// A scenario is text: comment lines (#), and blocks of commands, a line `----`, the lines expected, a blank
/// line.
std::vector<Block> parse_scenario(const std::string& content);

/// The text again, as it would be parsed from.
std::string render_scenario(const std::vector<Block>& blocks);

}  // namespace sweepd::scenario
