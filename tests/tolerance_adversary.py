#!/usr/bin/env python3
"""Random scenarios with method.tolerance against SciPy: smooth, forced, with kinks, with impacts, in random units, at
tolerances from 1e-5 to 1e-12. The error at the end, relative to the largest value that each coordinate and momentum has
had, should be within ten times the tolerance, or of what the motion makes of a change of its start by the tolerance.

usage: tolerance_adversary.py PROGRAM [-n COUNT] [--seed SEED] [--kind KIND] [--worst COUNT]
Prints a histogram of error / tolerance and the worst cases; exits with 1 where one is beyond ten.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

ALLOWED = 10


class Units:
    """Numbers in units of length, mass and time that are drawn for each scenario."""

    def __init__(self, draw, plain):
        self.length, self.mass, self.time = (1 if plain else 10 ** draw.uniform(-9, 9) for _ in range(3))

    def __call__(self, value, length=0, mass=0, time=0):
        return float(f"{value * self.length**length * self.mass**mass * self.time**time:.12g}")


class Case:
    """A scenario and Hamilton's equations of it: v of (q, p), the force on p of (t, q, v), gaps, and functions of the
    state that are zero where a slope has a kink."""

    def __init__(self, kind, coordinates, lagrangian, force, start, end, velocity, slope, gap=None, e=1.0, kinks=()):
        self.kind, self.coordinates, self.lagrangian, self.force = kind, coordinates, lagrangian, force
        self.start, self.end, self.velocity, self.slope = start, end, velocity, slope
        self.gap, self.e, self.kinks = gap, e, kinks

    def toml(self, tolerance, step):
        text = f"[system]\nname = 'expression'\ncoordinates = {self.coordinates}\nlagrangian = \"{self.lagrangian}\"\n"
        if self.force:
            text += f"force = {json.dumps(self.force)}\n"
        if self.gap:
            text += f"gaps = {{ wall = \"{self.coordinates[0]} - ({self.gap!r})\" }}\n"
        q, p = np.split(self.start, 2)
        text += f"[initial]\nq = {list(map(float, q))}\np = {list(map(float, p))}\n[method]\ntolerance = {tolerance!r}\n"
        if self.gap:
            text += f"restitution = {self.e!r}\n"
        return text + f"[time]\nstep = {step!r}\nend = {self.end!r}\n"

    def rates(self, t, z):
        q, p = np.split(z, 2)
        v = self.velocity(q, p)
        return np.concatenate([v, self.slope(t, q, v)])


class Reference:
    """The motion by DOP853, begun anew at kinks and impacts, which are found by integrating up to them."""

    def __init__(self, case, rtol):
        self.case, self.rtol = case, rtol
        self.size = np.abs(case.start)

    def advance(self, t, z, end):
        done = solve_ivp(self.case.rates, (t, end), z, "DOP853", rtol=self.rtol, atol=1e-30 + 1e-3 * self.rtol * self.size)
        if not done.success:
            raise ArithmeticError(done.message)
        return done

    def surfaces(self):
        walls = [lambda t, z: z[0] - self.case.gap] if self.case.gap else []
        return walls, [lambda t, z, f=f: f(t, z, self.case.velocity(*np.split(z, 2))) for f in self.case.kinks]

    def run(self, start):
        t, z = 0.0, np.array(start)
        walls, kinks = self.surfaces()
        while t < self.case.end:
            event = self.first_crossing(t, z, walls + kinks) if walls or kinks else None
            if event is None:
                done = self.advance(t, z, self.case.end)
                self.size = np.maximum(self.size, np.abs(done.y).max(axis=1))
                return done.y[:, -1]
            when, which = event
            z, t = self.advance(t, z, when).y[:, -1], when
            if which < len(walls):
                n = len(z) // 2
                z[n] = -self.case.e * z[n]  # the wall is across the first coordinate, whose mass stands alone
                z[0] = self.case.gap
        return z

    def first_crossing(self, t, z, functions):
        """In pieces short enough that no two crossings share one."""
        piece = self.case.end / 100
        leaving = True  # what the last crossing was of is not looked at on its surface
        while t < self.case.end:
            end = min(t + piece, self.case.end)
            done = self.advance(t, z, end)
            self.size = np.maximum(self.size, np.abs(done.y).max(axis=1))
            begin = t + (end - t) * (1e-9 if leaving else 0)
            first = self.advance(t, z, begin).y[:, -1] if leaving else z
            found = []
            for i, f in enumerate(functions):
                a, b = f(begin, first), f(end, done.y[:, -1])
                if a * b < 0:
                    at = brentq(lambda s: f(s, self.advance(begin, first, s).y[:, -1]) if s > begin else a, begin, end,
                                xtol=1e-300, rtol=1e-15)
                    found.append((at, i))
            if found:
                return min(found)
            leaving, t, z = False, end, done.y[:, -1]
        return None


def spring(draw, u, kind):
    """One coordinate, with or without a mass that depends on it; forces of t, q and v."""
    m, k, g = u(draw.uniform(0.5, 3), mass=1), u(draw.uniform(0, 9), mass=1, time=-2), u(draw.uniform(-3, 3), length=1, time=-2)
    a = draw.choice([0.0, draw.uniform(0, 0.8)])
    ell, w = u(draw.uniform(0.5, 2), length=1), u(draw.uniform(0.3, 6), time=-1)
    forced = draw.random() < 0.7 or kind in ("kinked", "impacts")
    F = u(draw.uniform(-3, 3), length=1, mass=1, time=-2) if forced else 0.0
    c = u(draw.choice([0, draw.uniform(0, 0.5)]), mass=1, time=-1) if forced else 0.0
    d = u(draw.uniform(0.05, 0.6), mass=1, length=-1) if kind == "kinked" and draw.random() < 0.6 else 0.0
    s = u(draw.uniform(0.5, 8), mass=1, time=-2) if kind == "kinked" and (d == 0 or draw.random() < 0.5) else 0.0
    x0 = u(draw.uniform(-0.7, 0.7), length=1)
    if kind == "impacts":
        a = 0.0
    mass = f"{m!r}*(1 + {a!r}*sin(x/{ell!r})^2)" if a else f"{m!r}"
    L = f"0.5*{mass}*x'^2 - 0.5*{k!r}*x^2 - {m!r}*{g!r}*x"
    terms = []
    if forced:
        terms.append(f"{F!r}*cos({w!r}*t) - {c!r}*x'")
    if d:
        terms.append(f"- {d!r}*x'*abs(x')")
    if s:
        terms.append(f"- {s!r}*max(0, x - ({x0!r}))")
    M = lambda q: m * (1 + a * np.sin(q / ell) ** 2)
    dM = lambda q: 2 * m * a * np.sin(q / ell) * np.cos(q / ell) / ell

    def slope(t, q, v):
        r = 0.5 * dM(q) * v**2 - k * q - m * g
        return r + F * np.cos(w * t) - c * v - d * v * abs(v) - s * np.maximum(0, q - x0)

    kinks = [f for f, on in ((lambda t, z, v: v[0], d), (lambda t, z, v: z[0] - x0, s)) if on]
    q, v = u(draw.uniform(-1, 1), length=1), u(draw.choice([0, draw.uniform(-3, 3)]), length=1, time=-1)
    gap = None
    if kind == "impacts":
        gap = u(-draw.uniform(0.2, 1), length=1)
        q = max(q, gap * 0.5)
    end = u(draw.uniform(1, 8), time=1)
    start = np.array([q, float(M(np.array(q))) * v])
    return Case(kind, ["x"], L, [" ".join(terms)] if terms else [], start, end, lambda q, p: p / M(q), slope, gap,
                draw.choice([1.0, round(draw.uniform(0.6, 1), 3)]), kinks)


def plane(draw, u, kind):
    """Two coordinates: wells, an eccentric orbit, or a fast one beside a slow one, with a spectator now and then."""
    m = u(draw.uniform(0.5, 2), mass=1)
    unit = u(1, length=1)
    if kind == "orbit":
        mu = u(draw.uniform(0.5, 2), length=3, time=-2)
        far, slow = u(draw.uniform(0.8, 1.5), length=1), draw.uniform(0.25, 0.9)
        L = f"0.5*{m!r}*(x'^2 + y'^2) + {m!r}*{mu!r}/sqrt(x^2 + y^2)"
        pull = lambda x, y: (-m * mu * x / (x * x + y * y) ** 1.5, -m * mu * y / (x * x + y * y) ** 1.5)
        start = np.array([far, 0, 0, m * slow * math.sqrt(mu / far)])
        return Case(kind, ["x", "y"], L, [], start, u(draw.uniform(2, 6), time=1), lambda q, p: p / m,
                    lambda t, q, v: np.array(pull(*q)))
    k1 = u(draw.uniform(0.5, 3), mass=1, time=-2)
    k2 = u(draw.uniform(0.5, 3) * (draw.uniform(100, 3000) if kind == "scales" else 1), mass=1, time=-2)
    b = u(draw.uniform(0, 1.5), mass=1, time=-2, length=-2)
    c, n = u(draw.uniform(0, 0.3), mass=1, time=-1), u(draw.uniform(1, 4), mass=1)
    fast = u(draw.choice([0, 10 ** draw.uniform(0, 6)]), length=1, time=-1)  # of a free coordinate
    L = f"0.5*{m!r}*(x'^2 + y'^2) + 0.5*{n!r}*s'^2 - 0.5*{k1!r}*x^2 - 0.5*{k2!r}*y^2 - {b!r}*x^2*y^2"

    def slope(t, q, v):
        x, y, _ = q
        return np.array([-k1 * x - 2 * b * x * y * y - c * v[0], -k2 * y - 2 * b * x * x * y - c * v[1], 0.0])

    small = 0.05 if kind == "scales" else 1
    start = np.array([unit * draw.uniform(-1, 1), small * unit * draw.uniform(-1, 1), 0.0,
                      m * u(draw.uniform(-1, 1), length=1, time=-1), small * m * u(draw.uniform(-1, 1), length=1, time=-1), n * fast])
    masses = np.array([m, m, n])
    return Case(kind, ["x", "y", "s"], L, [f"-{c!r}*x'", f"-{c!r}*y'", "0"], start, u(draw.uniform(1, 5), time=1),
                lambda q, p: p / masses, slope)


KINDS = {"smooth": spring, "kinked": spring, "impacts": spring, "orbit": plane, "scales": plane, "spectator": plane}


def amplification(case, size, end):
    """What the motion makes of a small change of its start, as factors of it; relative to the sizes."""
    change = 1e-5
    worst = 1.0
    for i in range(len(size)):
        if size[i] == 0:
            continue
        start = np.array(case.start)
        start[i] += change * size[i]
        moved = Reference(case, 1e-10).run(start)
        worst = max(worst, np.max(np.abs(moved - end) / np.where(size > 0, size, 1)) / change)
    return worst


def measure(program, case, tolerance, draw, folder):
    """Error over tolerance, error over what is allowed to it by the motion; or why there is none."""
    reference = Reference(case, 3e-14)
    right = reference.run(case.start)
    size = np.maximum(reference.size, np.abs(right))
    scenario = folder / "case.toml"
    step = case.end / draw.choice([1, 7, 40])
    scenario.write_text(case.toml(tolerance, step))
    try:
        done = subprocess.run([program, "run", scenario, "--out", folder / "out", "--force", "--quiet", "--no-native"],
                              capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return math.inf, math.inf, "took more than a minute"
    if done.returncode != 0:
        return math.nan, math.nan, done.stderr.strip()
    final = json.loads((folder / "out" / "summary.json").read_text())["final"]
    found = np.array(final["q"] + final["p"])
    error = np.max(np.abs(found - right) / np.where(size > 0, size, 1)) / tolerance
    if error <= ALLOWED:
        return error, error, ""
    return error, error / amplification(case, size, right), ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS))
    parser.add_argument("--worst", type=int, default=3)
    options = parser.parse_args()
    bins, seen, refused = {}, [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for i in range(options.n):
            draw = random.Random(options.seed * 1000003 + i)
            kind = options.kind or sorted(KINDS)[i % len(KINDS)]
            case = KINDS[kind](draw, Units(draw, draw.random() < 0.5), kind)
            tolerance = float(f"{10 ** -draw.uniform(5, 12):.3g}")
            error, judged, why = measure(options.program, case, tolerance, draw, folder)
            if why:
                refused += 1
                print(f"case {i} ({kind}): {why}", flush=True)
            if not math.isnan(error):
                place = "exact" if error == 0 else math.floor(math.log10(error)) if error < 1e6 else 6
                bins[place] = bins.get(place, 0) + 1
                seen.append((judged, error, i, kind, tolerance, case.toml(tolerance, case.end)))
    print("error / tolerance, in decades:")
    for place in sorted(bins, key=str):
        print(f"  {place if place == 'exact' else f'1e{place:+d}'}: {bins[place]}")
    seen.sort(key=lambda row: -row[0])
    for judged, error, i, kind, tolerance, text in seen[: options.worst]:
        print(f"case {i} ({kind}), tolerance {tolerance:g}: error / tolerance {error:.3g}, {judged:.3g} of what its motion allows")
        if judged > ALLOWED:
            print(text)
    beyond = sum(row[0] > ALLOWED for row in seen)
    print(f"{len(seen)} compared, {refused} not run, {beyond} beyond {ALLOWED} times the tolerance")
    sys.exit(1 if beyond or refused else 0)


if __name__ == "__main__":
    main()
