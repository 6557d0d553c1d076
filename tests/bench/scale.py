#!/usr/bin/env python3
"""What one core carries, measured in one run: the server on core 0, the load generator on core 1.

First gRPC alone (grpc_echo), then sweepd with the same clients: the most matches of which every p99 stays below 5 ms,
CPU, latency, bytes and memory, and what a second loop adds. Prints a table of target, measured figure and verdict as
Markdown; figures of every trial go to scale.json. On a quiet machine: a build beside it costs half of everything.

Usage: tests/bench/scale.py [--out FOLDER] [--seconds S] [--realtime] [--only PART…] [--bin FOLDER]   (tests/bench/run.sh builds)
"""
import argparse
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

TICK_MS = 1000 / 60
BOUND_MS = 5.0
CLIENTS = 4
SERVER_CORE, LOAD_CORE = 0, 1
PARTS = ["raw", "explicit", "motion", "shared", "memory", "w2", "loops", "secure"]


class Bench:
    """Where the programs are, how long trials take, and what they found."""

    def __init__(self, options):
        self.bin = pathlib.Path(options.bin).resolve()
        self.seconds = options.seconds
        self.is_realtime = options.realtime
        self.trials = []
        self.rows = []

    def program(self, name):
        path = self.bin / name
        if not os.access(path, os.X_OK):
            sys.exit(f"scale: {path} is missing: tests/bench/run.sh builds it")
        return str(path)

    def prepare(self, cores):
        """In a process that is about to become one of those measured."""
        os.sched_setaffinity(0, set(cores))
        if self.is_realtime:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))

    def row(self, what, target, measured, is_met):
        verdict = "–" if is_met is None else "met" if is_met else "**missed**"
        self.rows.append({"what": what, "target": target, "measured": measured, "verdict": verdict})
        print(f"  {what}: {measured} (target {target}): {verdict}", flush=True)

    def table(self):
        lines = ["| what | target | measured | verdict |", "|---|---|---|---|"]
        lines += [f"| {row['what']} | {row['target']} | {row['measured']} | {row['verdict']} |" for row in self.rows]
        return "\n".join(lines)

    def write(self, folder):
        """After each part: what was measured for half an hour is not lost to what comes after it."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scale.json").write_text(json.dumps({"rows": self.rows, "trials": self.trials}, indent=1))
        (folder / "scale.md").write_text(self.table() + "\n")


class Server:
    """A sweepd of its own."""

    def __init__(self, bench, loops=1, cores=(SERVER_CORE,), options=()):
        self.bench, self.loops, self.cores, self.options = bench, loops, cores, options

    def __enter__(self):
        command = [self.bench.program("sweepd"), "--listen", "127.0.0.1:0", "--loops", str(self.loops), "--log-level", "warning",
                   "--loop-busy-max-percent", "100", "--loop-lateness-max-ms", "0",  # What is too much is for the trial to find.
                   *self.options]
        self.folder = tempfile.TemporaryDirectory()
        ready = pathlib.Path(self.folder.name) / "ready"
        try:
            self.process = subprocess.Popen([*command, "--ready-file", str(ready)],
                                            preexec_fn=lambda: self.bench.prepare(self.cores))
        except BaseException:
            self.folder.cleanup()
            raise
        try:
            self.wait_for(ready)
        except BaseException:  # Nothing else would end it.
            self.__exit__()
            raise
        return self

    def wait_for(self, ready):
        deadline = time.monotonic() + 10
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit("scale: sweepd did not start")
            time.sleep(0.02)
        self.address = f"127.0.0.1:{ready.read_text().split()[0]}"

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


def play(bench, server, matches, *arguments, seconds=None, core=LOAD_CORE):
    """One run of `sweepctl load`; its figures, or None where it failed so that there are none."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "load.json"
        command = [bench.program("sweepctl"), "load", "--server", server.address, "--server-pid",
                   str(server.process.pid), "--matches", str(matches), "--duration", str(seconds or bench.seconds),
                   "--warm-up", "3", "--json", str(file), *arguments]
        if "--clients" not in arguments:
            command += ["--clients", str(CLIENTS)]
        cores = (SERVER_CORE, LOAD_CORE) if core is None else (core,)
        result = subprocess.run(command, capture_output=True, text=True, timeout=600, preexec_fn=lambda: bench.prepare(cores))
        if result.returncode == 2:  # It was asked for what it does not know: no trial.
            sys.exit(f"scale: {' '.join(command)}\n{result.stderr}")
        if result.returncode != 0:
            print(f"    {matches} matches: {result.stderr.strip()}", flush=True)
        if not file.exists():
            bench.trials.append({"matches": matches, "arguments": list(arguments), "error": result.stderr.strip()})
            return None
        figures = json.loads(file.read_text())
    figures["arguments"] = list(arguments)
    bench.trials.append(figures)
    p99 = [figures["milliseconds"][name]["p99"] for name in LATENCIES]
    print(f"    {matches} matches: p99 " + ", ".join(f"{value:.2f}" for value in p99) +
          f" ms; {cpu_text(figures)} of CPU a match-second; {'holds' if holds(figures) else 'does not hold'}" +
          ("; the load generator is the bottleneck" if figures["load_is_bottleneck"] else ""), flush=True)
    return figures


