# SPDX-License-Identifier: MIT
"""Changes by frames, and their refusals (RULES.md 12 to 14, 16)."""

from math import inf

from sweepd.v1.exit_reason_pb2 import EXIT_REASON_DESPAWNED
from sweepd.v1.role_pb2 import ROLE_OBSERVER

from limits import Refused, length
from objects import Object, minus, plus
from shapes import WHOLE_RANGE, Part, in_range, part_of, rectangle, touch
from told import OwnerChange


class Changes:
    """The part of the judge that makes changes, or refuses them."""

    def apply(self, p, frame, moves):  # 12.1
        def rows_of(columns):
            return [(i, (x, y)) for i, x, y in zip(columns.object_id, columns.x, columns.y)]

        for rows, change in (
                (frame.spawns, self.spawn), (frame.reshapes, self.reshape), (frame.layer_changes, self.change_layer),
                (moves, self.move), (rows_of(frame.absolute_moves), self.move),
                (rows_of(frame.teleports), self.teleport), (frame.motions, self.turn), (frame.freezes, self.freeze),
                (frame.releases, self.release), (frame.disables, self.disable), (frame.enables, self.enable),
                ([(frame, transfer) for transfer in frame.transfers], self.transfer), (frame.despawns, self.despawn),
                (frame.mass_despawns, self.despawn_all),
                ([frame.scroll] if frame.HasField("scroll") else [], self.scroll)):
            for row in rows:
                try:
                    change(p, row)
                except Refused as refused:
                    p.reject(self.tick, frame, str(refused), object_of(row))

    def spawn(self, p, s):
        o, parts = Object(s, p.number, self.tick), [part_of(part, self.config.masks) for part in s.parts]
        if s.object_id not in p.ids:
            raise Refused("ID_OUT_OF_BLOCK")
        self.check_count_of(p, 1, len(s.parts))
        self.check_count_of_match(1, len(s.parts))
        self.check_layers(p, [part.layer for part in s.parts])
        budget = self.budget_with_parts(o, parts)
        self.check_shapes(s.parts, parts)
        if s.object_id in self.objects:
            raise Refused("ID_IN_USE" if self.objects[s.object_id].left is None else "ID_USED_THIS_TICK")
        self.check_parts(parts, o.place)
        o.parts, self.objects[o.id] = parts, o
        self.layer_limits.accept(o, budget)

    def reshape(self, p, r):
        o, parts = self.own_object(p, r.object_id), [part_of(part, self.config.masks) for part in r.parts]
        self.check_shapes(r.parts, parts)
        self.check_layers(p, [part.layer for part in r.parts])
        self.check_count_of(p, 0, len(r.parts) - len(o.parts))
        self.check_count_of_match(0, len(r.parts) - len(o.parts))
        budget = self.budget_with_parts(o, parts)
        self.check_parts(parts, o.place)
        o.layers_left |= {part.layer for part in o.parts} - {part.layer for part in parts}
        o.parts, o.reshaped = parts, True
        self.layer_limits.accept(o, budget)

    def change_layer(self, p, c):
        o = self.own_object(p, c.object_id)
        changed = [c.part] if c.HasField("part") else range(len(o.parts))
        if changed[0] >= len(o.parts):
            raise Refused("UNKNOWN_PART")
        if c.layer >= 64:
            raise Refused("UNKNOWN_LAYER")
        self.check_layers(p, [c.layer])
        parts = [part.on(c.layer) if i in changed else part for i, part in enumerate(o.parts)]
        budget = self.budget_with_parts(o, parts)
        if c.layer >= len(self.config.layers):
            raise Refused("UNKNOWN_LAYER")
        o.layers_left |= {o.parts[i].layer for i in changed} - {c.layer}
        o.parts = parts
        self.layer_limits.accept(o, budget)

    def move(self, p, row):
        o = self.own_object(p, row[0])
        self.layer_limits.check_stay(o, o.parts, row[1], self.playfield())
        budget = self.layer_limits.budget_after_way(o, length(minus(row[1], o.place)), self.tick, o.parts)
        self.put(o, row[1])
        self.layer_limits.accept(o, budget)

    def teleport(self, p, row):
        o = self.own_object(p, row[0])
        may = self.allowed(p, "may_teleport")
        if may is False or may is None and self.layer_limits.of(o.parts):
            raise Refused("MAY_NOT_TELEPORT")
        self.layer_limits.check_stay(o, o.parts, row[1], self.playfield())
        self.put(o, row[1])
        o.teleported_to = o.place
        self.layer_limits.accept(o, self.layer_limits.budget_after_way(o, 0, self.tick, o.parts))

    def put(self, o, place):
        if not o.fits(place):
            raise Refused("OUT_OF_RANGE")
        o.place = place

    def turn(self, p, change):
        o, m = self.own_object(p, change.object_id), change.motion
        velocity, acceleration = (m.velocity_x, m.velocity_y), (m.acceleration_x, m.acceleration_y)
        self.layer_limits.check_has_no_motion(o.parts, velocity + acceleration)
        self.layer_limits.check_motion(o.parts, velocity, acceleration, self.ticks_left(o))
        speed = 0 if o.frozen else length(plus(velocity, acceleration))
        budget = self.layer_limits.budget_after_turn(o, speed, self.tick)
        o.set_motion(m)
        self.layer_limits.accept(o, budget)

    def freeze(self, p, selection):
        for o in self.select(p, selection):
            o.frozen = True

    def release(self, p, selection):
        for o in self.select(p, selection):
            o.frozen = False

    def disable(self, p, d):
        o = self.own_object(p, d.object_id)
        if 0 < d.until_tick <= self.tick:
            raise Refused("TICK_IN_THE_PAST")
        o.disable(d.until_tick)

    def enable(self, p, i):
        self.own_object(p, i).enable()

    def despawn(self, p, i):
        self.own_object(p, i).left = EXIT_REASON_DESPAWNED

    def despawn_all(self, p, selection):
        for o in self.select(p, selection):
            o.left = EXIT_REASON_DESPAWNED

    def transfer(self, p, row):  # 16.7, 16.8
        frame, t = row
        self.count_mass_change(p)
        if not p.acts_as_stage:
            raise Refused("NOT_ALLOWED")
        to = self.participants.get(t.to_participant)
        if to is None or to.role == ROLE_OBSERVER:
            raise Refused("NOT_A_PARTICIPANT")
        given = []
        for i in list(t.object_ids) or sorted(o.id for o in self.there() if o.owner == p.number):
            try:
                o = self.own_object(p, i)
                if to is not p:
                    self.check_count_of(to, 1, len(o.parts))
                    o.owner = to.number
                    given.append(i)
            except Refused as refused:
                p.reject(self.tick, frame, str(refused), i)
        if to is not p and t.with_stage:
            p.acts_as_stage, to.acts_as_stage = False, True
        if to is not p and (given or t.with_stage):
            self.told.owner_changes.append(OwnerChange(p.number, to.number, t.with_stage, given))

    def scroll(self, p, s):  # 5.6, 5.7, 16.9
        if not p.acts_as_stage:
            raise Refused("NOT_ALLOWED")
        if self.layer_limits.stay:
            self.scrolls += 1
            if self.scrolls > 1:
                self.count_mass_change(p)
        if not in_range(self.playfield_at_start, (s.x, s.y)):
            raise Refused("OUT_OF_RANGE")
        self.origin = s.x, s.y
        for o in self.there():
            o.place = self.layer_limits.place_after_scroll(o, self.playfield())

    # What they ask

    def own_object(self, p, i):  # 13.4
        o = self.objects.get(i)
        if o is None or o.left is not None:
            raise Refused("UNKNOWN_OBJECT")
        if o.owner != p.number:
            raise Refused("NOT_OWNER")
        return o

    def check_count_of(self, p, objects, parts):  # 14.2
        objects_max, parts_max = self.allowed(p, "objects_max"), self.allowed(p, "parts_max")
        per_participant = self.config.objects_per_participant_max
        check_count([o for o in self.there() if o.owner == p.number], objects, parts,
                    per_participant if objects_max is None else min(objects_max, per_participant),
                    inf if parts_max is None else parts_max)

    def check_count_of_match(self, objects, parts):
        check_count(self.there(), objects, parts, self.config.budgets.objects_max, self.config.budgets.parts_max)

    def check_layers(self, p, layers):  # 13.5
        allowed = self.allowed(p, "spawn_layers")
        if allowed is not None and any(layer < 64 and layer not in allowed for layer in layers):
            raise Refused("LAYER_NOT_ALLOWED")

    def check_shapes(self, messages, parts):  # 13.2
        for message, part in zip(messages, parts) if len(parts) <= 32 else ():
            kind = message.WhichOneof("shape")
            if kind == "mask" and message.mask.mask >= len(self.config.masks):
                raise Refused("UNKNOWN_MASK")
            if kind in ("circle", "capsule") and getattr(message, kind).radius < 0:
                raise Refused("NEGATIVE_RADIUS")
            if kind != "box" and not in_range(part.box):
                raise Refused("OUT_OF_RANGE")

    def check_parts(self, parts, place):  # 13.3, 2.5
        if not parts:
            raise Refused("NO_PARTS")
        if len(parts) > 32:
            raise Refused("TOO_MANY_PARTS")
        for part in parts:
            if part.box[0] > part.box[2] or part.box[1] > part.box[3]:
                raise Refused("INVERTED_BOX")
            if part.layer >= len(self.config.layers):
                raise Refused("UNKNOWN_LAYER")
            if not in_range(part.box, place) or part.box == WHOLE_RANGE:
                raise Refused("OUT_OF_RANGE")

    def budget_with_parts(self, o, parts):
        """The budget of its speed with other parts, if limits by layer allow these."""
        limits = self.layer_limits
        limits.check_has_no_motion(parts, o.velocity + o.acceleration)
        limits.check_stay(o, parts, o.place, self.playfield())
        limits.check_motion(parts, o.velocity, o.acceleration, self.ticks_left(o))
        return limits.budget_after_way(o, limits.way_of_reshape(o.parts, parts), self.tick, parts)

    def ticks_left(self, o):
        return o.expires and o.expires - self.tick

    # Selections

    def count_mass_change(self, p):  # 16.5
        p.mass_changes += 1
        looks, most = len(self.there()), self.config.budgets.selected_objects_max
        if p.mass_changes > 16 or p.looked_at + looks > most or self.looked_at + looks > 4 * most:
            raise Refused("TOO_MANY_MASS_CHANGES")
        p.looked_at += looks
        self.looked_at += looks

    def select(self, p, s):  # 13.1, 16.1, 16.2
        self.count_mass_change(p)
        region = self.checked_region(s)
        layers = set(s.layers) or set(range(len(self.config.layers)))
        allowed = self.allowed(p, "selection_layers")
        if allowed is not None:
            if not set(s.layers) <= allowed:
                raise Refused("LAYER_NOT_ALLOWED")
            layers &= allowed
        size_max = self.allowed(p, "selection_size_max")
        if size_max is not None and (region is None or max(region[2] - region[0], region[3] - region[1]) > size_max):
            raise Refused("REGION_TOO_LARGE")
        return [self.objects[i] for i in sorted(self.objects) if self.is_selected(self.objects[i], p, layers, region)]

    def checked_region(self, s):
        if any(layer >= len(self.config.layers) for layer in s.layers):
            raise Refused("UNKNOWN_LAYER")
        if not s.HasField("region"):
            return None
        if s.region.min_x > s.region.max_x or s.region.min_y > s.region.max_y:
            raise Refused("INVERTED_BOX")
        return s.region.min_x, s.region.min_y, s.region.max_x, s.region.max_y

    def is_selected(self, o, p, layers, region):
        box = region or WHOLE_RANGE
        area = Part(None, box, [rectangle(box)])
        layers = layers if o.owner == p.number else layers & self.clearable_layers
        return o.is_judged() and any(part.layer in layers and touch(area, part, o.place) for part in o.parts)


def check_count(there, objects, parts, objects_max, parts_max):
    if objects and len(there) + objects > objects_max:
        raise Refused("TOO_MANY_OBJECTS")
    if (objects or parts > 0) and sum(len(o.parts) for o in there) + parts > parts_max:
        raise Refused("TOO_MANY_PARTS")


def object_of(row):
    """The id of a row's object: of the row itself, of its first column or of its field; 0 of a row without one."""
    if isinstance(row, int):
        return row
    first = row[0] if isinstance(row, tuple) else getattr(row, "object_id", 0)
    return first if isinstance(first, int) else 0
