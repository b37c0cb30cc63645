#!/usr/bin/python3
"""Data for reports, made by integrating small systems, so that the page can be tested without the program.

    sample.py FOLDER      writes one .html a sample (needs report/ beside tests/)
"""

import base64
import math
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from assemble import write_report  # noqa: E402

REPORT = Path(__file__).resolve().parents[2] / "report"


# Systems: acceleration, energy, momentum, gaps with gradients, mass; all on plain lists.

class CartPendulum:
    name, coordinates, gaps, momenta = "cart-pendulum", ["y", "θ"], ["floor"], []
    m1, m2, L, g = 1.0, 0.2, 2.0, 10.0
    start = ([4.2, 0.0], [0.0, 2.744])
    drawing = {
        "view": [-3.6, 3.6, -2.4, 5.2],
        "points": {"cart": ["0", "q[0]"], "bob": ["2*Math.sin(q[1])", "q[0]-2*Math.cos(q[1])"], "top": ["0", "6.2"], "low": ["0", "-0.2"]},
        "lines": [["cart", "bob"]], "circles": [["bob", "0.17"]], "ground": [["-3.2", "-0.2", "3.2", "-0.2"]],
        "boxes": [["cart", "0.8", "0.4"]], "polygons": [], "curves": [], "trails": ["bob"],
    }

    def mass(self, q):
        coupling = self.m2 * self.L * math.sin(q[1])
        return [[self.m1 + self.m2, coupling], [coupling, self.m2 * self.L**2]]

    def energy(self, q, v):
        M = self.mass(q)
        kinetic = 0.5 * (M[0][0] * v[0] ** 2 + 2 * M[0][1] * v[0] * v[1] + M[1][1] * v[1] ** 2)
        return kinetic + (self.m1 + self.m2) * self.g * q[0] - self.m2 * self.g * self.L * math.cos(q[1])

    def acceleration(self, t, q, v):
        (a, b), (_, d) = self.mass(q)
        f = -self.m2 * self.L * math.cos(q[1]) * v[1] ** 2 - (self.m1 + self.m2) * self.g
        h = -self.m2 * self.g * self.L * math.sin(q[1])
        det = a * d - b * b
        return [(d * f - b * h) / det, (a * h - b * f) / det]

    def gap(self, q):
        return [q[0]]

    def place(self, q, k):
        return [0.0, -0.2]

    def gradient(self, q, k):
        return [1.0, 0.0]

    def reflect(self, q, v, k, e):
        (a, b), (_, d) = self.mass(q)
        det = a * d - b * b
        inverse_gradient = [d / det, -b / det]
        impulse = (1 + e) * -v[0] / inverse_gradient[0]
        return [x + impulse * g for x, g in zip(v, inverse_gradient)], impulse


class Particle:
    """A point of mass 1 in a box, with a push that comes and goes and a loss in each impact."""
    name, coordinates, gaps, momenta = "particle", ["x", "y"], ["floor", "left wall", "right wall"], []
    start = ([0.3, 1.5], [1.1, 0.0])
    g, push = 9.81, 0.8
    drawing = {
        "view": [-1.6, 1.6, -0.3, 2.3], "points": {"ball": ["q[0]", "q[1]"]}, "lines": [], "circles": [["ball", "0.06"]],
        "ground": [["-1.3", "-0.06", "1.3", "-0.06"], ["-1.3", "2.1", "-1.3", "-0.06"], ["1.3", "-0.06", "1.3", "2.1"]],
        "boxes": [], "polygons": [], "curves": [], "trails": ["ball"],
    }

    def energy(self, q, v):
        return 0.5 * (v[0] ** 2 + v[1] ** 2) + self.g * q[1]

    def force(self, t):
        return [self.push * math.sin(3 * t), 0.0]

    def acceleration(self, t, q, v):
        return [self.force(t)[0], -self.g]

    def mass(self, q):
        return [[1, 0], [0, 1]]

    def gap(self, q):
        return [q[1], q[0] + 1.24, 1.24 - q[0]]

    def place(self, q, k):
        return [[q[0], -0.06], [-1.3, q[1]], [1.3, q[1]]][k]

    def gradient(self, q, k):
        return [[0, 1], [1, 0], [-1, 0]][k]

    def reflect(self, q, v, k, e):
        n = self.gradient(q, k)
        rate = n[0] * v[0] + n[1] * v[1]
        return [x - (1 + e) * rate * g for x, g in zip(v, n)], -(1 + e) * rate


