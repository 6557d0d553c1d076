#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the recorded matches of tests/golden/traces: make_trace.py FOLDER

Each NAME.trace.xz comes with NAME.events, the complete list of its encounters, found here by brute force over all pairs
and sharing no code with the server. Integers only and a generator of its own: every machine writes the same bytes.
"""
import lzma
import sys
from pathlib import Path

LAYERS = ["player", "player_shot", "enemy", "enemy_bullet", "item"]
PLAYER, SHOT, ENEMY, BULLET, ITEM = range(5)
COLLIDES = [(PLAYER, ENEMY), (PLAYER, BULLET), (PLAYER, ITEM), (SHOT, ENEMY)]
UNIT = 256
WIDTH, HEIGHT = 320 * UNIT, 400 * UNIT
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1


class Chance:
    """A linear congruential generator: the same numbers everywhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def between(self, low, high):
        return low + self.below(high - low + 1)


def centered(half_width, half_height):
    return (-half_width, -half_height, half_width, half_height)


def absolute(position, box):
    return (position[0] + box[0], position[1] + box[1], position[0] + box[2], position[1] + box[3])


def overlap(a, b):
    """Closed intervals: touching edges overlap."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


class Recorder:
    """Writes a trace and finds its encounters at the same time."""

    def __init__(self, participants, collides=COLLIDES):
        self.collides = {frozenset(pair) for pair in collides}
        self.lines = ["TRACE 1"]
        self.lines += [f"L {index} {name}" for index, name in enumerate(LAYERS)]
        self.lines += [f"M {a} {b}" for a, b in collides]
        self.lines += [f"P {index} {name}" for index, name in enumerate(participants)]
        self.participants = participants
        self.frames = {}
        self.tick = 0
        self.objects = {}  # id: [layer, position, boxes]
        self.open = set()
        self.events = []

    def spawn(self, participant, object_id, layer, position, boxes):
        corners = " ".join(str(corner) for box in boxes for corner in box)
        self._add(participant, f"S {object_id} {layer} {position[0]} {position[1]} {len(boxes)} {corners}")

    def move(self, participant, object_id, position):
        self._add(participant, f"U {object_id} {position[0]} {position[1]}")

    def despawn(self, participant, object_id):
        self._add(participant, f"D {object_id}")

    def _add(self, participant, line):
        self.frames.setdefault(participant, []).append(line)

    def end_tick(self, order=None):
        """`order`: of the frames' lines; they apply by participant number all the same."""
        self.tick += 1
        self.lines.append(f"T {self.tick}")
        for participant in order or sorted(self.frames):
            self.lines += [f"F {participant}"] + self.frames.get(participant, [])
        for participant in sorted(self.frames):
            for line in self.frames[participant]:
                self._apply(line.split())
        self.frames = {}
        self._judge()

    def _apply(self, fields):
        numbers = [int(field) for field in fields[1:]]
        if fields[0] == "S":
            corners = numbers[5:]
            boxes = [tuple(corners[index:index + 4]) for index in range(0, len(corners), 4)]
            assert numbers[0] not in self.objects and len(boxes) == numbers[4]
            self.objects[numbers[0]] = [numbers[1], (numbers[2], numbers[3]), boxes]
        elif fields[0] == "U":
            self.objects[numbers[0]][1] = (numbers[1], numbers[2])
        else:
            del self.objects[numbers[0]]

    def _judge(self):
        now = set()
        ids = sorted(self.objects)
        placed = {i: [absolute(self.objects[i][1], box) for box in self.objects[i][2]] for i in ids}
        for place, a in enumerate(ids):
            for b in ids[place + 1:]:
                if frozenset((self.objects[a][0], self.objects[b][0])) not in self.collides:
                    continue
                if any(overlap(box_a, box_b) for box_a in placed[a] for box_b in placed[b]):
                    now.add((a, b))
        self.events += [f"{self.tick} exit {a} {b}" for a, b in sorted(self.open - now)]
        self.events += [f"{self.tick} enter {a} {b}" for a, b in sorted(now - self.open)]
        self.open = now

    def write(self, folder, name):
        text = "\n".join(self.lines + ["E"]) + "\n"
        packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
        (folder / f"{name}.trace.xz").write_bytes(packed)
        (folder / f"{name}.events").write_text("".join(event + "\n" for event in self.events))
        print(f"{name}: {self.tick} ticks, {len(self.events)} events, {len(packed)} bytes packed")


