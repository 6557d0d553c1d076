"""Objects, and the application of frames to them, of the second judge (RULES.md 6.3 to 6.8, 12 to 16)."""

from limits import TooFast, length
from participants import OBSERVER, STAGE, Refused
from shapes import HIGH, LOW, Part, box_of, in_range, rectangle, touch

DESPAWNED = 2


class Raw:
    """Layer and box of a part that may be invalid."""
    def __init__(self, part, masks):
        known = part.WhichOneof("shape") != "mask" or part.mask.mask < len(masks)
        self.layer, self.box = part.layer, box_of(part, masks) if known else (part.mask.x, part.mask.y) * 2
        if part.WhichOneof("shape") != "box" and not in_range(self.box, 0, 0):
            self.box = 0, 0, 0, 0  # Q6


class Object:
    def __init__(self, spawn, owner, parts, tick):
        self.id, self.owner, self.x, self.y, self.parts, self.spawned = spawn.object_id, owner, spawn.x, spawn.y, parts, tick
        self.set_motion(spawn.motion)
        self.expires = tick + spawn.time_to_live_ticks if spawn.time_to_live_ticks else None
        self.hit_points, self.damage = spawn.hit_points, spawn.damage
        self.flag, self.single_use, self.confined = spawn.continuous, spawn.single_use, spawn.despawn_outside_playfield
        self.disabled, self.until, self.frozen = False, 0, False
        self.budget = None
        self.was_disabled = self.was_judged = False  # At the end of the tick before.
        self.begin_tick()
        self.spawn_place = self.x, self.y

    def begin_tick(self):
        self.before = self.x, self.y
        self.teleported, self.step, self.beyond = None, (0, 0), None
        self.reshaped, self.off, self.left = False, set(), None
        self.used_up_at, self.destroyed, self.swept_now = None, None, False

    def set_motion(self, motion):
        self.velocity = motion.velocity_x, motion.velocity_y
        self.acceleration = motion.acceleration_x, motion.acceleration_y

    @property
    def continuous(self):  # 6.1
        return self.flag or self.swept_now

    def judged(self):
        return self.left is None and not self.disabled

    def fits(self, x, y):
        return LOW <= x <= HIGH and LOW <= y <= HIGH and all(in_range(p.box, x, y) for p in self.parts)

    def way(self, tick, version):
        """Where its way begins and ends, or None (6.3 to 6.8, 23)."""
        is_new = self.spawned == tick
        end = self.beyond or (self.x, self.y)
        less_step = end[0] - self.step[0], end[1] - self.step[1]
        enabled = not is_new and self.was_disabled
        if enabled and (version > 1 or not self.teleported):
            begin = less_step
        elif self.teleported:
            begin = self.teleported
        elif self.was_judged:
            begin = self.before
        elif self.flag:
            begin = self.spawn_place
        else:
            begin = less_step
        if not all(in_range(p.box, *begin) for p in self.parts):
            begin = self.x, self.y  # 6.7
        if self.judged():
            return begin, end
        if self.disabled:
            return None
        if version > 1:
            return (begin, end) if self.was_judged or self.continuous else None
        has_way = self.was_judged or self.continuous or self.teleported not in (None, (self.x, self.y))
        return (begin, end) if has_way and begin != end else None