class Star:
    """A triangle that turns and moves in a round table without gravity; its centre bounces."""
    name, coordinates, gaps, momenta = "star", ["x", "y", "φ"], ["table"], ["angular momentum"]
    start = ([0.2, -0.1, 0.0], [0.9, 0.5, 1.4])
    drawing = {
        "view": [-1.3, 1.3, -1.3, 1.3],
        "points": {**{"c": ["q[0]", "q[1]"]}, **{
            f"p{k}": [f"q[0]+{0.16 if k % 2 == 0 else 0.07}*Math.cos(q[2]+{k * math.pi / 5})",
                      f"q[1]+{0.16 if k % 2 == 0 else 0.07}*Math.sin(q[2]+{k * math.pi / 5})"] for k in range(10)}},
        "lines": [], "circles": [], "ground": [], "boxes": [], "polygons": [[f"p{k}" for k in range(10)]],
        "curves": [["1.16*Math.cos(s)", "1.16*Math.sin(s)", "0", "6.283185307"]], "trails": ["c"],
    }

    def energy(self, q, v):
        return 0.5 * (v[0] ** 2 + v[1] ** 2 + 0.02 * v[2] ** 2)

    def acceleration(self, t, q, v):
        return [0.0, 0.0, 0.0]

    def mass(self, q):
        return [[1, 0, 0], [0, 1, 0], [0, 0, 0.02]]

    def gap(self, q):
        return [1 - math.hypot(q[0], q[1])]

    def place(self, q, k):
        return [1.16 * x / math.hypot(q[0], q[1]) for x in q[:2]]

    def gradient(self, q, k):
        r = math.hypot(q[0], q[1])
        return [-q[0] / r, -q[1] / r, 0]

    def reflect(self, q, v, k, e):
        n = self.gradient(q, k)
        rate = sum(a * b for a, b in zip(n, v))
        return [x - (1 + e) * rate * g for x, g in zip(v, n)], -(1 + e) * rate

    def momentum(self, q, v):
        return [q[0] * v[1] - q[1] * v[0] + 0.02 * v[2]]


class Chain:
    """Coupled oscillators with a hard wall for the first; no drawing."""
    def __init__(self, size):
        self.name, self.coordinates = "chain", [f"u{k + 1}" for k in range(size)]
        self.gaps, self.momenta, self.drawing = ["wall"], [], None
        self.start = ([0.5] + [0.0] * (size - 1), [-1.0] + [0.3 * (k % 3) for k in range(size - 1)])

    def energy(self, q, v):
        springs = sum((b - a) ** 2 + 0.1 * (b - a) ** 4 for a, b in zip(q, q[1:])) + q[-1] ** 2
        return 0.5 * (sum(x * x for x in v) + springs)

    def acceleration(self, t, q, v):
        pull = [(b - a) + 0.2 * (b - a) ** 3 for a, b in zip(q, q[1:])] + [-q[-1]]
        return [pull[k] - (pull[k - 1] if k else 0.0) for k in range(len(q))]

    def mass(self, q):
        return [[float(i == j) for j in range(len(q))] for i in range(len(q))]

    def gap(self, q):
        return [q[0] + 0.4]

    def place(self, q, k):
        return []

    def gradient(self, q, k):
        return [1.0] + [0.0] * (len(q) - 1)

    def reflect(self, q, v, k, e):
        return [-e * v[0]] + v[1:], -(1 + e) * v[0]


# Methods.

