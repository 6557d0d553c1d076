# SPDX-License-Identifier: MIT
"""Seats, roles and the arrival of frames (RULES.md 10, 11, 14.1, 17)."""

import collections

from sweepd.v1 import types_pb2 as types
from sweepd.v1.role_pb2 import ROLE_OBSERVER, ROLE_STAGE

from limits import Refused
from shapes import HIGH, LOW
from told import Rejection

LISTS = ("spawns", "reshapes", "layer_changes", "motions", "freezes", "releases", "disables", "enables", "transfers",
         "despawns", "mass_despawns")
Base = collections.namedtuple("Base", "place step frame")
Waiting = collections.namedtuple("Waiting", "placed named is_delayed frame moves")


class Participant:
    def __init__(self, number, name, role, ids, joined):
        self.number, self.name, self.role, self.ids, self.joined = number, name, role, ids, joined
        self.acts_as_stage = role == ROLE_STAGE
        self.waiting, self.sent_for = [], collections.Counter()
        self.rejections, self.rejections_not_listed = [], 0
        self.away_since = None
        self.come_back()
        self.begin_tick()

    def begin_tick(self):
        self.mass_changes = self.looked_at = 0

    def come_back(self):  # On a new stream, which has no bases (10.7).
        self.away_since, self.bases, self.frames = None, {}, 0

    def reject(self, tick, frame, reason, object_id=0):  # 12.4
        if len(self.rejections) < 64:
            self.rejections.append(Rejection(tick, frame.tick, reason, object_id))
        else:
            self.rejections_not_listed += 1


class Seats:
    """The part of the judge that comes before a tick."""

    def join(self, name, role):  # 17.1
        block = self.config.ids_per_participant
        for number in range(64, 128) if role == ROLE_OBSERVER else range(64):
            ids = range(0) if role == ROLE_OBSERVER else range(number * block + 1, (number + 1) * block + 1)
            if self.is_free(number) and not any(i in ids for i in self.objects):
                self.participants[number] = Participant(number, name, role, ids, self.tick)
                return self.participants[number]

    def is_free(self, number):  # 17.3
        return number not in self.participants and all(p.number != number or not p.had_objects for p in self.leavers)

    def leave(self, number):  # 17.5, 17.6
        leaver = self.participants.pop(number)
        leaver.had_objects = any(o.owner == number for o in self.objects.values())
        if leaver.joined < self.tick:
            self.leavers.append(leaver)

    def arrive(self, number, frame):  # 11
        """A frame of the participant comes after the last tick. Returns why it is refused, or None."""
        p, next_tick = self.participants[number], self.tick + 1
        p.frames += 1
        try:
            moves = decode(p, frame)
            has_change = (moves or frame.absolute_moves.x or frame.teleports.x or frame.HasField("scroll") or
                          any(getattr(frame, name) for name in LISTS))
            if p.role != ROLE_OBSERVER:
                self.check_arrival(p, frame.tick, next_tick)
            elif has_change:
                raise Refused("NOT_ALLOWED")
        except Refused as refused:
            p.reject(next_tick, frame, str(refused))
            return str(refused)
        own = frame.tick or next_tick
        placed = self.place(p, frame.tick) if self.layer_limits.is_spread else max(own, next_tick)
        p.waiting.append(Waiting(placed, frame.tick, placed > own, frame, moves))

    def check_arrival(self, p, named, next_tick):
        if named and named < next_tick:
            is_dropped = self.config.late_frames == types.LATE_FRAME_POLICY_DROP
            if is_dropped or next_tick - named > self.config.max_late_ticks:
                raise Refused("TOO_LATE")
        if named - next_tick > self.config.max_lead_ticks:
            raise Refused("TOO_FAR_AHEAD")
        frames_max = self.allowed(p, "frames_max")
        if frames_max is not None and p.sent_for[named or next_tick] >= frames_max:
            raise Refused("TOO_MANY_FRAMES")
        p.sent_for[named or next_tick] += 1

    def place(self, p, named):  # 11.6
        next_tick = self.tick + 1
        own = max(named, next_tick)
        delayed = [w.placed for w in p.waiting if w.is_delayed]
        behind = delayed[-1] if delayed else next_tick
        if not delayed and (not named or named >= next_tick) or own > behind:
            return own
        if not named:
            return behind
        there = [w.named for w in p.waiting if w.placed == behind]
        has_two_runs = any(a != b for a, b in zip(there, there[1:]))
        return behind + 1 if has_two_runs and there[-1] != named else behind

    def allowed(self, p, name):  # 14.1
        """The limit of this name; None if there is none."""
        roles = {p.role, ROLE_STAGE} if p.acts_as_stage else {p.role}
        given = [self.role_limits.get(role) for role in roles]
        values = [getattr(limits, name) if limits and limits.HasField(name) else None for limits in given]
        if name == "may_teleport":
            return True if True in values else None if None in values else False
        if None in values:
            return None
        if name.endswith("_layers"):
            return {self.layer_numbers[layer] for value in values for layer in value.layers}
        return max(values)


def decode(p, frame):
    """The rows of `moves` as (object id, place) (10.1, 10.3 to 10.7)."""
    columns = [(c.object_id, c.x, c.y) for c in (frame.absolute_moves, frame.teleports)]
    for rows in columns + [(frame.moves.id_delta, frame.moves.dx, frame.moves.dy)]:
        if len(set(map(len, rows))) > 1:
            raise Refused("MALFORMED")
    bases = {i: base for i, base in p.bases.items() if p.frames - base.frame <= 64}
    for spawn in frame.spawns:
        bases[spawn.object_id] = Base((spawn.x, spawn.y), (0, 0), p.frames)
    moves, i = [], 0
    for id_delta, dx, dy in zip(frame.moves.id_delta, frame.moves.dx, frame.moves.dy):
        i += id_delta
        base = bases.get(i, Base((0, 0), (0, 0), 0))
        course = base.step if frame.moves.is_against_course else (0, 0)
        place = base.place[0] + dx + course[0], base.place[1] + dy + course[1]
        if not 0 <= i < 2**32 or not fits_32_bits(place):
            raise Refused("MALFORMED")
        step = place[0] - base.place[0], place[1] - base.place[1]
        bases[i] = Base(place, step if i in bases and fits_32_bits(step) else (0, 0), p.frames)
        moves.append((i, place))
    for i, x, y in (row for rows in columns for row in zip(*rows)):
        bases[i] = Base((x, y), (0, 0), p.frames)
    for i in frame.despawns:
        bases.pop(i, None)
    p.bases = bases
    return moves


def fits_32_bits(vector):
    return all(LOW <= c <= HIGH for c in vector)