class Flock:
    """Objects of one participant that fly straight and leave the field."""

    def __init__(self, recorder, participant, first_id, layer, box):
        self.recorder, self.participant, self.layer, self.box = recorder, participant, layer, box
        self.next_id = first_id
        self.flying = {}  # id: [x, y, velocity x, velocity y]

    def add(self, position, velocity):
        self.recorder.spawn(self.participant, self.next_id, self.layer, position, [self.box])
        self.flying[self.next_id] = [*position, *velocity]
        self.next_id += 1

    def remove(self, object_id):
        self.recorder.despawn(self.participant, object_id)
        del self.flying[object_id]

    def fly(self):
        for object_id, flight in list(self.flying.items()):
            flight[0] += flight[2]
            flight[1] += flight[3]
            if -8 * UNIT <= flight[0] <= WIDTH + 8 * UNIT and -8 * UNIT <= flight[1] <= HEIGHT + 8 * UNIT:
                self.recorder.move(self.participant, object_id, (flight[0], flight[1]))
            else:
                self.remove(object_id)


# Sixteen directions, 256 long.
DIRECTIONS = [(256, 0), (237, 98), (181, 181), (98, 237), (0, 256), (-98, 237), (-181, 181), (-237, 98),
              (-256, 0), (-237, -98), (-181, -181), (-98, -237), (0, -256), (98, -237), (181, -181), (237, -98)]
BOSS_PARTS = [centered(32 * UNIT, 8 * UNIT), (-56 * UNIT, -16 * UNIT, -36 * UNIT, 24 * UNIT),
              (36 * UNIT, -16 * UNIT, 56 * UNIT, 24 * UNIT), centered(8 * UNIT, 20 * UNIT)]


