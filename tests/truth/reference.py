"""Motions by SciPy's DOP853 with events, from the same formulas that carom is given: an independent solution.

Derivatives are those of second-order jets, the equations of motion L_vv a = L_q - L_vq v - L_vt + F, and an impact turns the rate
of the gap that closes around, times restitution, by an impulse along its gradient. One contact at a time; nothing lasts. Closed forms
of two motions stand at the end."""

import dataclasses
import math
import re

import numpy as np
import scipy.integrate


class Jet:
    """A value with gradient and Hessian."""
    __array_ufunc__ = None

    def __init__(self, value, gradient, hessian):
        self.x, self.g, self.h = value, gradient, hessian

    def through(self, f, df, ddf):
        return Jet(f, df * self.g, df * self.h + ddf * np.outer(self.g, self.g))

    def of(self, other):
        return other if isinstance(other, Jet) else Jet(float(other), np.zeros_like(self.g), np.zeros_like(self.h))

    def __neg__(self):
        return Jet(-self.x, -self.g, -self.h)

    def __add__(self, other):
        other = self.of(other)
        return Jet(self.x + other.x, self.g + other.g, self.h + other.h)

    def __mul__(self, other):
        other = self.of(other)
        cross = np.outer(self.g, other.g)
        return Jet(self.x * other.x, self.x * other.g + other.x * self.g,
                   self.x * other.h + other.x * self.h + cross + cross.T)

    def __pow__(self, n):
        if isinstance(n, Jet):
            return exp(log(self) * n)
        x = self.x
        return self.through(x**n, n * x**(n - 1) if n else 0.0, n * (n - 1) * x**(n - 2) if n not in (0, 1) else 0.0)

    def __sub__(self, other):
        return self + -self.of(other)

    def __rsub__(self, other):
        return self.of(other) - self

    def __truediv__(self, other):
        return self * self.of(other)**-1

    def __rtruediv__(self, other):
        return self.of(other) / self

    def __rpow__(self, base):
        return exp(self * math.log(base))

    __radd__, __rmul__ = __add__, __mul__


def lifted(f, df, ddf):
    """A function of numbers and of jets."""
    return lambda a: a.through(f(a.x), df(a.x), ddf(a.x)) if isinstance(a, Jet) else f(a)


def number(a):
    return a.x if isinstance(a, Jet) else a


def hypot(a, b):
    return sqrt(a * a + b * b)


sin = lifted(math.sin, math.cos, lambda x: -math.sin(x))
cos = lifted(math.cos, lambda x: -math.sin(x), lambda x: -math.cos(x))
exp = lifted(math.exp, math.exp, math.exp)
log = lifted(math.log, lambda x: 1 / x, lambda x: -1 / x**2)
sqrt = lifted(math.sqrt, lambda x: 0.5 / math.sqrt(x), lambda x: -0.25 / x**1.5)
tanh = lifted(math.tanh, lambda x: 1 - math.tanh(x)**2, lambda x: -2 * math.tanh(x) * (1 - math.tanh(x)**2))
NAMES = {"sin": sin, "cos": cos, "exp": exp, "log": log, "sqrt": sqrt, "tanh": tanh, "hypot": hypot, "pi": math.pi,
         "abs": lambda a: a if number(a) >= 0 else -a,
         "max": lambda a, b: a if number(a) >= number(b) else b,
         "min": lambda a, b: a if number(a) <= number(b) else b}


def python(formula):
    return compile(re.sub(r"(\w+)'", r"\1_v", formula).replace("^", "**"), formula, "eval")


class OutOfReach(Exception):
    """A motion that this reference does not follow: a graze, bounces that accumulate, two contacts at once."""


@dataclasses.dataclass
class Motion:
    t: float
    q: np.ndarray
    v: np.ndarray
    p: np.ndarray
    H: float
    impacts: list
    largest: float


