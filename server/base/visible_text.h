// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sweepd::base {

// Text from strangers, made safe for terminals and logs. Unsafe are control characters of ASCII and Latin-1
// (terminals obey them), ends of lines and paragraphs, what turns the direction of writing, and what looks
// like nothing or like a space and is none: two names that look alike would be two. They become \u001b and
// the like, in two halves (\udb40\udc01) past \uffff; each byte that is no UTF-8 becomes \ufffd.

/// Whether all of `text` is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// `text` on one line, with no character that a terminal obeys.
std::string visible(std::string_view text);

/// Appends the same of `text`, which may be several lines: \n and \t stay.
void append_visible_lines(std::string& out, std::string_view text);

/// How many bytes at the end of `text` begin a character of UTF-8 whose rest may still come: 0 to 3.
std::size_t unfinished_bytes(std::string_view text);

/// Appends `text` as it may stand in JSON's quotes: as `visible`, and with quotes and backslashes escaped.
/// At most `bytes_max` bytes of it; "…" stands for the rest.
void append_escaped(std::string& out, std::string_view text, std::size_t bytes_max);

/// A name in quotes, in which it cannot end, so that no name passes for more than a name: `append_escaped`
/// between quotes, of kQuotedBytesMax bytes at most.
std::string quoted(std::string_view name);
inline constexpr std::size_t kQuotedBytesMax = 512;

}  // namespace sweepd::base