LATENCIES = ["beyond_the_wait", "tick_lateness", "input_age"]
LOSSES = ["ticks_lost", "frames_not_sent", "streams_closed", "probes_lost"]


def holds(figures):
    """Every p99 below the bound, every tick run, every frame sent in time and taken; by a server that is still there."""
    if figures is None or figures["server"] is None:
        return False
    is_in_time = all(figures["milliseconds"][name]["p99"] < BOUND_MS for name in LATENCIES)
    is_at_rate = figures["tick_rate_min_hz"] > 0.99 * figures["rate_hz"]
    counts = figures["counts"]
    return is_in_time and is_at_rate and not any(counts[name] for name in LOSSES)


def cpu_ms(figures):
    return figures["server"]["cpu_ms_per_match_second"]


def cpu_text(figures):
    return "unknown" if figures["server"] is None else f"{cpu_ms(figures):.2f} ms"


def note_bottleneck(figures):
    """Of the most that was held: what more would have been is not known then."""
    return " (the load generator is the bottleneck)" if figures["load_is_bottleneck"] else ""


def try_matches(bench, matches, arguments, loops, cores, core):
    """On a new server; a second time if it does not hold: a machine may have had something else to do."""
    for _ in range(2):
        with Server(bench, loops, cores) as server:
            figures = play(bench, server, matches, *arguments, core=core)
        if holds(figures):
            return figures
    return None


