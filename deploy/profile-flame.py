#!/usr/bin/env python3
"""Draws a flame graph: stacks on standard input, as "outer;inner;innermost COUNT" a line; SVG on standard output.

A frame is as wide as its share of the count, and stands on its caller. Point at one for its name and share.
Usage: profile-flame.py TITLE UNIT < stacks > graph.svg
"""
import html
import sys
import zlib

WIDTH, ROW, MARGIN, TOP = 1600, 17, 10, 34
NARROWEST = 0.3  # Pixels; what is narrower is left out.


def read_stacks(lines):
    """A tree of frames: name -> [count, frames above it]."""
    root = [0, {}]
    for line in lines:
        stack, _, count = line.rstrip("\n").rpartition(" ")
        if not stack or not count.isdigit():
            continue
        node = root
        node[0] += int(count)
        for name in stack.split(";"):
            node = node[1].setdefault(name, [0, {}])
            node[0] += int(count)
    return root


def depth_of(node, scale):
    above = [depth_of(child, scale) for child in node[1].values() if child[0] * scale >= NARROWEST]
    return 1 + max(above, default=0)


def colour_of(name):
    """The same for the same name; greenish for the kernel, yellow to red for the rest."""
    dice = zlib.crc32(name.encode())
    if name.endswith("_[k]"):
        return f"rgb({110 + dice % 40},{180 + dice % 50},{110 + dice % 30})"
    return f"rgb({215 + dice % 40},{90 + dice // 64 % 120},{40 + dice // 8192 % 40})"


def draw(name, node, left, level, picture):
    width = node[0] * picture["scale"]
    if width < NARROWEST:
        return
    y = picture["height"] - MARGIN - (level + 1) * ROW
    share = f"{node[0]} {picture['unit']}, {100 * node[0] / picture['total']:.2f}%"
    label = name if len(name) * 7 <= width else name[: max(int(width / 7) - 1, 0)] + "…" if width > 30 else ""
    picture["out"].append(
        f'<g><title>{html.escape(name)} ({share})</title>'
        f'<rect x="{left:.1f}" y="{y}" width="{max(width - 0.4, 0.2):.1f}" height="{ROW - 1}" fill="{colour_of(name)}"/>'
        f'<text x="{left + 3:.1f}" y="{y + 12}">{html.escape(label)}</text></g>')
    for child, below in sorted(node[1].items()):
        draw(child, below, left, level + 1, picture)
        left += below[0] * picture["scale"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root = read_stacks(sys.stdin)
    if root[0] == 0:
        sys.exit("profile-flame: no stacks on standard input")
    sys.setrecursionlimit(10_000)
    scale = (WIDTH - 2 * MARGIN) / root[0]
    height = depth_of(root, scale) * ROW + TOP + MARGIN
    picture = {"out": [], "scale": scale, "height": height, "total": root[0], "unit": sys.argv[2]}
    draw("all", root, MARGIN, 0, picture)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">')
    print(f'<rect width="100%" height="100%" fill="#fdfbf4"/>'
          f'<text x="{MARGIN}" y="22" font-size="16">{html.escape(sys.argv[1])}</text>')
    print("\n".join(picture["out"]))
    print("</svg>")


main()
