// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/attack.h"
#include "bench/attack_witness.h"
#include "integration/support/process.h"

namespace sweepd::bench {

/// A server as it was or as it is: it is told of the options below only where it knows them.
struct ServerBinary {
  explicit ServerBinary(const std::string& path);
  bool knows(const std::string& option) const { return help.find(option + ' ') != std::string::npos; }

  std::string path;
  std::string help;
};

/// A server under attack, with two loops and otherwise as servers are by default; with the front before it
/// if the attack goes through that.
class AttackedServer {
 public:
  /// Throws where one of the two does not start.
  AttackedServer(const ServerBinary& binary, const std::vector<std::string>& options, const Attack& attack);

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  WitnessedServer witnessed() const { return {.address = address(), .ca_file = ca_file_}; }
  int port() const { return port_; }
  int door() const { return front_ ? front_port_ : port_; }
  test::Process& process() { return *process_; }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void start(const ServerBinary& binary, const std::vector<std::string>& options, const Attack& attack);
  void start_front();
  void make_certificate();

  test::TemporaryFolder folder_;
  std::string ca_file_;  ///< Empty: the server speaks plain text.
  std::unique_ptr<test::Process> process_;
  std::unique_ptr<test::Process> front_;
  int port_ = 0;
  int front_port_ = 0;
};

}  // namespace sweepd::bench