def find_most(bench, begin, *arguments, loops=1, cores=(SERVER_CORE,), core=LOAD_CORE):
    """The most matches that hold: by steps of half as many again, then by halving, to 5%."""
    best, too_many, matches = None, None, begin
    while True:
        figures = try_matches(bench, matches, arguments, loops, cores, core)
        if figures:
            best = figures
        else:
            too_many = matches
        held = best["matches"] if best else 0
        if too_many is None:
            matches = held + (held + 1) // 2
        elif too_many - held <= max(1, held // 20):
            return best
        else:
            matches = (held + too_many) // 2
            if matches == 0:
                return None


def echo(bench, mode, *arguments):
    """What gRPC alone does; the figures of the best trial."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "echo.json"
        command = [bench.program("grpc_echo"), "--mode", mode, "--seconds", str(bench.seconds), "--json", str(file),
                   "--server-core", str(SERVER_CORE), "--load-core", str(LOAD_CORE), *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=900,
                                preexec_fn=lambda: bench.prepare((SERVER_CORE, LOAD_CORE)))
        print(result.stdout, end="", flush=True)
        if not file.exists():
            sys.exit(f"scale: {' '.join(command)}\n{result.stderr}")
        figures = json.loads(file.read_text())
    bench.trials.append(figures)
    return figures["best"]


def raw(bench):
    """gRPC alone: streams held, and what a message costs."""
    for mode, what in (("echo", "answers each message"), ("tick", "answers every tick of every client")):
        best = echo(bench, mode)
        bench.row(f"raw gRPC that {what}: streams held (÷ 4: matches)", "beside it",
                  f"{best['streams']} ({best['streams'] // CLIENTS}), {best['server_us_per_message']:.1f} µs of CPU a message", None)


def explicit(bench):
    best = find_most(bench, 60, "--motion", "explicit")
    if best is None:
        return bench.row("W1 explicit: matches held", "≥ 160 (aim 200)", "none", False)
    bench.row("W1 explicit: matches held", "≥ 160 (aim 200)", str(best["matches"]) + note_bottleneck(best), best["matches"] >= 160)
    bench.row("W1 explicit: CPU of a match-second", "≤ 4 ms", f"{cpu_ms(best):.2f} ms", cpu_ms(best) <= 4)
    up, down = best["bytes_up_per_client_tick"], best["bytes_down_per_client_tick"]
    bench.row("W1 explicit: bytes up a client and tick", "≤ 350", f"{up:.0f}", up <= 350)
    bench.row("W1 explicit: bytes down a client and tick", "≤ 25", f"{down:.0f}", down <= 25)
    with Server(bench) as server:
        half = play(bench, server, max(best["matches"] // 2, 1), "--motion", "explicit")
    if half is None:
        return bench.row("update to event at half of that", f"≤ {TICK_MS + 3:.1f} ms", "none", False)
    p50, p99 = half["milliseconds"]["update_to_event"]["p50"], half["milliseconds"]["update_to_event"]["p99"]
    bench.row("update to event at half of that, p50", f"≤ {TICK_MS / 2 + 1:.1f} ms", f"{p50:.2f} ms", p50 <= TICK_MS / 2 + 1)
    bench.row("update to event at half of that, p99", f"≤ {TICK_MS + 3:.1f} ms", f"{p99:.2f} ms", p99 <= TICK_MS + 3)


def motion(bench):
    best = find_most(bench, 80, "--motion", "server")
    if best is None:
        return bench.row("W1 server motion: CPU of a match-second", "≤ 2.5 ms", "no match held", False)
    bench.row("W1 server motion: matches held", "–", str(best["matches"]) + note_bottleneck(best), None)
    bench.row("W1 server motion: CPU of a match-second", "≤ 2.5 ms", f"{cpu_ms(best):.2f} ms", cpu_ms(best) <= 2.5)


def shared(bench):
    """A game server plays for its players: over a stream for each, and over one for all."""
    for name, argument in [("one connection, a stream each", ["--connections-per-match", "1"]),
                           ("one connection, one stream", ["--shared-streams"])]:
        what = f"W1 explicit, {name}"
        best = find_most(bench, 80, "--motion", "explicit", *argument)
        if best is None:
            bench.row(f"{what}: CPU of a match-second", "≤ 3 ms", "no match held", False)
            continue
        bench.row(f"{what}: matches held", "–", str(best["matches"]) + note_bottleneck(best), None)
        bench.row(f"{what}: CPU of a match-second", "≤ 3 ms", f"{cpu_ms(best):.2f} ms", cpu_ms(best) <= 3)


def resident_bytes(bench, matches, *arguments):
    """Of a new server with so many matches, their histories full: 120 ticks, of three seconds before them."""
    with Server(bench) as server:
        figures = play(bench, server, matches, *arguments, seconds=1)
    if figures is None or figures["server"] is None:
        sys.exit(f"scale: the memory of {matches} matches cannot be told")
    return figures["server"]["resident_bytes"]


def memory(bench):
    """Differences between servers with few and with many, so that what a server takes by itself does not count."""
    few, many, many_clients = 8, 40, 16
    raw_few, raw_many = (echo(bench, "tick", "--streams", str(streams))["server_resident_bytes"] for streams in (32, 160))
    if raw_few == 0 or raw_many == 0:
        sys.exit("scale: the memory of raw gRPC's streams cannot be told")
    bench.row("memory of a stream, raw gRPC", "beside it", f"{(raw_many - raw_few) / 128 / 1000:.0f} KB", None)
    base = resident_bytes(bench, few, "--motion", "explicit")
    stream = resident_bytes(bench, few, "--motion", "explicit", "--clients", str(many_clients)) - base
    stream /= few * (many_clients - CLIENTS)
    bench.row("memory of a stream", "≤ 40 KB", f"{stream / 1000:.0f} KB", stream <= 40e3)
    for way, bound in (("explicit", 800e3), ("server", 250e3)):
        if way != "explicit":
            base = resident_bytes(bench, few, "--motion", way)
        grown = resident_bytes(bench, many, "--motion", way) - base
        match = grown / (many - few) - CLIENTS * stream
        bench.row(f"memory of a W1 match with 120 ticks of history, {way} motion, without its streams",
                  f"≤ {bound / 1000:.0f} KB", f"{match / 1000:.0f} KB", match <= bound)


def own_tick_us(bench):
    """Of a W2 match whose bullets the server moves, without telling anybody."""
    result = subprocess.run(["taskset", "-c", str(SERVER_CORE), bench.program("server_bench"), "--benchmark_format=json",
                             "--benchmark_filter=^W2/server_motion", "--benchmark_repetitions=3"],
                            capture_output=True, text=True, check=True, timeout=300)
    runs = [run for run in json.loads(result.stdout)["benchmarks"] if run["run_type"] == "iteration"]
    return sorted(run["tick_us"] - run["telling_us/tick"] for run in runs)[len(runs) // 2]


def w2(bench):
    tick_us = own_tick_us(bench)
    bound = math.ceil(0.6 * 1e6 / (60 * tick_us))
    best = find_most(bench, max(bound // 2, 1), "--scene", "W2", "--motion", "server")
    held = best["matches"] if best else 0
    bench.row("W2 server motion: matches held", f"≥ {bound} (0.6 × 1 s ÷ (60 × {tick_us:.0f} µs))",
              str(held) + (note_bottleneck(best) if best else ""), held >= bound)


def loops(bench):
    """Twice the matches on two loops, turn by turn with one. What counts is what a match costs the server then: where both
    cores run a loop, the load takes part of what they could do, which it would not if it ran elsewhere.
    """
    arguments = ("--scene", "W2", "--motion", "server", "--clients", "1")
    matches, both = 14, (SERVER_CORE, LOAD_CORE)
    ones, twos = [], []
    for _ in range(5):
        with Server(bench) as server:
            ones.append(play(bench, server, matches, *arguments))
        with Server(bench, loops=2, cores=both) as server:
            twos.append(play(bench, server, 2 * matches, *arguments, core=None))
    if None in ones + twos:
        return bench.row("two loops against one, W2 server motion", "≥ 1.8", "a load failed", False)
    one, two = (sorted(cpu_ms(figures) for figures in runs)[len(runs) // 2] for runs in (ones, twos))
    held = sum(holds(figures) for figures in twos)
    times = 2 * one / two
    bench.row("two loops against one, W2 server motion: matches for the same CPU of each loop", "≥ 1.8",
              f"{times:.2f} ({matches} → {2 * matches} matches, {one:.1f} → {two:.1f} ms a match-second; "
              f"{held} of {len(twos)} runs with two held)", times >= 1.8)


def make_credentials(bench, folder):
    """A certificate for this machine, a key of tickets, and the ticket of a backend that creates the matches and plays in them."""
    def run(*command):
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
        "-out", "chain.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    sweepctl = bench.program("sweepctl")
    run(sweepctl, "key", "new", "--alg", "EdDSA", "--kid", "bench", "--issuer", "game", "--jwks", "keys.json")
    run(sweepctl, "token", "issue", "--key", "bench.jwk", "--sub", "bench", "--role", "backend", "--create", "--output", "token")


def secure(bench):
    """What TLS and the table of rights cost: the same matches on four servers, turn by turn."""
    matches, rounds = 20, 5
    with tempfile.TemporaryDirectory() as folder:
        make_credentials(bench, folder)
        tls = (["--tls-cert", f"{folder}/chain.pem", "--tls-key", f"{folder}/key.pem"], ["--ca", f"{folder}/chain.pem"])
        tickets = (["--ticket-keys", f"{folder}/keys.json"], ["--token-file", f"{folder}/token"])
        ways = {"plain text, no tickets": ([], []), "tickets": tickets, "TLS": tls,
                "TLS and tickets": (tls[0] + tickets[0], tls[1] + tickets[1])}
        runs = {way: [] for way in ways}
        for _ in range(rounds):
            for way, (server_options, load_options) in ways.items():
                with Server(bench, options=server_options) as server:
                    runs[way].append(play(bench, server, matches, "--motion", "explicit", *load_options))
    if any(figures is None or figures["server"] is None for way in runs for figures in runs[way]):
        return bench.row("W1 explicit: CPU of a match-second by TLS and with tickets", "said", "a load failed", False)
    medians = {way: sorted(cpu_ms(figures) for figures in runs[way])[rounds // 2] for way in runs}
    plain = medians["plain text, no tickets"]
    for way, median in medians.items():
        low, high = (choose(cpu_ms(figures) for figures in runs[way]) for choose in (min, max))
        bench.row(f"W1 explicit, {matches} matches: CPU of a match-second, {way}", "said",
                  f"{median:.2f} ms ({median / plain - 1:+.1%}; {low:.2f} to {high:.2f})", None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=pathlib.Path(__file__).resolve().parents[2] / "build/release/bin")
    parser.add_argument("--out", default=pathlib.Path(__file__).resolve().parents[2] / "build/scale", type=pathlib.Path,
                        help="where to leave scale.md and scale.json, also of a run that ends early (default: build/scale)")
    parser.add_argument("--seconds", default=4.0, type=float, help="that a trial is measured")
    parser.add_argument("--realtime", action="store_true",
                        help="with real-time priority, so that others on the machine disturb less; as root")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    if len(os.sched_getaffinity(0)) < 2:
        sys.exit("scale: needs two cores: one for the server, one for the load")
    bench = Bench(options)
    for part in options.only:
        print(f"{part}:", flush=True)
        try:
            globals()[part](bench)
        finally:
            bench.write(options.out)
    print("\n" + bench.table() + f"\n\n{options.out}/scale.md, {options.out}/scale.json")


if __name__ == "__main__":
    main()
