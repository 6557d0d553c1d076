// SPDX-License-Identifier: MIT
#include "integration/support/process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "os/resident_memory.h"

namespace sweepd::test {
namespace {

/// A write to a connection that the server has ended is an error to look at; TLS cannot be told so by the call.
const auto kFormerHandler = std::signal(SIGPIPE, SIG_IGN);

void redirect(const std::filesystem::path& path, int flags, int descriptor) {
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(127);
  close(file);
}

}  // namespace

Process::Process(const std::vector<std::string>& command, const std::filesystem::path& output_folder,
                 const std::filesystem::path& stdin_file)
    : folder_(output_folder) {
  std::filesystem::create_directories(folder_);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    redirect(stdin_file.empty() ? "/dev/null" : stdin_file, O_RDONLY, STDIN_FILENO);
    redirect(folder_ / "stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(folder_ / "stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    std::signal(SIGPIPE, kFormerHandler);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
}

Process::~Process() {
  if (!is_running()) return;
  signal(SIGKILL);
  wait();
}

void Process::signal(int number) const {
  if (!exit_code_) kill(pid_, number);
}

std::optional<int> Process::wait(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (is_running()) {
    if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return exit_code_;
}

bool Process::is_running() {
  if (exit_code_) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return false;
}

bool Process::sleeps() const {
  // "PID (NAME) STATE …": a name may hold anything, brackets too.
  const std::string stat = read_file("/proc/" + std::to_string(pid_) + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end, 3, ") S") == 0;
}

std::string Process::standard_output() const { return read_file(folder_ / "stdout"); }

std::string Process::standard_error() const { return read_file(folder_ / "stderr"); }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "sweepd test XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string required_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) {
    std::fprintf(stderr, "%s is not set: run this through ctest\n", name);
    std::exit(2);
  }
  return value;
}

std::size_t resident_bytes_of(const Process& process) { return os::ResidentMemory(process.pid()).bytes(); }

void write_private_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  file << text;
}

int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(descriptor);
  return ntohs(address.sin_port);
}

int free_port_base(int count) {
  const auto is_free = [](int port) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_bound = ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    return is_bound;
  };
  for (int base = 21'000 + getpid() % 20'000;; base += count) {
    int free = 0;
    while (free < count && is_free(base + free)) ++free;
    if (free == count) return base;
  }
}

}  // namespace sweepd::test
