#!/usr/bin/env python3
"""Random scenarios of all kinds: every stepper, flow, law and restitution, joints, corners, kinks, starts at walls and at rest, tiny and
huge numbers, wrong values. Whatever they are, a run ends in time, by an exit code that is documented; it is refused in one line; and what
completed has numbers for results, and an energy balance that closes, unless it warned.

usage: random_all_kinds.py PROGRAM [SOURCE_DIR] [--cases N] [--seed S] [--only NUMBER] [--jobs J]
"""

import copy
import json
import subprocess
import sys

import numpy as np

sys.dont_write_bytecode = True
from random_systems import Maker
from support import DONE, FAILED, formulas, has_nan, REFUSED, Suite, toml, Wrong

FLOWS = ["se1", "se2", "midpoint", "svc", "sva", "svb", "yoshida4", "suzuki4", "kahan-li6", "kahan-li8", "gauss"]
LAWS = ["continuous-energy", "discrete-energy", "modified-energy", "stable-energy", "shadow"]
BUILT_IN = ["point-mass", "particle", "star", "double-pendulum", "cart-pendulum", "billiard", "pogo-stick", "spring-and-sphere",
            "nonlinear-oscillator", "wedge", "disc", "pendulum", "newton-cradle", "lennard-jones-chain", "column", "box-of-discs",
            "mass-on-cubic", "dae-exponential"]
WRONG = [0, -1, 1, 2, 17, 0.5, -0.5, float("nan"), float("inf"), 1e308, -1e308, 5e-324, 1e-300, "", "x", "svc", "1/0", "x'", "sqrt(-1)",
         "log(x1)", "x1/x1", [], [1.0], ["x"], [1.0] * 40, {}, {"a": 1.0}, True, 2**63 - 1, -2**63]


def chance(rng, p):
    return rng.random() < p


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]


def method(rng):
    """A table [method]; half of the keys of others do not fit together, and are refused."""
    stepper = pick(rng, ["event-driven", "contact", "contact", "gvi", "direct", "dae-euler", "smooth", None, None, "tolerance"])
    made = {"stepper": stepper} if stepper not in (None, "tolerance") else {}
    if stepper == "tolerance":
        made["tolerance"] = float(10.0**rng.uniform(-13, -2))
    elif stepper != "direct" and chance(rng, 0.6):
        made["flow"] = pick(rng, ["se1", "sva", "svb", "yoshida4"] if stepper == "dae-euler" else FLOWS)
    if stepper in (None, "event-driven") and chance(rng, 0.6):
        made["impact"] = pick(rng, LAWS)
    if stepper == "contact" and chance(rng, 0.5):
        made["impact"] = pick(rng, ["shadow", "continuous-energy"])
    if stepper == "gvi" and chance(rng, 0.5):
        made["energy"] = pick(rng, ["hamiltonian", "numerical", "shadow"])
        made["reflection"] = pick(rng, ["generalized", "moreau", "sequential"])
    if stepper == "direct" and chance(rng, 0.7):
        made["scheme"] = pick(rng, ["endpoint", "midpoint", "newmark", "imex-newmark"])
    if stepper not in ("gvi", "direct") and chance(rng, 0.5):
        made["restitution"] = float(pick(rng, [0.0, 0.0, 0.3, 0.5, 0.8, 0.99, 1.0]))
    return made


def of_formulas(rng):
    made = Maker(rng, gaps=(0, 4), moving=float(chance(rng, 0.15))).make()
    return made.system, {"q": made.q, "v": made.v}


def kinked(rng):
    """A floor with corners and kinks, and a start on it, above it or falling into a corner."""
    slope = float(np.round(rng.uniform(-2, 2), 2))
    floors = [f"y - {slope}*max(0, x - 1)", f"y - abs(x - 1)*{abs(slope)}", f"min(y, y - {slope}*(x - 1))", f"y - {slope}*max(0, x - 0.5)^2",
              "y", f"y - 0.3*sin({abs(slope)}*x)"]
    gaps = {"floor": pick(rng, floors)}
    if chance(rng, 0.5):
        gaps["wall"] = pick(rng, ["2 - x", "0.8*(2 - x) - 0.6*y", "0.8*(2 - x) + 0.6*y", "4 - x^2 - y^2", "2 - x - y", "x + 1"])
    lowest = abs(slope) * 1.0
    height = 0.0 if chance(rng, 0.4) and gaps["floor"] in floors[:1] + ["y", floors[5]] else float(rng.uniform(0, 1)) + lowest + 0.3
    mass = pick(rng, ["1", "(2 + sin(x))", "1"])
    system = formulas(["x", "y"], f"0.5*{mass}*x'^2 + 0.5*y'^2 - {pick(rng, ['10', '1', '0'])}*y", gaps=gaps)
    if chance(rng, 0.2):
        system["force"] = [pick(rng, ["-0.1*x'", "cos(3*t)", "0"]), pick(rng, ["-0.1*y'", "12*sin(2*t)", "-y'*abs(y')"])]
    speed = pick(rng, [0.0, 3.0, 1.0, -0.5])
    return system, {"q": [0.0, height], "v": [speed, 0.0 if height == 0 else float(pick(rng, [0.0, -1.0]))]}


