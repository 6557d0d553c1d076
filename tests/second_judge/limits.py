# SPDX-License-Identifier: MIT
"""Limits by layer (RULES.md 14.3 to 14.12, 16.9): speed_max and stay_in_playfield."""

import copy
from math import isqrt

from sweepd.v1 import types_pb2 as types

from objects import plus
from shapes import around, placed


class Refused(Exception):
    """Has the reason."""


def length(vector):  # 1.3
    square = vector[0] ** 2 + vector[1] ** 2
    root = isqrt(square)
    return root + (root * root < square)


def speed_of(o):  # 14.5
    return 0 if o.frozen else length(plus(o.velocity, o.acceleration))


class SpeedBudget:  # 14.7
    def __init__(self, left, speed, tick):
        self.left, self.taken, self.speed, self.tick = left, 0, speed, tick

    def settled(self, speed_max, budget_ticks, speed, tick):  # 14.8
        b = copy.copy(self)
        b.left += (tick - b.tick) * max(0, speed_max - max(b.speed, speed))
        b.left = min(b.left, max(0, speed_max * budget_ticks - speed))
        b.taken = b.taken if b.tick == tick else 0
        b.speed, b.tick = speed, tick
        return b


class LayerLimits:
    def __init__(self, config):
        number = {name: i for i, name in enumerate(config.layers)}
        self.speeds = {number[limit.layer]: (limit.speed_max, limit.speed_budget_ticks or 6)
                       for limit in config.layer_limits if limit.HasField("speed_max")}
        self.stay = {number[limit.layer] for limit in config.layer_limits if limit.stay_in_playfield}
        self.is_spread = config.late_frames in (types.LATE_FRAME_POLICY_UNSPECIFIED, types.LATE_FRAME_POLICY_SPREAD)

    # stay_in_playfield

    def box_that_stays(self, parts, place):
        box = around(part.box for part in parts if part.layer in self.stay)
        return box and placed(box, place)

    def overhangs(self, parts, place, playfield):  # 14.3
        box = self.box_that_stays(parts, place)
        if box is None:
            return [0] * 4
        return [max(0, playfield[i] - box[i] if i < 2 else box[i] - playfield[i]) for i in range(4)]

    def check_stay(self, o, parts, place, playfield):
        overhangs = zip(self.overhangs(o.parts, o.place, playfield), self.overhangs(parts, place, playfield))
        if any(after > before for before, after in overhangs):
            raise Refused("OUTSIDE_PLAYFIELD")

    def check_has_no_motion(self, parts, motion):
        if any(motion) and any(part.layer in self.stay for part in parts):
            raise Refused("OUTSIDE_PLAYFIELD")

    def place_after_scroll(self, o, playfield):  # 16.9
        box, way = self.box_that_stays(o.parts, o.place), [0, 0]
        for axis in (0, 1) if box else ():
            before, beyond = playfield[axis] - box[axis], box[axis + 2] - playfield[axis + 2]
            fits = before + beyond <= 0
            way[axis] = max(0, before) - max(0, beyond) if fits else before
        place = plus(o.place, way)
        return place if o.fits(place) else o.place

    # speed_max

    def of(self, parts):
        """The least speed_max of the parts' layers with its speed_budget_ticks, or None (14.4)."""
        return min((self.speeds[part.layer] for part in parts if part.layer in self.speeds),
                   key=lambda limit: limit[0], default=None)

    def check_motion(self, parts, velocity, acceleration, ticks):  # 14.6; ticks: None without a time to live
        limit = self.of(parts)
        if limit is None:
            return
        if length(plus(velocity, acceleration)) > limit[0]:
            raise Refused("TOO_FAST")
        if any(acceleration):
            if ticks is None:
                raise Refused("TOO_FAST")
            if length([v + max(1, ticks) * a for v, a in zip(velocity, acceleration)]) > limit[0]:
                raise Refused("TOO_FAST")

    def budget_of(self, o, tick, limit):  # 14.7, 14.8
        if o.speed_budget is None:
            return SpeedBudget(max(0, limit[0] - speed_of(o)), speed_of(o), tick)
        return o.speed_budget.settled(*limit, speed_of(o), tick)

    def free(self, budget, speed_max):  # 14.9
        return min(budget.left, max(0, 2 * speed_max - budget.speed - budget.taken)) if self.is_spread else budget.left

    def budget_after_way(self, o, way, tick, parts):
        """The budget after a way of this length to these parts; None if no limit counts for them."""
        limit = self.of(parts)
        if limit is None:
            return None
        budget = self.budget_of(o, tick, limit)
        if way > self.free(budget, limit[0]):
            raise Refused("TOO_FAST")
        budget.left -= way
        budget.taken += way
        return budget

    def budget_after_turn(self, o, speed, tick):
        limit = self.of(o.parts)
        if limit is None:
            return None
        budget = self.budget_of(o, tick, limit)
        if speed > self.free(budget, limit[0]) + budget.speed:
            raise Refused("TOO_FAST")
        budget.left += budget.speed - speed
        budget.speed = speed
        return budget

    def accept(self, o, budget):  # 14.12
        o.speed_budget = budget
        if budget and self.is_spread and budget.taken > max(0, self.of(o.parts)[0] - budget.speed):
            o.is_swept = True

    def way_of_reshape(self, before, after):  # 14.10
        a, b = (around(part.box for part in parts if part.layer in self.speeds) for parts in (before, after))
        doubled = a and b and (b[0] + b[2] - a[0] - a[2], b[1] + b[3] - a[1] - a[3])
        return (length(doubled) + 1) // 2 if doubled else 0
