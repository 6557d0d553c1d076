#!/usr/bin/env bash
# From a fresh checkout to a match in progress: installs what is missing, builds, starts the server on loopback, runs the
# demo for 20 seconds, stops the server. As root or with sudo, from any folder.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

started=$SECONDS
server_pid=
demo_pid=
scratch=

stop_server() {
  [ -n "$server_pid" ] || return 0
  kill "$server_pid" 2>/dev/null
  wait "$server_pid"
  local code=$?
  server_pid=
  return $code
}
clean_up() {
  # The demo first, so that it does not complain of a server that is gone.
  [ -z "$demo_pid" ] || { kill "$demo_pid"; wait "$demo_pid"; } >/dev/null 2>&1
  stop_server >/dev/null 2>&1
  [ -z "$scratch" ] || rm -rf "$scratch"
}
trap clean_up EXIT
trap 'echo; echo "quickstart: interrupted"; exit 130' INT TERM
fail() {
  echo "quickstart: FAILED: $* (after $((SECONDS - started)) s)" >&2
  exit 1
}
announce() { echo; echo "== $*"; }

announce "1/5 packages"
deploy/install-packages.sh build || fail "packages could not be installed"

announce "2/5 configure"
scratch=$(mktemp -d) || fail "no temporary folder"
cmake --preset release >"$scratch/configure.log" 2>&1 ||
  { cat "$scratch/configure.log" >&2; fail "configuring"; }
echo "build/release is ready"

announce "3/5 build (a few minutes for the first time)"
cmake --build --preset release --target sweepd sweepctl sweepd_demo || fail "the build"

announce "4/5 server"
build/release/bin/sweepd --listen 127.0.0.1:0 --ready-file "$scratch/ready" >"$scratch/server.log" 2>&1 &
server_pid=$!
for ((try = 0; try < 100; try++)); do
  [ -s "$scratch/ready" ] && break
  kill -0 "$server_pid" 2>/dev/null || break
  sleep 0.1
done
[ -s "$scratch/ready" ] || { cat "$scratch/server.log" >&2; fail "the server did not start"; }
server="127.0.0.1:$(head -n 1 "$scratch/ready")"
echo "sweepd listens on $server (process $server_pid)"

announce "5/5 demo"
# In the background: a signal to this script is then heard at once, not when the demo is over.
build/release/bin/sweepd_demo --server "$server" --seconds 20 &
demo_pid=$!
wait "$demo_pid" ||
  { tail -n 20 "$scratch/server.log" >&2; fail "the demo"; }
demo_pid=
stop_server || { tail -n 20 "$scratch/server.log" >&2; fail "the server did not stop cleanly"; }

echo
echo "quickstart: all is well: packages, build, server and a 20-second match in $((SECONDS - started)) s"
