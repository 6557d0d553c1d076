#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""That the comparison can fail: judges of which one rule is changed have to differ from the server.

  mutants.py SWEEPD FIRST_SEED LAST_SEED

Ends with 1 if a mutant agrees in the matches of all seeds.
"""

import sys
from unittest import mock

from sweepd.v1 import exit_reason_pb2 as exit_reason

import judge
import shapes
from judge import Judge
from limits import LayerLimits
from objects import Object
from random_match import Difference, play
from server import running_server


def open_boxes(p, q):
    return p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]


def time_rounded_down(*ways, original=judge.time_of_impact):
    time = original(*ways)
    return time and time - 1


def move_without_acceleration(self, original=Object.move):
    with mock.patch.object(self, "acceleration", (0, 0)):
        original(self)


def way_without_teleport(self, end, original=Object.begin_of_way):
    with mock.patch.object(self, "teleported_to", None):
        return original(self, end)


def no_way_of_what_left(self, original=Object.way):
    return None if self.left else original(self)


def layer_changes_are_moves(self, key, original=Judge.why_ended):
    reason = original(self, key)
    return exit_reason.EXIT_REASON_MOVED if reason == exit_reason.EXIT_REASON_LAYER_CHANGED else reason


MUTANTS = {
    "2.1, shapes are open": (shapes, "boxes_touch", open_boxes),
    "5.1, no acceleration": (Object, "move", move_without_acceleration),
    "6.4, a teleport is a way": (Object, "begin_of_way", way_without_teleport),
    "6.8, what leaves has no way": (Object, "way", no_way_of_what_left),
    "6.10, time of impact rounded down": (judge, "time_of_impact", time_rounded_down),
    "8.1, a layer change is a move": (Judge, "why_ended", layer_changes_are_moves),
    "9.4, no periodic damage": (Judge, "deal_periodic_damage", lambda self, now: None),
    "9.6, nothing is used up": (Object, "single_use", property(lambda self: False, lambda self, value: None)),
    "11.6, late frames are not spread": (Judge, "place", lambda self, p, named: max(named, self.tick + 1)),
    "14.10, a reshape takes nothing": (LayerLimits, "way_of_reshape", lambda self, before, after: 0),
}


def main():
    agreeing = []
    program, seeds = sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3]) + 1)
    with running_server(program) as channel:
        for name, (owner, attribute, mutation) in MUTANTS.items():
            with mock.patch.object(owner, attribute, mutation, create=True):
                found = next(filter(None, (difference(channel, seed) for seed in seeds)), None)
            print(f"{name}: {found or 'agrees'}", flush=True)
            if not found:
                agreeing.append(name)
    if agreeing:
        sys.exit(f"not found out: {agreeing}")


def difference(channel, seed):
    """The first line of it, or None."""
    try:
        play(channel, seed)
    except Difference as difference:
        return str(difference).split("\n")[0]


if __name__ == "__main__":
    main()
