// SPDX-License-Identifier: MIT
#include "bench/attack_server.h"

#include <stdexcept>

#include "bench/grpc_echo_process.h"
#include "integration/support/raw_http2.h"
#include "integration/support/server_fixture.h"

namespace sweepd::bench {

ServerBinary::ServerBinary(const std::string& binary) : path(binary) {
  const test::TemporaryFolder folder;
  test::Process process({path, "--help"}, folder.path());
  if (process.wait() != 0) throw std::runtime_error("cannot run " + path);
  help = process.standard_output();
}

AttackedServer::AttackedServer(const ServerBinary& binary, const std::vector<std::string>& options,
                               const Attack& attack) {
  if (attack.is_front || attack.is_tls) make_certificate();
  start(binary, options, attack);
  if (attack.is_front) start_front();
}

void AttackedServer::start(const ServerBinary& binary, const std::vector<std::string>& options,
                           const Attack& attack) {
  const auto ready_file = folder_.path() / "ready";
  std::vector<std::string> command{"/bin/sh",      "-c",        attack.shell + " exec \"$@\"",
                                   folder_.path(), binary.path, "--listen",
                                   "127.0.0.1:0",  "--loops",   "2",
                                   "--ready-file", ready_file};
  if (binary.knows("--memory-max-mib")) command.insert(command.end(), {"--memory-max-mib", "1024"});
  if (attack.is_front) command.insert(command.end(), {"--trust-front", "127.0.0.1"});
  if (attack.is_front && binary.knows("--anonymous")) command.emplace_back("--anonymous");
  if (attack.is_tls) {
    ca_file_ = folder_.path() / "certificate.pem";
    command.insert(command.end(), {"--tls-cert", ca_file_, "--tls-key", folder_.path() / "key.pem"});
  }
  command.insert(command.end(), options.begin(), options.end());
  process_ = std::make_unique<test::Process>(command, folder_.path() / "server");
  const bool is_settled =
      test::eventually([&] { return std::filesystem::exists(ready_file) || !process_->is_running(); });
  if (!is_settled || !process_->is_running())
    throw std::runtime_error("the server did not start: " + process_->standard_error());
  port_ = std::stoi(test::read_file(ready_file));
}

void AttackedServer::make_certificate() {
  const std::string make =
      "umask 077 && cd '" + folder_.path().string() +
      "' && openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj "
      "/CN=localhost -addext subjectAltName=IP:127.0.0.1 2>openssl.log && "
      "cat certificate.pem key.pem > front.pem";
  if (std::system(make.c_str()) != 0) throw std::runtime_error("cannot make a certificate with openssl");
}

void AttackedServer::start_front() {
  const std::string folder = folder_.path().string();
  front_port_ = find_free_port();
  const std::vector<std::string> command{"/usr/bin/env",
                                         "PATH=/usr/sbin:/usr/bin:/bin",
                                         "SWEEPD_FRONT=127.0.0.1:" + std::to_string(front_port_),
                                         "SWEEPD_SERVER=" + address(),
                                         "SWEEPD_CERTIFICATE=" + folder + "/front.pem",
                                         "haproxy",
                                         "-db",
                                         "-f",
                                         SWEEPD_SOURCE_DIR "/deploy/haproxy/haproxy.cfg"};
  front_ = std::make_unique<test::Process>(command, folder_.path() / "front");
  test::RawHttp2::Options tls;
  tls.is_tls = true;
  test::eventually([&] { return test::RawHttp2(front_port_, tls).is_served() || !front_->is_running(); });
  if (!front_->is_running())
    throw std::runtime_error("no HAProxy (deploy/install-packages.sh test): " + front_->standard_error());
}

}  // namespace sweepd::bench
