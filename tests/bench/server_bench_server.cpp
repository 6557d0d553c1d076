// SPDX-License-Identifier: MIT
#include "bench/server_bench_server.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <memory>

#include "app/server.h"
#include "base/assert.h"
#include "bench/grpc_echo_process.h"
#include "bench/server_bench_heap.h"
#include "rpc/grpc_door.h"

namespace sweepd::bench {
namespace {

constexpr char kStart = 's';
constexpr char kMeasure = 'm';

template <typename Value>
void send(int file, const Value& value) {
  SWEEPD_ASSERT(write(file, &value, sizeof value) == static_cast<ssize_t>(sizeof value));
}

}  // namespace

ServerChild::ServerChild(int core) {
  SWEEPD_ASSERT(pipe(questions_) == 0 && pipe(answers_) == 0);
  process_ = fork();
  SWEEPD_ASSERT(process_ >= 0);
  const bool is_child = process_ == 0;
  close(questions_[is_child ? 1 : 0]);
  close(answers_[is_child ? 0 : 1]);
  if (!is_child) return;
  stay_on_core(core);
  serve();
}

ServerChild::~ServerChild() {
  close(questions_[1]);
  close(answers_[0]);
  waitpid(process_, nullptr, 0);
}

// Until nobody can ask any more.
void ServerChild::serve() {
  std::unique_ptr<rpc::GrpcDoor> door;
  std::unique_ptr<app::Server> server;
  char question = 0;
  while (read(questions_[0], &question, 1) == 1) {
    if (question == kStart) {
      if (!server) {
        door = std::make_unique<rpc::GrpcDoor>();
        app::ServerOptions options;
        options.listen = {"127.0.0.1", 0};
        server = std::make_unique<app::Server>(options, *door);
        SWEEPD_ASSERT(!server->start());
      }
      send(answers_[1], static_cast<int>(server->address().port));
    } else {
      send(answers_[1], ServerUse{cpu_seconds_of_this_process() * 1e6, heap_use_of_process().allocations});
    }
  }
  if (server) server->stop();
  _exit(0);
}

template <typename Answer>
Answer ServerChild::ask(char question) {
  send(questions_[1], question);
  Answer answer{};
  SWEEPD_ASSERT(read(answers_[0], &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer));
  return answer;
}

int ServerChild::port() { return ask<int>(kStart); }
ServerUse ServerChild::use() { return ask<ServerUse>(kMeasure); }

}  // namespace sweepd::bench
