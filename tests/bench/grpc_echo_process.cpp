// SPDX-License-Identifier: MIT
#include "bench/grpc_echo_process.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/assert.h"

namespace sweepd::bench {

double cpu_seconds_of(int process) {
  std::error_code error;
  double nanoseconds = 0;
  const auto threads = "/proc/" + std::to_string(process) + "/task";
  for (const auto& thread : std::filesystem::directory_iterator(threads, error)) {
    std::ifstream file(thread.path() / "schedstat");
    double on_cpu = 0;
    if (file >> on_cpu) nanoseconds += on_cpu;
  }
  return nanoseconds / 1e9;
}

double cpu_seconds_of_this_process() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void stay_on_core(int core) {
  if (core < 0) return;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

int find_free_port() {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  SWEEPD_ASSERT(file >= 0 && bind(file, any, size) == 0 && getsockname(file, any, &size) == 0);
  close(file);
  return ntohs(address.sin_port);
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, int core) {
  std::vector<std::string> owned{"/proc/self/exe"};
  owned.insert(owned.end(), arguments.begin(), arguments.end());
  std::vector<char*> list;
  for (std::string& argument : owned) list.push_back(argument.data());
  list.push_back(nullptr);
  id_ = fork();
  SWEEPD_ASSERT(id_ >= 0);
  if (id_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  stay_on_core(core);
  execv(list.front(), list.data());
  _exit(127);
}

ChildProcess::~ChildProcess() {
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

}  // namespace sweepd::bench
