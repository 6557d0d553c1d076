"""A second judge of sweepd matches, written from RULES.md alone. Numbers in comments are rules. Brute force, exact.

Not here: templates, hit claims, scoring, visibility, budgets that end a match, quotas of bytes, clocks."""

from changes import Changes
from limits import LayerLimits
from participants import OBSERVER, PLAYER, STAGE, Seats
from shapes import HIGH, LOW, boxes_touch, time_of_impact, touch

MOVED, DESPAWNED, EXPIRED, LEFT_PLAYFIELD, LAYER_CHANGED, DISABLED, RESHAPED, OWNER_LEFT, MATCH_ENDED, SWEPT, CONSUMED, \
    DESTROYED = range(1, 13)
LEFT = (OWNER_LEFT, DESPAWNED, EXPIRED, LEFT_PLAYFIELD)  # In the order of 8.1.


class Result:
    def __init__(self, tick):
        self.tick, self.events, self.rejections, self.not_listed = tick, [], {}, {}
        self.destructions, self.owner_changes = [], []


class Judge(Seats, Changes):
    def __init__(self, config, version=2):
        self.config, self.version, self.tick, self.sequence = config, version, 0, 0
        self.layers = len(config.layers)
        number = {name: i for i, name in enumerate(config.layers)}
        self.pairs = {}
        for pair in config.collides:
            a, b = number[pair.layer_a], number[pair.layer_b]
            self.pairs[a, b] = self.pairs[b, a] = pair
        self.clearable = {number[name] for name in config.clearable_layers}
        self.limits = {limits.role: limits for limits in config.limits}
        self.number, self.layer_limits = number, LayerLimits(config)
        self.objects, self.participants, self.leavers, self.open = {}, {}, [], {}
        self.origin, self.due = (0, 0), {}
        b = config.playfield
        self.playfield = (b.min_x, b.min_y, b.max_x, b.max_y) if config.HasField("playfield") else (LOW, LOW, HIGH, HIGH)

    # Participants (17).

    def hand_over(self, leaver, result):  # 17.9
        mine = sorted(o.id for o in self.objects.values() if o.owner == leaver.number and o.left is None)
        to = None
        if leaver.stage and self.config.stage_handover == 2:
            to = min((p for p in self.participants.values() if (p.stage or p.role == PLAYER) and p.away_since is None),
                     key=lambda p: (not p.stage, p.number), default=None)
        if to:
            given = [i for i in mine if leaver.role != PLAYER or not leaver.first_id <= i <= leaver.last_id]
            for i in given:
                self.objects[i].owner = to.number
            result.owner_changes.append((leaver.number, to.number, True, given))
            to.stage = True
            mine = [i for i in mine if i not in given]
        for i in mine:
            self.objects[i].left = OWNER_LEFT

    # A tick (4).

    def run_tick(self):
        self.tick += 1
        result, self.looked, self.scrolls = Result(self.tick), 0, 0
        for o in self.objects.values():
            o.was_disabled, o.was_judged = o.disabled, not o.disabled
            o.begin_tick()
        for p in self.participants.values():
            p.mass = p.looked = 0
        for p in list(self.participants.values()):  # Step 1.
            if p.away_since is not None and self.tick > p.away_since + self.config.reconnect_ticks:
                self.leave(p.number)
        for leaver in sorted(self.leavers, key=lambda p: p.number):  # Step 2.
            self.hand_over(leaver, result)
        self.leavers = []
        for _, p in sorted(self.participants.items()):  # Step 3.
            now = [w for w in p.waiting if w[0] <= self.tick]
            p.waiting = [w for w in p.waiting if w[0] > self.tick]
            for _, _, _, frame, moves in now:
                self.apply(p, frame, moves, result)
        for o in self.alive():
            if o.expires == self.tick:  # Step 4.
                o.left = EXPIRED
        for o in self.alive():
            self.move_by_motion(o)  # Step 5.
        for o in self.alive():  # Step 6.
            if o.confined and not any(boxes_touch(p.box, o.x, o.y, self.playfield, *self.origin) for p in o.parts):
                o.left = LEFT_PLAYFIELD
        for o in self.alive():  # Step 7.
            if o.disabled and o.until == self.tick:
                o.disabled, o.until = False, 0
        self.judge(result)
        for number, p in self.participants.items():
            result.rejections[number], result.not_listed[number] = p.rejections, p.not_listed
            p.rejections, p.not_listed = [], 0
        self.objects = {i: o for i, o in self.objects.items()
                        if o.left is None and o.used_up_at is None and not o.destroyed}
        return result

    def move_by_motion(self, o):  # 5.1, 5.2
        if o.frozen or not any(o.velocity + o.acceleration):
            return
        velocity = o.velocity[0] + o.acceleration[0], o.velocity[1] + o.acceleration[1]
        x, y = o.x + velocity[0], o.y + velocity[1]
        o.step = velocity
        if all(LOW <= v <= HIGH for v in velocity) and o.fits(x, y):
            o.velocity, o.x, o.y = velocity, x, y
        else:
            o.left, o.beyond = LEFT_PLAYFIELD, (x, y)

    def contact(self, a, b):
        """Step 8: layer pairs of two objects in contact now, with their lowest parts, and met on the way, with parts and time."""
        now, met = {}, {}
        colliding = [(i, p, j, q) for i, p in enumerate(a.parts) for j, q in enumerate(b.parts) if (p.layer, q.layer) in self.pairs]
        if not colliding:
            return now, met
        if a.judged() and b.judged():
            for i, p, j, q in colliding:
                if (p.layer, q.layer) not in now and touch(p, q, (b.x - a.x, b.y - a.y)):
                    now[p.layer, q.layer] = i, j
        if (a.continuous or b.continuous) and a.the_way and b.the_way:
            (abegin, aend), (bbegin, bend) = a.the_way, b.the_way
            offset = bbegin[0] - abegin[0], bbegin[1] - abegin[1]
            way = bend[0] - aend[0] - offset[0], bend[1] - aend[1] - offset[1]
            for i, p, j, q in colliding:
                if (a.id, b.id, p.layer, q.layer) not in self.open:
                    time = time_of_impact(p, q, offset, way)
                    if time is not None:
                        i0, j0, t0 = met.get((p.layer, q.layer), (i, j, time))
                        met[p.layer, q.layer] = i0, j0, min(t0, time)
        return now, met

    def judge(self, result):
        now, met = {}, {}
        self.everything = everything = [self.objects[i] for i in sorted(self.objects)]
        for o in everything:
            o.the_way = o.way(self.tick, self.version)
        for n, a in enumerate(everything):
            for b in everything[n + 1:]:
                n_, m_ = self.contact(a, b)
                now.update({(a.id, b.id) + layers: parts for layers, parts in n_.items()})
                met.update({(a.id, b.id) + layers: parts for layers, parts in m_.items()})
        first, enters, third = [], [], []
        for key in sorted(self.open):
            if key not in now:
                first.append((self.why(key),) + key + self.open[key][:2] + (256,))
        begun = {key: met[key][2] if key in met else 256 for key in {*now, *met} if key not in self.open}
        destructions = {}
        for key in sorted(self.open):  # 9.4
            interval = self.pairs[key[2:]].damage_interval_ticks
            if key in now and interval and (self.tick - self.open[key][2]) % interval == 0:
                self.blow(key, destructions)
        never = set()
        for time, key in sorted((time, key) for key, time in begun.items()):  # 9.6
            if self.pairs[key[2:]].sensor:
                continue
            a, b = self.objects[key[0]], self.objects[key[1]]
            if a.used_up_at is not None or b.used_up_at is not None:
                never.add(key)
                continue
            for o in (a, b):
                if o.single_use:
                    o.used_up_at = time
            self.blow(key, destructions)
        for key, time in begun.items():  # 9.7
            ends = [self.objects[i].used_up_at for i in key[:2] if self.objects[i].used_up_at is not None]
            if self.pairs[key[2:]].sensor and ends and min(ends) < time:
                never.add(key)
        for key in never:
            del begun[key]
        told = {}
        for key in sorted(begun):
            told[key] = (now.get(key) or met[key][:2]) + (begun[key],)
            enters.append((0,) + key + told[key])
        still = {}
        for key in sorted({*begun, *[k for k in self.open if k in now]}):
            pair = [self.objects[i] for i in key[:2]]
            gone = [o for o in pair if o.destroyed or o.used_up_at is not None]
            if key in now and not gone:
                still[key] = now[key] + (self.open[key][2] if key in self.open else self.tick,)
                continue
            reason = DESTROYED if any(o.destroyed for o in pair) else CONSUMED if gone else SWEPT
            third.append((reason,) + key + (now[key] + (256,) if key in now else told[key]))
        self.open = still
        self.number_events(result, first + enters + third)
        result.destructions = [destructions[i] for i in sorted(destructions)]

    def why(self, key):  # 8.1
        a, b = self.objects[key[0]], self.objects[key[1]]
        for reason in LEFT:
            if reason in (a.left, b.left):
                return reason
        if a.disabled or b.disabled:
            return DISABLED
        if key[2] in a.off or key[3] in b.off:
            return LAYER_CHANGED
        return RESHAPED if a.reshaped or b.reshaped else MOVED

    def blow(self, key, destructions):  # 9.2
        a, b = self.objects[key[0]], self.objects[key[1]]
        for o, by, layer, by_layer in ((a, b, key[2], key[3]), (b, a, key[3], key[2])):
            if o.hit_points and by.damage:
                o.hit_points = max(0, o.hit_points - by.damage)
                if not o.hit_points:
                    o.destroyed = True
                    destructions[o.id] = (o.id, by.id, o.owner, by.owner, layer, by_layer)

    def number_events(self, result, events):
        for event in events:
            self.sequence += 1
            result.events.append((self.sequence,) + event)

    def end(self):  # 21.6
        self.tick += 1
        result = Result(self.tick)
        self.number_events(result, [(MATCH_ENDED,) + key + self.open[key][:2] + (256,) for key in sorted(self.open)])
        self.objects, self.open = {}, {}
        return result

    def world(self):
        return [(o.id, o.owner, o.x, o.y, (0, 0, 0, 0) if o.frozen else o.velocity + o.acceleration, o.disabled,
                 [(part.layer, part.box) for part in o.parts]) for _, o in sorted(self.objects.items())]