class Reference:
    """The system of a table [system], moving from t, q, v."""

    def __init__(self, system, restitution=1.0, rtol=1e-12, atol=1e-13, max_step=0.02):
        self.names = system["coordinates"]
        self.n = len(self.names)
        self.L = python(system["lagrangian"])
        self.gaps = {name: python(formula) for name, formula in (system.get("gaps") or {}).items()}
        self.force = [python(formula) for formula in system.get("force") or []]
        self.parameters = system.get("parameters") or {}
        self.e = restitution
        self.tolerances = dict(rtol=rtol, atol=atol, max_step=max_step)

    def evaluate(self, formula, values):
        scope = {"__builtins__": {}} | NAMES | self.parameters | {"t": values[-1]}
        scope |= dict(zip(self.names, values)) | dict(zip((f"{name}_v" for name in self.names), values[self.n:]))
        return eval(formula, scope)

    def jet(self, formula, t, q, v):
        """The formula's value, gradient and Hessian over (q, v, t)."""
        m = 2 * self.n + 1
        values = [Jet(float(x), row, np.zeros((m, m))) for x, row in zip([*q, *v, t], np.eye(m))]
        result = self.evaluate(formula, values)
        return result if isinstance(result, Jet) else values[0].of(result)

    def number(self, formula, t, q, v):
        return float(self.evaluate(formula, [*q, *v, t]))

    def mass(self, t, q, v):
        n = self.n
        return self.jet(self.L, t, q, v).h[n:2 * n, n:2 * n]

    def slope(self, t, z):
        n, q, v = self.n, z[:self.n], z[self.n:]
        L = self.jet(self.L, t, q, v)
        right = L.g[:n] - L.h[n:2 * n, :n] @ v - L.h[n:2 * n, 2 * n]
        if self.force:
            right = right + [self.number(each, t, q, v) for each in self.force]
        return np.concatenate([v, np.linalg.solve(L.h[n:2 * n, n:2 * n], right)])

    def rate(self, gap, t, q, v):
        jet = self.jet(gap, t, q, v)
        return jet.g[:self.n] @ v + jet.g[2 * self.n], jet.g[:self.n]

    def energy(self, t, q, v):
        L = self.jet(self.L, t, q, v)
        return L.g[self.n:2 * self.n] @ v - L.x

    def events(self):
        def event(gap):
            def g(t, z):
                return self.number(gap, t, z[:self.n], z[self.n:])
            g.terminal, g.direction = True, -1
            return g
        return [event(gap) for gap in self.gaps.values()]

    def bounce(self, t, q, v, hit, slowest):
        """The velocity after an impact on the contact `hit`."""
        rate, gradient = self.rate(self.gaps[hit], t, q, v)
        if rate > -slowest:
            raise OutOfReach(f"{hit} is grazed at {rate:.1e}")
        for name, gap in self.gaps.items():
            if name != hit and self.number(gap, t, q, v) < 1e-4:
                raise OutOfReach(f"{hit} and {name} close together")
        push = np.linalg.solve(self.mass(t, q, v), gradient)
        return v - (1 + self.e) * rate / (gradient @ push) * push

    def move(self, q, v, end, start=0.0, slowest=0.02, most=200):
        """The motion until `end`; impacts are (time, name). Raises OutOfReach."""
        t, z, impacts, largest = start, np.array([*q, *v], float), [], 0.0
        while True:
            flight = scipy.integrate.solve_ivp(self.slope, (t, end), z, method="DOP853", events=self.events(), **self.tolerances)
            if not flight.success or not np.isfinite(flight.y).all():
                raise OutOfReach(flight.message)
            largest = max(largest, np.abs(flight.y).max())
            t, z = flight.t[-1], flight.y[:, -1]
            if any(self.number(gap, t, z[:self.n], z[self.n:]) < -1e-9 for gap in self.gaps.values()):
                raise OutOfReach("a hop too short for the reference")
            if flight.status == 0:
                break
            hit = next(name for name, times in zip(self.gaps, flight.t_events) if len(times))
            if impacts and t - impacts[-1][0] < 1e-3 or len(impacts) >= most:
                raise OutOfReach("bounces accumulate")
            impacts.append((t, hit))
            z = np.concatenate([z[:self.n], self.bounce(t, z[:self.n], z[self.n:], hit, slowest)])
        q, v = z[:self.n], z[self.n:]
        p = self.jet(self.L, t, q, v).g[self.n:2 * self.n]
        return Motion(t, q, v, p, self.energy(t, q, v), impacts, largest)


def ball(t, height=1.0, g=10.0, e=1.0):
    """Height and speed at t of a ball that falls from rest, and its impacts."""
    fall = math.sqrt(2 * height / g)
    now, up, times = fall, g * fall, []
    if t < now:
        return height - g * t * t / 2, -g * t, times
    while True:
        up *= e
        times.append(now)
        if t < now + 2 * up / g:
            return up * (t - now) - g * (t - now)**2 / 2, up - g * (t - now), times
        now += 2 * up / g


def gas(a, b, va, vb, end, width):
    """Masses 1 and 2 between 0 and 1, `width` apart at least, by straight lines."""
    t, times = 0.0, []
    while True:
        hits = [(-a / va, 0) if va < 0 else None, ((b - a - width) / (va - vb), 1) if va > vb else None,
                ((1 - b) / vb, 2) if vb > 0 else None]
        dt, what = min(hit for hit in hits if hit)
        if t + dt > end:
            return np.array([a + va * (end - t), b + vb * (end - t)]), np.array([va, 2 * vb]), np.array(times)
        t, a, b = t + dt, a + va * dt, b + vb * dt
        times.append(t)
        if what == 0:
            va = -va
        elif what == 2:
            vb = -vb
        else:
            centre = (va + 2 * vb) / 3
            va, vb = 2 * centre - va, 2 * centre - vb


def valley(t, curve, slide):
    """The way along y = f(x) from x = 0 at speed 3 under g = 10, by x alone: f, f', f'' give the reduced Lagrangian."""
    motion = Reference({"coordinates": ["x"], "lagrangian": f"0.5*x'^2*(1 + ({slide})^2) - 10*({curve})"}, max_step=0.002).move([0.0], [3.0], t)
    x, v = motion.q[0], motion.v[0]
    f = max(0.0, x - 1)
    return np.array([x, f * f, v, 2 * f * v])
