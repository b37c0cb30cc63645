#!/usr/bin/env python3
"""Random scenes in the plane, discs, capsules, boxes and convex polygons that bounce elastically in a room, against a solution
that knows no contacts of corners: bodies fly on parabolas, two convex shapes are apart by the largest over axes of the
smallest over corners, its root is found between dense samples, and the impulse acts at the deepest point along that axis. Then
the same scenes with losses and friction: none passes, none hangs, none gains energy, and what ends by name has a known reason.

usage: random_scenes.py PROGRAM [SOURCE_DIR] [--cases N] [--seed S] [--only NUMBER] [--jobs J]
"""

import json
import sys

sys.dont_write_bytecode = True
import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from support import DONE, FAILED, Suite, Wrong, claim

ROOM = [([0, 1], [0, 0]), ([1, 0], [-2, 0]), ([-1, 0], [2, 0]), ([0, -1], [0, 4])]
IMPACTS = 6
REFUSALS = ("more than one continuation", "the contacts jam", "obeys Coulomb's law was found", "squeeze the system",
            "impacts and releases in one step")


def turned(angle, points):
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points) @ np.array([[c, s], [-s, c]])


class Shape:
    """A convex core, counterclockwise, and a radius; area, and second moment about the centre of the area."""

    def __init__(self, rng):
        kind = rng.choice(["ball", "capsule", "box", "polygon"])
        self.radius = 0.0
        if kind == "ball":
            self.radius = rng.uniform(0.15, 0.4)
            self.core, self.toml = np.zeros((1, 2)), f"{{ ball = {self.radius!r} }}"
        elif kind == "capsule":
            length, self.radius = rng.uniform(0.2, 0.8), rng.uniform(0.05, 0.2)
            self.core = np.array([[-length / 2, 0], [length / 2, 0]])
            self.toml = f"{{ capsule = [{length!r}, {self.radius!r}] }}"
        elif kind == "box":
            w, h = rng.uniform(0.2, 0.9, 2)
            self.core = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
            self.toml = f"{{ box = [{w!r}, {h!r}] }}"
        else:
            n = rng.integers(3, 7)
            angles = 2 * np.pi * (np.arange(n) + rng.uniform(-0.3, 0.3, n)) / n
            self.core = rng.uniform(0.3, 0.5) * np.column_stack([np.cos(angles), np.sin(angles)])
            self.toml = f"{{ polygon = {json.dumps(self.core.tolist())} }}"
        self.centre, self.inertia = self.moments()
        self.core = self.core - self.centre

    def moments(self):
        """The centre of the area, and the second moment about it of unit mass."""
        if self.radius:  # strips across a segment of half length l, as high as the shape is there
            l, r = np.abs(self.core[:, 0]).max(), self.radius
            y = lambda x: np.sqrt(max(r * r - max(abs(x) - l, 0.0) ** 2, 0.0))
            over = lambda f: sum(quad(f, *ends, epsabs=1e-14, epsrel=1e-13)[0] for ends in ((-l - r, -l), (-l, l), (l, l + r)))
            area = over(lambda x: 2 * y(x))
            return np.zeros(2), over(lambda x: 2 * x * x * y(x) + 2 / 3 * y(x) ** 3) / area
        a, b = self.core, np.roll(self.core, -1, axis=0)
        areas = 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
        centre = (areas[:, None] * (a + b)).sum(axis=0) / 3 / areas.sum()
        second = (areas * ((a * a).sum(1) + (a * b).sum(1) + (b * b).sum(1))).sum() / 6
        return centre, second / areas.sum() - centre @ centre


def axes_of(core):
    edges = np.roll(core, -1, axis=0) - core
    edges = edges[np.linalg.norm(edges, axis=1) > 0]
    return np.column_stack([edges[:, 1], -edges[:, 0]]) / np.linalg.norm(edges, axis=1)[:, None]


