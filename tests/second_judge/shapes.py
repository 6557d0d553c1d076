"""Exact geometry of the second judge (RULES.md 1, 2, 6.9, 6.10). Integers only.

A shape is a list of pieces; a piece is a convex core (a list of points) and a radius around it. The pieces of a mask are
the runs of pixels of its rows; every other shape is one piece."""

LOW, HIGH = -2**31, 2**31 - 1


def rectangle(min_x, min_y, max_x, max_y):
    return ([(min_x, min_y), (max_x, min_y), (max_x, max_y), (min_x, max_y)], 0)


def runs(mask, left, top):  # 2.2
    size, stride = mask.pixel_size, (mask.width + 7) // 8
    for j in range(mask.height):
        row = [mask.rows[j * stride + i // 8] >> i % 8 & 1 for i in range(mask.width)] + [0]
        start = None
        for i, pixel in enumerate(row):
            if pixel and start is None:
                start = i
            if not pixel and start is not None:
                yield rectangle(left + start * size, top + j * size, left + i * size, top + (j + 1) * size)
                start = None


def box_of(part, masks):  # 2.3; of a part as the protocol has it
    kind = part.WhichOneof("shape")
    if kind == "box":
        return part.box.min_x, part.box.min_y, part.box.max_x, part.box.max_y
    if kind == "circle":
        c = part.circle
        return c.center_x - c.radius, c.center_y - c.radius, c.center_x + c.radius, c.center_y + c.radius
    if kind == "capsule":
        c = part.capsule
        return (min(c.a_x, c.b_x) - c.radius, min(c.a_y, c.b_y) - c.radius,
                max(c.a_x, c.b_x) + c.radius, max(c.a_y, c.b_y) + c.radius)
    if kind == "mask":
        m = masks[part.mask.mask]
        return (part.mask.x, part.mask.y, part.mask.x + m.width * m.pixel_size, part.mask.y + m.height * m.pixel_size)
    return 0, 0, 0, 0


class Part:
    def __init__(self, part, masks):
        self.source, self.layer, self.box, kind = part, part.layer, box_of(part, masks), part.WhichOneof("shape")
        if kind == "circle":
            self.pieces = [([(part.circle.center_x, part.circle.center_y)], part.circle.radius)]
        elif kind == "capsule":
            c = part.capsule
            self.pieces = [([(c.a_x, c.a_y), (c.b_x, c.b_y)], c.radius)]
        elif kind == "mask":
            self.pieces = list(runs(masks[part.mask.mask], part.mask.x, part.mask.y))
        else:
            self.pieces = [rectangle(*self.box)]

    def on(self, layer):
        changed = Part.__new__(Part)
        changed.source, changed.layer, changed.box, changed.pieces = self.source, layer, self.box, self.pieces
        return changed


def in_range(box, x, y):
    return box[0] + x >= LOW and box[1] + y >= LOW and box[2] + x <= HIGH and box[3] + y <= HIGH


def boxes_touch(p, px, py, q, qx, qy):
    return (p[0] + px <= q[2] + qx and q[0] + qx <= p[2] + px and
            p[1] + py <= q[3] + qy and q[1] + qy <= p[3] + py)


def cross(o, p, q):
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])


def hull(points):
    points = sorted(set(points))
    if len(points) < 3:
        return points
    halves = []
    for order in (points, points[::-1]):
        half = []
        for p in order:
            while len(half) > 1 and cross(half[-2], half[-1], p) <= 0:
                half.pop()
            half.append(p)
        halves += half[:-1]
    return halves


def origin_within(points, radius):
    """Whether the convex hull of the points comes within `radius` of (0, 0)."""
    corners, r2, o = hull(points), radius * radius, (0, 0)
    edges = list(zip(corners, corners[1:] + corners[:1]))
    if len(corners) > 2 and all(cross(p, q, o) >= 0 for p, q in edges):
        return True
    for p, q in edges:
        dx, dy = q[0] - p[0], q[1] - p[1]
        along, length2 = -(p[0] * dx + p[1] * dy), dx * dx + dy * dy
        if along <= 0:
            near = p[0] * p[0] + p[1] * p[1] <= r2
        elif along >= length2:
            near = q[0] * q[0] + q[1] * q[1] <= r2
        else:
            near = cross(o, p, q) ** 2 <= r2 * length2
        if near:
            return True
    return False


def touch(p, q, offset, way=(0, 0), time=0):
    """Whether part q, seen from p, touches p at a time from 0 to time / 256, being at `offset` at 0 and at offset + way at 1."""
    ox, oy, wx, wy = 256 * offset[0], 256 * offset[1], way[0] * time, way[1] * time
    swept = (256 * q.box[0] + ox + min(wx, 0), 256 * q.box[1] + oy + min(wy, 0),
             256 * q.box[2] + ox + max(wx, 0), 256 * q.box[3] + oy + max(wy, 0))
    if not boxes_touch([256 * c for c in p.box], 0, 0, swept, 0, 0):
        return False
    for core, radius in p.pieces:
        for other, other_radius in q.pieces:
            points = [(256 * (b[0] - a[0]) + ox, 256 * (b[1] - a[1]) + oy) for a in core for b in other]
            if wx or wy:
                points += [(x + wx, y + wy) for x, y in points]
            if origin_within(points, 256 * (radius + other_radius)):
                return True
    return False


def time_of_impact(p, q, offset, way):
    """The first k with a touch from 0 to k / 256: the earliest time, rounded up (6.10). None: they do not touch."""
    if not touch(p, q, offset, way, 256):
        return None
    low, high = 0, 256
    while low < high:
        middle = (low + high) // 2
        if touch(p, q, offset, way, middle):
            high = middle
        else:
            low = middle + 1
    return low
