// SPDX-License-Identifier: MIT
#include "integration/support/page_names.h"

#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "integration/support/process.h"
#include "source_tree.h"

namespace sweepd::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }
fs::path binaries() { return fs::path(required_environment("SWEEPD_BINARY")).parent_path(); }

/// Programs of others: of what they are told only our files, presets and targets are looked up.
const std::set<std::string> kForeign = {"cmake", "ctest", "dotnet", "doxygen", "git",
                                        "mkdir", "ninja", "node",   "npm"};

bool has_word(const std::string& text, const std::string& word) {
  const std::string plain = std::regex_replace(word, std::regex(R"([.*+?()\[\]{}|\\^$])"), "\\$&");
  return std::regex_search(text, std::regex("(^|[^\\w-])" + plain + "($|[^\\w-])"));
}

/// Whether CMake is told of such a target or test, or a source has a suite that begins so.
bool is_declared(const std::string& name, bool is_whole = true) {
  static const std::string all = [] {
    std::string text;
    for (const char* folder : {"client_sdk", "deploy", "server", "tests"}) {
      for (const auto& entry : entries_below(source() / folder)) {
        const fs::path& path = entry.path();
        const bool is_test = std::string(folder) == "tests" && path.extension() == ".cpp";
        if (is_test || path.filename() == "CMakeLists.txt") text += read_file(path);
      }
    }
    return text;
  }();
  const auto ends_at = [&](std::size_t at) { return std::isspace(static_cast<unsigned char>(all[at])) != 0; };
  for (std::size_t at = all.find("(" + name); at != std::string::npos; at = all.find("(" + name, at + 1))
    if (!is_whole || ends_at(at + 1 + name.size())) return true;
  return false;
}

bool has_preset(const std::string& name) {
  return read_file(source() / "CMakePresets.json").find("{\"name\": \"" + name + "\", \"configure") !=
         std::string::npos;
}

/// What it says about itself.
const std::string& help_of(const Words& program) {
  static std::map<Words, std::string> known;
  const auto [at, is_new] = known.try_emplace(program);
  if (is_new) {
    const TemporaryFolder folder;
    Words command = program;
    command.push_back("--help");
    Process process(command, folder.path());
    process.wait();
    at->second = process.standard_output() + process.standard_error();
  }
  return at->second;
}

/// Options, and commands of commands, by the program's help.
void look_up(Words program, const Words& words, Words& unknown) {
  std::string help = help_of(program);
  bool is_in_commands = true;
  for (const std::string& word : words) {
    const std::size_t commands = help.find("\nSubcommands:\n");
    const std::string option = word.substr(0, word.find('='));
    if (word.starts_with("-")) {
      if (!has_word(help, option)) unknown.push_back(program.back() + " " + option);
    } else if (is_in_commands && commands != std::string::npos) {
      if (std::regex_match(word, std::regex("[A-Z]+"))) return;
      if (help.find("\n  " + word + " ", commands) == std::string::npos)
        return unknown.push_back(program.back() + " " + word);
      program.push_back(word);
      help = help_of(program) + help.substr(0, commands);  // Its parent's options are its own, too.
      is_in_commands = help_of(program).find("\nSubcommands:\n") != std::string::npos;
    }
  }
}

/// build/PRESET/bin/PROGRAM; a program that this build leaves out, as benchmarks may be, has no options here.
void look_up_built(const std::string& path, const Words& words, Words& unknown) {
  const std::string name = fs::path(path).filename();
  if (!is_declared(name)) return unknown.push_back(path);
  if (fs::exists(binaries() / name)) look_up({binaries() / name}, words, unknown);
}

/// Words that a script must know: its text has them outside of comments. Numbers and capitals are the
/// reader's.
void look_up_in_script(const std::string& script, const Words& words, Words& unknown) {
  if ((fs::status(source() / script).permissions() & fs::perms::owner_exec) == fs::perms::none)
    return unknown.push_back(script);
  static const std::regex kComment(R"((^|\s)#[^\n]*)");
  const std::string text = std::regex_replace(read_file(source() / script), kComment, "\n");
  for (const std::string& word : words) {
    if (word.starts_with("build/")) {
      look_up_built(word, {}, unknown);
    } else if (!std::regex_match(word, std::regex("[A-Z]+|[0-9]+|--")) && !has_word(text, word)) {
      unknown.push_back(script + " " + word);
    }
  }
}

