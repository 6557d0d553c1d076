// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace sweepd::os {

/// How much memory a process has. Keeps the file that tells it open: it can be asked where no further one may
/// be opened.
class ResidentMemory {
 public:
  explicit ResidentMemory(pid_t process)
      : file_(open(("/proc/" + std::to_string(process) + "/statm").c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~ResidentMemory() {
    if (file_ >= 0) close(file_);
  }
  ResidentMemory(const ResidentMemory&) = delete;
  ResidentMemory& operator=(const ResidentMemory&) = delete;

  /// 0: the process is gone.
  std::uint64_t bytes() const {
    std::array<char, 128> text{};
    const ssize_t size = pread(file_, text.data(), text.size(), 0);
    const std::string_view line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::size_t second = line.find(' ');  // Size, resident, and more, in pages.
    if (second == std::string_view::npos) return 0;
    std::uint64_t pages = 0;
    std::from_chars(line.data() + second + 1, line.data() + line.size(), pages);
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

 private:
  const int file_;
};

}  // namespace sweepd::os
