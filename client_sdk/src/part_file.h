// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "sweepd/status.h"

namespace sweepd::internal {

Status file_error(const std::string& path, const char* what, int error);

/// A file that is there under its name once it is whole and on the disk.
class PartFile {
 public:
  explicit PartFile(std::string path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const Status& error() const { return error_; }

  bool write(std::string_view bytes);
  /// Once, at the end. An error: there is nothing under the name that was not there before, unless it says
  /// otherwise.
  Status complete();

 private:
  Status give_up();

  const std::string path_;
  const std::string part_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  Status error_;
};

}  // namespace sweepd::internal
