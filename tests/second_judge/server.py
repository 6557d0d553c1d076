# SPDX-License-Identifier: MIT
"""A real sweepd, and a participant's stream to it."""

import contextlib
import pathlib
import queue
import subprocess
import tempfile
import time

import grpc
from sweepd.v1 import match_service_pb2 as service
from sweepd.v1.rejection_pb2 import RejectionReason

from told import END_OF_TICK, ENTER, Destruction, Event, OwnerChange, Rejection, Told

MATCH_TIME_MAX_S = 300  # For machines at their slowest: no bound on speed.


@contextlib.contextmanager
def running_server(program):
    """A channel to a server of its own, which has to stop cleanly at the end."""
    with tempfile.TemporaryDirectory() as folder:
        ready_file = pathlib.Path(folder) / "ready"
        process = subprocess.Popen([program, "--listen", "127.0.0.1:0", "--loops", "1", "--log-level", "warning",
                                    "--ready-file", ready_file])
        try:
            wait_until(lambda: ready_file.exists() or process.poll() is not None)
            if process.poll() is not None:
                raise RuntimeError(f"{program} does not start: exit code {process.returncode}")
            with grpc.insecure_channel("127.0.0.1:" + ready_file.read_text().strip()) as channel:
                yield channel
        finally:
            process.terminate()
            code = process.wait(MATCH_TIME_MAX_S)
        if code:
            raise RuntimeError(f"{program} ends with {code}")


def wait_until(condition):
    end = time.monotonic() + MATCH_TIME_MAX_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the server does not do what the match waits for")
        time.sleep(0.001)


class Seat:
    def __init__(self, stub, **join):
        self.requests = queue.Queue()
        self.requests.put(service.PlayRequest(join=service.Join(**join)))
        self.answers = stub.Play(iter(self.requests.get, None), timeout=MATCH_TIME_MAX_S)
        self.joined = next(self.answers).joined
        self.number = self.joined.participant.number

    def send(self, frames):
        if len(frames) == 1:
            self.requests.put(service.PlayRequest(frame=frames[0]))
        else:
            self.requests.put(service.PlayRequest(frames=service.Frames(frames=frames)))

    def leave(self):
        self.requests.put(service.PlayRequest(leave=service.Leave()))
        for _ in self.answers:
            pass
        self.requests.put(None)

    def break_off(self):
        self.answers.cancel()
        self.requests.put(None)

    def told(self, tick):
        """What the stream tells up to the tick."""
        told = Told()
        told.rejections[self.number], told.rejections_not_listed[self.number] = [], 0
        for answer in self.answers:
            if answer.WhichOneof("message") == "update":
                self.add(answer.update, told)
                if answer.update.tick >= tick:
                    return told
        raise EOFError(f"the stream of participant {self.number} ends before tick {tick} is told")

    def add(self, update, told):
        told.events += events_of(update)
        told.destructions += [row_of(Destruction, d) for d in update.destructions]
        told.owner_changes += [row_of(OwnerChange, o)._replace(object_ids=list(o.object_ids))
                               for o in update.owner_changes]
        told.rejections[self.number] += [row_of(Rejection, r)._replace(reason=name_of(r.reason))
                                         for r in update.rejections]
        told.rejections_not_listed[self.number] += update.rejections_not_listed


def row_of(kind, message):
    return kind(*(getattr(message, name) for name in kind._fields))


def name_of(reason):
    return RejectionReason.Name(reason).removeprefix("REJECTION_REASON_")


def events_of(update):
    e = update.events
    count = len(e.object_a)
    first, zeros = update.last_sequence_number - e.events_after - count + 1, [0] * count
    return map(Event, range(first, first + count), e.reason or [ENTER] * count, e.object_a, e.object_b,
               e.layer_a, e.layer_b, e.part_a or zeros, e.part_b or zeros, e.time_of_impact or [END_OF_TICK] * count)
