"""Limits by layer of the second judge (RULES.md 14.3 to 14.13, 16.9): speed_max and stay_in_playfield."""

from math import isqrt


class TooFast(Exception):
    pass


def length(dx, dy):  # 1.3
    square = dx * dx + dy * dy
    root = isqrt(square)
    return root + (root * root < square)


class Budget:
    def __init__(self, left, taken, speed, tick):
        self.left, self.taken, self.speed, self.tick = left, taken, speed, tick


class LayerLimits:
    def __init__(self, config):
        number = {name: i for i, name in enumerate(config.layers)}
        self.speeds = {number[x.layer]: (x.speed_max, x.speed_budget_ticks or 6) for x in config.layer_limits if x.HasField("speed_max")}
        self.stay = {number[x.layer] for x in config.layer_limits if x.stay_in_playfield}
        self.spread = config.late_frames in (0, 3)

    def of(self, parts):  # 14.4: (S, B), or None
        return min((self.speeds[part.layer] for part in parts if part.layer in self.speeds), key=lambda s: s[0], default=None)

    # stay_in_playfield

    def overhangs(self, parts, x, y, playfield):
        boxes = [part.box for part in parts if part.layer in self.stay]
        if not boxes:
            return 0, 0, 0, 0
        return (max(0, playfield[0] - min(b[0] for b in boxes) - x), max(0, playfield[1] - min(b[1] for b in boxes) - y),
                max(0, max(b[2] for b in boxes) + x - playfield[2]), max(0, max(b[3] for b in boxes) + y - playfield[3]))

    def may_not_stay(self, parts, velocity, acceleration):
        return any(part.layer in self.stay for part in parts) and any(velocity + acceleration)

    def carry(self, parts, x, y, playfield):  # 16.9: how far a scroll moves the object
        boxes = [part.box for part in parts if part.layer in self.stay]
        if not boxes:
            return 0, 0
        low, high = (min(b[0] for b in boxes) + x, min(b[1] for b in boxes) + y), (max(b[2] for b in boxes) + x, max(b[3] for b in boxes) + y)
        way = []
        for axis in 0, 1:
            before, beyond = playfield[axis] - low[axis], high[axis] - playfield[axis + 2]
            if high[axis] - low[axis] > playfield[axis + 2] - playfield[axis]:
                way.append(before if before > 0 or beyond > 0 else 0)
            else:
                way.append(max(0, before) - max(0, beyond))
        return tuple(way)

    # speed_max

    def speed(self, o):  # 14.5
        return 0 if o.frozen else length(o.velocity[0] + o.acceleration[0], o.velocity[1] + o.acceleration[1])

    def check_motion(self, limit, velocity, acceleration, ticks):  # 14.6; ticks: None without a time to live
        if limit is None:
            return
        if length(velocity[0] + acceleration[0], velocity[1] + acceleration[1]) > limit[0]:
            raise TooFast()
        if any(acceleration):
            if ticks is None:
                raise TooFast()
            ticks = max(1, ticks)
            if length(velocity[0] + ticks * acceleration[0], velocity[1] + ticks * acceleration[1]) > limit[0]:
                raise TooFast()

    def settled(self, o, tick, limit):  # 14.7, 14.8: a copy of its budget; the limit is that after the change (Q5)
        b, speed = o.budget, self.speed(o)
        if b is None:
            return Budget(max(0, limit[0] - speed), 0, speed, tick)
        left = min(b.left + (tick - b.tick) * max(0, limit[0] - max(b.speed, speed)), max(0, limit[0] * limit[1] - speed))
        return Budget(left, b.taken if b.tick == tick else 0, speed, tick)

    def free(self, b, limit):  # 14.9
        return min(b.left, max(0, 2 * limit[0] - b.speed - b.taken)) if self.spread else b.left

    def go(self, o, way, tick, parts=None):
        """The budget after a way of this length, or TooFast. None: no limit counts."""
        limit = self.of(o.parts)
        after = self.of(parts) if parts is not None else limit
        if after is None:
            return None
        if limit is None:  # The limit comes with these parts.
            speed = self.speed(o)
            return Budget(max(0, after[0] - speed), 0, speed, tick)
        b = self.settled(o, tick, after)
        if way > self.free(b, after):
            raise TooFast()
        b.left -= way
        b.taken += way
        return b

    def turn(self, o, speed, tick):
        """The budget after a change of motion to this speed, or TooFast."""
        limit = self.of(o.parts)
        if limit is None:
            return None
        b = self.settled(o, tick, limit)
        if speed > self.free(b, limit) + b.speed:
            raise TooFast()
        b.left += b.speed - speed
        b.speed = speed
        return b

    def commit(self, o, budget):  # Of an accepted change; 14.12
        o.budget = budget
        limit = self.of(o.parts)
        if budget is not None and self.spread and budget.taken > max(0, limit[0] - budget.speed):
            o.swept_now = True

    def middle(self, parts):  # Doubled (14.10)
        boxes = [part.box for part in parts if part.layer in self.speeds]
        return boxes and (min(b[0] for b in boxes) + max(b[2] for b in boxes), min(b[1] for b in boxes) + max(b[3] for b in boxes))

    def reshape_way(self, before, after):
        a, b = self.middle(before), self.middle(after)
        return (length(b[0] - a[0], b[1] - a[1]) + 1) // 2 if a and b else 0
