// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepd::test {

/// A real child process, its output in files. Killed and reaped at the latest when this goes.
class Process {
 public:
  /// `command[0]` is a path. `stdin_file` empty: /dev/null.
  Process(const std::vector<std::string>& command, const std::filesystem::path& output_folder,
          const std::filesystem::path& stdin_file = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const;
  /// The exit code, or 128 + the signal that ended it; nothing if it still runs at the end of the time.
  std::optional<int> wait(std::chrono::milliseconds time = std::chrono::seconds(60));
  bool is_running();
  /// Whether its first thread waits for something: neither running nor stopped nor gone.
  bool sleeps() const;
  pid_t pid() const { return pid_; }

  std::string standard_output() const;
  std::string standard_error() const;

 private:
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
  std::filesystem::path folder_;
};

/// An empty folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);

/// An environment variable that the build sets for tests; ends the test program if it is missing.
std::string required_environment(const char* name);

/// That only its owner reads: a key, say.
void write_private_file(const std::filesystem::path& path, const std::string& text);

/// A port of this machine that was free a moment ago.
int free_port();
/// The first of so many ports in a row that nothing listens at now.
int free_port_base(int count);

/// Resident memory of another process.
std::size_t resident_bytes_of(const Process& process);

}  // namespace sweepd::test
