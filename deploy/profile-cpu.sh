#!/usr/bin/env bash
# Where a running server spends its time. Usage: deploy/profile-cpu.sh PID [SECONDS] [FOLDER]
#   PID      of sweepd, under load: what it does not do does not show
#   SECONDS  how long to watch it (default 10)
#   FOLDER   where to leave cpu.svg, a flame graph, and cpu.txt, its stacks (default: profile-cpu-PID)
# Prints the functions that take most. Nothing has to be built or started differently; the server loses a few percent
# while it is watched. As root, or where the kernel lets users do this. Needs: deploy/install-packages.sh profiling
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")

# Not a divisor of 60 Hz, or every sample would find the same tick at the same place.
readonly samples_per_second=199
readonly stack_bytes=16384

fail() { echo "profile-cpu: $*" >&2; exit 1; }
fail_with_log() { cat "$scratch/log" >&2; fail "$@"; }
[[ $# -ge 1 && $# -le 3 && $1 =~ ^[0-9]+$ ]] || fail "usage: deploy/profile-cpu.sh PID [SECONDS] [FOLDER]"
pid=$1
seconds=${2:-10}
folder=${3:-profile-cpu-$pid}
[[ $seconds =~ ^[0-9]+([.][0-9]+)?$ ]] || fail "SECONDS is a number, not '$seconds'"
[ -d "/proc/$pid" ] || fail "there is no process $pid"
for tool in perf python3 awk; do
  command -v "$tool" >/dev/null || fail "$tool is missing: deploy/install-packages.sh profiling"
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Stacks are found by their unwinding tables, which every binary has: frame pointers, which the distribution's gRPC has
# none of, are not needed.
echo "profile-cpu: watching process $pid for $seconds s"
perf record -q -F $samples_per_second --call-graph dwarf,$stack_bytes -p "$pid" -o "$scratch/data" \
  -- sleep "$seconds" >"$scratch/log" 2>&1 || {
  fail_with_log "perf may not watch this process: run as root; in a container, with --cap-add PERFMON (or SYS_ADMIN) and a" \
    "seccomp profile that allows perf_event_open; or lower /proc/sys/kernel/perf_event_paranoid to 1"
}
perf report -i "$scratch/data" --stdio --no-children -g none --no-inline --percent-limit 0.5 -F overhead,comm,dso,sym \
  2>/dev/null | grep -v -e '^#' -e '^$' | cut -c 1-160 | head -n 40 >"$scratch/top" || true
[ -s "$scratch/top" ] || fail "process $pid did nothing in these $seconds s"
perf script -i "$scratch/data" --no-inline -F comm,ip,sym,dso 2>"$scratch/log" |
  awk -f "$here/profile-stacks.awk" | sort >"$scratch/cpu.txt" || fail_with_log "perf cannot read what it recorded"
python3 "$here/profile-flame.py" "CPU of process $pid, $seconds s" samples <"$scratch/cpu.txt" >"$scratch/cpu.svg" ||
  fail "no flame graph could be drawn"
mkdir -p "$folder"
mv "$scratch/cpu.txt" "$scratch/cpu.svg" "$folder"
echo "  share  thread           object                 function"
cat "$scratch/top"
echo "profile-cpu: $folder/cpu.svg is the flame graph, $folder/cpu.txt has its stacks"
