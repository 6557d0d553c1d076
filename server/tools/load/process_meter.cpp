// SPDX-License-Identifier: MIT
#include "tools/load/process_meter.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "os/resident_memory.h"

namespace sweepd::tools::load {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint32_t> number_of(std::string_view text, int base = 10) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// State 0A: it listens. The local address is in hexadecimal, ADDRESS:PORT.
std::optional<std::string> listening_inode(const std::string& table, std::uint32_t port) {
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string slot, local, remote, state, queues, timer, retransmits, user, timeout, inode;
    fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
    const std::size_t colon = local.find(':');
    if (state != "0A" || colon == std::string::npos) continue;
    if (number_of(std::string_view(local).substr(colon + 1), 16) == port) return inode;
  }
  return std::nullopt;
}

bool has_socket(const fs::path& process, const std::string& inode) {
  std::error_code error;
  const std::string wanted = "socket:[" + inode + "]";
  // A process may end meanwhile: the loop of the language would throw then.
  fs::directory_iterator file(process / "fd", error);
  for (; !error && file != fs::directory_iterator(); file.increment(error)) {
    std::error_code gone;
    if (fs::read_symlink(file->path(), gone) == wanted) return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessUse> use_of_process(std::int32_t pid) {
  ProcessUse use;
  clockid_t clock = 0;
  timespec time = {};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
  use.cpu_time = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  use.resident_bytes = os::ResidentMemory(pid).bytes();
  // One that has ended and that its parent has not waited for has no memory any more.
  if (use.resident_bytes == 0) return std::nullopt;
  return use;
}

std::uint32_t cores_of_this_process() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(CPU_COUNT(&cores), 1));
}

ProcessUse use_of_this_process() { return use_of_process(getpid()).value_or(ProcessUse{}); }

std::optional<std::int32_t> find_listener(std::uint32_t port) {
  std::optional<std::string> inode = listening_inode("/proc/net/tcp", port);
  if (!inode) inode = listening_inode("/proc/net/tcp6", port);
  if (!inode) return std::nullopt;
  std::error_code error;
  fs::directory_iterator process("/proc", error);
  for (; !error && process != fs::directory_iterator(); process.increment(error)) {
    const auto pid = number_of(process->path().filename().string());
    if (pid && has_socket(process->path(), *inode)) return static_cast<std::int32_t>(*pid);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> loopback_port(const std::string& server) {
  for (const std::string_view host : {"127.0.0.1:", "localhost:", "[::1]:"}) {
    if (server.starts_with(host)) return number_of(std::string_view(server).substr(host.size()));
  }
  return std::nullopt;
}

}  // namespace sweepd::tools::load
