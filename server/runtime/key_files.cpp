// SPDX-License-Identifier: MIT
#include "runtime/key_files.h"

#include <sys/stat.h>

#include <utility>

namespace sweepd::runtime {

void KeyFiles::show(Metrics& metrics, const std::string& name, const std::string& help) {
  outcomes_ = metrics.counters(name, help, "outcome");
  for (const char* outcome : {"taken", "refused"}) (void)outcomes_->with(outcome);
}

// Files that go on changing wait: a certificate is often replaced a moment before its key.
bool KeyFiles::is_due() {
  auto now = stamps();
  const bool is_due = now != read_ && now == seen_;
  seen_ = std::move(now);
  return is_due;
}

void KeyFiles::count(bool is_taken) {
  if (outcomes_) outcomes_->with(is_taken ? "taken" : "refused").add();
}

std::vector<KeyFiles::Stamp> KeyFiles::stamps() const {
  std::vector<Stamp> stamps;
  for (const auto& path : paths_) {
    struct stat facts = {};
    Stamp& stamp = stamps.emplace_back();
    if (path.empty() || stat(path.c_str(), &facts) != 0) continue;
    stamp = {.device = facts.st_dev,
             .number = facts.st_ino,
             .bytes = facts.st_size,
             .changed_s = facts.st_ctim.tv_sec,
             .changed_ns = facts.st_ctim.tv_nsec};
  }
  return stamps;
}

}  // namespace sweepd::runtime