def jointed(rng):
    """Rods: a pendulum, one that falls on the floor, two in a row; some off their joints."""
    n = int(rng.integers(1, 4))
    names = [f"{c}{i}" for i in range(n) for c in "xy"]
    joints = {f"rod{i}": f"(x{i} - {f'x{i-1}' if i else '0'})^2 + (y{i} - {f'y{i-1}' if i else '0'})^2 - 1" for i in range(n)}
    if n > 1 and chance(rng, 0.4):
        del joints["rod0"]
    angles = rng.uniform(0, 2 * np.pi, n)
    q = np.cumsum(np.stack([np.cos(angles), np.sin(angles)], 1), axis=0).ravel()
    if chance(rng, 0.15):
        q = q + rng.normal(0, 10.0**rng.uniform(-12, 0), q.shape)
    gaps = {f"floor{i}": f"y{i} + {float(np.round(n + rng.uniform(0.1, 1), 2))}" for i in range(n)} if chance(rng, 0.6) else None
    L = "0.5*(" + " + ".join(f"{name}'^2" for name in names) + ") - 9.81*(" + " + ".join(f"y{i}" for i in range(n)) + ")"
    return formulas(names, L, joints=joints, gaps=gaps), {"q": q, "project": True if chance(rng, 0.3) else None}


def rubbed(rng):
    """A block on a slope with friction, thrown or at rest."""
    mu, slope = np.round(rng.uniform(0, 1), 2), np.round(rng.uniform(-0.7, 0.7), 2)
    system = formulas(["x", "y"], f"0.5*(x'^2 + y'^2) - 10*(y*cos({slope}) + x*sin({slope}))", gaps={"slope": "y"},
                      friction=[f"-{mu}*psi1*x'/abs(x')", "0"])
    return system, {"q": [0.0, float(pick(rng, [0.0, 0.0, 0.5]))], "v": [float(pick(rng, [0.0, 1.5, -2.0])), 0.0]}


def built_in(rng):
    name = pick(rng, BUILT_IN)
    changes = {}
    if chance(rng, 0.4):
        listed = json.loads(subprocess.check_output([suite.given.program, "list", "systems", "--json"]))
        about = next(each for each in listed if each["name"] == name)["parameters"]
        for key, value in about.items():
            if isinstance(value["default"], float) and chance(rng, 0.4):
                whole = value["range"].startswith("1,")
                changes[key] = int(rng.integers(1, 8)) if whole else float(value["default"] * rng.uniform(0.5, 1.5))
    return {"name": name, "parameters": changes or None}, None


def extreme(rng, tables):
    """One number, or all parameters, by many powers of ten."""
    factor = float(10.0**rng.uniform(-30, 30) if chance(rng, 0.7) else 10.0**rng.uniform(-305, 305))
    where = pick(rng, [("initial", "q"), ("initial", "v"), ("system", "parameters"), ("time", "step")])
    table = tables.get(where[0])
    if not table or table.get(where[1]) is None:
        return
    value = table[where[1]]
    if where[1] == "step":
        table["step"], table["end"] = value * factor, table.get("end", 1.0) * factor
    elif isinstance(value, dict):
        table[where[1]] = {key: each * factor if isinstance(each, float) and chance(rng, 0.5) else each for key, each in value.items()}
    else:
        table[where[1]] = [float(each) * (factor if chance(rng, 0.7) else 1.0) for each in value]


def spoil(rng, tables):
    """One value that is probably wrong."""
    table = pick(rng, [table for table in tables.values() if table])
    key = pick(rng, list(table))
    if isinstance(table[key], dict) and table[key] and chance(rng, 0.7):
        table[key] = dict(table[key])
        table[key][pick(rng, list(table[key]))] = pick(rng, WRONG)
    else:
        table[key] = pick(rng, WRONG)