def nearest_points(core, other):
    """The pair of points of two cores apart from each other that are nearest, one of them a corner."""
    best = (np.inf, None, None)
    for first, second, swap in ((core, other, False), (other, core, True)):
        a, b = second, np.roll(second, -1, axis=0)
        for p in first:
            d = b - a
            s = np.clip(np.einsum("ij,ij->i", p - a, d) / np.maximum((d * d).sum(1), 1e-300), 0, 1)
            on = a + s[:, None] * d
            far = np.linalg.norm(p - on, axis=1)
            k = far.argmin()
            if far[k] < best[0]:
                best = (far[k], on[k], p) if swap else (far[k], p, on[k])
    return best


def gap(a, b):
    """Of two placed cores with radii: how far apart, the normal from b to a, the place."""
    (core, radius), (other, thick) = a, b
    if radius + thick > 0:
        far, p, q = nearest_points(core, other)
        n = (p - q) / far
        return far - radius - thick, n, p - radius * n
    best = (-np.inf, None, None)
    for normals, own, its, sign in ((axes_of(other), other, core, 1), (axes_of(core), core, other, -1)):
        for n in normals:
            heights = its @ n - (own @ n).max()
            if heights.min() > best[0]:
                best = (heights.min(), sign * n, its[heights.argmin()])
    return best


def wall_gap(a, wall):
    (core, radius), (n, at) = a, (np.array(wall[0], float), np.array(wall[1], float))
    heights = (core - at) @ n
    k = heights.argmin()
    return heights[k] - radius, n, core[k] - radius * n


class World:
    def __init__(self, rng):
        self.g = np.array([0.0, -9.81]) if rng.random() < 0.7 else np.zeros(2)
        self.bodies, self.q, self.v, self.mass = [], [], [], []
        for _ in range(int(rng.integers(1, 5))):
            shape = Shape(rng)
            for _ in range(100):
                place = np.array([*rng.uniform([-1.4, 0.7], [1.4, 3.3]), rng.uniform(-3, 3)])
                self.bodies.append(shape), self.q.append(place)
                if min(x[0] for x in self.gaps(np.array(self.q))) > 0.05:
                    break
                self.bodies.pop(), self.q.pop()
            else:
                continue
            self.v.append(rng.uniform(-3, 3, 3)), self.mass.append(rng.uniform(0.5, 3))
        self.q, self.v = np.array(self.q), np.array(self.v)
        self.m = np.array([[m, m, m * b.inertia] for m, b in zip(self.mass, self.bodies)])

    def toml(self, end):
        text = f"[world]\ndimension = 2\ngravity = {self.g.tolist()}\n"
        for k, (n, at) in enumerate(ROOM):
            text += f'[[body]]\nname = "wall{k}"\nshape = {{ half-space = {n} }}\nposition = {at}\n'
        for k, (b, m) in enumerate(zip(self.bodies, self.mass)):
            origin = self.q[k][:2] - turned(self.q[k][2], b.centre)
            text += (f'[[body]]\nname = "b{k}"\nshape = {b.toml}\nmass = {m!r}\nposition = {origin.tolist()}\n'
                     f"angle = {float(self.q[k][2])!r}\nvelocity = {self.v[k][:2].tolist()}\nspin = {float(self.v[k][2])!r}\n")
        return text + f'[method]\nimpact = "continuous-energy"\n[time]\nstep = 0.01\nend = {end!r}\n'

    def placed(self, q):
        return [(p[:2] + turned(p[2], b.core), b.radius) for p, b in zip(q, self.bodies)]

    def gaps(self, q):
        at = self.placed(q)
        found = [(*wall_gap(a, wall), i, None) for i, a in enumerate(at) for wall in ROOM]
        return found + [(*gap(at[i], at[k]), i, k) for i in range(len(at)) for k in range(i)]

    def flight(self, t):
        q = self.q + t * self.v
        q[:, :2] += 0.5 * t * t * self.g
        return q

    def next_impact(self, longest):
        """Samples a thousandth apart; what closes in between is found by its root."""
        step, t = 1e-3, 0.0
        before = np.array([x[0] for x in self.gaps(self.q)])
        while t < longest:
            after = np.array([x[0] for x in self.gaps(self.flight(t + step))])
            closed = np.flatnonzero((after < 0) & ((before > 0) | (t > 0)))
            if len(closed):
                root = lambda k: brentq(lambda s: self.gaps(self.flight(s))[k][0], t if before[k] > 0 else t + 0.5 * step,
                                        t + step, xtol=1e-15)
                return min((root(k), k) for k in closed)
            before, t = after, t + step
        return None

    def impact(self, t, k):
        self.q, self.v[:, :2] = self.flight(t), self.v[:, :2] + t * self.g
        _, n, place, i, j = self.gaps(self.q)[k]
        rows = []
        for body, sign in ((i, 1), (j, -1)):
            if body is not None:
                r = place - self.q[body][:2]
                rows.append((body, sign * np.array([*n, r[0] * n[1] - r[1] * n[0]])))
        rate = sum(row @ self.v[body] for body, row in rows)
        impulse = -2 * rate / sum((row * row / self.m[body]).sum() for body, row in rows)
        for body, row in rows:
            self.v[body] += impulse * row / self.m[body]