def rk4(system, t, q, v, h):
    def slope(t, q, v):
        return v, system.acceleration(t, q, v)

    def moved(q, v, k, h):
        return [a + h * b for a, b in zip(q, k[0])], [a + h * b for a, b in zip(v, k[1])]
    k1 = slope(t, q, v)
    k2 = slope(t + h / 2, *moved(q, v, k1, h / 2))
    k3 = slope(t + h / 2, *moved(q, v, k2, h / 2))
    k4 = slope(t + h, *moved(q, v, k3, h))
    mean = [[(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(*parts)] for parts in zip(k1, k2, k3, k4)]
    return moved(q, v, mean, h)


def heun(system, t, q, v, h):
    a = system.acceleration(t, q, v)
    q1, v1 = [x + h * y for x, y in zip(q, v)], [x + h * y for x, y in zip(v, a)]
    a1 = system.acceleration(t + h, q1, v1)
    return [x + h / 2 * (y + z) for x, y, z in zip(q, v, v1)], [x + h / 2 * (y + z) for x, y, z in zip(v, a, a1)]


def euler(system, t, q, v, h):
    v = [x + h * y for x, y in zip(v, system.acceleration(t, q, v))]
    return [x + h * y for x, y in zip(q, v)], v


METHODS = {"rk4": (rk4, 4), "heun": (heun, 2), "euler": (euler, 1)}


def integrate(system, method, h, end, restitution=1.0):
    """All grid states and impacts. Impacts inside a step are found by bisection."""
    step = METHODS[method][0]
    q, v = map(list, system.start)
    t_list, q_list, v_list, loss_list, work_list = [0.0], [q], [v], [0.0], [0.0]
    impacts, loss, work = [], 0.0, 0.0
    for n in range(int(end / h + 1e-9)):
        t, left = n * h, h
        before = system.energy(q, v)
        lost_before = loss
        for _ in range(20):
            q1, v1 = step(system, t, q, v, left)
            hit = [k for k, g in enumerate(system.gap(q1)) if g < 0]
            if not hit:
                break
            k, low, high = hit[0], 0.0, left
            for _ in range(60):
                middle = (low + high) / 2
                if system.gap(step(system, t, q, v, middle)[0])[k] < 0:
                    high = middle
                else:
                    low = middle
            q, v = step(system, t, q, v, low)
            energy = system.energy(q, v)
            v, impulse = system.reflect(q, v, k, restitution)
            loss += energy - system.energy(q, v)
            t, left = t + low, left - low
            impacts.append((t, k, impulse, q))
        q, v = q1, v1
        work += system.energy(q, v) - before + (loss - lost_before)
        t_list.append((n + 1) * h)
        q_list.append(q)
        v_list.append(v)
        loss_list.append(loss)
        work_list.append(work)
    return {"t": t_list, "q": q_list, "v": v_list, "impacts": impacts, "loss": loss_list, "work": work_list}


def columns(rows):
    return [list(column) for column in zip(*rows)]


def momentum_of(system, q, v):
    return [sum(a * b for a, b in zip(row, v)) for row in system.mass(q)]


def encode(values, low, high):
    span = (high - low) or 1.0
    return base64.b64encode(b"".join(struct.pack("<H", round((x - low) / span * 65535)) for x in values)).decode()


def motion_of(grid, h, most=5000, dt=0.04):
    stride = max(1, round(dt / h))
    rows = columns(grid["q"][::stride][:most])
    low, high = [min(c) for c in rows], [max(c) for c in rows]
    return {"t0": 0, "dt": stride * h, "count": len(rows[0]), "low": low, "high": high,
            "data": [encode(c, a, b) for c, a, b in zip(rows, low, high)]}


def stretches(values, stride):
    parts = [values[i:i + stride] for i in range(0, len(values), stride)]
    return [min(p) for p in parts], [max(p) for p in parts]


def make_run(system, method, h, end, label=None, restitution=1.0, forced=False, most=2000, grid=None):
    grid = grid or integrate(system, method, h, end, restitution)
    n = len(grid["t"])
    stride = max(1, math.ceil(n / most))
    H = [system.energy(q, v) for q, v in zip(grid["q"], grid["v"])]
    error = [x - H[0] for x in H]
    remainder = [e - (w if forced else 0) + x for e, w, x in zip(error, grid["work"], grid["loss"])]
    gaps = columns([system.gap(q) for q in grid["q"]])
    p = [momentum_of(system, q, v) for q, v in zip(grid["q"], grid["v"])]
    lossy = restitution < 1 or forced
    momenta = columns([system.momentum(q, v) for q, v in zip(grid["q"], grid["v"])]) if system.momenta else []
    momentum_error = [[x - m[0] for x in m] for m in momenta]
    shadow = None if lossy or method == "euler" else [0.02 * x + 1e-9 * math.sin(40 * t) for x, t in zip(error, grid["t"])]
    mean_t = sum(grid["t"]) / n
    drift = sum((t - mean_t) * e for t, e in zip(grid["t"], error)) / (sum((t - mean_t) ** 2 for t in grid["t"]) or 1.0)
    seconds = 1.1e-6 * n * {"rk4": 4, "heun": 2, "euler": 1}[method]
    impacts = grid["impacts"]

    def thin(values):
        if stride == 1:
            return values
        low, high = stretches(values, stride)
        return {"y": values[::stride], "low": low, "high": high}
    largest = max(abs(x) for x in error)
    name = f"{method} with the mirror at impacts"
    return {
        "label": label or method, "method": name, "method_in_words": f"steps of {method}", "status": "completed", "reason": None, "warnings": [],
        "summary": {
            "schema_version": 1, "status": "completed", "system": system.name, "method": name,
            "time": {"start": 0, "end": grid["t"][-1], "step": h, "steps": n - 1},
            "final": {"t": grid["t"][-1], "q": grid["q"][-1], "p": p[-1]},
            "impacts": {"count": len(impacts), "times": [i[0] for i in impacts]},
            "energy": {"initial": H[0], "final": H[-1], "max_abs_error": largest, "drift_per_time": drift, "friction": 0,
                       "work": grid["work"][-1] if forced else 0, "loss": grid["loss"][-1], "lossy": restitution < 1, "remainder": remainder[-1]},
            "shadow_energy": None if shadow is None else {"initial": H[0], "max_abs_error": max(map(abs, shadow)), "order": 8},
            "momenta": [{"name": a, "initial": m[0], "max_abs_error": max(map(abs, e))} for a, m, e in zip(system.momenta, momenta, momentum_error)],
            "gap": {"min": min(min(g) for g in gaps)}, "joints": None,
            "cost": {"wall_seconds": seconds, "steps_per_second": n / seconds, "newton_iterations": 0, "impact_solves": len(impacts), "fallbacks": 0},
        },
        "row": {
            "energy_error": abs(remainder[-1]) if lossy else largest, "drift": None if lossy else drift, "shadow_error": None if shadow is None else max(map(abs, shadow)),
            "momentum_error": max((max(map(abs, e)) for e in momentum_error), default=None), "impacts": len(impacts),
            "followed_until": None, "wall_seconds": seconds, "microseconds_per_step": 1e6 * seconds / n,
        },
        "series": {
            "t": grid["t"][::stride], "q": [thin(c) for c in columns(grid["q"])], "p": [c[::stride] for c in columns(p)],
            "v": [thin(c) for c in columns(grid["v"])],
            "H_error": thin(error), "remainder": thin(remainder), "shadow_error": None if shadow is None else thin(shadow),
            "discrete_error": None, "momentum_error": [thin(e) for e in momentum_error],
            "gaps": [thin(g) for g in gaps],
            "work": thin(grid["work"]) if forced else None, "loss": thin(grid["loss"]) if restitution < 1 else None,
        },
        "impacts": {"count": len(impacts), "t": [i[0] for i in impacts][:2000], "contact": [i[1] for i in impacts][:2000],
                    "impulse": [i[2] for i in impacts][:2000], "places": [system.place(i[3], i[1]) for i in impacts][:2000]},
        "contact_names": system.gaps, "motion": motion_of(grid, h),
    }


def make_report(kind, title, system, runs, convergence=None):
    scenario = f'title = "{title}"\n\n[system]\nname = "{system.name}"\n\n[method]\nflow = "sva"\nimpact = "shadow"\n\n[time]\nstep = 0.01\nimpacts = 1000\n'
    return {
        "schema": 1, "kind": kind, "title": title, "system": system.name, "scenario": scenario,
        "command": f"carom {kind} {system.name}", "version": "0.2.0", "git": "4098fae",
        "machine": "4 x Intel Xeon 2.20 GHz, Linux 6.1, g++ 12.2", "created": "2026-11-15 12:00 UTC",
        "coordinates": system.coordinates, "momenta": system.momenta, "gaps": system.gaps, "drawing": system.drawing,
        "runs": runs, "convergence": convergence,
    }


# Samples.

def run_sample():
    system = CartPendulum()
    return make_report("run", "Bouncing cart-pendulum", system, [make_run(system, "rk4", 0.01, 400.0, "shadow")])


def lossy_sample():
    system = Particle()
    run = make_run(system, "rk4", 0.005, 12.0, restitution=0.93, forced=True, most=3000)
    run["series"]["quantities"] = [[math.hypot(x, y) for x, y in zip(*run["series"]["v"])], run["series"]["q"][1]]
    run["series"]["forces"] = [[0.0 if t < 6 else 9.81 for t in run["series"]["t"]], [], []]
    run["warnings"] = ["the step is coarse beside the fastest motion: h ω = 0.61, better below 0.5"]
    return {**make_report("run", "A ball in a box, pushed and losing", system, [run]), "quantities": ["speed", "height"]}


def star_sample():
    system = Star()
    return make_report("run", "A star in a round table", system, [make_run(system, "rk4", 0.01, 60.0)])


def compare_sample():
    system = CartPendulum()
    runs = [make_run(system, "rk4", 0.01, 60.0, "shadow, svc"), make_run(system, "heun", 0.01, 60.0, "continuous-energy, svc"),
            make_run(system, "euler", 0.01, 60.0, "discrete-energy, svc")]
    for run, until in zip(runs, [None, 21.42, 8.1]):
        run["row"]["followed_until"] = until
    return make_report("compare", "Three impact laws on the cart-pendulum", system, runs)


def crowded_sample():
    """Eight runs, one of which failed early."""
    system = Particle()
    runs = [make_run(system, m, h, 8.0, f"{m}, h = {h}") for h in (0.01, 0.02) for m in ("rk4", "heun", "euler")]
    runs += [make_run(system, "rk4", 0.04, 8.0, "rk4, h = 0.04"), make_run(system, "heun", 0.04, 2.0, "heun, h = 0.04")]
    runs[-1].update(status="failed", reason="step 50, t = 2: a contact stays closed, or impacts accumulate on it (floor)")
    return make_report("compare", "Eight methods at once", system, runs)


def converge_sample():
    system = CartPendulum()
    steps = [0.04, 0.02, 0.01, 0.005, 0.0025]
    reference = integrate(system, "rk4", 0.0005, 2.0)["q"][-1]
    series = []
    for method, (_, order) in METHODS.items():
        errors, energies = [], []
        for h in steps:
            grid = integrate(system, method, h, 2.0)
            errors.append(max(abs(a - b) for a, b in zip(grid["q"][-1], reference)))
            H = [system.energy(q, v) for q, v in zip(grid["q"], grid["v"])]
            energies.append(max(abs(x - H[0]) for x in H))
        x, y = [math.log(h) for h in steps], [math.log(e) for e in errors]
        mx, my = sum(x) / len(x), sum(y) / len(y)
        slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
        series.append({"label": f"{method} + mirror", "h": steps, "error": errors, "energy_error": energies, "slope": slope,
                       "claimed_order": order, "seconds": [2e-6 * order / h for h in steps]})
    return make_report("converge", "Order through impacts", system, [], {"reference": "finest step", "series": series})


def chain_sample(size=4):
    system = Chain(size)
    return make_report("run", f"A chain of {size} without a drawing", system, [make_run(system, "rk4", 0.02, 40.0)])


# Edge cases: the page has to load without errors whatever comes.

def bare_run(**more):
    """A run that knows nothing."""
    return {"label": "bare", "method": "none", "status": "completed", "reason": None, "warnings": [], "summary": {}, "row": {},
            "series": {"t": []}, "impacts": {"count": 0, "t": [], "contact": [], "impulse": []}, "contact_names": [], "motion": None, **more}


def hostile_names():
    """Text that would end the script, open a comment, or run, if it were taken for markup; and letters of many kinds."""
    report = lossy_sample()
    evil = "</script><!--<script><img src=x onerror=alert(1)> & Ünïcödé 中文 🎱 \u2028"
    report.update(title=evil, system=evil, scenario=evil, coordinates=[evil, "ψ̇"], gaps=["<b>floor</b>", "links", "左"])
    report["runs"][0].update(label=evil, method=evil, warnings=[evil], contact_names=["<i>", "ß", "右"])
    return report


def failed_at_once():
    """A run that failed before its first step: one row, one frame."""
    system = CartPendulum()
    run = make_run(system, "rk4", 0.01, 0.0)
    run.update(status="failed", reason="step 0, t = 0: a contact stays closed, or impacts accumulate on it (floor)")
    return make_report("run", "Failed at once", system, [run])


def single_point_shapes():
    """A failed run beside a good one, and one that knows nothing."""
    system = CartPendulum()
    good, failed = make_run(system, "rk4", 0.01, 4.0, "good"), make_run(system, "rk4", 0.01, 0.0, "failed")
    failed.update(status="failed", reason="at once")
    return make_report("compare", "One good, one failed, one empty", system, [good, failed, bare_run(status="stopped")])


def full_of_holes():
    """Every third number is missing, some columns entirely."""
    report = star_sample()
    series = report["runs"][0]["series"]
    for name in ("H_error", "shadow_error"):
        series[name] = [None if i % 3 == 0 else x for i, x in enumerate(series[name])]
    series["q"][1] = [None] * len(series["t"])
    series["gaps"][0] = [None if i % 3 == 0 else x for i, x in enumerate(series["gaps"][0])]
    series["discrete_error"] = [None] * len(series["t"])
    report["runs"][0]["row"].update(energy_error=None, drift=None, microseconds_per_step=None)
    report["runs"][0]["summary"]["energy"] = {"initial": None, "final": None, "max_abs_error": None, "drift_per_time": None}
    return report


def broken_drawing():
    """Expressions that do not parse, throw, give NaN or name nothing; the rest of the drawing still shows."""
    report = lossy_sample()
    report["drawing"] = {
        **report["drawing"], "points": {"ball": ["q[0]", "q[1]"], "syntax": ["q[0", "0"], "throws": ["nothing.here", "0"], "nan": ["0/0", "q[7]"]},
        "lines": [["ball", "nowhere"], ["ball", "nan"]], "circles": [["ball", "0.06"], ["throws", "1"], ["ball", "1 +"]],
        "boxes": [["nan", "1", "1"]], "curves": [["Math.sqrt(-1)", "s", "0", "1"], ["s", "s", "0", "1/0"]], "trails": ["ball", "ghost"],
    }
    return report


def many_impacts():
    """One coordinate, no drawing, and as many impacts as a report may hold."""
    report = chain_sample(1)
    count = 2000
    times = [40.0 * (i + 0.5) / count for i in range(count)]
    report["runs"][0]["impacts"] = {"count": 123456, "t": times, "contact": [0] * count, "impulse": [1 + math.sin(t) for t in times]}
    report["runs"][0]["row"]["impacts"] = 123456
    return report


def no_impacts():
    report = star_sample()
    report["runs"][0]["impacts"] = {"count": 0, "t": [], "contact": [], "impulse": []}
    report["runs"][0]["row"]["impacts"] = 0
    report["drawing"]["view"] = None
    return report


def far_away():
    """A motion that leaves: the camera has to go along."""
    system = Particle()
    system.start, system.gap = ([0.3, 1.5], [9.0, 0.0]), lambda q: [q[1], 1.0, 1.0]
    report = make_report("run", "Far away", system, [make_run(system, "rk4", 0.01, 40.0)])
    report["drawing"] = {**system.drawing, "view": [-30, 400, -30, 60], "ground": [["-1000", "0", "1000", "0"]]}
    return report


def odd_convergence():
    """Zeros, holes, a single point, nothing at all."""
    report = converge_sample()
    series = report["convergence"]["series"]
    series[0]["error"][2], series[1]["error"] = 0.0, [None] * 5
    series.append({"label": "one point", "h": [0.01], "error": [1e-3], "energy_error": [None], "slope": None, "claimed_order": None, "seconds": []})
    series.append({"label": "none", "h": [], "error": [], "energy_error": [], "slope": None, "claimed_order": 2, "seconds": []})
    return report


EDGES = {
    "hostile-names": hostile_names, "failed-at-once": failed_at_once, "one-of-each": single_point_shapes, "holes": full_of_holes,
    "broken-drawing": broken_drawing, "many-impacts": many_impacts, "no-impacts": no_impacts, "odd-convergence": odd_convergence,
    "sixteen": lambda: chain_sample(16), "far-away": far_away, "no-runs": lambda: make_report("run", "No runs", CartPendulum(), []),
    "bare": lambda: make_report("run", "Bare", CartPendulum(), [bare_run()]),
    "no-convergence": lambda: make_report("converge", "Nothing", CartPendulum(), [], {"reference": None, "series": []}),
    "minimal": lambda: {"schema": 1, "kind": "run"}, "other-schema": lambda: {"schema": 2, "kind": "run"},
}

SAMPLES = {
    "run": run_sample, "lossy": lossy_sample, "star": star_sample, "compare": compare_sample, "crowded": crowded_sample,
    "converge": converge_sample, "chain": chain_sample,
}


def write_samples(folder, names=None):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    makers = {**SAMPLES, **EDGES}
    for name in names or makers:
        write_report(REPORT, makers[name](), folder / f"{name}.html")


if __name__ == "__main__":
    write_samples(sys.argv[1], sys.argv[2:])
