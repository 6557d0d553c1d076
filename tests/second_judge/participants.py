"""Seats, roles and the arrival of frames of the second judge (RULES.md 10, 11, 14.1, 17)."""

from shapes import HIGH, LOW

PLAYER, STAGE, OBSERVER = 1, 2, 3


class PLAIN:
    selection_burst = 1


class Refused(Exception):
    pass


class Participant:
    def __init__(self, number, name, role, first_id, last_id):
        self.number, self.name, self.role, self.first_id, self.last_id = number, name, role, first_id, last_id
        self.stage = role == STAGE
        self.bases, self.frames = {}, 0  # 10.3: id -> (x, y, step x, step y, frame)
        self.waiting = []                # [placed tick, named tick, is delayed, frame], by arrival
        self.sent_for = {}               # 11.1, 7: frames by tick
        self.rejections, self.not_listed = [], 0
        self.mass = self.looked = 0
        self.away_since = None           # 17.7, 17.8


class Seats:
    """The half of the judge that is before a tick."""

    def free(self, number, first_id, last_id, has_slot):
        if number in self.participants or any(p.number == number and p.had_objects for p in self.leavers):
            return False
        return has_slot or not any(first_id <= i <= last_id for i in self.objects)

    def join(self, name, role):
        block = self.config.ids_per_participant
        slots = [i for i, s in enumerate(self.config.slots) if s.name == name and s.role == role]
        for number in slots or range(64) if role != OBSERVER else range(64, 128):
            first, last = number * block + 1, (number + 1) * block
            if slots and self.config.slots[number].first_id:
                first, last = self.config.slots[number].first_id, self.config.slots[number].last_id
            if role == OBSERVER:
                first = last = 0
            if self.free(number, first, last, bool(slots) or role == OBSERVER):
                break
        self.participants[number] = Participant(number, name, role, first, last)
        self.participants[number].joined = self.tick
        return self.participants[number]

    def come_back(self, number):  # On a new stream, which has no bases (10.7).
        p = self.participants[number]
        p.away_since, p.bases, p.frames = None, {}, 0

    def leave(self, number):
        leaver = self.participants.pop(number)
        leaver.had_objects = any(o.owner == number for o in self.objects.values())
        if leaver.joined < self.tick:  # Else it leaves nothing behind, no stage either (17.5).
            self.leavers.append(leaver)

    # Arrival (10, 11).

    def arrive(self, number, frame):
        """A frame of the participant comes after the last tick; what is refused is told with the next."""
        p, later = self.participants[number], self.tick + 1
        p.frames += 1
        try:
            moves = self.decode(p, frame)
            columns = ("moves", "absolute_moves", "teleports")
            has_change = any(f.name not in ("tick", "acknowledged_tick", "participant") and
                             (f.name not in columns or getattr(value, "dx", ()) or getattr(value, "x", ())) for f, value in frame.ListFields())
            if p.role == OBSERVER and has_change:
                raise Refused("NOT_ALLOWED", "", 0)
            named, policy = frame.tick, self.config.late_frames
            if p.role != OBSERVER or has_change:
                if named and named < later and (policy == 2 or later - named > self.config.max_late_ticks):
                    raise Refused("TOO_LATE", "", 0)
                if named - later > self.config.max_lead_ticks:
                    raise Refused("TOO_FAR_AHEAD", "", 0)
                most = self.allowed(p, "frames_max")
                if most is not None and p.sent_for.setdefault(named or later, 0) >= most:
                    raise Refused("TOO_MANY_FRAMES", "", 0)
                p.sent_for[named or later] = p.sent_for.get(named or later, 0) + 1
            placed = self.place(p, named) if policy in (0, 3) else max(named, later)
            p.waiting.append([placed, named, placed > (named or later), frame, moves])
            return True
        except Refused as refused:
            self.reject(p, later, frame, *refused.args)
            return refused.args[0] != "MALFORMED" and "refused"

    def decode(self, p, frame):
        """The rows of moves as positions (10.1, 10.3 to 10.7)."""
        for columns, ids in ((frame.moves, frame.moves.id_delta and "id_delta"), (frame.absolute_moves, 0), (frame.teleports, 0)):
            if columns is frame.moves:
                lengths = {len(columns.id_delta), len(columns.dx), len(columns.dy)}
            else:
                lengths = {len(columns.object_id), len(columns.x), len(columns.y)}
            if len(lengths) > 1:
                raise Refused("MALFORMED", "", 0)
        bases = {i: b for i, b in p.bases.items() if p.frames - b[4] <= 64}
        for s in frame.spawns:
            bases[s.object_id] = s.x, s.y, 0, 0, p.frames
        moves, i = [], 0
        for delta, dx, dy in zip(frame.moves.id_delta, frame.moves.dx, frame.moves.dy):
            i += delta
            if not 0 <= i < 2**32:
                raise Refused("MALFORMED", "", 0)
            base = bases.get(i)
            bx, by, sx, sy, _ = base or (0, 0, 0, 0, 0)
            x, y = bx + dx, by + dy
            if frame.moves.is_against_course:
                x, y = x + sx, y + sy
            if not (LOW <= x <= HIGH and LOW <= y <= HIGH):
                raise Refused("MALFORMED", "", 0)
            step = (x - bx, y - by) if base else (0, 0)
            if not all(LOW <= c <= HIGH for c in step):
                step = 0, 0
            bases[i] = x, y, *step, p.frames
            moves.append((i, x, y))
        for columns in (frame.absolute_moves, frame.teleports):
            for i, x, y in zip(columns.object_id, columns.x, columns.y):
                bases[i] = x, y, 0, 0, p.frames
        for i in frame.despawns:
            bases.pop(i, None)
        p.bases = bases
        return moves

    def place(self, p, named):  # 11.6
        later = self.tick + 1
        own = max(named, later)
        delayed = [w[0] for w in p.waiting if w[2]]
        behind = delayed[-1] if delayed else later
        if not delayed and (not named or named >= later) or own > behind:
            return own
        if not named:
            return behind
        there = [w[1] for w in p.waiting if w[0] == behind]
        changes = sum(a != b for a, b in zip(there, there[1:]))
        if not there or changes == 0 or there[-1] == named:
            return behind
        return behind + 1

    def reject(self, p, tick, frame, reason, field, object_id):
        if len(p.rejections) < 64:
            p.rejections.append((tick, frame.tick, reason, field, object_id))
        else:
            p.not_listed += 1

    def allowed(self, p, name, default=None):  # 14.1
        roles = [p.role] + ([STAGE] if p.stage and p.role != STAGE else [])
        given = [self.limits[r] if r in self.limits and self.limits[r].HasField(name) else None for r in roles]
        if name == "may_teleport":
            values = [g and g.may_teleport for g in given]
            return True if True in values else False if all(v is False for v in values) else None
        if name == "selection_burst":
            given = [g or PLAIN for g in given]  # Absent: 1.
        if None in given:
            return None
        values = [getattr(g, name) for g in given]
        if name.endswith("_layers"):
            return {self.number[layer] for v in values for layer in v.layers}
        return min(values) if name == "selection_interval_ticks" else max(values)
