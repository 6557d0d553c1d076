// SPDX-License-Identifier: MIT
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

#include "base/visible_text.h"

namespace sweepd::tools {

using base::visible;

/// Passes text on to another buffer with what terminals obey spelled out (base/visible_text.h), ends of
/// lines and tabs excepted.
class VisibleBuffer final : public std::streambuf {
 public:
  explicit VisibleBuffer(std::streambuf& target) : target_(target) {}
  ~VisibleBuffer() override;

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override { return target_.pubsync(); }

 private:
  bool pass_on(std::string_view text);

  std::streambuf& target_;
  std::string unfinished_;  ///< The beginning of a character.
};

/// While this lives, all that the program prints to std::cout and std::cerr is visible text: servers and
/// files name matches, participants, layers and reasons as they like. One at a time.
class VisibleOutput {
 public:
  VisibleOutput();
  ~VisibleOutput();
  VisibleOutput(const VisibleOutput&) = delete;
  VisibleOutput& operator=(const VisibleOutput&) = delete;

 private:
  std::streambuf* const out_;
  std::streambuf* const err_;
  VisibleBuffer visible_out_;
  VisibleBuffer visible_err_;
};

/// Puts `line` in the place of the terminal's last line, which stderr leads to.
void rewrite_terminal_line(std::string_view line);

}  // namespace sweepd::tools
