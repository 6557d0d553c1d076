#!/usr/bin/env bash
# From a fresh checkout to a match in progress: installs what is missing, builds, starts the server on loopback, runs the
# demo for 20 seconds, stops the server. As root or with sudo, from any folder.
#   deploy/quickstart.sh [--secure] [--bin FOLDER] [--seconds N]
#   --secure:     by TLS, and with a ticket for each participant. Its keys, certificates and tickets stay in a new folder,
#                 which is named at the end.
#   --bin FOLDER: with programs that are built already; nothing is installed or built.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

started=$SECONDS
server_pid=
demo_pid=
scratch=
folder=
is_secure=
bin=
seconds=20

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
  [ -z "$folder" ] || echo "quickstart: keys, certificates and tickets of this run are in $folder"
}
trap clean_up EXIT
trap 'echo; echo "quickstart: interrupted"; exit 130' INT TERM
fail() {
  echo "quickstart: FAILED: $* (after $((SECONDS - started)) s)" >&2
  exit 1
}
announce() { echo; echo "== $*"; }

while [ $# -gt 0 ]; do
  case "$1" in
    --secure) is_secure=1 ;;
    --bin) bin=$(realpath -e "${2:-}" 2>/dev/null) || fail "--bin needs a folder"; shift ;;
    --seconds) seconds=${2:-}; shift ;;
    *) sed -n 's/^# \{0,1\}//; 2,8p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
scratch=$(mktemp -d) || fail "no temporary folder"

install_and_build() {
  announce "1/5 packages"
  deploy/install-packages.sh build || fail "packages could not be installed"

  announce "2/5 configure"
  cmake --preset release >"$scratch/configure.log" 2>&1 ||
    { cat "$scratch/configure.log" >&2; fail "configuring"; }
  echo "build/release is ready"

  announce "3/5 build (a few minutes for the first time)"
  cmake --build --preset release --target sweepd sweepctl sweepd_demo || fail "the build"
  bin=$PWD/build/release/bin
}

# A certificate that an authority of this folder alone vouches for.
make_certificate() {
  local curve=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
  openssl req -x509 "${curve[@]}" -days 30 -subj "/CN=sweepd quickstart" -keyout ca.key -out ca.pem &&
    openssl req "${curve[@]}" -subj "/CN=localhost" -keyout server.key -out server.csr &&
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >server.ext &&
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile server.ext -out server.pem &&
    rm server.csr server.ext
}

# What an operator does once: the server gets a certificate and the public half of a key, the game's backend keeps the other.
prepare_keys() {
  announce "keys and certificates"
  umask 077
  folder=$(mktemp -d "${TMPDIR:-/tmp}/sweepd-secure.XXXXXX") || fail "no folder for keys"
  (cd "$folder" && make_certificate) >"$scratch/openssl.log" 2>&1 ||
    { cat "$scratch/openssl.log" >&2; fail "the certificates"; }
  (cd "$folder" && "$bin/sweepctl" key new --kid backend --issuer game --jwks keys.json) || fail "the key of tickets"
  echo "in $folder: ca.pem, server.pem and keys.json for the server, backend.jwk for the game's backend"
}

issue() {
  "$bin/sweepctl" token issue --key "$folder/backend.jwk" --lifetime 1h "$@" || fail "a ticket"
}

start_server() {
  announce "4/5 server"
  local options=()
  [ -z "$is_secure" ] ||
    options=(--tls-cert "$folder/server.pem" --tls-key "$folder/server.key" --ticket-keys "$folder/keys.json")
  "$bin/sweepd" --listen 127.0.0.1:0 --ready-file "$scratch/ready" "${options[@]}" >"$scratch/server.log" 2>&1 &
  server_pid=$!
  for ((try = 0; try < 100; try++)); do
    [ -s "$scratch/ready" ] && break
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  [ -s "$scratch/ready" ] || { cat "$scratch/server.log" >&2; fail "the server did not start"; }
  server="127.0.0.1:$(head -n 1 "$scratch/ready")"
  echo "sweepd listens on $server (process $server_pid)"
}

# What a game's backend does: with a ticket of its own it creates the match, and it gives each participant one for one seat.
hand_out_tickets() {
  announce "tickets"
  issue --sub lobby --role backend --create --output "$folder/lobby.token"
  export XDG_CONFIG_HOME="$folder/config"
  "$bin/sweepctl" context set demo --server "$server" --ca "$folder/ca.pem" --token-file "$folder/lobby.token" &&
    "$bin/sweepctl" context use demo || fail "the context"
  local stranger
  stranger=$("$bin/sweepctl" ls --server "$server" --ca "$folder/ca.pem" 2>&1) && fail "a stranger was let in"
  echo "a stranger is told: $stranger"
  match=$("$bin/sweepd_demo" --create --server "$server" --ca "$folder/ca.pem" --token-file "$folder/lobby.token") ||
    fail "the match"
  "$bin/sweepctl" ls || fail "the context"
  local name
  for name in player-1 player-2 stage; do
    issue --sub "$name" --role "${name%-*}" --match "$match" --seat "$name" --output "$folder/$name.token"
  done
  echo "player-1, player-2 and stage have a ticket each, for one seat of match $match"
}

play() {
  announce "5/5 demo"
  local options=()
  [ -z "$is_secure" ] ||
    options=(--ca "$folder/ca.pem" --token-file "$folder/lobby.token" --tickets "$folder" --match "$match")
  # In the background: a signal to this script is then heard at once, not when the demo is over.
  "$bin/sweepd_demo" --server "$server" --seconds "$seconds" "${options[@]}" &
  demo_pid=$!
  wait "$demo_pid" ||
    { tail -n 20 "$scratch/server.log" >&2; fail "the demo"; }
  demo_pid=
  stop_server || { tail -n 20 "$scratch/server.log" >&2; fail "the server did not stop cleanly"; }
}

[ -n "$bin" ] || install_and_build
[ -z "$is_secure" ] || prepare_keys
start_server
[ -z "$is_secure" ] || hand_out_tickets
play

echo
echo "quickstart: all is well: a $seconds-second match, and all that it takes, in $((SECONDS - started)) s"
