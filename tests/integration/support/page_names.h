// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sweepd::test {

/// Files of the project and folders of builds in a text that do not exist.
std::vector<std::string> unknown_files(const std::string& text);

/// What of commands of a shell does not exist: those files, a program of ours, its commands and options, a
/// preset, target or test. Words in capitals stand for what the reader puts there.
std::vector<std::string> unknown_names(const std::string& commands);

/// Whether it begins with a program that unknown_names() knows the words of.
bool is_known_program(const std::string& word);

}  // namespace sweepd::test
