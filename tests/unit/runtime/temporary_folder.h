// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace sweepd::runtime {

/// An empty folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sweepd-unit-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Permissions mean nothing to root: as long as this lives, the process is somebody whom they stop.
class WithoutPrivileges {
 public:
  WithoutPrivileges() {
    if (user_ == 0 && ::seteuid(kNobody) != 0) throw std::runtime_error("cannot give up privileges");
  }
  ~WithoutPrivileges() {
    if (user_ == 0 && ::seteuid(0) != 0) ::abort();
  }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  const uid_t user_ = ::geteuid();
};

}  // namespace sweepd::runtime
