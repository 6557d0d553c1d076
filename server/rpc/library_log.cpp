// SPDX-License-Identifier: MIT
#include "rpc/library_log.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/telemetry/log.h"

namespace sweepd::rpc {
namespace {

using runtime::LogLevel;

/// Clients cause these lines; what matters is that there are some.
constexpr std::uint32_t kLibraryLinesPerSecondMax = 20;

/// Never destroyed: gRPC's own threads log until the process ends.
runtime::LogBound& protobuf_lines() {
  static auto* const bound = new runtime::LogBound(kLibraryLinesPerSecondMax);
  return *bound;
}

runtime::LogBound& grpc_lines() {
  static auto* const bound = new runtime::LogBound(kLibraryLinesPerSecondMax);
  return *bound;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Protobuf's errors are about what clients send; only the fatal ones are the server's.
LogLevel level_of(google::protobuf::LogLevel level) {
  switch (level) {
    case google::protobuf::LOGLEVEL_INFO:
      return LogLevel::kDebug;
    case google::protobuf::LOGLEVEL_WARNING:
    case google::protobuf::LOGLEVEL_ERROR:
      return LogLevel::kWarning;
    case google::protobuf::LOGLEVEL_FATAL:
      break;
  }
  return LogLevel::kError;
}

LogLevel level_of(gpr_log_severity severity) {
  switch (severity) {
    case GPR_LOG_SEVERITY_DEBUG:
      return LogLevel::kTrace;
    case GPR_LOG_SEVERITY_INFO:
      return LogLevel::kDebug;
    case GPR_LOG_SEVERITY_ERROR:
      break;
  }
  return LogLevel::kError;
}

void log_of_protobuf(google::protobuf::LogLevel level, const char* file, int line,
                     const std::string& message) {
  protobuf_lines().log(level_of(level), message,
                       {{"library", "protobuf"}, {"file", file_name(file)}, {"line", line}});
}

/// A handshake that fails is the client's error, not the server's.
LogLevel level_of(const gpr_log_func_args& line) {
  const bool is_of_tls = file_name(line.file) == "ssl_transport_security.cc";
  return is_of_tls ? LogLevel::kInfo : level_of(line.severity);
}

void log_of_grpc(gpr_log_func_args* args) {
  grpc_lines().log(level_of(*args), args->message,
                   {{"library", "grpc"}, {"file", file_name(args->file)}, {"line", args->line}});
}

}  // namespace

void take_library_logs() {
  google::protobuf::SetLogHandler(log_of_protobuf);
  gpr_set_log_function(log_of_grpc);
}

}  // namespace sweepd::rpc
