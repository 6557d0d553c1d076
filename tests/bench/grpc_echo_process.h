// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sweepd::bench {

/// Of all threads that a process has now; 0: there is no such process.
double cpu_seconds_of(int process);
double cpu_seconds_of_this_process();

/// The calling thread, and whatever it starts from now on, runs on that core only. -1: anywhere.
void stay_on_core(int core);

/// A port of loopback on which nobody listened a moment ago.
int find_free_port();

/// Another process of this program, which ends with this object, or with this process.
class ChildProcess {
 public:
  ChildProcess(const std::vector<std::string>& arguments, int core);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int id() const { return id_; }

 private:
  int id_ = 0;
};

}  // namespace sweepd::bench
