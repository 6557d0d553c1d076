// SPDX-License-Identifier: MIT
#include "tools/sweepctl/event_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

namespace sweepd::tools {
namespace {

Status file_error(const std::string& path) {
  return Status(ErrorCode::kInvalidArgument, "cannot write " + path + ": " + std::strerror(errno));
}

// Renaming onto a device or a pipe would put a plain file in its place.
bool can_be_renamed(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

std::string event_line(const Event& event) {
  const std::string line = std::to_string(event.tick) +
                           (event.kind == EventKind::kEnter ? " enter " : " exit ") +
                           std::to_string(event.object_a) + " " + std::to_string(event.object_b);
  return event.time_of_impact == kEndOfTick ? line : line + " " + std::to_string(event.time_of_impact);
}

EventFile::EventFile(std::string path) : path_(std::move(path)) {}

EventFile::~EventFile() {
  if (!partial_.is_open()) return;
  partial_.close();
  std::remove(partial_path().c_str());
}

Status EventFile::open() {
  if (path_.empty()) return {};
  out_ = &buffer_;
  if (path_ == "-" || !can_be_renamed(path_)) return {};
  partial_.open(partial_path(), std::ios::trunc);
  if (!partial_) return file_error(partial_path());
  out_ = &partial_;
  return {};
}

void EventFile::write(const Event& event) {
  ++(event.kind == EventKind::kEnter ? enters_ : exits_);
  if (out_ != nullptr) *out_ << event_line(event) << '\n';
}

Status EventFile::commit() {
  if (out_ == nullptr) return {};
  return out_ == &partial_ ? commit_partial() : commit_buffer();
}

Status EventFile::commit_partial() {
  if (!partial_.flush()) return file_error(partial_path());
  if (std::rename(partial_path().c_str(), path_.c_str()) != 0) return file_error(path_);
  partial_.close();
  return {};
}

Status EventFile::commit_buffer() {
  std::ofstream device;
  if (path_ != "-") device.open(path_);
  std::ostream& out = path_ == "-" ? std::cout : device;
  out << buffer_.str() << std::flush;
  return out ? Status() : file_error(path_ == "-" ? "standard output" : path_);
}

}  // namespace sweepd::tools