def check_rough(carom, rng, text):
    rules = (f"[contact]\nrestitution = {rng.choice([0.0, 0.3, rng.uniform()])}\nmu = {rng.choice([0.0, 0.3, rng.uniform(0, 2)])}\n"
             'corner = "bisector"\n')
    text = text.replace('impact = "continuous-energy"', 'flow = "kahan-li6"').replace("[method]", rules + "[method]")
    try:
        run = carom.run(text, rows=True)
        claim(run.code in (DONE, FAILED), f"exit code {run.code}: {run.err[:300]}")
        claim(run.summary["gap"]["min"] >= -1e-9, f"a gap of {run.summary['gap']['min']}")
        H = run.rows["H"]
        rise = (H - np.minimum.accumulate(H)).max() / (np.abs(H).max() + 1)
        claim(rise <= 1e-6, f"energy rises by {rise:.1e}")  # as in random_friction.py: what the flow errs by
        claim(run.code == DONE or any(name in run.err for name in REFUSALS), f"ended by {run.err[:300]}")
    except Wrong as wrong:
        raise Wrong(f"with losses: {wrong}\n{text}") from None
    return "" if run.code == DONE else ", ended by name with losses"


def check(carom, rng, number):
    world = World(rng)
    text = world.toml(3.0)
    kinds = len(world.bodies)
    try:
        run = carom.run(text, rows=True)
        claim(run.code in (DONE, FAILED), f"exit code {run.code}: {run.err[:300]}")
        claim(run.code == DONE or "corner meets a corner" in run.err, f"ended by {run.err[:300]}")
        found = [float(row["time"]) for row in run.impacts][:IMPACTS]
        claim(run.summary["gap"]["min"] >= -1e-12, f"a gap of {run.summary['gap']['min']}")
        scale = np.abs(run.rows["H"]).max() + 1
        claim(np.ptp(run.rows["H"]) <= 1e-11 * scale, f"H varies by {np.ptp(run.rows['H'])}")
        t, tolerance = 0.0, 1e-9
        for n, own in enumerate(found):
            event = world.next_impact(own - t + 0.05)
            claim(event is not None, f"impact {n + 1} at {own} is none")
            claim(abs(t + event[0] - own) <= tolerance, f"impact {n + 1} at {own}, and by flights at {t + event[0]}")
            world.impact(*event)
            t, tolerance = t + event[0], tolerance * 10
    except Wrong as wrong:
        raise Wrong(f"{wrong}\n{text}") from None
    return f"{kinds} bodies, {len(found)} impacts compared" + check_rough(carom, rng, text)


Suite(check, __doc__.splitlines()[0], 1000, cap=60.0).main()