class Changes:
    """The part of the judge that makes changes, or refuses them."""

    def apply(self, p, frame, moves, result):
        def each(name, rows, change):
            for index, row in enumerate(rows):
                try:
                    change(p, row)
                except TooFast:
                    self.reject(p, self.tick, frame, "TOO_FAST", f"{name}[{index}]", getattr(row, "object_id", 0) or row[0])
                except Refused as r:
                    self.reject(p, self.tick, frame, r.args[0], f"{name}[{index}]", r.args[1] if len(r.args) > 1 else 0)

        self.refuse_each = lambda reason, i, field: self.reject(p, self.tick, frame, reason, field, i)
        self.result = result
        each("spawns", frame.spawns, self.spawn)
        each("reshapes", frame.reshapes, self.reshape)
        each("layer_changes", frame.layer_changes, self.change_layer)
        each("moves", moves, self.move)
        each("absolute_moves", list(zip(frame.absolute_moves.object_id, frame.absolute_moves.x, frame.absolute_moves.y)), self.move)
        each("teleports", list(zip(frame.teleports.object_id, frame.teleports.x, frame.teleports.y)), self.teleport)
        each("motions", frame.motions, self.turn)
        each("freezes", frame.freezes, lambda p, s: [setattr(o, "frozen", True) for o in self.select(p, s)])
        each("releases", frame.releases, lambda p, s: [setattr(o, "frozen", False) for o in self.select(p, s)])
        each("disables", frame.disables, self.disable)
        each("enables", frame.enables, self.enable)
        each("transfers", enumerate(frame.transfers), self.transfer)
        each("despawns", frame.despawns, lambda p, i: setattr(self.mine(p, i), "left", DESPAWNED))
        each("mass_despawns", frame.mass_despawns, lambda p, s: [setattr(o, "left", DESPAWNED) for o in self.select(p, s)])
        each("scroll", [frame.scroll] if frame.HasField("scroll") else [], self.scroll)

    def mine(self, p, i):  # 13.4
        o = self.objects.get(i)
        if o is None or o.left is not None:
            raise Refused("UNKNOWN_OBJECT", i)
        if o.owner != p.number:
            raise Refused("NOT_OWNER", i)
        return o

    def alive(self):
        return [o for o in self.objects.values() if o.left is None]

    def room(self, p, i, objects, parts):  # 14.2
        everything = self.alive()
        own = [o for o in everything if o.owner == p.number]
        budgets, per = self.config.budgets, self.config.objects_per_participant_max
        most, parts_most = self.allowed(p, "objects_max"), self.allowed(p, "parts_max")
        if objects and len(own) + objects > min(per, per if most is None else most):
            raise Refused("TOO_MANY_OBJECTS", i)
        if (objects or parts > 0) and parts_most is not None and sum(len(o.parts) for o in own) + parts > parts_most:
            raise Refused("TOO_MANY_PARTS", i)
        return everything, budgets

    def match_room(self, everything, i, objects, parts):
        budgets = self.config.budgets
        if objects and len(everything) + objects > budgets.objects_max:
            raise Refused("TOO_MANY_OBJECTS", i)
        if (objects or parts > 0) and sum(len(o.parts) for o in everything) + parts > budgets.parts_max:
            raise Refused("TOO_MANY_PARTS", i)

    def check_layers(self, p, i, layers):  # 13.5
        allowed = self.allowed(p, "spawn_layers")
        if allowed is not None and any(layer < 64 and layer not in allowed for layer in layers):
            raise Refused("LAYER_NOT_ALLOWED", i)

    def check_shapes(self, i, parts):  # 13.2
        for part in parts if len(parts) <= 32 else []:
            kind = part.WhichOneof("shape")
            if kind == "mask" and part.mask.mask >= len(self.config.masks):
                raise Refused("UNKNOWN_MASK", i)
            if kind in ("circle", "capsule") and getattr(part, kind).radius < 0:
                raise Refused("NEGATIVE_RADIUS", i)
            if kind != "box" and not in_range(box_of(part, self.config.masks), 0, 0):
                raise Refused("OUT_OF_RANGE", i)

    def check_parts(self, i, parts, x, y):  # 13.3, 2.5
        if not parts:
            raise Refused("NO_PARTS", i)
        if len(parts) > 32:
            raise Refused("TOO_MANY_PARTS", i)
        for part in parts:
            box = box_of(part, self.config.masks)
            if box[0] > box[2] or box[1] > box[3]:
                raise Refused("INVERTED_BOX", i)
            if part.layer >= self.layers:
                raise Refused("UNKNOWN_LAYER", i)
            if not in_range(box, x, y) or box == (LOW, LOW, HIGH, HIGH):
                raise Refused("OUT_OF_RANGE", i)
        return [Part(part, self.config.masks) for part in parts]

    def spawn(self, p, s):
        i = s.object_id
        if not p.first_id <= i <= p.last_id:
            raise Refused("ID_OUT_OF_BLOCK", i)
        everything, _ = self.room(p, i, 1, len(s.parts))
        self.match_room(everything, i, 1, len(s.parts))
        self.check_layers(p, i, [part.layer for part in s.parts])
        m, new = s.motion, [Raw(part, self.config.masks) for part in s.parts]
        velocity, acceleration = (m.velocity_x, m.velocity_y), (m.acceleration_x, m.acceleration_y)
        self.check_stay(i, new, velocity, acceleration, (0, 0, 0, 0), s.x, s.y)
        self.layer_limits.check_motion(self.layer_limits.of(new), velocity, acceleration, s.time_to_live_ticks or None)
        self.check_shapes(i, s.parts)
        if i in self.objects:
            raise Refused("ID_IN_USE" if self.objects[i].left is None else "ID_USED_THIS_TICK", i)
        o = self.objects[i] = Object(s, p.number, self.check_parts(i, s.parts, s.x, s.y), self.tick)
        if self.layer_limits.of(o.parts):
            o.budget = self.layer_limits.settled(o, self.tick, self.layer_limits.of(o.parts))

    def reshape(self, p, r):
        o = self.mine(p, r.object_id)
        self.check_shapes(o.id, r.parts)
        self.check_layers(p, o.id, [part.layer for part in r.parts])
        everything, _ = self.room(p, o.id, 0, len(r.parts) - len(o.parts))
        self.match_room(everything, o.id, 0, len(r.parts) - len(o.parts))
        budget = self.check_new_parts(o, [Raw(part, self.config.masks) for part in r.parts])
        parts = self.check_parts(o.id, r.parts, o.x, o.y)
        o.off |= {part.layer for part in o.parts} - {part.layer for part in parts}
        o.parts, o.reshaped = parts, True
        self.layer_limits.commit(o, budget)

    def change_layer(self, p, c):
        o = self.mine(p, c.object_id)
        parts = [c.part] if c.HasField("part") else range(len(o.parts))
        if parts and parts[0] >= len(o.parts):
            raise Refused("UNKNOWN_PART", o.id)
        self.check_layers(p, o.id, [c.layer])
        budget = None
        if c.layer < 64:
            budget = self.check_new_parts(o, [part.on(c.layer) if i in parts else part for i, part in enumerate(o.parts)])
        if c.layer >= self.layers:
            raise Refused("UNKNOWN_LAYER", o.id)
        for i in parts:
            if o.parts[i].layer != c.layer:
                o.off.add(o.parts[i].layer)
                o.parts[i] = o.parts[i].on(c.layer)
        self.layer_limits.commit(o, budget)

    def check_stay(self, i, parts, velocity, acceleration, before, x, y):  # 14.3
        if self.layer_limits.may_not_stay(parts, velocity, acceleration):
            raise Refused("OUTSIDE_PLAYFIELD", i)
        if any(b > a for a, b in zip(before, self.layer_limits.overhangs(parts, x, y, self.field()))):
            raise Refused("OUTSIDE_PLAYFIELD", i)

    def check_new_parts(self, o, parts):
        """Limits by layer of a reshape or a layer change; the budget after it."""
        limits = self.layer_limits
        self.check_stay(o.id, parts, o.velocity, o.acceleration, limits.overhangs(o.parts, o.x, o.y, self.field()), o.x, o.y)
        limits.check_motion(limits.of(parts), o.velocity, o.acceleration, o.expires and o.expires - self.tick)
        return limits.go(o, limits.reshape_way(o.parts, parts), self.tick, parts)

    def field(self):
        return tuple(c + self.origin[k % 2] for k, c in enumerate(self.playfield))

    def move(self, p, row):
        o = self.mine(p, row[0])
        self.check_stay(o.id, o.parts, (), (), self.layer_limits.overhangs(o.parts, o.x, o.y, self.field()), *row[1:])
        budget = self.layer_limits.go(o, length(row[1] - o.x, row[2] - o.y), self.tick)
        self.put(o, row)
        self.layer_limits.commit(o, budget)

    def put(self, o, row):
        if not o.fits(row[1], row[2]):
            raise Refused("OUT_OF_RANGE", o.id)
        o.x, o.y = row[1:]

    def teleport(self, p, row):
        o = self.mine(p, row[0])
        may = self.allowed(p, "may_teleport")
        if may is False or may is None and self.layer_limits.of(o.parts):
            raise Refused("MAY_NOT_TELEPORT", o.id)
        self.check_stay(o.id, o.parts, (), (), self.layer_limits.overhangs(o.parts, o.x, o.y, self.field()), *row[1:])
        self.put(o, row)
        o.teleported = row[1:]

    def turn(self, p, change):
        o, m = self.mine(p, change.object_id), change.motion
        velocity, acceleration = (m.velocity_x, m.velocity_y), (m.acceleration_x, m.acceleration_y)
        self.check_stay(o.id, o.parts, velocity, acceleration, (0, 0, 0, 0), o.x, o.y) if any(velocity + acceleration) else None
        self.layer_limits.check_motion(self.layer_limits.of(o.parts), velocity, acceleration, o.expires and o.expires - self.tick)
        speed = 0 if o.frozen else length(velocity[0] + acceleration[0], velocity[1] + acceleration[1])
        budget = self.layer_limits.turn(o, speed, self.tick)
        o.set_motion(m)
        self.layer_limits.commit(o, budget)

    def disable(self, p, d):
        o = self.mine(p, d.object_id)
        if d.until_tick and d.until_tick <= self.tick:
            raise Refused("TICK_IN_THE_PAST", o.id)
        o.disabled, o.until = True, d.until_tick

    def enable(self, p, i):
        o = self.mine(p, i)
        o.disabled, o.until = False, 0

    def count_mass(self, p):  # 16.5
        p.mass += 1
        looks, most = len(self.alive()), self.config.budgets.selected_objects_max
        if p.mass > 16:
            raise Refused("TOO_MANY_MASS_CHANGES")
        if p.looked + looks > most or self.looked + looks > 4 * most:
            raise Refused("TOO_MANY_MASS_CHANGES")
        p.looked += looks
        self.looked += looks

    def select(self, p, s):  # 16
        self.count_mass(p)
        region, r = None, s.region
        if any(layer >= self.layers for layer in s.layers):
            raise Refused("UNKNOWN_LAYER")
        if s.HasField("region"):
            region = r.min_x, r.min_y, r.max_x, r.max_y
            if r.min_x > r.max_x or r.min_y > r.max_y:
                raise Refused("INVERTED_BOX")
        layers, allowed = set(s.layers) or set(range(self.layers)), self.allowed(p, "selection_layers")
        if allowed is not None:
            if not set(s.layers) <= allowed:
                raise Refused("LAYER_NOT_ALLOWED")
            layers &= allowed
        size = self.allowed(p, "selection_size_max")
        if size is not None and (region is None or max(r.max_x - r.min_x, r.max_y - r.min_y) > size):
            raise Refused("REGION_TOO_LARGE")
        interval, burst = self.allowed(p, "selection_interval_ticks"), self.allowed(p, "selection_burst")
        if interval is not None:  # 15.5
            due = self.due.get(p.number, 0)  # By number: it goes on for the next participant of that number (Q4).
            if due > self.tick + interval * (burst - 1):
                raise Refused("TOO_SOON")
            self.due[p.number] = max(due, self.tick) + interval
        area = Part.__new__(Part)
        area.box = region or (LOW, LOW, HIGH, HIGH)
        area.pieces = [rectangle(*area.box)]
        taken = []
        for i in sorted(self.objects):
            o = self.objects[i]
            of = layers if o.owner == p.number else layers & self.clearable
            if o.judged() and any(part.layer in of and touch(area, part, (o.x, o.y)) for part in o.parts):
                taken.append(o)
        return taken

    def transfer(self, p, row):  # 16.7, 16.8
        index, t = row
        self.count_mass(p)
        if not p.stage:
            raise Refused("NOT_ALLOWED")
        to = self.participants.get(t.to_participant)
        if to is None or to.role == OBSERVER:
            raise Refused("NOT_A_PARTICIPANT")
        given = []
        ids = list(t.object_ids) or sorted(o.id for o in self.alive() if o.owner == p.number)
        for j, i in enumerate(ids):
            try:
                o = self.mine(p, i)
                if to is not p:
                    self.room(to, i, 1, len(o.parts))
            except Refused as r:
                self.refuse_each(r.args[0], i, f"transfers[{index}].object_ids[{j}]")
                continue
            o.owner = to.number
            given.append(i)
        if to is p:
            return  # Refusals are told (Q1).
        if t.with_stage:
            p.stage, to.stage = False, True
        if given or t.with_stage:
            self.result.owner_changes.append((p.number, to.number, t.with_stage, given))

    def scroll(self, p, s):
        if not p.stage:
            raise Refused("NOT_ALLOWED")
        if self.layer_limits.stay:
            self.scrolls += 1
            if self.scrolls > 1:
                self.count_mass(p)
        if not in_range(self.playfield, s.x, s.y):
            raise Refused("OUT_OF_RANGE")
        self.origin = s.x, s.y
        for o in self.alive():
            dx, dy = self.layer_limits.carry(o.parts, o.x, o.y, self.field())
            if o.fits(o.x + dx, o.y + dy):
                o.x, o.y = o.x + dx, o.y + dy
