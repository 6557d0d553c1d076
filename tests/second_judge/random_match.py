"""Plays random matches on a running sweepd and on judge.py, and compares all that is told.

random_match.py HOST:PORT FIRST_SEED LAST_SEED [--version 1|2] [--jobs N] [--config]"""

import collections
import concurrent.futures
import os
import queue
import random
import re
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "stubs"))
import grpc
from google.protobuf import text_format
from sweepd.v1 import (exit_reason_pb2, geometry_pb2, limits_pb2, match_service_pb2 as sweepd, match_service_pb2_grpc as rpc,
                       outcome_pb2, query_service_pb2 as query, query_service_pb2_grpc as query_rpc, rejection_pb2,
                       shape_pb2, types_pb2 as types)

import judge
from shapes import HIGH, LOW

NAMES = {v: n.replace("REJECTION_REASON_", "") for n, v in rejection_pb2.RejectionReason.items()}
REASONS = {v: n.replace("EXIT_REASON_", "") for n, v in exit_reason_pb2.ExitReason.items()}
REASONS[0] = "ENTER"


COUNTS = collections.Counter()
PRINTING = threading.Lock()


class Difference(Exception):
    pass


class Seat:
    """A participant's stream."""

    def __init__(self, stub, match_id, name, role, token=b""):
        self.requests, self.answers = queue.Queue(), queue.Queue()
        self.requests.put(sweepd.PlayRequest(join=sweepd.Join(match_id=match_id, name=name, role=role, reconnect_token=token)))
        self.call = stub.Play(iter(self.requests.get, None))
        threading.Thread(target=self.read, daemon=True).start()
        self.joined = self.answers.get(timeout=60)
        if isinstance(self.joined, Exception):
            raise self.joined
        self.joined = self.joined.joined
        self.number, self.name = self.joined.participant.number, name

    def read(self):
        try:
            for answer in self.call:
                if answer.WhichOneof("message") != "heartbeat":
                    self.answers.put(answer)
            self.answers.put(None)
        except grpc.RpcError as error:
            self.answers.put(error)

    def send(self, frames):
        if len(frames) == 1:
            self.requests.put(sweepd.PlayRequest(frame=frames[0]))
        else:
            self.requests.put(sweepd.PlayRequest(frames=sweepd.Frames(frames=frames)))

    def leave(self):
        self.requests.put(sweepd.PlayRequest(leave=sweepd.Leave()))
        while True:
            answer = self.answers.get(timeout=60)
            if answer is None:
                break
            if isinstance(answer, Exception):
                raise answer
        self.requests.put(None)

    def told(self, tick):
        """What was told up to the tick: events, rejections, rejections not listed, destructions, owner changes."""
        events, rejections, not_listed, destructions, owners = [], [], 0, [], []
        while True:
            answer = self.answers.get(timeout=60)
            if answer is None or isinstance(answer, Exception):
                raise Difference(f"the stream of {self.number} ended: {answer}")
            update = answer.update
            if answer.WhichOneof("message") == "ended":
                raise Difference(f"the match ended: {answer.ended.match.end_reason}")
            columns = update.events
            rows = len(columns.object_a)
            last = update.last_sequence_number - columns.events_after
            at = lambda column, i, default: column[i] if column else default
            for i in range(rows):
                events.append((last - rows + 1 + i, at(columns.reason, i, 0), columns.object_a[i], columns.object_b[i],
                               columns.layer_a[i], columns.layer_b[i], at(columns.part_a, i, 0), at(columns.part_b, i, 0),
                               at(columns.time_of_impact, i, 256)))
            rejections += [(r.tick, r.frame_tick, NAMES[r.reason], r.field, r.object_id) for r in update.rejections]
            not_listed += update.rejections_not_listed
            destructions += [(d.object_id, d.by_object_id, d.owner, d.by_owner, d.layer, d.by_layer)
                             for d in update.destructions]
            owners += [(o.from_participant, o.to_participant, o.with_stage, list(o.object_ids)) for o in update.owner_changes]
            if update.tick >= tick:
                return events, rejections, not_listed, destructions, owners


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.reach = r.choice([12, 60, 400, 1000, 1000, 3000])
        self.size = max(2, self.reach // r.choice([3, 6, 12]))
        self.wild = r.choice([0.0, 0.02, 0.1])
        self.corner = r.choice([(0, 0)] * 5 + [(LOW, LOW), (HIGH, HIGH), (LOW, HIGH), (HIGH, 0)])
        self.target = r.randint(10, 40)
        self.away = seed >= 3000  # Streams break, participants are away.
        self.limited = 2000 <= seed < 3000  # With limits by layer.
        self.dense = seed >= 1000  # Fewer refusals, more that meets.
        if self.dense:
            self.reach, self.wild = r.choice([40, 200, 1000]), r.choice([0, 0.003])
            self.size = self.reach // r.choice([2, 3, 5])
            self.target = r.randint(15, 30)

    def number(self, reach=None):
        r, reach = self.r, reach or self.reach
        if r.random() < self.wild:
            return r.choice([LOW, HIGH, LOW + r.randint(0, 9), HIGH - r.randint(0, 9), r.randint(LOW, HIGH)])
        return r.randint(-reach, reach)

    def place(self):
        return [max(LOW, min(HIGH, c + self.number())) for c in self.corner]

    def length(self):
        r = self.r
        if r.random() < self.wild / 3:
            return r.choice([-1, HIGH, HIGH // 2, r.randint(0, HIGH)])
        return r.randint(0, self.size)

    def config(self):
        r = self.r
        layers = [f"l{i}" for i in range(r.randint(2, 5))]
        collides, free = [], [(a, b) for a in range(len(layers)) for b in range(a, len(layers))]
        r.shuffle(free)
        for a, b in free[:r.randint(max(1, len(free) // 2), len(free))]:
            if r.random() < 0.5:
                a, b = b, a
            sensor = r.random() < 0.25
            collides.append(types.CollidingLayers(layer_a=layers[a], layer_b=layers[b], sensor=sensor,
                                                  damage_interval_ticks=0 if sensor else r.choice([0, 0, 1, 2, 5])))
        config = types.MatchConfig(layers=layers, collides=collides, clock=types.CLOCK_KIND_MANUAL, heartbeat_ticks=1,
                                   late_frames=r.randint(0, 3), max_lead_ticks=r.choice([0, 3, 120]),
                                   max_late_ticks=r.choice([0, 3, 120]), ids_per_participant=r.choice([16, 20, 48]),
                                   stage_handover=r.randint(0, 2), reconnect_ticks=r.randint(1, 6) if self.away else 0)
        if r.random() < 0.7:
            w, h = r.randint(0, 2 * self.reach), r.randint(0, 2 * self.reach)
            x, y = self.corner
            config.playfield.CopyFrom(geometry_pb2.Box(min_x=max(LOW, x - w), min_y=max(LOW, y - h), max_x=min(HIGH, x + w),
                                                       max_y=min(HIGH, y + h)))
        config.clearable_layers.extend(r.sample(layers, r.randint(0, 2)))
        for _ in range(r.randint(0, 3)):
            width, height = r.randint(1, 12), r.randint(1, 6)
            rows = b""
            for _ in range(height):
                bits = sum((r.random() < 0.4) << i for i in range(width))
                rows += bits.to_bytes((width + 7) // 8, "little")
            config.masks.append(types.BitMask(width=width, height=height, pixel_size=r.randint(1, max(1, self.size // 4)), rows=rows))
        if self.limited:
            for layer in r.sample(layers, r.randint(1, 2)):
                limits = config.layer_limits.add(layer=layer, stay_in_playfield=r.random() < 0.4)
                if r.random() < 0.8:
                    limits.speed_max = self.reach * r.randint(0, 8) // 4
                    limits.speed_budget_ticks = r.choice([0, 1, 1, 2, 4])
            if r.random() < 0.3:
                config.budgets.selected_objects_max = r.randint(20, 80)
            for role in (judge.PLAYER, judge.STAGE):
                if r.random() < 0.5:
                    config.limits.add(role=role).may_teleport = r.random() < 0.8
        if self.dense:
            return config
        if r.random() < 0.3:
            config.objects_per_participant_max = r.randint(3, 12)
        if r.random() < 0.3:
            config.budgets.objects_max = r.randint(8, 30)
        if r.random() < 0.3:
            config.budgets.parts_max = r.randint(8, 60)
        if r.random() < 0.3:
            config.budgets.selected_objects_max = r.randint(10, 80)
        for role in (judge.PLAYER, judge.STAGE):
            if r.random() < 0.3:
                limits = config.limits.add(role=role)
                if r.random() < 0.4:
                    limits.spawn_layers.layers.extend(r.sample(layers, len(layers) - 1))
                if r.random() < 0.4:
                    limits.objects_max = r.randint(2, 12)
                if r.random() < 0.4:
                    limits.parts_max = r.randint(2, 24)
                if r.random() < 0.15:
                    limits.frames_max = r.randint(1, 3)
                if r.random() < 0.6:
                    limits.may_teleport = r.random() < 0.5
                if r.random() < 0.4:
                    limits.selection_layers.layers.extend(r.sample(layers, r.randint(0, len(layers))))
                if r.random() < 0.3:
                    limits.selection_size_max = self.reach
                if r.random() < 0.3:
                    limits.selection_interval_ticks = r.randint(0, 5)
                    if r.random() < 0.5:
                        limits.selection_burst = r.randint(1, 3)
        if r.random() < 0.3:
            for i in range(6):
                slot = config.slots.add(name=f"p{i}", role=judge.STAGE if i in (1, 4) else judge.PLAYER)
                if r.random() < 0.7:
                    slot.first_id = r.randint(1, 30)
                    slot.last_id = slot.first_id + r.randint(10, 40)
        return config

    def part(self, config):
        r = self.r
        part, kind = shape_pb2.Part(layer=r.randrange(len(config.layers))), r.random()
        if r.random() < 0.01:
            part.layer = r.choice([len(config.layers), 63, 64, 99])
        small = lambda: self.number(self.size)
        if kind < 0.4:
            x, y = small(), small()
            x2, y2 = (max(LOW, min(HIGH, c + self.length())) for c in (x, y))
            part.box.CopyFrom(geometry_pb2.Box(min_x=x, min_y=y, max_x=x2, max_y=y2))
            if r.random() < 0.01:
                part.box.CopyFrom(geometry_pb2.Box(min_x=LOW, min_y=LOW, max_x=HIGH, max_y=HIGH))
        elif kind < 0.65:
            part.circle.CopyFrom(shape_pb2.Circle(center_x=small(), center_y=small(), radius=self.length()))
        elif kind < 0.85:
            part.capsule.CopyFrom(shape_pb2.Capsule(a_x=small(), a_y=small(), b_x=small(), b_y=small(), radius=self.length()))
        elif kind < 0.95 and (config.masks or r.random() < 0.02):
            part.mask.CopyFrom(shape_pb2.MaskShape(mask=r.randrange(len(config.masks) + (r.random() < 0.03) or 1), x=small(), y=small()))
        return part

    def parts(self, config):
        r = self.r
        count = r.choice([1, 1, 1, 2, 2, 3, 5])
        if r.random() < 0.01:
            count = r.choice([0, 32, 33])
        return [self.part(config) for _ in range(count)]

    def motion(self):
        r = self.r
        if self.limited and r.random() < 0.7:
            fast = max(1, self.reach // 6)
            m = types.Motion(velocity_x=self.number(fast), velocity_y=self.number(fast))
            if r.random() < 0.4:
                m.acceleration_x, m.acceleration_y = self.number(3), self.number(3)
            return m
        fast = self.reach * r.choice([0, 1, 1, 3] if not self.dense or r.random() < 0.3 else [0, 1]) // r.choice([1, 4, 16]) or 1
        m = types.Motion(velocity_x=self.number(fast), velocity_y=self.number(fast))
        if r.random() < 0.3:
            m.acceleration_x, m.acceleration_y = self.number(fast), self.number(max(1, fast // 8))
        return m

    def selection(self, config):
        r = self.r
        s = outcome_pb2.Selection()
        if r.random() < 0.7:
            s.layers.extend(r.randrange(len(config.layers) + (r.random() < 0.05)) for _ in range(r.randint(1, 2)))
        if r.random() < 0.9:
            x, y = self.place()
            s.region.CopyFrom(geometry_pb2.Box(min_x=x, min_y=y, max_x=min(HIGH, x + r.randint(0, self.reach)),
                                               max_y=min(HIGH, y + r.randint(0, self.reach))))
            if r.random() < 0.03:
                s.region.min_x = min(HIGH, s.region.max_x + 1)
        return s

    def frame(self, config, world, p, busy):
        """A random frame of participant p; world is the judge."""
        r = self.r
        f = types.Frame()
        own = [o.id for o in world.objects.values() if o.owner == p.number]
        everyone = list(world.objects)

        def some():
            x = r.random()
            if own and x < (0.99 if self.dense else 0.9):
                return r.choice(own)
            if everyone and x < 0.97:
                return r.choice(everyone)
            return r.choice([0, 1, p.first_id, p.last_id, r.randint(1, 100), 2**32 - 1])

        def times(chance):
            return range(r.choice([1, 1, 1, 2, 3])) if r.random() < chance * busy else ()

        if p.role == judge.OBSERVER and world.tick == 0:
            return f  # The first step waits for players and stages alone.
        if p.role == judge.OBSERVER:
            if r.random() < 0.05:
                f.despawns.append(some())
            return f
        if len(everyone) < self.target or r.random() < 0.1:
            for _ in range(r.choice([0, 1, 1, 2, 4])):
                x, y = self.place()
                s = f.spawns.add(object_id=r.randint(p.first_id, min(p.last_id, p.first_id + 20)), x=x, y=y)
                s.parts.extend(self.parts(config))
                if r.random() < 0.03:
                    s.object_id = r.choice([0, p.last_id + 1, 2**32 - 1])
                if r.random() < 0.6:
                    s.motion.CopyFrom(self.motion())
                s.time_to_live_ticks = r.choice([0, 0 if not self.limited else r.randint(5, 40), 0, 1, 2, r.randint(1, 30)])
                s.despawn_outside_playfield = r.random() < 0.4
                s.continuous = r.random() < 0.4
                s.single_use = r.random() < 0.25
                s.hit_points = r.choice([0, 0, 1, 5, 20, 2**32 - 1])
                s.damage = r.choice([0, 1, 1, 3, 2**32 - 1])
        fresh = [s.object_id for s in f.spawns]
        if fresh and r.random() < 0.5:
            own = own + fresh
        for _ in times(0.15):
            f.reshapes.add(object_id=some(), parts=self.parts(config))
        for _ in times(0.15):
            c = f.layer_changes.add(object_id=some(), layer=r.randrange(len(config.layers)))
            if r.random() < 0.5:
                c.part = r.choice([0, 0, 0, 1, 2, 31, 32])
            if r.random() < 0.03:
                c.layer = r.choice([len(config.layers), 63, 64, 2**32 - 1])
        if r.random() < 0.6 * busy:
            ids, last = [some() for _ in range(r.randint(1, 5))], 0
            f.moves.is_against_course = r.random() < 0.4
            for i in ids:
                base = p.bases.get(i)
                f.moves.id_delta.append(i - last)
                last = i
                x, y = self.place()
                if base and r.random() < 0.97 or self.corner != (0, 0):
                    bx, by = base[:2] if base else (0, 0)
                    if r.random() < 0.5:
                        x, y = bx + r.randint(-self.size, self.size), by + r.randint(-self.size, self.size)
                    x, y = x - bx, y - by
                if f.moves.is_against_course and r.random() < 0.5:
                    x = y = 0
                f.moves.dx.append(max(LOW, min(HIGH, x)))
                f.moves.dy.append(max(LOW, min(HIGH, y)))
        for _ in times(0.4):
            x, y = self.place()
            f.absolute_moves.object_id.append(some()); f.absolute_moves.x.append(x); f.absolute_moves.y.append(y)
        for _ in times(0.25):
            x, y = self.place()
            f.teleports.object_id.append(some()); f.teleports.x.append(x); f.teleports.y.append(y)
        if own and f.teleports.object_id and r.random() < 0.3:  # The same ones again.
            x, y = self.place()
            f.absolute_moves.object_id.append(f.teleports.object_id[0]); f.absolute_moves.x.append(x); f.absolute_moves.y.append(y)
        for _ in times(0.25):
            m = f.motions.add(object_id=some())
            if r.random() < 0.85:
                m.motion.CopyFrom(self.motion())
        for _ in times(0.15 if self.limited else 0.06):
            f.freezes.append(self.selection(config))
        for _ in times(0.08):
            f.releases.append(self.selection(config))
        for _ in times(0.15):
            f.disables.add(object_id=some(), until_tick=r.choice([0, world.tick + 1, world.tick + 2, world.tick + r.randint(1, 9)]))
        disabled = [i for i in own if i in world.objects and world.objects[i].disabled]
        for _ in times(0.2):
            f.enables.append(r.choice(disabled) if disabled and r.random() < 0.8 else some())
        others = [q for q in world.participants if q != p.number] or [99]
        for _ in times(0.08):
            t = f.transfers.add(to_participant=r.choice(others + [p.number, 99] if r.random() < 0.3 else others))
            if r.random() < 0.8:
                t.object_ids.extend(some() for _ in range(r.randint(1, 3)))
            t.with_stage = r.random() < 0.2
        for _ in times(0.05 if self.dense else 0.2):
            f.despawns.append(some())
        for _ in times(0.05):
            f.mass_despawns.append(self.selection(config))
        if r.random() < 0.01 * busy:
            for _ in range(17):
                f.releases.append(self.selection(config))
        if r.random() < 0.06 * busy:
            f.scroll.CopyFrom(outcome_pb2.Scroll(x=self.number(), y=self.number()))
        return f

    def frames(self, config, world, p):
        """What the participant sends before the next tick. The last frame is for it and acknowledges the tick before."""
        r, later, frames = self.r, world.tick + 1, []
        busy = r.choice([0, 0.5, 1, 1, 1.5])
        if r.random() < 0.02 and world.tick > 6:  # Held up: late ones in a row.
            first = later - r.randint(2, 6)
            for tick in range(first, later + r.randint(0, 1)):
                frames.append(self.frame(config, world, p, busy))
                frames[-1].tick = tick
        if r.random() < 0.1 and world.tick:
            for _ in range(r.choice([1, 1, 2, 3])):
                f = self.frame(config, world, p, busy)
                f.tick = max(0, r.choice([0, later, later + 1, later + r.randint(0, 4), later - 1, later - r.randint(1, 6), later + 130]))
                frames.append(f)
        if r.random() < 0.02:
            f = self.frame(config, world, p, busy)
            kind = r.randrange(4)
            if kind == 0:
                f.moves.dx.append(1)
            elif kind == 1:
                f.teleports.x.append(1)
            elif kind == 2:
                f.moves.id_delta.append(-2**33); f.moves.dx.append(0); f.moves.dy.append(0)
            else:
                f.absolute_moves.object_id.append(3)
            frames.append(f)
        f = self.frame(config, world, p, busy)
        f.tick, f.acknowledged_tick = r.choice([0, later, later]), world.tick
        return frames + [f]


def text_of(events):
    return "\n".join("    " + f"{e[0]} {REASONS[e[1]]} {e[2]}/{e[4]}/{e[6]} {e[3]}/{e[5]}/{e[7]} at {e[8]}" for e in events)


def plain(rejection):
    """With the list and the place in it, in place of the whole path (Q3): no rule says what paths are."""
    tick, frame_tick, reason, field, i = rejection
    name, place = re.match(r"(\w*)[.\w]*(?:\[(\d+)\])?", field).groups()
    whole = i == 0 and reason in ("MALFORMED", "NOT_ALLOWED", "TOO_LATE", "TOO_FAR_AHEAD", "TOO_MANY_FRAMES") and name != "transfers" and name != "scroll"
    return tick, frame_tick, reason, i, "" if whole else name, "" if whole or name == "scroll" else place


class Match:
    def __init__(self, channel, seed, version, trace=False):
        self.play, self.ask = rpc.MatchServiceStub(channel), query_rpc.QueryServiceStub(channel)
        self.seed, self.trace, self.generator = seed, trace, Generator(seed)
        created = self.play.CreateMatch(sweepd.CreateMatchRequest(config=self.generator.config())).match
        self.id, self.config = created.match_id, created.config
        self.judge, self.seats, self.names, self.sent = judge.Judge(self.config, version), {}, 0, []
        self.tokens = {}  # Of who is away
        self.events = 0

    def join(self, role):
        name = f"p{self.names}"
        if self.config.slots and role != judge.OBSERVER:
            taken = {p.name for p in self.judge.participants.values()} | {p.name for p in self.judge.leavers if p.had_objects}
            names = [s.name for s in self.config.slots if s.name not in taken and s.role == role]
            if not names:
                return
            name = names[0]
        self.names += 1
        expected = self.judge.join(name, role)
        seat = Seat(self.play, self.id, name if role != judge.OBSERVER else f"o{self.names}", role)
        got = seat.joined.participant
        self.same("joined", (expected.number, expected.first_id, expected.last_id), (got.number, got.first_id, got.last_id))
        self.seats[seat.number] = seat

    def break_off(self, number):
        seat = self.seats.pop(number)
        self.tokens[number] = seat.name, seat.joined.reconnect_token
        seat.call.cancel()
        for _ in range(5000):
            match = self.play.GetMatch(sweepd.GetMatchRequest(match_id=self.id)).match
            if any(p.number == number and p.is_away for p in match.participants):
                break
            time.sleep(0.002)
        self.judge.participants[number].away_since = self.judge.tick
        self.sent.append((self.judge.tick + 1, number, "is away"))

    def come_back(self, number):
        name, token = self.tokens.pop(number)
        self.seats[number] = Seat(self.play, self.id, name, self.judge.participants[number].role, token)
        self.judge.come_back(number)
        self.sent.append((self.judge.tick + 1, number, "is back"))

    def same(self, what, mine, servers):
        if mine != servers:
            raise Difference(f"tick {self.judge.tick}: {what}\n  judge:  {mine}\n  server: {servers}")

    def wait_for_acknowledgements(self):
        tick = self.judge.tick
        for _ in range(20000):
            match = self.play.GetMatch(sweepd.GetMatchRequest(match_id=self.id)).match
            if all(p.acknowledged_tick == tick or p.is_away for p in match.participants):
                return
            time.sleep(0.003)
        raise Difference("frames are not acknowledged")

    def compare(self, result, told, number):
        events, rejections, not_listed, destructions, owners = told
        if events != result.events:
            mine, servers = set(e[1:] for e in result.events), set(e[1:] for e in events)
            raise Difference(f"tick {result.tick}: events\n  judge only:\n" +
                             text_of([e for e in result.events if e[1:] not in servers]) + "\n  server only:\n" +
                             text_of([e for e in events if e[1:] not in mine]) +
                             ("" if mine != servers else f"\n  order or numbers:\n{text_of(result.events)}\n{text_of(events)}"))
        own = result.rejections.get(number, [])
        if list(map(plain, own)) != list(map(plain, rejections)):
            mine, servers = set(map(plain, own)), set(map(plain, rejections))
            raise Difference(f"tick {result.tick}: rejections of {number}\n  judge only:\n" +
                             "\n".join(str(r) for r in own if plain(r) not in servers) + "\n  server only:\n" +
                             "\n".join(str(r) for r in rejections if plain(r) not in mine) +
                             ("" if mine != servers else f"\n  order or numbers: {own}\n  {rejections}"))
        self.same("rejections not listed", result.not_listed.get(number, 0), not_listed)
        self.same("destructions", result.destructions, destructions)
        self.same("owner changes", result.owner_changes, owners)

    def compare_world(self):
        answer = self.ask.GetWorld(query.GetWorldRequest(match_id=self.id, objects_max=2000))
        mine = [(i, owner, x, y, motion, disabled, len(parts)) for i, owner, x, y, motion, disabled, parts in self.judge.world()]
        servers = [(o.object_id, o.owner, o.x, o.y, (o.motion.velocity_x, o.motion.velocity_y, o.motion.acceleration_x,
                                                     o.motion.acceleration_y), o.is_disabled, len(o.parts)) for o in answer.objects]
        if mine != servers:
            raise Difference(f"tick {self.judge.tick}: world\n  judge only: {[o for o in mine if o not in servers]}\n"
                             f"  server only: {[o for o in servers if o not in mine]}")

    def run(self):
        r = self.generator.r
        for role in [judge.STAGE, judge.PLAYER, judge.PLAYER] + r.choice([[], [judge.STAGE], [judge.PLAYER], [judge.OBSERVER]]):
            self.join(role)
        for _ in range(r.randint(60, 150)):
            if r.random() < 0.04 and len(self.seats) > 2:
                number = r.choice(list(self.seats))
                self.judge.leave(number)
                self.seats.pop(number).leave()
                self.sent.append((self.judge.tick + 1, number, "leaves"))
            for number in list(self.tokens):
                if number not in self.judge.participants:
                    del self.tokens[number]
                elif r.random() < 0.2:
                    self.come_back(number)
            if self.generator.away and r.random() < 0.1 and len(self.seats) > 2 and self.judge.tick:
                self.break_off(r.choice(list(self.seats)))
            if r.random() < 0.05 and len(self.seats) < 6:
                self.join(r.choice([judge.STAGE, judge.PLAYER, judge.PLAYER, judge.OBSERVER]))
            waiting = bool(self.judge.tick) and any(p.role == judge.OBSERVER or p.waiting for p in self.judge.participants.values())
            for number, seat in sorted(self.seats.items()):
                frames = self.generator.frames(self.config, self.judge, self.judge.participants[number])
                for frame in frames:
                    self.sent.append((self.judge.tick + 1, number, frame))
                    taken = self.judge.arrive(number, frame)
                    waiting = waiting or taken == "refused"
                    if frame is frames[-1] and not taken:  # MALFORMED, and acknowledges nothing.
                        frames.append(types.Frame(acknowledged_tick=self.judge.tick))
                seat.send(frames)
            # A step that waits for frames is enough where one of each says that all have come.
            if waiting:
                self.wait_for_acknowledgements()
            stepped = self.play.StepMatch(sweepd.StepMatchRequest(match_id=self.id, wait_for_frames=not waiting), timeout=60)
            self.before = {i: dict(vars(o)) for i, o in self.judge.objects.items()}
            result = self.judge.run_tick()
            self.events += len(result.events)
            COUNTS.update(REASONS[e[1]] + (" on the way" if not e[1] and e[8] < 256 else "") for e in result.events)
            COUNTS.update(r[2] for rows in result.rejections.values() for r in rows)
            COUNTS.update(["destruction"] * len(result.destructions) + ["owner change"] * len(result.owner_changes))
            self.same("tick", result.tick, stepped.tick)
            for number, seat in self.seats.items():
                self.compare(result, seat.told(result.tick), number)
            if self.judge.tick % 4 == 0:
                self.compare_world()
        if r.random() < 0.3 and len(self.seats) > 1:  # Given up by the end (21.6).
            self.seats.pop(r.choice(list(self.seats))).leave()
        self.play.EndMatch(sweepd.EndMatchRequest(match_id=self.id))
        result = self.judge.end()
        for number, seat in self.seats.items():
            self.compare(result, seat.told(result.tick), number)
        return self.judge.tick, self.events

    def what_led_to_it(self, text):
        ids = set()
        for line in text.split("\n"):
            for word in line.replace("(", " ").replace(",", " ").split():
                word = word.split("/")[0]
                if word.isdigit():
                    ids.add(int(word))
        tick = self.judge.tick
        print(f"  corner {self.generator.corner}, reach {self.generator.reach}; frames of tick {tick}:")
        for sent, number, frame in self.sent:
            waits = not isinstance(frame, str) and frame.tick == tick
            if sent == tick or waits:
                body = frame if isinstance(frame, str) else text_format.MessageToString(frame, as_one_line=True)
                print(f"  [{sent}] {number}: {body[:1500]}")
        print("  objects, as in the judge after the tick, and how they were before:")
        for o in self.judge.everything:
            if o.id in ids:
                parts = [text_format.MessageToString(p.source, as_one_line=True) for p in o.parts]
                hide = ("parts", "id", "the_way")
                print(f"  {o.id}: way {o.way(tick, self.judge.version)}, parts {parts}")
                now = {k: v for k, v in vars(o).items() if k not in hide}
                print(f"    now {now}")
                was = {k: v for k, v in self.before.get(o.id, {}).items() if k not in hide and v != now.get(k)}
                print(f"    was {was}")


def one(channel, seed, version):
    """Whether the match of this seed agrees."""
    match = None
    try:
        match = Match(channel, seed, version)
        if "--config" in sys.argv:
            print(text_format.MessageToString(match.config, as_one_line=True))
        ticks, events = match.run()
        print(f"seed {seed}: {ticks} ticks, {events} events agree", flush=True)
        return True
    except Exception as difference:
        with PRINTING:
            print(f"seed {seed}: {difference if isinstance(difference, Difference) else repr(difference)}", flush=True)
            if match and hasattr(match.judge, "everything"):
                match.what_led_to_it(str(difference))
        return False
    finally:
        for seat in match.seats.values() if match else ():
            seat.call.cancel()


def main():
    target, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    option = lambda name, default: int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default
    channel, seeds = grpc.insecure_channel(target), range(first, last + 1)
    with concurrent.futures.ThreadPoolExecutor(option("--jobs", 1)) as pool:
        agree = list(pool.map(lambda seed: one(channel, seed, option("--version", 2)), seeds))
    print(", ".join(f"{n} {count}" for n, count in sorted(COUNTS.items())))
    print(f"{sum(agree)} matches agree; different: {[seed for seed, good in zip(seeds, agree) if not good]}")


if __name__ == "__main__":
    main()
