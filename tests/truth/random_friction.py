#!/usr/bin/env python3
"""Random mechanisms with friction at their contacts: boxes, discs, rods and chains over floors, inclines and between walls, mu
from 0 to 2, restitution from 0 to 1. None passes a wall, none hangs, energy never rises without a motor, and what ends by name is
counted by its name.

usage: random_friction.py PROGRAM [SOURCE_DIR] [--cases N] [--seed S] [--only NUMBER] [--jobs J]
"""

import re
import sys

sys.dont_write_bytecode = True
import numpy as np
from support import DONE, FAILED, Suite, Wrong, claim, formulas, scenario

REFUSALS = ("more than one continuation", "the contacts jam", "obeys Coulomb's law was found", "squeeze the system")
G = 9.81


def rough(rng, gap, slide, **kind):
    mu = 0.0 if rng.random() < 0.1 else rng.uniform(0, 2)
    e = rng.choice([0.0, 1.0, rng.uniform(0, 1)], p=[0.3, 0.1, 0.6])
    return {"gap": gap, "mu": mu, "restitution": e} | (kind or {"slide": slide})


def gravity(rng, x, y):
    """The potential of a unit mass, of a field that may be oblique: an incline."""
    angle = rng.uniform(-0.6, 0.6) if rng.random() < 0.4 else 0.0
    return f"{G * np.cos(angle)!r}*({y}) + {G * np.sin(angle)!r}*({x})"


def body(i, inertia):
    return f"0.5*(x{i}'^2 + y{i}'^2) + 0.5*{inertia!r}*a{i}'^2"


def box(rng):
    """A box, or a rod where it is thin, on floor and between walls."""
    b = rng.uniform(0.2, 0.6)
    d = b * (rng.uniform(0.2, 1.5) if rng.random() < 0.7 else 0.0)
    contacts = {}
    corners = [(-b, -d), (b, -d), (b, d), (-b, d)] if d else [(-b, 0.0), (b, 0.0)]
    wall = 1.5 if rng.random() < 0.5 else None
    for k, (r, s) in enumerate(corners):
        x, y = f"x0 + {r!r}*cos(a0) - {s!r}*sin(a0)", f"y0 + {r!r}*sin(a0) + {s!r}*cos(a0)"
        contacts[f"floor{k}"] = rough(rng, y, x)
        if wall:
            contacts[f"left{k}"], contacts[f"right{k}"] = rough(rng, f"{x} + {wall}", y), rough(rng, f"{wall} - ({x})", y)
    angle = rng.choice([0.0, rng.uniform(-3, 3)], p=[0.2, 0.8])
    low = min(r * np.sin(angle) + s * np.cos(angle) for r, s in corners)
    lagrangian = f"{body(0, (b * b + d * d) / 3)} - ({gravity(rng, 'x0', 'y0')})"
    start = [0.0, -low + rng.choice([0.0, rng.uniform(0, 0.5)]), angle]
    touches = start[1] == -low
    v = [rng.uniform(-2, 2), 0.0 if touches else rng.uniform(-1, 1), 0.0 if touches else rng.uniform(-6, 6)]
    return formulas(["x0", "y0", "a0"], lagrangian, contacts=contacts), start, v


def discs(rng):
    """Up to four discs that can spin, in a box without a lid."""
    n, r, width = int(rng.integers(1, 5)), 0.25, 2.0
    contacts, terms, q, v = {}, [], [], []
    for i in range(n):
        x, y, a = f"x{i}", f"y{i}", f"a{i}"
        contacts[f"floor{i}"] = rough(rng, f"{y} - {r}", f"{x} + {r}*{a}")
        contacts[f"left{i}"] = rough(rng, f"{x} + {width / 2} - {r}", f"{y} - {r}*{a}")
        contacts[f"right{i}"] = rough(rng, f"{width / 2} - {r} - {x}", f"{y} + {r}*{a}")
        for j in range(i):
            dx, dy = f"(x{i} - x{j})", f"(y{i} - y{j})"
            far = f"sqrt({dx}^2 + {dy}^2)"
            slip = f"({dx}*(y{i}' - y{j}') - {dy}*(x{i}' - x{j}'))/{far} - {r}*(a{i}' + a{j}')"
            contacts[f"discs{j}_{i}"] = rough(rng, f"{far} - {2 * r}", None, slip=slip)
        terms.append(f"{body(i, 0.5 * r * r)} - ({gravity(rng, x, y)})" if i == 0 else
                     f"{body(i, 0.5 * r * r)} - {G}*{y}")
        q += [rng.uniform(-0.7, 0.7), r + 0.75 * i + rng.uniform(0.01, 0.2), 0.0]
        v += [rng.uniform(-2, 2), rng.uniform(-1, 1), rng.choice([0.0, rng.uniform(-30, 30)])]
    names = [f"{c}{i}" for i in range(n) for c in "xya"]
    return formulas(names, " + ".join(terms), contacts=contacts), q, v


def chain(rng):
    """Two or three rods in a row, as joints or as angles, over a rough floor."""
    n = int(rng.integers(2, 4))
    height = rng.uniform(0.3, 0.95) * n
    x, y, terms, contacts = "0", f"{height!r}", [], {}
    names = [f"a{i}" for i in range(n)]
    for i in range(n):
        x, y = f"{x} + sin(a{i})", f"{y} - cos(a{i})"
        vx = " + ".join(f"cos(a{k})*a{k}'" for k in range(i + 1))
        vy = " + ".join(f"sin(a{k})*a{k}'" for k in range(i + 1))
        terms.append(f"0.5*(({vx})^2 + ({vy})^2) - {G}*({y})")
        contacts[f"floor{i}"] = rough(rng, y, x)
    q = list(rng.uniform(1.0, 2.2, n) * rng.choice([-1, 1]))
    while min(height - np.cumsum(np.cos(q))) < 0.02:
        q = list(rng.uniform(1.3, 2.6, n) * rng.choice([-1, 1]))
    return formulas(names, " + ".join(terms), contacts=contacts), q, list(rng.uniform(-2, 2, n))


KINDS = {"box": box, "discs": discs, "chain": chain}


def without_rises(energy, scale):
    """The largest rise of the energy above what it was at any time before."""
    return (energy - np.minimum.accumulate(energy)).max() / scale


def check(carom, rng, number):
    kind = str(rng.choice(list(KINDS)))
    system, q, v = KINDS[kind](rng)
    text = scenario(system, q, v, {"flow": "kahan-li6", "base": "svc"}, step=0.01, end=2.0)
    try:
        run = carom.run(text, rows=True)
    except Wrong as hang:
        raise Wrong(f"{kind}, {hang}\n{text}") from None
    try:
        claim(run.code in (DONE, FAILED), f"exit code {run.code}: {run.err[:300]}")
        if len(run.rows.get("t", [])) > 1:
            energy = run.rows["H"]
            scale = max(np.abs(energy).max(), np.ptp(energy), 1.0)
            rise = without_rises(energy, scale)
            claim(rise <= 1e-6, f"energy rises by {rise:.1e} of {scale:.1f}")
            claim(run.summary["gap"]["min"] >= -1e-9, f"a gap of {run.summary['gap']['min']}")
        if run.code == FAILED:
            name = next((each for each in REFUSALS if each in run.err), None)
            claim(name, f"ended by {run.err[:300]}")
            return f"{kind} ended by name: {name}"
    except Wrong as wrong:
        raise Wrong(f"{kind}: {wrong}\n{text}") from None
    return kind


Suite(check, __doc__.splitlines()[0], 5000, cap=60.0).main()