def boss():
    """Two ships, a boss of four parts with spirals and aimed fans, small enemies that come and go, items."""
    chance = Chance(20)
    recorder = Recorder(["player-1", "player-2", "stage"])
    ships = [[120 * UNIT, 240 * UNIT], [200 * UNIT, 240 * UNIT]]
    shots = [Flock(recorder, player, 2 + player * 100000, SHOT, centered(2 * UNIT, 4 * UNIT)) for player in (0, 1)]
    bullets = Flock(recorder, 2, 1000000, BULLET, centered(3 * UNIT, 3 * UNIT))
    enemies = Flock(recorder, 2, 2000000, ENEMY, centered(8 * UNIT, 6 * UNIT))
    items = Flock(recorder, 2, 3000000, ITEM, centered(6 * UNIT, 6 * UNIT))
    boss_position = [160 * UNIT, 60 * UNIT]
    recorder.spawn(2, 900000, ENEMY, tuple(boss_position), BOSS_PARTS)
    for player, ship in enumerate(ships):
        recorder.spawn(player, 1 + player * 100000, PLAYER, tuple(ship), [centered(6 * UNIT, 8 * UNIT)])
    for tick in range(180):
        for player, ship in enumerate(ships):
            home = boss_position[0] + (40 if player else -40) * UNIT
            ship[0] += chance.between(-2, 2) * UNIT + (home - ship[0]) // 16
            ship[1] = min(max(ship[1] + chance.between(-3, 3) * UNIT, 100 * UNIT), HEIGHT)
            recorder.move(player, 1 + player * 100000, tuple(ship))
            shots[player].fly()
            if tick % 6 == player * 3:
                shots[player].add((ship[0], ship[1] - 8 * UNIT), (0, -9 * UNIT))
        boss_position[0] += UNIT if tick // 45 % 2 == 0 else -UNIT
        recorder.move(2, 900000, tuple(boss_position))
        for flock in (bullets, enemies, items):
            flock.fly()
        if tick % 4 == 0:
            direction = DIRECTIONS[tick // 4 % 16]
            for sign in (1, -1):
                bullets.add(tuple(boss_position), (sign * direction[0] * 3, sign * direction[1] * 3))
        if tick % 40 == 20:
            target = ships[tick // 40 % 2]
            for spread in range(-2, 3):
                bullets.add(tuple(boss_position), ((target[0] - boss_position[0]) // 60 + spread * 60,
                                                   (target[1] - boss_position[1]) // 60))
        if tick % 15 == 5:
            enemies.add((chance.below(WIDTH), 0), (chance.between(-200, 200), 2 * UNIT))
        if tick % 50 == 30:
            items.add((ships[0][0], ships[0][1] - 60 * UNIT), (0, UNIT))
        if tick % 60 == 59:
            # A bomb: half of the bullets go at once.
            for object_id in list(bullets.flying)[::2]:
                bullets.remove(object_id)
        recorder.end_tick()
    return recorder


def edges():
    """Touching edges, equal coordinates, points and lines, ends of the range, churn at one point, ids used again,
    teleports, frames out of order, shared blocks of ids, a participant without objects."""
    chance = Chance(7)
    recorder = Recorder(["same", "same", "idle"], COLLIDES + [(ITEM, ITEM)])
    square = centered(10, 10)
    recorder.spawn(0, 500, PLAYER, (0, 0), [square])
    recorder.spawn(1, 499, ENEMY, (20, 0), [square])           # touches
    recorder.spawn(1, 501, ENEMY, (0, -21), [square])          # one subunit short
    recorder.spawn(1, 4294967295, BULLET, (10, 10), [(0, 0, 0, 0)])  # a point on a corner
    recorder.spawn(0, 1, ITEM, (-10, 40), [(0, -50, 0, 0)])    # a line along an edge
    recorder.spawn(0, 2, PLAYER, (INT32_MAX - 10, INT32_MIN + 10), [square])
    recorder.spawn(1, 3, ENEMY, (INT32_MAX, INT32_MIN), [(0, 0, 0, 0), (-5, 0, 0, 5)])
    recorder.end_tick([2, 1, 0])
    for step in range(40):
        # Back and forth over the touching edge, one subunit at a time.
        recorder.move(1, 499, (20 + (step % 3 - 1), 0))
        recorder.move(1, 501, (0, -21 + step % 2))
        recorder.move(0, 500, (0, 0))                          # a move to where it is
        recorder.move(0, 2, (INT32_MAX - 10 - step % 4, INT32_MIN + 10))
        # Four at one point each tick; five ticks later they go, and their ids come again as something else.
        layer, boxes = [(SHOT, [square]), (ITEM, [square, (-1, -1, 1, 1)])][step // 10 % 2]
        for object_id in range(1000 + step % 5 * 10, 1004 + step % 5 * 10):
            if step // 5 % 2 == 0:
                recorder.spawn(object_id % 2, object_id, layer, (20, 0), boxes)
            else:
                recorder.despawn(object_id % 2, object_id)
        # Never existed: judged only after all commands of the tick.
        recorder.spawn(0, 77, PLAYER, (20, 0), [square])
        recorder.despawn(0, 77)
        teleport = [(0, 0), (INT32_MIN + 10, INT32_MAX - 10), (30, 20), (-20, 0)][chance.below(4)]
        if step == 0:
            recorder.spawn(1, 88, BULLET, (5, 5), [square])
        recorder.move(1, 88, (7, 7))
        recorder.move(1, 88, teleport)                         # the last move of a tick counts
        recorder.end_tick([1, 0] if step % 2 else None)
    return recorder


def main():
    folder = Path(sys.argv[1])
    boss().write(folder, "boss")
    edges().write(folder, "edges")


if __name__ == "__main__":
    main()
