#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""Plays random matches on a sweepd of its own and on the second judge, and compares all that is told.

  random_match.py SWEEPD FIRST_SEED LAST_SEED [--every-kind]

Ends with 1 at the first difference, and if no encounter was seen. --every-kind: also if a kind of event or outcome was
not seen, or few kinds of refusals. PYTHONPATH has the Python of proto/.
"""

import argparse
import collections
import itertools
import sys

import grpc
from google.protobuf import text_format
from sweepd.v1 import match_service_pb2 as service, query_service_pb2 as query, types_pb2 as types
from sweepd.v1.exit_reason_pb2 import ExitReason
from sweepd.v1.match_service_pb2_grpc import MatchServiceStub
from sweepd.v1.query_service_pb2_grpc import QueryServiceStub
from sweepd.v1.role_pb2 import ROLE_OBSERVER, ROLE_PLAYER, ROLE_STAGE

from generator import ABSENCES, Generator
from judge import Judge
from server import Seat, running_server, wait_until
from told import END_OF_TICK, ENTER

REASONS = {value: name.removeprefix("EXIT_REASON_") for name, value in ExitReason.items() if value != ENTER}
REASONS[ENTER] = "ENTER"
KINDS = {*REASONS.values(), "ENTER on the way", "destruction", "owner change"}
KINDS_OF_REFUSALS_MIN = 25
DIFFERENT_ROWS_SHOWN = 5


class Difference(Exception):
    pass


class Match:
    def __init__(self, channel, seed):
        self.service, self.queries = MatchServiceStub(channel), QueryServiceStub(channel)
        self.generator = Generator(seed)
        self.random = self.generator.random
        created = self.service.CreateMatch(service.CreateMatchRequest(config=self.generator.config())).match
        self.id, self.judge = created.match_id, Judge(created.config)
        self.seats, self.tokens_of_those_away, self.names = {}, {}, 0
        self.frames_sent, self.seen = [], collections.Counter()

    def run(self):
        """Returns how often each kind of what a match tells was told."""
        for role in [ROLE_STAGE, ROLE_PLAYER, self.random.choice([ROLE_STAGE, ROLE_PLAYER, ROLE_OBSERVER])]:
            self.join(role)
        self.step()
        for _ in range(self.random.randint(30, 100)):
            self.come_and_go()
            self.send_frames()
            self.step()
            if self.judge.tick % 4 == 0:
                self.compare_worlds()
        if self.generator.by_chance(0.3):
            self.seats.pop(self.random.choice(list(self.seats))).leave()  # Given up by the end (21.6).
        self.service.EndMatch(service.EndMatchRequest(match_id=self.id))
        self.compare(self.judge.end())
        return self.seen

    def close(self):
        for seat in self.seats.values():
            seat.break_off()

    # Participants

    def come_and_go(self):
        if self.generator.by_chance(0.04) and len(self.seats) > 2:
            number = self.random.choice(list(self.seats))
            self.judge.leave(number)
            self.seats.pop(number).leave()
        for number in list(self.tokens_of_those_away):
            if number not in self.judge.participants:
                del self.tokens_of_those_away[number]
            elif self.generator.by_chance(0.2):
                self.come_back(number)
        if self.generator.kind == ABSENCES and self.generator.by_chance(0.1) and len(self.seats) > 2:
            self.break_off(self.random.choice(list(self.seats)))
        if self.generator.by_chance(0.05) and len(self.seats) < 6:
            self.join(self.random.choice([ROLE_STAGE, ROLE_PLAYER, ROLE_PLAYER, ROLE_OBSERVER]))

    def join(self, role):
        self.names += 1
        name = f"name {self.names}"
        mine = self.judge.join(name, role)
        seat = Seat(self.service, match_id=self.id, name=name, role=role)
        servers = seat.joined.participant
        self.same("ids of who joined", [(mine.number, *mine.ids[:1], *mine.ids[-1:])],
                  [(servers.number, *filter(None, (servers.first_id, servers.last_id)))])
        self.seats[seat.number] = seat

    def break_off(self, number):
        seat = self.seats.pop(number)
        self.tokens_of_those_away[number] = seat.joined.reconnect_token
        seat.break_off()
        wait_until(lambda: any(p.number == number and p.is_away for p in self.participants()))
        self.judge.participants[number].away_since = self.judge.tick

    def come_back(self, number):
        p = self.judge.participants[number]
        self.seats[number] = Seat(self.service, match_id=self.id, name=p.name, role=p.role,
                                  reconnect_token=self.tokens_of_those_away.pop(number))
        p.come_back()

    def participants(self):
        return self.service.GetMatch(service.GetMatchRequest(match_id=self.id)).match.participants

    # Ticks

    def send_frames(self):
        self.frames_sent = []
        for number, seat in sorted(self.seats.items()):
            frames = self.generator.frames(self.judge, self.judge.participants[number])
            for frame in frames:
                if self.judge.arrive(number, frame) == "MALFORMED" and frame is frames[-1]:  # It acknowledges nothing.
                    frames.append(types.Frame(acknowledged_tick=self.judge.tick))
            self.frames_sent += [(number, frame) for frame in frames]
            seat.send(frames)
        wait_until(lambda: all(p.acknowledged_tick == self.judge.tick or p.is_away for p in self.participants()))

    def step(self):
        self.service.StepMatch(service.StepMatchRequest(match_id=self.id))
        self.compare(self.judge.run_tick())

    # Comparison

    def compare(self, mine):
        self.count(mine)
        for number, seat in self.seats.items():
            servers = seat.told(self.judge.tick)
            for what in ("events", "destructions", "owner_changes"):
                self.same(what, getattr(mine, what), getattr(servers, what))
            self.same("rejections", mine.rejections[number], servers.rejections[number])
            self.same("rejections_not_listed", [mine.rejections_not_listed[number]],
                      [servers.rejections_not_listed[number]])

    def compare_worlds(self):
        world = self.queries.GetWorld(query.GetWorldRequest(match_id=self.id, objects_max=2000))
        mine = [(o.id, o.owner, *o.place, *((0, 0, 0, 0) if o.frozen else o.velocity + o.acceleration), o.disabled,
                 len(o.parts)) for _, o in sorted(self.judge.objects.items())]
        servers = [(o.object_id, o.owner, o.x, o.y, o.motion.velocity_x, o.motion.velocity_y, o.motion.acceleration_x,
                    o.motion.acceleration_y, o.is_disabled, len(o.parts)) for o in world.objects]
        self.same("objects", mine, servers)

    def same(self, what, mine, servers):
        if mine == servers:
            return
        equal = len(list(itertools.takewhile(lambda rows: rows[0] == rows[1], zip(mine, servers))))
        lines = [f"tick {self.judge.tick}: other {what} from row {equal} on, of {len(mine)} and {len(servers)}"]
        for side, rows in (("judge", mine), ("server", servers)):
            lines += [f"  {side}: {row}" for row in rows[equal:equal + DIFFERENT_ROWS_SHOWN]]
        lines += [f"  frame of {number}: {text_format.MessageToString(frame, as_one_line=True)}"
                  for number, frame in self.frames_sent]
        raise Difference("\n".join(lines))

    def count(self, told):
        self.seen.update(REASONS[event.reason] for event in told.events)
        self.seen["ENTER on the way"] += sum(e.reason == ENTER and e.time_of_impact < END_OF_TICK for e in told.events)
        self.seen.update(rejection.reason for rejections in told.rejections.values() for rejection in rejections)
        self.seen.update({"destruction": len(told.destructions), "owner change": len(told.owner_changes)})


def play(channel, seed):
    """Plays the match of a seed to its end, or to the first difference."""
    match = Match(channel, seed)
    try:
        return match.run()
    except Difference as difference:
        raise Difference(f"seed {seed}, {difference}") from None
    except (grpc.RpcError, EOFError, TimeoutError) as error:
        raise RuntimeError(f"seed {seed}, tick {match.judge.tick}") from error
    finally:
        match.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sweepd")
    parser.add_argument("first_seed", type=int)
    parser.add_argument("last_seed", type=int)
    parser.add_argument("--every-kind", action="store_true")
    options = parser.parse_args()
    seen = collections.Counter()
    try:
        with running_server(options.sweepd) as channel:
            for seed in range(options.first_seed, options.last_seed + 1):
                seen.update(play(channel, seed))
    except Difference as difference:
        sys.exit(str(difference))
    print(", ".join(f"{kind} {count}" for kind, count in sorted(seen.items())))
    if not seen["ENTER"]:
        sys.exit("no encounter was seen")
    missing = KINDS - {kind for kind in seen if seen[kind]}
    if options.every_kind and (missing or len(seen) < len(KINDS) + KINDS_OF_REFUSALS_MIN):
        sys.exit(f"not every kind was seen: {', '.join(sorted(missing)) or 'of refusals'}")
    print(f"{options.last_seed - options.first_seed + 1} matches agree")


if __name__ == "__main__":
    main()
