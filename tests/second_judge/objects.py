# SPDX-License-Identifier: MIT
"""Objects and their ways (RULES.md 3, 5, 6)."""

from sweepd.v1.exit_reason_pb2 import EXIT_REASON_LEFT_PLAYFIELD

from shapes import HIGH, LOW, around, in_range, placed


def minus(a, b):
    return a[0] - b[0], a[1] - b[1]


def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


class Object:
    def __init__(self, spawn, owner, tick):
        self.id, self.owner, self.parts = spawn.object_id, owner, []  # The parts come when they are accepted.
        self.place = self.spawn_place = spawn.x, spawn.y
        self.set_motion(spawn.motion)
        self.expires = tick + spawn.time_to_live_ticks if spawn.time_to_live_ticks else None
        self.hit_points, self.damage = spawn.hit_points, spawn.damage
        self.continuous, self.single_use = spawn.continuous, spawn.single_use
        self.confined = spawn.despawn_outside_playfield
        self.disabled, self.until_tick, self.frozen = False, 0, False
        self.speed_budget = None
        self.begin_tick()
        self.was_disabled = self.was_judged = False  # At the end of the tick before.

    def begin_tick(self):
        self.was_disabled, self.was_judged = self.disabled, not self.disabled
        self.place_before, self.teleported_to = self.place, None
        self.step, self.end_beyond_range = (0, 0), None
        self.reshaped, self.layers_left, self.left = False, set(), None
        self.used_up_at, self.destroyed, self.is_swept = None, False, False

    def set_motion(self, motion):
        self.velocity = motion.velocity_x, motion.velocity_y
        self.acceleration = motion.acceleration_x, motion.acceleration_y

    def disable(self, until_tick):
        self.disabled, self.until_tick = True, until_tick

    def enable(self):
        self.disabled, self.until_tick = False, 0

    def is_judged(self):  # 3.2
        return self.left is None and not self.disabled

    def goes_on(self):
        return self.used_up_at is None and not self.destroyed

    def sweeps(self):  # 6.1
        return self.continuous or self.is_swept

    def fits(self, place):
        return all(LOW <= c <= HIGH for c in place) and all(in_range(part.box, place) for part in self.parts)

    def move(self):  # 5.1, 5.2
        if self.frozen or not any(self.velocity + self.acceleration):
            return
        self.step = plus(self.velocity, self.acceleration)
        place = plus(self.place, self.step)
        if all(LOW <= c <= HIGH for c in self.step) and self.fits(place):
            self.velocity, self.place = self.step, place
        else:
            self.left, self.end_beyond_range = EXIT_REASON_LEFT_PLAYFIELD, place

    def way(self):
        """Where its way begins and ends; None if it has none (6.8)."""
        if self.disabled or self.left is not None and not (self.was_judged or self.sweeps()):
            return None
        end = self.end_beyond_range or self.place
        begin = self.begin_of_way(end)
        return (begin if all(in_range(part.box, begin) for part in self.parts) else self.place), end  # 6.7

    def room(self):
        """The box around all that it may touch in this tick."""
        return around(placed(part.box, place) for part in self.parts for place in {self.place, *(self.way() or ())})

    def begin_of_way(self, end):  # 6.4
        if self.was_disabled:
            return minus(end, self.step)
        if self.teleported_to:
            return self.teleported_to
        if self.was_judged:
            return self.place_before
        return self.spawn_place if self.continuous else minus(end, self.step)
