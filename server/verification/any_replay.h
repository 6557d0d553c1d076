// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "replay/reader.h"

namespace sweepd::verification {

/// A replay, or the run of a client's own input log as one. Has its bytes.
class AnyReplay {
 public:
  /// An input log is played for it.
  static base::Result<AnyReplay, replay::FileFault> open(std::string bytes);

  const replay::Reader& reader() const { return reader_; }
  const std::string& bytes() const { return *bytes_; }  ///< Of the replay.
  bool was_input_log() const { return was_input_log_; }

 private:
  AnyReplay(std::unique_ptr<const std::string> bytes, replay::Reader reader, bool was_input_log)
      : bytes_(std::move(bytes)), reader_(std::move(reader)), was_input_log_(was_input_log) {}

  std::unique_ptr<const std::string> bytes_;  ///< The reader looks at them, and stays where it is.
  replay::Reader reader_;
  bool was_input_log_ = false;
};

}  // namespace sweepd::verification
