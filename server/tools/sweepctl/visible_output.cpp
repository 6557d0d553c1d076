// SPDX-License-Identifier: MIT
#include "tools/sweepctl/visible_output.h"

#include <unistd.h>

#include <iostream>
#include <utility>

namespace sweepd::tools {

VisibleBuffer::~VisibleBuffer() { pass_on(unfinished_); }

VisibleBuffer::int_type VisibleBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char byte = traits_type::to_char_type(character);
  return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

std::streamsize VisibleBuffer::xsputn(const char* text, std::streamsize size) {
  std::string all = std::move(unfinished_);
  all.append(text, static_cast<std::size_t>(size));
  const std::size_t whole = all.size() - base::unfinished_bytes(all);
  unfinished_ = all.substr(whole);
  return pass_on(std::string_view(all).substr(0, whole)) ? size : 0;
}

bool VisibleBuffer::pass_on(std::string_view text) {
  std::string out;
  base::append_visible_lines(out, text);
  const auto size = static_cast<std::streamsize>(out.size());
  return target_.sputn(out.data(), size) == size;
}

VisibleOutput::VisibleOutput()
    : out_(std::cout.rdbuf()), err_(std::cerr.rdbuf()), visible_out_(*out_), visible_err_(*err_) {
  std::cout.rdbuf(&visible_out_);
  std::cerr.rdbuf(&visible_err_);
}

VisibleOutput::~VisibleOutput() {
  std::cout.flush();
  std::cout.rdbuf(out_);
  std::cerr.rdbuf(err_);
}

void rewrite_terminal_line(std::string_view line) {
  const std::string text = "\r\033[K" + visible(line);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace sweepd::tools
