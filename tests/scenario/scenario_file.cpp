// SPDX-License-Identifier: MIT
#include "scenario/scenario_file.h"

#include <sstream>
#include <stdexcept>

namespace sweepd::scenario {
namespace {

constexpr char kSeparator[] = "----";

bool is_text(const std::string& line) { return line.empty() || line.front() == '#'; }

std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  std::istringstream stream(content);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Reads the block that begins at `next` and sets `next` to the line after it.
Block parse_block(const std::vector<std::string>& lines, std::size_t& next) {
  Block block;
  block.line = next + 1;
  while (next < lines.size() && lines[next] != kSeparator) {
    if (lines[next].empty())
      throw std::runtime_error("line " + std::to_string(next + 1) + ": a block without ----");
    if (!is_text(lines[next])) block.commands.push_back(lines[next]);
    ++next;
  }
  if (next == lines.size()) throw std::runtime_error("the last block is without ----");
  ++next;
  while (next < lines.size() && !lines[next].empty()) block.expected.push_back(lines[next++]);
  return block;
}

}  // namespace

std::vector<Block> parse_scenario(const std::string& content) {
  const std::vector<std::string> lines = lines_of(content);
  std::vector<Block> blocks;
  for (std::size_t next = 0; next < lines.size();) {
    if (!is_text(lines[next])) {
      blocks.push_back(parse_block(lines, next));
      continue;
    }
    if (blocks.empty() || !blocks.back().commands.empty())
      blocks.push_back({.line = next + 1, .commands = {}, .expected = {}, .text = {}});
    blocks.back().text.push_back(lines[next++]);
  }
  return blocks;
}

std::string render_scenario(const std::vector<Block>& blocks) {
  std::string content;
  const auto add = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) content += line + "\n";
  };
  for (const Block& block : blocks) {
    add(block.text);
    if (block.commands.empty()) continue;
    add(block.commands);
    content += std::string(kSeparator) + "\n";
    add(block.expected);
  }
  return content;
}

}  // namespace sweepd::scenario
