#!/usr/bin/python3
"""Data for reports of scenes in space, made up by formulas of t: every shape, impacts, forces of contacts, links, moved bodies.

    space_samples.py FOLDER      writes one .html a sample
"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from assemble import write_report  # noqa: E402
from sample import REPORT, encode  # noqa: E402

G, DT, END = 9.81, 0.01, 6.0
TIMES = [DT * n for n in range(round(END / DT) + 1)]


def turned(axis, angle, by=(1.0, 0.0, 0.0, 0.0)):
    """The turn `by`, then about an axis of space."""
    length = math.sqrt(sum(x * x for x in axis))
    s = math.sin(angle / 2) / length
    w, x, y, z = math.cos(angle / 2), *(s * a for a in axis)
    a, b, c, d = by
    return [w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a]


def bounce(t, height, low):
    """Height of what falls from rest at `height` and bounces at `low` without loss, and the times when it does."""
    fall = math.sqrt(2 * (height - low) / G)
    since = (t + fall) % (2 * fall) - fall
    return height - 0.5 * G * since * since, [fall * (2 * k + 1) for k in range(int((END / fall + 1) / 2))]


def octahedron(r):
    points = [[r, 0, 0], [0, r, 0], [-r, 0, 0], [0, -r, 0], [0, 0, r], [0, 0, -r]]
    faces = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]]
    return {"points": points, "faces": faces}


class Scene:
    """Bodies with their poses over TIMES; what a report has of a run in space."""

    def __init__(self):
        self.names, self.rows, self.bodies, self.links, self.impacts = [], [], [], [], []
        self.contacts, self.arrows, self.up, self.trails = [], None, [0, 0, 1], None

    def free(self, name, parts, pose):
        """A body that moves: pose(t) is its place and its turn."""
        first, number = len(self.names), sum(body["colour"] is not None for body in self.bodies)
        self.names += [f"{name}_{axis}" for axis in ("x", "y", "z", "q0", "q1", "q2", "q3")]
        self.rows += list(map(list, zip(*([*place, *turn] for place, turn in map(pose, TIMES)))))
        self.bodies.append({"name": name, "colour": number, "parts": parts, "columns": list(range(first, first + 7))})

    def fixed(self, name, parts, pose=(0, 0, 0, 1, 0, 0, 0)):
        self.bodies.append({"name": name, "colour": None, "parts": parts, "pose": list(pose)})

    def moved(self, name, parts, pose):
        number = sum(body["colour"] is not None for body in self.bodies)
        columns = list(zip(*([*place, *turn] for place, turn in map(pose, TIMES))))
        self.bodies.append({"name": name, "colour": number, "parts": parts, "path": motion_of(columns)})

    def hit(self, t, contact, place):
        if contact not in self.contacts:
            self.contacts.append(contact)
        self.impacts.append((t, self.contacts.index(contact), place))

    def report(self, title, labels=("made up",)):
        self.impacts.sort(key=lambda one: one[0])
        stride = max(1, len(TIMES) // 300)
        run = {
            "method": "formulas of t", "method_in_words": "no method", "status": "completed", "reason": None, "warnings": [],
            "summary": {"status": "completed", "time": {"start": 0, "end": END, "step": DT, "steps": len(TIMES) - 1},
                        "impacts": {"count": len(self.impacts)}},
            "series": {"t": TIMES[::stride], "q": [row[::stride] for row in self.rows[:70]]},
            "impacts": {"count": len(self.impacts), "t": [i[0] for i in self.impacts], "contact": [i[1] for i in self.impacts],
                        "impulse": [1.0 for _ in self.impacts], "places": [i[2] for i in self.impacts]},
            "contact_names": self.contacts, "pushes": self.arrows, "motion": motion_of(self.rows),
        }
        return {
            "schema": 1, "kind": "run" if len(labels) == 1 else "compare", "title": title, "system": "scene", "coordinates": self.names,
            "gaps": self.contacts, "drawing": None, "runs": [{**run, "label": label} for label in labels],
            "space": {"up": self.up, "bodies": self.bodies, "links": self.links, "trails": self.trails},
        }


def motion_of(columns):
    low, high = [min(c) for c in columns], [max(c) for c in columns]
    return {"t0": 0, "dt": DT, "count": len(columns[0]), "low": low, "high": high,
            "data": [encode(c, a, b) for c, a, b in zip(columns, low, high)]}


def bouncing(scene, name, parts, x, y, height, low, axis, rate):
    scene.free(name, parts, lambda t: ([x, y, bounce(t, height, low)[0]], turned(axis, rate * t)))
    for t in bounce(0, height, low)[1]:
        scene.hit(t, f"floor, {name}", [x, y, 0])


def all_shapes():
    """Each shape falls, turns or rolls on a floor before a wall; a table stands, a paddle is moved, a spring pulls."""
    scene = Scene()
    scene.fixed("floor", [{"half-space": [0, 0, 1]}])
    scene.fixed("wall", [{"half-space": [0, -1, 0], "at": [0, 2.2, 0]}])
    scene.fixed("table", [{"box": [1.6, 1.0, 0.1], "at": [0, 0, 0.55]}, {"cylinder": [0.5, 0.12], "at": [0, 0, 0.25],
                "turn": turned([0, 1, 0], math.pi / 2)}], (2.6, 0.6, 0, 1, 0, 0, 0))
    bouncing(scene, "ball", [{"ball": 0.3}], -2.6, 0.2, 1.6, 0.3, [1, 0.4, 0.2], 2.0)
    bouncing(scene, "brick", [{"box": [0.7, 0.45, 0.3]}], -1.5, -0.6, 1.3, 0.45, [0.3, 1, 0.4], 1.6)
    bouncing(scene, "egg", [{"ellipsoid": [0.38, 0.24, 0.2]}], -0.5, 0.5, 1.1, 0.38, [0.2, 1, 0.1], 2.4)
    bouncing(scene, "gem", [{"polyhedron": octahedron(0.36)}], 0.4, -0.6, 1.4, 0.36, [0.4, 0.3, 1], 1.8)
    dumb_bell = [{"cylinder": [0.8, 0.06]}, {"ball": 0.2, "at": [-0.45, 0, 0]}, {"box": [0.3, 0.3, 0.3], "at": [0.45, 0, 0]}]
    bouncing(scene, "dumb-bell", dumb_bell, 1.3, -1.2, 1.5, 0.6, [0, 1, 0.3], 2.1)
    scene.free("pill", [{"capsule": [0.5, 0.18]}], lambda t: ([2.6 + 0.5 * math.sin(t), 0.6, 0.78],
               turned([0, 1, 0], 0.5 * math.sin(t) / 0.18, turned([0, 0, 1], math.pi / 2))))
    scene.free("barrel", [{"cylinder": [0.7, 0.28]}], lambda t: ([-1.2 + 0.3 * t, -1.6, 0.28],
               turned([0, 1, 0], 0.3 * t / 0.28, turned([0, 0, 1], math.pi / 2))))
    scene.moved("paddle", [{"box": [0.1, 0.8, 0.6]}], lambda t: ([3.9 + 0.3 * math.sin(2 * t), -0.8, 0.4], turned([0, 0, 1], 0.4 * math.sin(t))))
    scene.links.append({"a": 3, "at_a": [0, 0, 0], "b": None, "at_b": [-2.6, 0.2, 2.4], "spring": True})
    scene.arrows = {"t": TIMES[::4], "arrows": [[x for y in (-1.95, -1.25) for x in (-1.2 + 0.3 * t, y, 0, 0.6 * math.sin(5 * t), 0, 4 + math.cos(3 * t))]
               for t in TIMES[::4]]}
    return scene.report("Every shape")


def handle():
    """A T-handle that turns over, in free space; two runs, one ahead of the other."""
    scene = Scene()
    parts = [{"cylinder": [1.0, 0.09]}, {"cylinder": [0.6, 0.09], "at": [0, 0.3, 0], "turn": turned([0, 0, 1], math.pi / 2)}]
    scene.free("handle", parts, lambda t: ([0, 0, 0], turned([0, 0, 1], math.pi / (1 + math.exp(-4 * (t % 4 - 2))), turned([0, 1, 0], 5 * t))))
    return scene.report("A handle that turns over")


def crowd(count=100):
    """Balls in a box without a lid; many, and small."""
    scene = Scene()
    for normal, at in (([0, 0, 1], [0, 0, 0]), ([1, 0, 0], [-2, 0, 0]), ([-1, 0, 0], [2, 0, 0]), ([0, 1, 0], [0, -2, 0]), ([0, -1, 0], [0, 2, 0])):
        scene.fixed("side", [{"half-space": normal, "at": at}])
    side = math.ceil(count ** (1 / 3))
    for k in range(count):
        i, j, l = k % side, k // side % side, k // side**2
        x, y, r = 3.4 * (i + 0.5) / side - 1.7, 3.4 * (j + 0.5) / side - 1.7, 0.12 + 0.05 * math.sin(7.0 * k)
        bouncing(scene, f"ball{k + 1}", [{"ball": r}], x, y, 0.5 + 0.55 * l, r, [math.sin(k), math.cos(k), 0.5], 3.0)
    return scene.report("Many balls")


def far_away():
    """A wheel that rolls far away: the view goes along. y is up."""
    scene = Scene()
    scene.up = [0, 1, 0]
    scene.fixed("street", [{"half-space": [0, 1, 0]}])
    scene.free("wheel", [{"cylinder": [0.2, 0.5]}], lambda t: ([8 * t, 0.5, 0], turned([0, 0, 1], -16 * t, turned([0, 1, 0], math.pi / 2))))
    return scene.report("Far away", ("one", "other"))


def broken():
    """A shape that is not known, a polyhedron without points: the rest shows, and the page says so."""
    scene = Scene()
    scene.fixed("floor", [{"half-space": [0, 0, 1]}])
    bouncing(scene, "</script><b>ball", [{"ball": 0.3}], 0, 0, 1.6, 0.3, [1, 0.4, 0.2], 2.0)
    scene.fixed("knot", [{"polyhedron": {"points": [[0, 0, 0]], "faces": [[0, 1, 2]]}}])
    return scene.report("Broken")


SPACE_SAMPLES = {"shapes": all_shapes, "handle": handle, "crowd": crowd, "away": far_away, "broken": broken}


def write_space_samples(folder, names=None):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or SPACE_SAMPLES:
        write_report(REPORT, SPACE_SAMPLES[name](), folder / f"{name}.html")


if __name__ == "__main__":
    write_space_samples(sys.argv[1], sys.argv[2:])