/// The values of options of CMake's programs, and of GoogleTest's, that are names of ours.
void look_up_values(const Words& words, Words& unknown) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string value = i + 1 < words.size() ? words[i + 1] : "";
    const std::string filter = "--gtest_filter=";
    if (words[i] == "--preset" && !has_preset(value)) unknown.push_back("preset " + value);
    if (words[i] == "-R" && !is_declared(value)) unknown.push_back("test " + value);
    if (!words[i].starts_with(filter)) continue;
    const std::string suites = words[i].substr(filter.size());
    if (!is_declared(suites.substr(0, suites.find('*')), false)) unknown.push_back(words[i]);
  }
}

void look_up_command(Words words, Words& unknown) {
  static const std::regex kAssignment(R"(\w+=.*)");
  while (!words.empty() && std::regex_match(words.front(), kAssignment)) words.erase(words.begin());
  if (words.empty()) return;
  const std::string program = words.front();
  words.erase(words.begin());
  look_up_values(words, unknown);
  if (program == "sweepd" || program == "sweepctl") return look_up({binaries() / program}, words, unknown);
  if (program.starts_with("build/")) return look_up_built(program, words, unknown);
  if (program.find('/') != std::string::npos) return look_up_in_script(program, words, unknown);
  if (!kForeign.contains(program)) unknown.push_back(program);
}

/// Of a line: each command with its words. What a comment says of an option is the last command's.
std::vector<Words> commands_of(std::string line) {
  line = std::regex_replace(line, std::regex(R"(\$\(|[)|;]|&&?)"), " ; ");
  line = std::regex_replace(line, std::regex("['\"]"), "");
  std::vector<Words> commands(1);
  std::istringstream text(line);
  bool is_comment = false;
  for (std::string word; text >> word;) {
    is_comment = is_comment || word.starts_with("#");
    while (is_comment && std::ispunct(static_cast<unsigned char>(word.back())) != 0 && word.size() > 1)
      word.pop_back();
    if (is_comment && !word.starts_with("--")) continue;
    const bool is_begun = !is_comment && (word == ";" || word == "sweepd" || word == "sweepctl");
    if (is_begun && !commands.back().empty()) commands.emplace_back();
    if (word != ";" && word != "…") commands.back().push_back(word);
  }
  return commands;
}

}  // namespace

bool is_known_program(const std::string& word) {
  static const std::regex kOurs(R"(sweepd|sweepctl|build/\w+/bin/\w+|(tests|deploy)/.*\.sh)");
  return kForeign.contains(word) || std::regex_match(word, kOurs);
}

std::vector<std::string> unknown_files(const std::string& text) {
  Words unknown;
  static const std::regex kFile(
      R"((^|[\s"'=])((?:tests|deploy|client_sdk|proto|server)/[\w./-]*|\.githooks))");
  for (std::sregex_iterator it(text.begin(), text.end(), kFile), end; it != end; ++it)
    if (!fs::exists(source() / (*it)[2].str())) unknown.push_back((*it)[2]);
  static const std::regex kBuild(R"((^|[\s"'=])build/([a-z]+))");
  for (std::sregex_iterator it(text.begin(), text.end(), kBuild), end; it != end; ++it)
    if (!has_preset((*it)[2])) unknown.push_back("build/" + (*it)[2].str());
  return unknown;
}

std::vector<std::string> unknown_names(const std::string& commands) {
  Words unknown = unknown_files(commands);
  std::istringstream lines(commands);
  for (std::string line; std::getline(lines, line);)
    for (const Words& command : commands_of(line)) look_up_command(command, unknown);
  return unknown;
}

}  // namespace sweepd::test
