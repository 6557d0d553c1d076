# SPDX-License-Identifier: MIT
"""Exact geometry (RULES.md 1, 2, 6.9, 6.10), in integers.

A shape is a list of pieces; a piece is a convex core (a tuple of points) and a radius around it. The pieces of a mask
are the runs of set pixels of its rows; every other shape is one piece."""

import copy
import functools

LOW, HIGH = -2**31, 2**31 - 1
WHOLE_RANGE = LOW, LOW, HIGH, HIGH


class Part:
    def __init__(self, layer, box, pieces):
        self.layer, self.box, self.pieces = layer, box, pieces  # The box: 2.3.

    def on(self, layer):
        moved = copy.copy(self)
        moved.layer = layer
        return moved


def part_of(message, masks):
    """A part of the protocol, valid or not; of a mask that does not exist a point."""
    kind = message.WhichOneof("shape")
    if kind == "box":
        box = message.box.min_x, message.box.min_y, message.box.max_x, message.box.max_y
        return Part(message.layer, box, [rectangle(box)])
    if kind == "mask" and message.mask.mask < len(masks):
        m, mask = message.mask, masks[message.mask.mask]
        box = m.x, m.y, m.x + mask.width * mask.pixel_size, m.y + mask.height * mask.pixel_size
        return Part(message.layer, box, list(runs(mask, m.x, m.y)))
    core, radius = ((0, 0),), 0
    if kind == "circle":
        core, radius = ((message.circle.center_x, message.circle.center_y),), message.circle.radius
    if kind == "capsule":
        c = message.capsule
        core, radius = ((c.a_x, c.a_y), (c.b_x, c.b_y)), c.radius
    xs, ys = zip(*core)
    box = min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius
    return Part(message.layer, box, [(core, radius)])


def rectangle(box):
    min_x, min_y, max_x, max_y = box
    return ((min_x, min_y), (max_x, min_y), (max_x, max_y), (min_x, max_y)), 0


def runs(mask, left, top):  # 2.2
    size, stride = mask.pixel_size, (mask.width + 7) // 8
    for j in range(mask.height):
        row = [mask.rows[j * stride + i // 8] >> i % 8 & 1 for i in range(mask.width)] + [0]
        start = None
        for i, pixel in enumerate(row):
            if pixel and start is None:
                start = i
            if not pixel and start is not None:
                yield rectangle((left + start * size, top + j * size, left + i * size, top + (j + 1) * size))
                start = None


def placed(box, place):
    return box[0] + place[0], box[1] + place[1], box[2] + place[0], box[3] + place[1]


def in_range(box, place=(0, 0)):
    return all(LOW <= edge <= HIGH for edge in placed(box, place))


def around(boxes):
    """The box around boxes; None without any."""
    columns = list(zip(*boxes))
    return (min(columns[0]), min(columns[1]), max(columns[2]), max(columns[3])) if columns else None


def boxes_touch(p, q):
    return p[0] <= q[2] and q[0] <= p[2] and p[1] <= q[3] and q[1] <= p[3]


def cross(o, p, q):
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])


def hull(points):
    points = sorted(set(points))
    if len(points) < 3:
        return points
    corners = []
    for order in (points, points[::-1]):
        half = []
        for p in order:
            while len(half) > 1 and cross(half[-2], half[-1], p) <= 0:
                half.pop()
            half.append(p)
        corners += half[:-1]
    return corners


@functools.lru_cache(maxsize=65536)  # A pair of parts is asked often.
def difference(core, other):
    """Convex, as the two are: all points of the other, seen from all points of the core."""
    return hull([(b[0] - a[0], b[1] - a[1]) for a in core for b in other])


def comes_near_origin(points, radius):
    """Whether the convex hull of the points comes within `radius` of (0, 0)."""
    corners, square, origin = hull(points), radius * radius, (0, 0)
    edges = list(zip(corners, corners[1:] + corners[:1]))
    if len(corners) > 2 and all(cross(p, q, origin) >= 0 for p, q in edges):
        return True
    for p, q in edges:
        dx, dy = q[0] - p[0], q[1] - p[1]
        along, length_square = -(p[0] * dx + p[1] * dy), dx * dx + dy * dy
        if along <= 0:
            near = p[0] * p[0] + p[1] * p[1] <= square
        elif along >= length_square:
            near = q[0] * q[0] + q[1] * q[1] <= square
        else:
            near = cross(origin, p, q) ** 2 <= square * length_square
        if near:
            return True
    return False


def touch(p, q, offset, way=(0, 0), time=0):
    """Whether part q touches part p at a time from 0 to time / 256; seen from p it is at `offset` at time 0 and at
    offset + way at time 1."""
    ox, oy, wx, wy = 256 * offset[0], 256 * offset[1], way[0] * time, way[1] * time
    swept = (256 * q.box[0] + ox + min(wx, 0), 256 * q.box[1] + oy + min(wy, 0),
             256 * q.box[2] + ox + max(wx, 0), 256 * q.box[3] + oy + max(wy, 0))
    if not boxes_touch([256 * c for c in p.box], swept):
        return False
    for core, radius in p.pieces:
        for other, other_radius in q.pieces:
            points = [(256 * x + ox, 256 * y + oy) for x, y in difference(core, other)]
            if wx or wy:
                points += [(x + wx, y + wy) for x, y in points]
            if comes_near_origin(points, 256 * (radius + other_radius)):
                return True
    return False


def time_of_impact(p, q, offset, way):
    """The earliest time of a touch in 1/256, rounded up (6.10); None if they do not touch."""
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
