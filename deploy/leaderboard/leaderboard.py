#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A leaderboard that trusts no score: a recipe, with sweepd's rpc for replays and its tool for verdicts.

  leaderboard.py FOLDER open PLAYER MATCH_FILE    creates a match for a run; prints its id
  leaderboard.py FOLDER submit MATCH SCORE        the run is over, and its player claims a score
  leaderboard.py FOLDER verify                    has all submitted runs verified, many at once
  leaderboard.py FOLDER top                       the verified scores, as JSON
  leaderboard.py FOLDER serve PORT                the same by HTTP on loopback: GET /top, POST /submit

SWEEPD_SERVER is the server (HOST:PORT), SWEEPCTL the tool (default: sweepctl). FOLDER keeps the runs (SQLite) and their
replays. The stubs of the rpc are made once from proto/, beside this script or where SWEEPD_PROTO says:

  protoc -I proto --python_out=FOLDER/stubs --grpc_python_out=FOLDER/stubs \
    --plugin=protoc-gen-grpc_python=$(command -v grpc_python_plugin) \
    $(cd proto && find sweepd -name '*.proto')
"""
import http.server
import json
import os
import pathlib
import sqlite3
import subprocess
import sys

SWEEPCTL = os.environ.get("SWEEPCTL", "sweepctl")
SERVER = os.environ.get("SWEEPD_SERVER", "127.0.0.1:7777")
SCHEMA = """CREATE TABLE IF NOT EXISTS runs (match TEXT PRIMARY KEY, nonce TEXT NOT NULL, player TEXT NOT NULL,
  claimed INTEGER, verdict TEXT, why TEXT)"""


class Leaderboard:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.runs = sqlite3.connect(self.folder / "runs.db")
        self.runs.execute(SCHEMA)

    def open(self, player, match_file):
        """The server gives each match a nonce: a run that was recorded before has another."""
        created = subprocess.run([SWEEPCTL, "create", "--json", "--config", match_file], check=True, capture_output=True)
        match = json.loads(created.stdout)
        with self.runs:
            self.runs.execute("INSERT INTO runs (match, nonce, player) VALUES (?, ?, ?)",
                              (match["match_id"], match["nonce"], player))
        return match["match_id"]

    def submit(self, match, score):
        """Fetches the replay while the server has it. What it says is for `verify` to find out."""
        with self.runs:
            changed = self.runs.execute("UPDATE runs SET claimed = ?, verdict = NULL WHERE match = ?", (score, match))
            if changed.rowcount == 0:
                raise KeyError(match)
        self.fetch(match, self.folder / f"{match}.swpr")

    def fetch(self, match, path):
        sys.path.insert(0, str(self.folder / "stubs"))
        import grpc
        from sweepd.v1 import replay_service_pb2, replay_service_pb2_grpc
        with grpc.insecure_channel(SERVER) as channel:
            service = replay_service_pb2_grpc.ReplayServiceStub(channel)
            key = service.GetPublicKey(replay_service_pb2.GetPublicKeyRequest(), timeout=30)
            self.trust(key.pem)
            request = replay_service_pb2.GetReplayRequest(match_id=match)
            with open(path, "wb") as file:
                for response in service.GetReplay(request, timeout=300):
                    file.write(response.chunk)  # Empty in the first, which says what follows.

    def trust(self, pem):
        """On a first visit. When the server's key is replaced, add the next one here, and end this one's time."""
        keys = self.folder / "keys.json"
        if keys.exists():
            return
        (self.folder / "server.pem").write_text(pem)
        keys.write_text(json.dumps({"keys": [{"id": "server", "file": "server.pem"}]}))

    def verify(self):
        """One process of the tool for all of them; a line of JSON for each, with anything in the files."""
        waiting = self.runs.execute("SELECT match, nonce, player, claimed FROM runs "
                                    "WHERE claimed IS NOT NULL AND verdict IS NULL").fetchall()
        manifest = "".join(json.dumps({"file": str(self.folder / f"{match}.swpr"), "nonce": nonce, "player": player,
                                       "score": claimed, "key": "server"}) + "\n"
                           for match, nonce, player, claimed in waiting)
        if not waiting:
            return []
        tool = subprocess.run([SWEEPCTL, "verify", "--json", "--manifest", "-", "--keys", self.folder / "keys.json",
                               "--max-seconds", "60", "--max-memory", "1024"],
                              input=manifest, text=True, stdout=subprocess.PIPE)
        reports = [json.loads(line) for line in tool.stdout.splitlines()]
        with self.runs:
            for (match, *_), report in zip(waiting, reports, strict=True):
                is_first = "duplicate_of" not in report and "same_run_as" not in report
                verdict = report["verdict"] if is_first else "DUPLICATE"
                self.runs.execute("UPDATE runs SET verdict = ?, why = ? WHERE match = ?",
                                  (verdict, report["what"], match))
        return reports

    def top(self):
        rows = self.runs.execute("SELECT player, claimed, match FROM runs WHERE verdict = 'VERIFIED' "
                                 "ORDER BY claimed DESC, match LIMIT 100")
        return [{"player": player, "score": score, "match": match} for player, score, match in rows]


def serve(folder, port):
    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, code, value):
            body = json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path != "/top":
                return self.answer(404, {"error": "no such page"})
            self.answer(200, Leaderboard(folder).top())

        def do_POST(self):
            length = min(int(self.headers.get("Content-Length", 0)), 4096)
            try:
                run = json.loads(self.rfile.read(length))
                board = Leaderboard(folder)
                board.submit(str(run["match"]), int(run["score"]))
                board.verify()
            except (KeyError, TypeError, ValueError) as error:
                return self.answer(400, {"error": f"no run that can be submitted: {error}"})
            self.answer(200, board.top())

    server = http.server.HTTPServer(("127.0.0.1", port), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


def main(folder, command, *arguments):
    board = Leaderboard(folder)
    if command == "open":
        print(board.open(*arguments))
    elif command == "submit":
        board.submit(arguments[0], int(arguments[1]))
    elif command == "verify":
        for report in board.verify():
            print(json.dumps(report))
    elif command == "top":
        print(json.dumps(board.top()))
    elif command == "serve":
        serve(folder, int(arguments[0]))
    else:
        raise SystemExit(f"leaderboard: no such command: {command}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
