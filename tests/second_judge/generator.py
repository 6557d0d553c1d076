# SPDX-License-Identifier: MIT
"""Random matches: configs, and frames of participants. A seed gives one match."""

import random

from sweepd.v1 import types_pb2 as types
from sweepd.v1.geometry_pb2 import Box
from sweepd.v1.outcome_pb2 import STAGE_HANDOVER_LOWEST_NUMBER, STAGE_HANDOVER_NONE, Selection, Scroll
from sweepd.v1.role_pb2 import ROLE_OBSERVER, ROLE_PLAYER, ROLE_STAGE
from sweepd.v1.shape_pb2 import Capsule, Circle, MaskShape, Part

from shapes import HIGH, LOW

# REFUSALS: limits of roles and budgets, invalid changes, numbers at the ends of the range. CONTACTS: more that meets.
# LAYER_LIMITS: that, with speed_max and stay_in_playfield. ABSENCES: that, and streams break.
KINDS = REFUSALS, CONTACTS, LAYER_LIMITS, ABSENCES = range(4)
MOST = 2**32 - 1


def clamped(number):
    return max(LOW, min(HIGH, number))


class Generator:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.kind = seed % len(KINDS)
        self.corner = r.choice([(0, 0)] * 5 + [(LOW, LOW), (HIGH, HIGH), (LOW, HIGH), (HIGH, 0)])
        if self.kind == REFUSALS:
            self.reach, self.extreme = r.choice([12, 60, 400, 1000, 3000]), r.choice([0, 0.02, 0.1])
            self.size, self.objects_wanted = max(2, self.reach // r.choice([3, 6, 12])), r.randint(10, 40)
        else:
            self.reach, self.extreme = r.choice([40, 200, 1000]), 0
            self.size, self.objects_wanted = self.reach // r.choice([2, 3, 5]), r.randint(15, 30)

    def by_chance(self, chance):
        return self.random.random() < chance

    def number(self, reach):
        if self.by_chance(self.extreme):
            return self.random.choice([LOW, HIGH, LOW + self.random.randint(0, 9), self.random.randint(LOW, HIGH)])
        return self.random.randint(-reach, reach)

    def place(self):
        return tuple(clamped(c + self.number(self.reach)) for c in self.corner)

    def length(self):
        if self.by_chance(self.extreme / 3):
            return self.random.choice([-1, HIGH, HIGH // 2, self.random.randint(0, HIGH)])
        return self.random.randint(0, self.size)

    # Configs

    def config(self):
        r = self.random
        layers = [f"layer {i}" for i in range(r.randint(2, 5))]
        config = types.MatchConfig(
            layers=layers, collides=self.collides(layers), clock=types.CLOCK_KIND_MANUAL, heartbeat_ticks=1,
            clearable_layers=r.sample(layers, r.randint(0, 2)), masks=[self.mask() for _ in range(r.randint(0, 3))],
            late_frames=r.randint(0, 3), max_lead_ticks=r.choice([0, 3, 120]), max_late_ticks=r.choice([0, 3, 120]),
            ids_per_participant=r.choice([16, 20, 48]),
            stage_handover=r.choice([STAGE_HANDOVER_NONE, STAGE_HANDOVER_LOWEST_NUMBER]),
            reconnect_ticks=r.randint(1, 6) if self.kind == ABSENCES else 0)
        if self.kind == LAYER_LIMITS or self.by_chance(0.6):
            (x, y), w, h = self.corner, r.randint(0, 2 * self.reach), r.randint(0, 2 * self.reach)
            config.playfield.CopyFrom(Box(min_x=clamped(x - w), min_y=clamped(y - h),
                                          max_x=clamped(x + w), max_y=clamped(y + h)))
        if self.kind == LAYER_LIMITS:
            self.limit_layers(config)
        if self.kind == REFUSALS:
            self.limit_counts(config)
            self.limit_roles(config)
        return config

    def collides(self, layers):
        r, pairs = self.random, []
        possible = [(a, b) for i, a in enumerate(layers) for b in layers[i:]]
        for pair in r.sample(possible, r.randint(max(1, len(possible) // 2), len(possible))):
            a, b = r.sample(pair, 2)
            sensor = self.by_chance(0.25)
            pairs.append(types.CollidingLayers(layer_a=a, layer_b=b, sensor=sensor,
                                               damage_interval_ticks=0 if sensor else r.choice([0, 0, 1, 2, 5])))
        return pairs

    def mask(self):
        r = self.random
        width, height, rows = r.randint(1, 12), r.randint(1, 6), b""
        for _ in range(height):
            rows += sum(self.by_chance(0.4) << i for i in range(width)).to_bytes((width + 7) // 8, "little")
        return types.BitMask(width=width, height=height, pixel_size=r.randint(1, max(1, self.size // 4)), rows=rows)

    def limit_layers(self, config):
        r = self.random
        for layer in r.sample(list(config.layers), r.randint(1, 2)):
            limits = config.layer_limits.add(layer=layer, stay_in_playfield=self.by_chance(0.3))
            if self.by_chance(0.8):
                limits.speed_max, limits.speed_budget_ticks = self.reach * r.randint(0, 8) // 4, r.choice([0, 1, 2, 4])
        for role in (ROLE_PLAYER, ROLE_STAGE):
            if self.by_chance(0.5):
                config.limits.add(role=role).may_teleport = self.by_chance(0.8)

    def limit_counts(self, config):
        r = self.random
        for message, name, most in ((config, "objects_per_participant_max", 12), (config.budgets, "objects_max", 30),
                                    (config.budgets, "parts_max", 60), (config.budgets, "selected_objects_max", 80)):
            if self.by_chance(0.4):
                setattr(message, name, r.randint(most // 4, most))

    def limit_roles(self, config):
        r, layers = self.random, list(config.layers)
        for role in (ROLE_PLAYER, ROLE_STAGE):
            if self.by_chance(0.3):
                continue
            limits = config.limits.add(role=role)
            for name, value in (("objects_max", r.randint(2, 12)), ("parts_max", r.randint(2, 24)),
                                ("frames_max", r.randint(1, 4)), ("may_teleport", self.by_chance(0.5)),
                                ("selection_size_max", self.reach)):
                if self.by_chance(0.4):
                    setattr(limits, name, value)
            if self.by_chance(0.4):
                limits.spawn_layers.layers.extend(r.sample(layers, len(layers) - 1))
            if self.by_chance(0.4):
                limits.selection_layers.layers.extend(r.sample(layers, r.randint(0, len(layers))))

    # Parts of frames

    def part(self, config):
        r, kind = self.random, self.random.random()
        x, y, x2, y2 = (self.number(self.size) for _ in range(4))
        part = Part(layer=r.randrange(len(config.layers)))
        if self.by_chance(0.01):
            part.layer = r.choice([len(config.layers), 63, 64, 99])
        if kind < 0.4:
            part.box.CopyFrom(Box(min_x=x, min_y=y, max_x=clamped(x + self.length()), max_y=clamped(y + self.length())))
            if self.by_chance(0.01):
                part.box.CopyFrom(Box(min_x=LOW, min_y=LOW, max_x=HIGH, max_y=HIGH))
        elif kind < 0.65:
            part.circle.CopyFrom(Circle(center_x=x, center_y=y, radius=self.length()))
        elif kind < 0.85:
            part.capsule.CopyFrom(Capsule(a_x=x, a_y=y, b_x=x2, b_y=y2, radius=self.length()))
        elif kind < 0.95 and config.masks:
            is_unknown = self.kind == REFUSALS and self.by_chance(0.03)
            mask = len(config.masks) if is_unknown else r.randrange(len(config.masks))
            part.mask.CopyFrom(MaskShape(x=x, y=y, mask=mask))
        return part

    def parts(self, config):
        count = self.random.choice([1, 1, 1, 2, 2, 3, 5])
        if self.kind == REFUSALS and self.by_chance(0.02):
            count = self.random.choice([0, 32, 33])
        return [self.part(config) for _ in range(count)]

    def motion(self):
        factor = self.random.choice([0, 1, 1, 3] if self.kind == REFUSALS or self.by_chance(0.3) else [0, 1])
        fast = max(1, self.reach * factor // self.random.choice([1, 4, 16]))
        if self.kind == LAYER_LIMITS and self.by_chance(0.7):
            fast = max(1, self.reach // 6)
        motion = types.Motion(velocity_x=self.number(fast), velocity_y=self.number(fast))
        if self.by_chance(0.3):
            motion.acceleration_x, motion.acceleration_y = (self.number(max(1, fast // 8)) for _ in range(2))
        return motion

    def selection(self, config):
        r, selection = self.random, Selection()
        if self.by_chance(0.7):
            layers = range(len(config.layers) + self.by_chance(0.05))
            selection.layers.extend(r.choice(layers) for _ in range(r.randint(1, 2)))
        if self.by_chance(0.9):
            x, y = self.place()
            selection.region.CopyFrom(Box(min_x=x, min_y=y, max_x=clamped(x + r.randint(0, self.reach)),
                                          max_y=clamped(y + r.randint(0, self.reach))))
            if self.by_chance(0.03):
                selection.region.min_x = clamped(selection.region.max_x + 1)
        return selection

    def spawn(self, config, p):
        r, (x, y) = self.random, self.place()
        spawn = types.Spawn(object_id=r.choice(p.ids[:20]), x=x, y=y, parts=self.parts(config))
        if self.by_chance(0.03):
            spawn.object_id = r.choice([0, p.ids[-1] + 1, MOST])
        if self.by_chance(0.6):
            spawn.motion.CopyFrom(self.motion())
        spawn.time_to_live_ticks = r.choice([0, 0, 1, 2, r.randint(1, 30), r.randint(5, 40)])
        spawn.despawn_outside_playfield, spawn.continuous = self.by_chance(0.4), self.by_chance(0.4)
        spawn.single_use = self.by_chance(0.25)
        spawn.hit_points, spawn.damage = r.choice([0, 0, 1, 5, 20, MOST]), r.choice([0, 1, 1, 3, MOST])
        return spawn

    # Frames

    def frames(self, world, p):
        """What the participant sends before the next tick. The last frame acknowledges the tick before."""
        r, next_tick, frames = self.random, world.tick + 1, []
        busy = r.choice([0, 0.5, 1, 1, 1.5])
        if self.by_chance(0.02):  # Held up: late ones in a row.
            ticks = range(max(1, next_tick - r.randint(2, 6)), next_tick + r.randint(0, 1))
            frames += [self.frame(world, p, busy, tick) for tick in ticks]
        if self.by_chance(0.1):
            for _ in range(r.choice([1, 1, 2, 3])):
                tick = r.choice([0, next_tick + r.randint(0, 4), next_tick - r.randint(1, 6), next_tick + 130])
                frames.append(self.frame(world, p, busy, max(0, tick)))
        if self.by_chance(0.02):
            frames.append(self.malformed(self.frame(world, p, busy, 0)))
        frames.append(self.frame(world, p, busy, r.choice([0, next_tick, next_tick])))
        frames[-1].acknowledged_tick = world.tick
        return frames

    def malformed(self, frame):
        column = self.random.choice([frame.moves.dx, frame.teleports.x, frame.absolute_moves.y, frame.moves.id_delta])
        column.append(3)
        if column is frame.moves.id_delta:
            frame.moves.dx.append(0)
            frame.moves.dy.append(0)
            column[-1] = -2**33
        return frame

    def frame(self, world, p, busy, tick):
        r, config, f = self.random, world.config, types.Frame(tick=tick)
        if p.role == ROLE_OBSERVER:
            f.despawns.extend([1] * self.by_chance(0.05))
            return f
        if len(world.objects) < self.objects_wanted or self.by_chance(0.1):
            f.spawns.extend(self.spawn(config, p) for _ in range(r.choice([0, 1, 1, 2, 4])))
        own = [o.id for o in world.objects.values() if o.owner == p.number]
        own += [spawn.object_id for spawn in f.spawns] * self.by_chance(0.5)
        disabled = [i for i in own if i in world.objects and world.objects[i].disabled]

        def some():
            x = r.random()
            if own and x < (0.9 if self.kind == REFUSALS else 0.99):
                return r.choice(own)
            return r.choice([*world.objects, p.ids[0]] if x < 0.97 else [0, 1, p.ids[-1], r.randint(1, 100), MOST])

        def some_places():
            return zip(*((some(), *self.place()) for _ in range(r.choice([1, 1, 1, 2, 3]))))

        def times(chance):
            return range(r.choice([1, 1, 1, 2, 3]) if self.by_chance(chance * busy) else 0)

        for _ in times(0.15):
            f.reshapes.add(object_id=some(), parts=self.parts(config))
        for _ in times(0.15):
            layer = r.choice([63, 64, MOST]) if self.by_chance(0.03) else r.randrange(len(config.layers))
            part = r.choice([0, 0, 0, 1, 2, 31, 32]) if self.by_chance(0.5) else None
            f.layer_changes.add(object_id=some(), layer=layer, part=part)
        if self.by_chance(0.6 * busy):
            self.add_moves(f.moves, p, [some() for _ in range(r.randint(1, 5))])
        for columns in [f.absolute_moves] * self.by_chance(0.4 * busy) + [f.teleports] * self.by_chance(0.25 * busy):
            columns.object_id[:], columns.x[:], columns.y[:] = some_places()
        for _ in times(0.25):
            f.motions.add(object_id=some(), motion=self.motion() if self.by_chance(0.85) else None)
        f.freezes.extend(self.selection(config) for _ in times(0.15 if self.kind == LAYER_LIMITS else 0.06))
        f.releases.extend(self.selection(config) for _ in times(0.08))
        for _ in times(0.15):
            f.disables.add(object_id=some(), until_tick=r.choice([0, world.tick + 1, world.tick + r.randint(1, 9)]))
        f.enables.extend(r.choice(disabled) if disabled and self.by_chance(0.8) else some() for _ in times(0.2))
        for _ in times(0.08):
            to = r.choice([*world.participants, 99])
            ids = [some() for _ in range(r.randint(1, 3))] if self.by_chance(0.8) else []
            f.transfers.add(to_participant=to, object_ids=ids, with_stage=self.by_chance(0.2))
        f.despawns.extend(some() for _ in times(0.2 if self.kind == REFUSALS else 0.05))
        f.mass_despawns.extend(self.selection(config) for _ in times(0.05))
        if self.by_chance(0.01 * busy):
            f.releases.extend(self.selection(config) for _ in range(17))
        if self.by_chance(0.06 * busy):
            f.scroll.CopyFrom(Scroll(x=self.number(self.reach), y=self.number(self.reach)))
        return f

    def add_moves(self, moves, p, ids):
        moves.is_against_course = self.by_chance(0.4)
        for last, i in zip([0] + ids, ids):
            way = [self.random.randint(-self.size, self.size) for _ in range(2)]
            if moves.is_against_course and self.by_chance(0.5):
                way = 0, 0
            elif self.by_chance(0.5) or i not in p.bases:
                base = p.bases[i].place if i in p.bases else (0, 0)
                way = [c - b for c, b in zip(self.place(), base)]
            moves.id_delta.append(i - last)
            moves.dx.append(clamped(way[0]))
            moves.dy.append(clamped(way[1]))