def scenario_of(rng):
    system, initial = pick(rng, [of_formulas, of_formulas, of_formulas, kinked, kinked, jointed, rubbed, built_in, built_in])(rng)
    step = float(pick(rng, [0.003, 0.01, 0.01, 0.02, 0.05, 0.2]))
    tables = {"system": dict(system), "initial": initial, "method": method(rng),
              "time": {"step": step, "end": float(np.round(step * rng.uniform(5, 200), int(rng.integers(1, 6)))) or step}}
    if "friction" in system:
        tables["method"] = {"stepper": "dae-euler", "restitution": float(pick(rng, [0.0, 0.5]))}
    if chance(rng, 0.1):
        tables["time"] |= {"impacts": int(rng.integers(1, 20))}
    tables = copy.deepcopy(tables)
    if chance(rng, 0.12):
        extreme(rng, tables)
    if chance(rng, 0.12):
        spoil(rng, tables)
    return tables


def one_line(err):
    return err.startswith("carom: ") and err.endswith("\n") and err[:-1].isprintable() and len(err) < 3000


def closes(run):
    """Whether work, friction and losses explain the change of H, to a twentieth of the largest of them, or of p q'/2 on the way."""
    energy = run.summary["energy"]
    q, p, t = (run.rows[name] for name in ("q", "p", "t"))
    kinetic = np.abs(0.25 * ((p[1:] + p[:-1]) * np.diff(q, axis=0)).sum(axis=1) / np.diff(t)).max() if len(t) > 1 else 0.0
    size = max(kinetic, *(abs(energy[name]) for name in ("initial", "final", "work", "friction", "loss")))
    return abs(energy["remainder"]) <= 0.05 * size and energy["loss"] >= -0.05 * size and energy["friction"] <= 0.05 * size


def judge_completed(run, tables):
    summary = run.summary
    if summary["status"] != "completed":
        return f"exit code 0 and status {summary['status']}"
    # A DAE need not have an energy.
    needed = [summary["time"], summary["final"]] + ([summary["energy"]] if summary["energy"] and summary["energy"]["initial"] is not None else [])
    if has_nan(summary) or any(value is None for table in needed for value in table.values()) or \
            any(each is None for name in "qp" for each in summary["final"][name]):
        return "a number of the summary is none"
    stepper = tables["method"].get("stepper")
    if summary["energy"] and summary["energy"]["initial"] is not None and stepper != "direct" and not summary["warnings"] and \
            not closes(run):
        return f"completed in silence, and the energy balance does not close: {summary['energy']}"
    if summary["gap"]["min"] is not None and stepper not in ("gvi", "direct") and isinstance(tables["system"].get("gaps"), dict) and \
            summary["gap"]["min"] < -1e-6 * max(1.0, np.abs(run.q).max()) and not summary["warnings"]:
        return f"completed in silence with a gap of {summary['gap']['min']}"
    return None


def check(carom, rng, number):
    tables = scenario_of(rng)
    text = toml(tables)
    try:
        run = carom.run(text, rows=True)
    except Wrong as hang:
        raise Wrong(f"{hang}\n{text}") from None
    wrong = None
    if "Sanitizer" in run.err or "runtime error" in run.err:
        wrong = f"a sanitizer's report: {run.err[:2000]}"
    elif run.code not in (DONE, REFUSED, FAILED):
        wrong = f"exit code {run.code}: {run.err[:300]!r}"
    elif run.code != DONE and not (one_line(run.err) or all(one_line(line + "\n") for line in run.err.splitlines())):
        wrong = f"exit code {run.code}, and not one line: {run.err[:600]!r}"
    elif run.code == REFUSED and run.summary:
        wrong = "refused, and a folder is left behind"
    elif run.code == FAILED and (not run.summary or run.summary["status"] != "failed" or not run.summary["reason"]):
        wrong = f"exit code 3, and the summary says {run.summary and run.summary['status']}"
    elif run.code == DONE:
        wrong = judge_completed(run, tables)
    if wrong:
        raise Wrong(f"{wrong}\n{text}")
    return {DONE: "completed", REFUSED: "refused", FAILED: "failed by name"}[run.code]


suite = Suite(check, __doc__.splitlines()[0], 2000, cap=30.0)
suite.main()
