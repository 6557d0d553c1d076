# SPDX-License-Identifier: MIT
"""A second judge of matches, by server/RULES.md and proto/ alone: brute force, exact. Numbers in comments are rules."""

import itertools

from sweepd.v1 import exit_reason_pb2 as exit_reason
from sweepd.v1.outcome_pb2 import STAGE_HANDOVER_LOWEST_NUMBER
from sweepd.v1.role_pb2 import ROLE_PLAYER

from changes import Changes
from limits import LayerLimits
from objects import minus
from participants import Seats
from shapes import WHOLE_RANGE, boxes_touch, placed, time_of_impact, touch
from told import END_OF_TICK, ENTER, Destruction, Event, OwnerChange, Told

LEFT = (exit_reason.EXIT_REASON_OWNER_LEFT, exit_reason.EXIT_REASON_DESPAWNED, exit_reason.EXIT_REASON_EXPIRED,
        exit_reason.EXIT_REASON_LEFT_PLAYFIELD)  # In the order of 8.1.


class Judge(Seats, Changes):
    def __init__(self, config):
        self.config, self.tick, self.last_sequence_number = config, 0, 0
        self.layer_numbers = {name: i for i, name in enumerate(config.layers)}
        self.pairs = {}
        for pair in config.collides:
            a, b = self.layer_numbers[pair.layer_a], self.layer_numbers[pair.layer_b]
            self.pairs[a, b] = self.pairs[b, a] = pair
        self.clearable_layers = {self.layer_numbers[name] for name in config.clearable_layers}
        self.role_limits, self.layer_limits = {limits.role: limits for limits in config.limits}, LayerLimits(config)
        self.objects, self.participants, self.leavers = {}, {}, []
        # Encounters: (object_a, object_b, layer_a, layer_b) to (lowest pair of parts, tick of the ENTER).
        self.open = {}
        b = config.playfield
        self.playfield_at_start = (b.min_x, b.min_y, b.max_x, b.max_y) if config.HasField("playfield") else WHOLE_RANGE
        self.origin = 0, 0

    def playfield(self):
        return placed(self.playfield_at_start, self.origin)

    def there(self):
        return [o for o in self.objects.values() if o.left is None]

    def run_tick(self):  # 4.1
        self.begin_tick()
        self.remove_those_away()
        for leaver in sorted(self.leavers, key=lambda p: p.number):
            self.hand_over(leaver)
        self.leavers = []
        self.apply_frames()
        self.expire()
        for o in self.there():
            o.move()
        self.leave_playfield()
        for o in self.there():
            if o.disabled and o.until_tick == self.tick:
                o.enable()
        self.judge_encounters()
        self.tell_rejections()
        self.objects = {i: o for i, o in self.objects.items() if o.left is None and o.goes_on()}
        return self.told

    def begin_tick(self):
        self.tick += 1
        self.told, self.looked_at, self.scrolls = Told(), 0, 0
        for actor in [*self.objects.values(), *self.participants.values()]:
            actor.begin_tick()

    def remove_those_away(self):  # 17.8
        for p in list(self.participants.values()):
            if p.away_since is not None and self.tick > p.away_since + self.config.reconnect_ticks:
                self.leave(p.number)

    def hand_over(self, leaver):  # 17.9
        theirs = sorted(o.id for o in self.objects.values() if o.owner == leaver.number and o.left is None)
        successor = self.successor_of(leaver)
        if successor:
            given = [i for i in theirs if leaver.role != ROLE_PLAYER or i not in leaver.ids]
            theirs = [i for i in theirs if i not in given]
            for i in given:
                self.objects[i].owner = successor.number
            successor.acts_as_stage = True
            self.told.owner_changes.append(OwnerChange(leaver.number, successor.number, True, given))
        for i in theirs:
            self.objects[i].left = exit_reason.EXIT_REASON_OWNER_LEFT

    def successor_of(self, leaver):
        if not leaver.acts_as_stage or self.config.stage_handover != STAGE_HANDOVER_LOWEST_NUMBER:
            return None
        able = [p for p in self.participants.values()
                if (p.acts_as_stage or p.role == ROLE_PLAYER) and p.away_since is None]
        return min(able, key=lambda p: (not p.acts_as_stage, p.number), default=None)

    def apply_frames(self):
        for _, p in sorted(self.participants.items()):
            now = [w for w in p.waiting if w.placed <= self.tick]
            p.waiting = [w for w in p.waiting if w.placed > self.tick]
            for w in now:
                self.apply(p, w.frame, w.moves)

    def expire(self):  # 5.5
        for o in self.there():
            if o.expires == self.tick:
                o.left = exit_reason.EXIT_REASON_EXPIRED

    def leave_playfield(self):  # 5.8
        for o in self.there():
            if o.confined and not any(boxes_touch(placed(part.box, o.place), self.playfield()) for part in o.parts):
                o.left = exit_reason.EXIT_REASON_LEFT_PLAYFIELD

    # Encounters (6 to 9)

    def judge_encounters(self):
        """Contact takes effect; events are told in the three groups of 7.7."""
        now, met = self.contacts()
        ended = [(self.why_ended(key), *key, *self.open[key][0], END_OF_TICK)
                 for key in sorted(self.open) if key not in now]
        begun = {key: met[key][1] if key in met else END_OF_TICK for key in {*now, *met} if key not in self.open}
        self.deal_periodic_damage(now)
        self.deal_contacts(begun)
        entered = {key: (*(now.get(key) or met[key][0]), begun[key]) for key in sorted(begun)}
        over, still_open = [], {}
        for key in sorted({*begun, *(self.open.keys() & now)}):
            if key in now and all(self.objects[i].goes_on() for i in key[:2]):
                still_open[key] = now[key], self.open[key][1] if key in self.open else self.tick
            else:
                over.append((self.why_over(key), *key, *((*now[key], END_OF_TICK) if key in now else entered[key])))
        self.open = still_open
        self.tell_events(ended + [(ENTER, *key, *entered[key]) for key in entered] + over)

    def contacts(self):
        """Encounters in contact now (7.2), to their lowest pair of parts; and those met on the way (6.9), to that pair
        and the time."""
        now, met = {}, {}
        ways, rooms = {i: o.way() for i, o in self.objects.items()}, {i: o.room() for i, o in self.objects.items()}
        for i, j in itertools.combinations(sorted(self.objects), 2):
            a, b = self.objects[i], self.objects[j]
            if not boxes_touch(rooms[i], rooms[j]):
                continue
            for (m, p), (n, q) in itertools.product(enumerate(a.parts), enumerate(b.parts)):
                key = i, j, p.layer, q.layer
                if key[2:] not in self.pairs:
                    continue
                if key not in now and a.is_judged() and b.is_judged() and touch(p, q, minus(b.place, a.place)):
                    now[key] = m, n
                if key not in self.open and (a.sweeps() or b.sweeps()) and ways[i] and ways[j]:
                    time = time_on_the_way(p, q, ways[i], ways[j])
                    if time is not None:
                        parts, earliest = met.get(key, ((m, n), time))
                        met[key] = parts, min(earliest, time)
        return now, met

    def why_ended(self, key):  # 8.1
        a, b = self.objects[key[0]], self.objects[key[1]]
        for reason in LEFT:
            if reason in (a.left, b.left):
                return reason
        if a.disabled or b.disabled:
            return exit_reason.EXIT_REASON_DISABLED
        if key[2] in a.layers_left or key[3] in b.layers_left:
            return exit_reason.EXIT_REASON_LAYER_CHANGED
        return exit_reason.EXIT_REASON_RESHAPED if a.reshaped or b.reshaped else exit_reason.EXIT_REASON_MOVED

    def why_over(self, key):  # 8.4
        pair = [self.objects[i] for i in key[:2]]
        if any(o.destroyed for o in pair):
            return exit_reason.EXIT_REASON_DESTROYED
        return exit_reason.EXIT_REASON_SWEPT if all(o.goes_on() for o in pair) else exit_reason.EXIT_REASON_CONSUMED

    def deal_periodic_damage(self, now):  # 9.4
        for key in sorted(self.open):
            interval = self.pairs[key[2:]].damage_interval_ticks
            if key in now and interval and (self.tick - self.open[key][1]) % interval == 0:
                self.blow(key)

    def deal_contacts(self, begun):
        """Takes out of `begun` what never happened."""
        for time, key in sorted((time, key) for key, time in begun.items()):  # 9.6
            if self.pairs[key[2:]].sensor:
                continue
            pair = [self.objects[i] for i in key[:2]]
            if any(o.used_up_at is not None for o in pair):
                del begun[key]
                continue
            for o in pair:
                if o.single_use:
                    o.used_up_at = time
            self.blow(key)
        for key, time in list(begun.items()):  # 9.7
            ends = [self.objects[i].used_up_at for i in key[:2]]
            if self.pairs[key[2:]].sensor and any(end is not None and end < time for end in ends):
                del begun[key]

    def blow(self, key):  # 9.2
        a, b = self.objects[key[0]], self.objects[key[1]]
        for o, by, layer, by_layer in ((a, b, key[2], key[3]), (b, a, key[3], key[2])):
            if o.hit_points and by.damage:
                o.hit_points = max(0, o.hit_points - by.damage)
                if not o.hit_points:
                    o.destroyed = True
                    self.told.destructions.append(Destruction(o.id, by.id, o.owner, by.owner, layer, by_layer))

    # What is told

    def tell_events(self, events):
        for event in events:
            self.last_sequence_number += 1
            self.told.events.append(Event(self.last_sequence_number, *event))
        self.told.destructions.sort()

    def tell_rejections(self):
        for number, p in self.participants.items():
            if p.away_since is None:  # Else it is told when it is back.
                self.told.rejections[number] = p.rejections
                self.told.rejections_not_listed[number] = p.rejections_not_listed
                p.rejections, p.rejections_not_listed = [], 0

    def end(self):  # 21.6
        self.begin_tick()
        self.tell_events([(exit_reason.EXIT_REASON_MATCH_ENDED, *key, *self.open[key][0], END_OF_TICK)
                          for key in sorted(self.open)])
        self.tell_rejections()
        return self.told


def time_on_the_way(p, q, way_of_p, way_of_q):  # 6.10
    begin, end = minus(way_of_q[0], way_of_p[0]), minus(way_of_q[1], way_of_p[1])
    return time_of_impact(p, q, begin, minus(end, begin))
