// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>

#include "sweepd/status.h"
#include "sweepd/types.h"

namespace sweepd::tools {

/// "35 enter 3 2000001": one line of the list of encounters that goes with a trace. A contact that began
/// earlier than at the end of its tick, because a continuous object takes part, has its time of impact in
/// 1/256 tick behind it.
std::string event_line(const Event& event);

/// The list of encounters of a played trace, in the order of the log. It has its name only after `commit`:
/// until then the lines go to NAME.partial, so that a run that failed leaves no file that looks right. What
/// cannot be renamed (standard output, a pipe, a device) gets all lines at once from `commit`.
class EventFile {
 public:
  /// `path` "-": standard output. Empty: nowhere, the events are only counted.
  explicit EventFile(std::string path);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  Status open();
  void write(const Event& event);
  /// All events are in: gives the file its name.
  Status commit();

  std::uint64_t enters() const { return enters_; }
  std::uint64_t exits() const { return exits_; }
  std::uint64_t count() const { return enters_ + exits_; }

 private:
  std::string partial_path() const { return path_ + ".partial"; }
  Status commit_partial();
  Status commit_buffer();

  std::string path_;
  std::ofstream partial_;
  std::ostringstream buffer_;
  std::ostream* out_ = nullptr;  ///< One of the two, or nowhere.
  std::uint64_t enters_ = 0;
  std::uint64_t exits_ = 0;
};

}  // namespace sweepd::tools
