#!/usr/bin/env bash
# Who asks the heap of a server for memory, and who holds it. Needs: deploy/install-packages.sh profiling
#   deploy/profile-heap.sh PID [SECONDS] [FOLDER]
#     of a running server: which calls lead to malloc and how often, from some hundred samples a second (default: for 10 s). As
#     root.
#   deploy/profile-heap.sh -- build/release/bin/sweepd [OPTIONS]
#     starts a server that writes down each of its allocations until it is ended (Ctrl-C, SIGTERM): how much memory it had
#     at its peak and who asked for it, and what it never gave back. It is several times slower at asking for memory.
# Prints the largest; leaves flame graphs (heap.svg; peak.svg, leaked.svg) and their stacks in FOLDER (default:
# profile-heap-PID).
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")

readonly samples_per_second=499
readonly stack_bytes=8192

fail() { echo "profile-heap: $*" >&2; exit 1; }
fail_with_log() { cat "$scratch/log" >&2; fail "$@"; }
usage() { fail "usage: deploy/profile-heap.sh PID [SECONDS] [FOLDER], or deploy/profile-heap.sh -- SWEEPD [OPTIONS]"; }
need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is missing: deploy/install-packages.sh profiling"
  done
}

scratch=$(mktemp -d)
probe=
remove_probe() { perf probe -q -d "probe_libc:$probe" >/dev/null 2>&1 || true; }
clean_up() {
  [ -z "$probe" ] || remove_probe
  rm -rf "$scratch"
}
trap clean_up EXIT

watch_process() {
  local pid=$1 seconds=${2:-10} folder=${3:-profile-heap-$1} library
  [[ $seconds =~ ^[0-9]+([.][0-9]+)?$ ]] || fail "SECONDS is a number, not '$seconds'"
  [ -d "/proc/$pid" ] || fail "there is no process $pid"
  need perf python3 awk
  library=$(awk '$6 ~ /\/libc(-[0-9.]+)?\.so/ { print $6; exit }' "/proc/$pid/maps") || true
  [ -n "$library" ] || fail "process $pid cannot be looked into, or has no libc of its own: run as root"
  probe=sweepd_$pid  # Before it is there: any end of this script from here on takes it away.
  remove_probe       # Of a process that had this number before, where this script was killed.
  perf probe -q -x "/proc/$pid/root$library" --add "$probe=malloc" >"$scratch/log" 2>&1 ||
    fail_with_log "malloc cannot be watched: run as root, on the host; or start the server with this script"
  echo "profile-heap: watching process $pid for $seconds s"
  perf record -q -e "probe_libc:$probe" -F $samples_per_second --call-graph dwarf,$stack_bytes -p "$pid" -o "$scratch/data" \
    -- sleep "$seconds" >"$scratch/log" 2>&1 || fail_with_log "perf may not watch this process"
  perf script -i "$scratch/data" --no-inline -F comm,period,ip,sym,dso 2>"$scratch/log" |
    awk -f "$here/profile-stacks.awk" | sort >"$scratch/heap.txt" || fail_with_log "perf cannot read what it recorded"
  [ -s "$scratch/heap.txt" ] || fail "process $pid asked for no memory in these $seconds s"
  python3 "$here/profile-flame.py" "Calls of malloc of process $pid, $seconds s" calls \
    <"$scratch/heap.txt" >"$scratch/heap.svg" || fail "no flame graph could be drawn"
  mkdir -p "$folder"
  mv "$scratch/heap.txt" "$scratch/heap.svg" "$folder"
  echo "  calls/s  share  function of the server that asked, itself or by what it called"
  print_own_functions "$folder/heap.txt" "$seconds"
  echo "profile-heap: $folder/heap.svg is the flame graph, $folder/heap.txt has its stacks"
}

# Of each stack the innermost function of the server: malloc itself, and the library that called it, tell little.
# Usage: print_own_functions STACKS DIVISOR
print_own_functions() {
  awk -v divisor="$2" '{
    n = $NF; total += n; $NF = ""; sub(/ $/, "")
    depth = split($0, frame, ";"); name = frame[depth]
    for (i = depth; i > 1; --i) if (frame[i] ~ /sweepd::/) { name = frame[i]; break }
    sum[name] += n
  } END { for (name in sum) if (sum[name] >= total / 1000) printf "%9.0f %5.1f%%  %s\n", sum[name] / divisor, 100 * sum[name] / total, name }' "$1" |
    sort -rn | awk 'NR <= 25' | cut -c 1-150
}

run_server() {
  need heaptrack heaptrack_print python3 setsid
  command -v "$1" >/dev/null || fail "there is no program '$1'"
  # In a session of its own: Ctrl-C goes to all of a terminal's, and a server that hears it twice ends at once.
  setsid heaptrack -o "$scratch/data" "$@" >"$scratch/log" 2>&1 &
  local tracker=$! folder cost signals=0 before status
  trap 'signals=$((signals + 1)); end_server "$tracker" "$1"' INT TERM HUP
  echo "profile-heap: the server runs; end it with Ctrl-C to see its profile"
  # A signal ends the wait: the status is then the signal's, not the server's.
  while true; do
    before=$signals status=0
    wait "$tracker" || status=$?
    [ "$signals" -ne "$before" ] || break
  done
  trap - INT TERM HUP
  [ "$status" -eq 0 ] || [ "$signals" -gt 0 ] || fail_with_log "the server ended by itself, with $status"
  [ -s "$scratch/data.zst" ] || fail_with_log "the server left no profile"
  folder=profile-heap-$tracker
  mkdir -p "$folder"
  mv "$scratch/data.zst" "$folder/heaptrack.zst"
  for cost in peak leaked; do fold_held "$folder" $cost; done
  heaptrack_print -f "$folder/heaptrack.zst" -p0 -a0 -T0 2>/dev/null | grep -E '^(total|calls|peak)' || true
  echo "       KB  share  function of the server that asked for what was held at the peak"
  print_own_functions "$folder/peak.txt" 1000
  echo "       KB  share  function of the server that asked for what was held at the end"
  print_own_functions "$folder/leaked.txt" 1000
  echo "profile-heap: $folder/peak.svg and $folder/leaked.svg are the flame graphs; heaptrack_print and heaptrack_gui" \
    "tell more of $folder/heaptrack.zst"
}

fold_held() {
  heaptrack_print -f "$1/heaptrack.zst" -p0 -a0 -T0 --flamegraph-cost-type "$2" -F "$scratch/stacks" >"$scratch/log" 2>&1 ||
    fail_with_log "heaptrack_print cannot read $1/heaptrack.zst"
  sed -E 's/\(anonymous namespace\):://g; s/\([^;]*\)//g; s/<[^;]*>//g; s/0x[0-9a-f]+/[unknown]/g' "$scratch/stacks" >"$1/$2.txt"
  python3 "$here/profile-flame.py" "Heap: bytes $2" bytes <"$1/$2.txt" >"$1/$2.svg" || rm "$1/$2.svg"
}

# heaptrack's shell waits for its program, which alone has to hear that it is over.
end_server() {
  local child
  local -a children=()
  read -ra children <"/proc/$1/task/$1/children" || true
  for child in "${children[@]}"; do
    [ "$(cat "/proc/$child/comm" 2>/dev/null)" != "$(basename "$2" | cut -c 1-15)" ] || kill -TERM "$child"
  done
}

case "${1:-}" in
  --) shift; [ $# -ge 1 ] || usage; run_server "$@" ;;
  *) [[ $# -ge 1 && $# -le 3 && $1 =~ ^[0-9]+$ ]] || usage; watch_process "$@" ;;
esac
